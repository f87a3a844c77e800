//! One answer of a registry: read leniently, classified by HTTP status and `error_code`, never by its words.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::calls::Route;
use super::error::{Problem, RegistryError, Unknown};
use super::text::{about_schema, looks_like_html, one_line};
use crate::schema::Subject;

/// The longest media type that is repeated; those of registries are half as long.
const MAX_MEDIA_TYPE: usize = 80;

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
    /// The `Content-Type` header.
    pub content_type: Option<String>,
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

    /// What the registry says, whole: a string, or the strings of a list. Nothing of a body that is no registry's: a URL
    /// may lead to anyone, and who writes it need not be one who may read what is there.
    pub fn message(&self) -> String {
        match self.error_body() {
            ErrorBody { error_code: Some(_), message: Some(message) } => words(&message),
            _ => String::new(),
        }
    }

    /// What the registry says, fit for a message that tells the status; of another body, only what it is.
    pub fn short_message(&self) -> String {
        if self.is_registrys() {
            return one_line(&self.message());
        }
        format!("an answer that is no registry's ({})", self.media_type())
    }

    /// The same where nothing else tells the status. Never empty.
    pub fn told(&self) -> String {
        if !self.is_registrys() {
            return format!("an answer that is no registry's (status {}, {})", self.status, self.media_type());
        }
        or_status(self, one_line(&self.message()))
    }

    /// What the registry says is wrong with the schema that it was sent. Never empty.
    pub fn about_schema(&self) -> String {
        if self.is_registrys() { or_status(self, about_schema(&self.message())) } else { self.told() }
    }

    /// Whether the body is one that registries answer with when they refuse: none, or one with a code.
    fn is_registrys(&self) -> bool {
        self.first_byte().is_none() || self.error_body().error_code.is_some()
    }

    /// The type of the body as its sender names it, if that is one.
    fn media_type(&self) -> &str {
        let named = self.content_type.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        let is_type = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/+-._".contains(&byte));
        if named.contains('/') && named.len() <= MAX_MEDIA_TYPE && is_type(named) { named } else { "of no known type" }
    }

    /// Whether the registry does not have this route: 405, or a 404 that does not carry a code of the registry's own.
    /// Confluent answers 404/404, Karapace a JSON string, others plain text.
    pub fn is_missing_route(&self) -> bool {
        self.status == 405 || (self.status == 404 && self.code().is_none_or(|code| code == 404))
    }

    /// The answer, unless it refuses the name of the subject that was asked about.
    pub fn about(self, subject: &Subject) -> Result<Reply, RegistryError> {
        if !self.refuses_subject() {
            return Ok(self);
        }
        let (subject, why) = (subject.shown().into_owned(), self.told());
        Err(RegistryError::SubjectRefused { host: self.host, subject, why })
    }

    /// A read says nothing but the subject that could be wrong (Apicurio: 400 for a name that it takes for no id, and
    /// whatever stands in front of a registry, for a path that it does not like); Confluent has a code for it. A name can
    /// also be too long for any server (414).
    fn refuses_subject(&self) -> bool {
        match self.status {
            400 => self.route.method() == "GET",
            414 => true,
            422 => self.code() == Some(42208),
            _ => false,
        }
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
            // Karapace's answer has no code either, and says no more than the status.
            403 => RegistryError::Forbidden { host, status, message: one_line(&self.message()) },
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

fn or_status(reply: &Reply, said: String) -> String {
    if said.is_empty() { format!("status {} without a word", reply.status) } else { said }
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
            content_type: Some("text/plain; charset=utf-8".into()),
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
    #[case::empty("", None, "")]
    #[case::null_message(r#"{"error_code":500,"message":null}"#, Some(500), "")]
    #[case::nothing_fits(r#"{"error_code":{},"message":{"a":1}}"#, None, "")]
    fn error_bodies_of_all_kinds_are_read(#[case] body: &str, #[case] code: Option<i64>, #[case] message: &str) {
        let reply = reply(400, body);
        assert_eq!((reply.code(), reply.short_message().as_str()), (code, message));
    }

    /// Whoever may create a SchemaRegistry could else read what answers at any URL inside a cluster.
    #[rstest]
    #[case::plain_text("token=secret")]
    #[case::html("<html><body>secret</body></html>")]
    #[case::json_string("\"secret\"")]
    #[case::json_list("[\"secret\"]")]
    #[case::json_with_a_message(r#"{"kind":"Status","message":"secret","code":404}"#)]
    #[case::json_with_details(r#"{"title":"secret","detail":"secret"}"#)]
    fn of_what_is_no_registrys_answer_nothing_is_repeated(#[case] body: &str) {
        let reply = reply(400, body);
        assert_eq!(reply.message(), "");
        assert_eq!(reply.short_message(), "an answer that is no registry's (text/plain)");
        assert_eq!(reply.told(), "an answer that is no registry's (status 400, text/plain)");
        for status in [400, 403, 404, 409, 500, 502] {
            let error = Reply { status, ..self::reply(status, body) }.error().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[rstest]
    #[case::no_body("")]
    #[case::no_message(r#"{"error_code":42201}"#)]
    #[case::blank(r#"{"error_code":42201,"message":" "}"#)]
    #[case::web_page_as_a_message(r#"{"error_code":42201,"message":"<html>secret"}"#)]
    fn who_says_nothing_is_told_to(#[case] body: &str) {
        let reply = reply(413, body);
        assert_eq!((reply.told().as_str(), reply.short_message().as_str()), ("status 413 without a word", ""));
        assert_eq!(reply.about_schema(), "status 413 without a word");
    }

    #[rstest]
    #[case::json(Some("application/json"), "application/json")]
    #[case::with_parameters(Some("Application/JSON ; charset=x"), "Application/JSON")]
    #[case::none(None, "of no known type")]
    #[case::a_sentence(Some("read this: secret"), "of no known type")]
    #[case::endless(
        Some("a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
        "of no known type"
    )]
    fn the_type_of_an_answer_is_named_if_it_is_one(#[case] sent: Option<&str>, #[case] told: &str) {
        let reply = Reply { content_type: sent.map(str::to_owned), ..reply(400, "x") };
        assert_eq!(reply.short_message(), format!("an answer that is no registry's ({told})"));
    }

    #[rstest]
    #[case::apicurio(Route::Latest, 400, r#"{"error_code":0,"message":"Artifact ID 'a' is invalid."}"#, true)]
    #[case::a_server_in_front(Route::GetLevel, 400, "<h1>Ambiguous URI path separator</h1>", true)]
    #[case::too_long(Route::Register, 414, "", true)]
    #[case::confluent(Route::Register, 422, r#"{"error_code":42208,"message":"Invalid subject"}"#, true)]
    #[case::a_body_may_be_what_is_wrong(Route::Register, 400, r#"{"error_code":400,"message":"m"}"#, false)]
    #[case::invalid_version(Route::Version, 422, r#"{"error_code":42202,"message":"m"}"#, false)]
    #[case::not_found(Route::Latest, 404, r#"{"error_code":40401,"message":"m"}"#, false)]
    fn a_refused_name_is_told_from_a_refused_request(
        #[case] route: Route,
        #[case] status: u16,
        #[case] body: &str,
        #[case] refused: bool,
    ) {
        let result = Reply { route, ..reply(status, body) }.about(&Subject::parse("a\u{2028}b").unwrap());
        assert_eq!(matches!(result, Err(RegistryError::SubjectRefused { .. })), refused, "{result:?}");
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
