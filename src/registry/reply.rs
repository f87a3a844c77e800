//! One answer of a registry: read leniently, classified by HTTP status and `error_code`, never by its words.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::calls::Route;
use super::error::{Problem, RegistryError, Unknown};
use super::text::{looks_like_html, one_line};

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Reply {
    pub host: String,
    pub route: Route,
    pub status: u16,
    pub retry_after: Option<Duration>,
    /// The host that a redirect points at.
    pub redirect_to: Option<String>,
    /// The `Server` header.
    pub server: Option<String>,
    pub body: Vec<u8>,
}

/// The body of a refusal, as far as it is one.
#[derive(Debug, Default, Deserialize)]
struct ErrorBody {
    error_code: Option<Value>,
    message: Option<Value>,
}

impl Reply {
    /// The body, a JSON object, as what is due here. Unknown keys are ignored.
    pub fn object<T: DeserializeOwned>(&self) -> Result<T, RegistryError> {
        self.json(b'{')
    }

    /// The body, a JSON list, as what is due here.
    pub fn list<T: DeserializeOwned>(&self) -> Result<Vec<T>, RegistryError> {
        self.json(b'[')
    }

    /// serde_json's own bound of 128 levels holds. It would also take a list for the fields of a struct.
    fn json<T: DeserializeOwned>(&self, first: u8) -> Result<T, RegistryError> {
        match self.first_byte() {
            None => return Err(self.unexpected(Problem::Empty(self.status))),
            Some(b'{' | b'[' | b'"') if self.first_byte() != Some(first) => {
                return Err(self.unexpected(Problem::NotTheJson(self.status, "it is of another type".to_owned())));
            }
            Some(_) => {}
        }
        serde_json::from_slice(&self.body).map_err(|error| {
            if looks_like_html(&self.text()) {
                return self.unexpected(Problem::Html(self.status));
            }
            // Without the value: serde_json quotes what it found.
            let why = match error.classify() {
                serde_json::error::Category::Data => "a field is missing or of another type",
                _ => "it does not parse",
            };
            self.unexpected(Problem::NotTheJson(self.status, why.to_owned()))
        })
    }

    /// The registry's `error_code`, if the body holds one.
    pub fn code(&self) -> Option<i64> {
        let code = self.error_body().error_code?;
        code.as_i64().or_else(|| code.as_str()?.parse().ok())
    }

    /// What the registry says, whole: a string, the strings of an array, a body that is a string or plain text.
    pub fn message(&self) -> String {
        match serde_json::from_slice::<Value>(&self.body) {
            Ok(Value::Object(_)) => self.error_body().message.map(|message| words(&message)).unwrap_or_default(),
            Ok(other) => words(&other),
            Err(_) if looks_like_html(&self.text()) => String::new(),
            Err(_) => self.text().into_owned(),
        }
    }

    /// What the registry says, fit for a message.
    pub fn short_message(&self) -> String {
        one_line(&self.message())
    }

    /// Whether the registry does not have this route: 405, or a 404 that does not carry a code of the registry's own.
    /// Confluent answers 404/404, Karapace a JSON string, others plain text.
    pub fn is_missing_route(&self) -> bool {
        self.status == 405 || (self.status == 404 && self.code().is_none_or(|code| code == 404))
    }

    /// Whether this is a "not found" of the registry's own, whatever was not found.
    pub fn is_not_found(&self) -> bool {
        self.status == 404 && self.code().is_some_and(|code| (40401..=40499).contains(&code))
    }

    /// What an answer is that means nothing in particular to the call that got it. Right for reads, and for writes
    /// that were refused; see [`Reply::write_error`].
    pub fn error(&self) -> RegistryError {
        let (host, status, code) = (self.host.clone(), self.status, self.code());
        match status {
            401 => RegistryError::Unauthorized { host },
            403 => RegistryError::Forbidden { host, status, message: self.short_message() },
            409 => RegistryError::Conflict { host, message: self.short_message() },
            429 | 503 => RegistryError::Overloaded { host, status, retry_after: self.retry_after },
            408 | 500.. => RegistryError::Failing { host, status, code, message: self.short_message() },
            300..=399 => {
                self.unexpected(Problem::Redirect(status, self.redirect_to.clone().unwrap_or_else(|| "nowhere".into())))
            }
            _ if looks_like_html(&self.text()) => self.unexpected(Problem::Html(status)),
            _ => self.unexpected(Problem::Status(status, code, self.short_message())),
        }
    }

    /// Whether the registry fails on what it was sent, rather than by itself: a 500 without a code of its own.
    pub fn is_candidate_failure(&self) -> bool {
        self.status == 500 && self.code().is_none_or(|code| code == 0 || code == 500)
    }

    /// What a failed call that carried a schema, but writes nothing, is.
    pub fn candidate_error(&self) -> RegistryError {
        if self.is_candidate_failure() {
            let (host, status) = (self.host.clone(), self.status);
            return RegistryError::CandidateFailed { host, status, message: self.short_message() };
        }
        self.error()
    }

    /// What a failed write is. 50001 and 50002 were seen to be answered although the write was done; 502 and 504 come
    /// from a proxy that lost the registry, and a 503 in no registry's form may.
    pub fn write_error(&self) -> RegistryError {
        let code = self.code();
        let unknown = match self.status {
            500 => matches!(code, Some(50001 | 50002)),
            503 => code.is_none() && self.retry_after.is_none(),
            408 | 502 | 504 => true,
            _ => false,
        };
        if unknown {
            let why = Unknown::Failed { status: self.status, code };
            return RegistryError::OutcomeUnknown { host: self.host.clone(), why };
        }
        self.error()
    }

