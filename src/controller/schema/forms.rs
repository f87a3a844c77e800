//! Texts as their forms: the spec's, once a generation, and what the registry holds.

use std::sync::Arc;

use super::memory::{ReadForm, SchemaMemory};
use super::observe::Target;
use crate::api::{Schema, SchemaType};
use crate::controller::context::Context;
use crate::controller::memory::Memory;
use crate::registry::Stored;
use crate::schema::{Form, TextError};

/// A text longer than this is parsed on a thread that may block.
const PARSE_IN_PLACE: usize = 16 * 1024;

/// The form of the spec, read once a generation.
pub async fn form_of(schema: &Schema, context: &Context, memory: &mut Memory<SchemaMemory>) -> ReadForm {
    let generation = schema.metadata.generation.unwrap_or_default();
    if let Some((known, form)) = &memory.own.form
        && *known == generation
    {
        return form.clone();
    }
    let form = read_form(schema.spec.schema_type, &schema.spec.schema, context).await;
    let form = form.map(|form| {
        let fingerprint = form.fingerprint();
        (Arc::new(form), fingerprint)
    });
    memory.own.form = Some((generation, form.clone()));
    form
}

async fn read_form(schema_type: SchemaType, text: &str, context: &Context) -> Result<Form, TextError> {
    if text.len() <= PARSE_IN_PLACE {
        return Form::read(schema_type, text);
    }
    let _few_at_once = context.parsers.acquire().await;
    let owned = text.to_owned();
    let parsed = tokio::task::spawn_blocking(move || Form::read(schema_type, &owned)).await;
    // A parser that panicked is asked again here, where the panic is caught with the object's name.
    parsed.unwrap_or_else(|_| Form::read(schema_type, text))
}

/// The form of what the registry holds, where it can be read.
pub async fn form_in(target: &Target, stored: &Stored) -> Option<Form> {
    read_form(stored.schema_type, &stored.text, &target.session.context).await.ok()
}
