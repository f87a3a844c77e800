//! Sets a level, and takes what came of it into what is known.

use tokio::time::Instant;

use super::observe::read;
use super::plan::{Answer, Observed, RegistrySeen};
use super::{ConfigMemory, Set};
use crate::controller::look::Session;
use crate::registry::SetLevel;
use crate::schema::Subject;

/// Sets the level, and reads what is in force then.
pub(super) async fn apply(
    set: Set,
    seen: &mut Observed,
    session: &Session,
    subject: &Subject,
    memory: &mut ConfigMemory,
) {
    let connection = &session.connection;
    let result = connection.client.set_level(subject, set.level).await;
    connection.note(&result);
    let answer = match result {
        Ok(SetLevel::Stored) => Answer::Stored,
        Ok(SetLevel::SubjectMissing) => Answer::SubjectMissing,
        Ok(SetLevel::ReadOnly { message }) => Answer::ReadOnly(message),
        Ok(SetLevel::Refused { message }) => Answer::Refused(message),
        // Setting a level again does no harm: an unknown outcome is tried again after the next look.
        Err(error) => Answer::Away(connection.words(&error)),
    };
    if answer == Answer::Stored {
        memory.took(set, Instant::now());
        seen.registry = read(session, subject, None).await.unwrap_or_else(RegistrySeen::Away);
        seen.unread = seen.level().copied().and_then(|read| memory.unread_for(seen.wanted, read.level, Instant::now()));
    }
    seen.answer = Some(answer);
}