    /// What a write is that was answered with success in a way that cannot be read: it may well have been done.
    pub fn unreadable_write(&self) -> RegistryError {
        RegistryError::OutcomeUnknown { host: self.host.clone(), why: Unknown::Unreadable }
    }

    pub fn unexpected(&self, problem: Problem) -> RegistryError {
        RegistryError::UnexpectedReply { host: self.host.clone(), route: self.route, problem }
    }

    fn error_body(&self) -> ErrorBody {
        match self.first_byte() {
            Some(b'{') => serde_json::from_slice(&self.body).unwrap_or_default(),
            _ => ErrorBody::default(),
        }
    }

    fn first_byte(&self) -> Option<u8> {
        self.body.iter().copied().find(|byte| !byte.is_ascii_whitespace())
    }

    fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// The strings in a value: Karapace answers a list of objects with `msg`, others a list of strings.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            items.iter().take(20).map(words).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("; ")
        }
        Value::Object(fields) => match (fields.get("loc").map(words), fields.get("msg").map(words)) {
            (Some(place), Some(message)) => format!("{}: {message}", place.replace("; ", ".")),
            (None, Some(message)) => message,
            _ => String::new(),
        },
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn reply(status: u16, body: &str) -> Reply {
        Reply {
            host: "r:1".into(),
            route: Route::Lookup,
            status,
            retry_after: None,
            redirect_to: None,
            server: None,
            body: body.as_bytes().to_vec(),
        }
    }

    #[rstest]
    #[case::confluent(
        r#"{"error_code":40401,"message":"Subject 'a' not found."}"#,
        Some(40401),
        "Subject 'a' not found."
    )]
    #[case::unknown_keys(r#"{"error_code":1,"message":"m","detail":{"x":[1]}}"#, Some(1), "m")]
    #[case::code_as_a_string(r#"{"error_code":"42201","message":"m"}"#, Some(42201), "m")]
    #[case::karapace_validation(
        r#"{"error_code":422,"message":[{"type":"missing","loc":["body","compatibility"],"msg":"Field required","input":{}}]}"#,
        Some(422),
        "body.compatibility: Field required"
    )]
    #[case::karapace_forbidden(r#"{"message":"Forbidden"}"#, None, "Forbidden")]
    #[case::json_string("\"Not Found\"", None, "Not Found")]
    #[case::plain_text("Internal Server Error", None, "Internal Server Error")]
    #[case::html("<html><body>secret</body></html>", None, "")]
    #[case::empty("", None, "")]
    #[case::null_message(r#"{"error_code":500,"message":null}"#, Some(500), "")]
    #[case::not_an_object("[1,[2]]", None, "1; 2")]
    #[case::nothing_fits(r#"{"error_code":{},"message":{"a":1}}"#, None, "")]
    fn error_bodies_of_all_kinds_are_read(#[case] body: &str, #[case] code: Option<i64>, #[case] message: &str) {
        let reply = reply(400, body);
        assert_eq!((reply.code(), reply.short_message().as_str()), (code, message));
    }

    #[rstest]
    #[case::confluent(404, r#"{"error_code":404,"message":"HTTP 404 Not Found"}"#, true)]
    #[case::karapace(404, "\"Not Found\"", true)]
    #[case::empty(404, "", true)]
    #[case::method(405, "\"Method Not Allowed\"", true)]
    #[case::subject_not_found(404, r#"{"error_code":40401,"message":""}"#, false)]
    #[case::refused(422, "", false)]
    fn a_route_that_is_not_there_is_told_from_a_thing_that_is_not_there(
        #[case] status: u16,
        #[case] body: &str,
        #[case] missing: bool,
    ) {
        assert_eq!(reply(status, body).is_missing_route(), missing);
    }

    #[rstest]
    #[case::store_error(500, r#"{"error_code":50001}"#, true)]
    #[case::store_timeout(500, r#"{"error_code":50002}"#, true)]
    #[case::no_leader(500, r#"{"error_code":50004}"#, false)]
    #[case::gateway(502, "<html>", true)]
    #[case::gateway_timeout(504, "", true)]
    #[case::proxy_lost_the_connection(503, "upstream connect error or disconnect/reset before headers", true)]
    #[case::redpanda_write_collision(503, r#"{"error_code":50301}"#, false)]
    #[case::too_many_requests(429, "", false)]
    #[case::refused(422, r#"{"error_code":42205}"#, false)]
    fn some_failures_leave_open_whether_a_write_was_done(#[case] status: u16, #[case] body: &str, #[case] open: bool) {
        let error = reply(status, body).write_error();
        assert_eq!(matches!(error, RegistryError::OutcomeUnknown { .. }), open, "{error:?}");
    }

    #[rstest]
    #[case::deep(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)))]
    #[case::deep_and_open(&"{\"a\":".repeat(100_000))]
    #[case::not_utf8("\u{fffd}")]
    fn hostile_bodies_are_an_error(#[case] body: &str) {
        let reply = reply(200, body);
        assert!(matches!(reply.list::<Value>(), Err(RegistryError::UnexpectedReply { .. })));
        assert!(matches!(reply.object::<Value>(), Err(RegistryError::UnexpectedReply { .. })));
        reply.message();
    }
}
