//! What can go wrong between us and a registry, apart from answers that are a decision of the registry.

use std::fmt;
use std::time::Duration;

use super::calls::Route;
use crate::api::Reason;

/// Why a call gave no usable answer. Each message names the host and the port, not the resource: the caller does that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// No answer at all. For a write: it was not sent.
    #[error("{cause} at {host}")]
    Unreachable {
        /// `registry.kafka:8081`
        host: String,
        /// How the connection failed.
        cause: Cause,
    },
    /// 401: no credentials, or wrong ones.
    #[error("{host} does not accept the credentials (401)")]
    Unauthorized {
        /// Who answered.
        host: String,
    },
    /// 403, or what a registry answers in its place.
    #[error("{host} does not allow this ({status}){}", because(message))]
    Forbidden {
        /// Who answered.
        host: String,
        /// The HTTP status.
        status: u16,
        /// In the registry's words; may be empty.
        message: String,
    },
    /// 429, or 503: not now. For a write: it was not done.
    #[error("{host} is overloaded ({status})")]
    Overloaded {
        /// Who answered.
        host: String,
        /// 429 or 503.
        status: u16,
        /// For how long it wants to be left alone, as far as it said.
        retry_after: Option<Duration>,
    },
    /// Any other 5xx: the registry has trouble of its own, as without a leader (50003, 50004) or without storage.
    #[error("{host} has trouble of its own ({status}{}){}", slash(code), because(message))]
    Failing {
        /// Who answered.
        host: String,
        /// The HTTP status.
        status: u16,
        /// The registry's `error_code`.
        code: Option<i64>,
        /// In the registry's words; may be empty.
        message: String,
    },
    /// A 500 without a code of its own, on a call that carries a schema: this schema trips the registry, others may not.
    #[error("{host} fails on this schema ({status}){}", because(message))]
    CandidateFailed {
        /// Who answered.
        host: String,
        /// The HTTP status.
        status: u16,
        /// In the registry's words; may be empty.
        message: String,
    },
    /// 409 that is not an incompatibility: something else was being written.
    #[error("{host} reports a conflict{}", because(message))]
    Conflict {
        /// Who answered.
        host: String,
        /// In the registry's words; may be empty.
        message: String,
    },
    /// A write was sent, and whether it was done is not known: look before writing again.
    #[error("{host} did not say whether it did the change: {why}")]
    OutcomeUnknown {
        /// Who was asked.
        host: String,
        /// What is known instead.
        why: Unknown,
    },
    /// An answer that no registry gives to this call.
    #[error("{host} answered {problem} to {route}; check the registry's URL and what stands in front of it")]
    UnexpectedReply {
        /// Who answered.
        host: String,
        /// The call.
        route: Route,
        /// What is wrong with the answer.
        problem: Problem,
    },
    /// The registry takes the name of a subject for another one, as where it is an alias (Confluent).
    #[error(
        "{host} takes subject {asked} for subject {answered}, as where it is an alias; what is written to it would be a \
         version of {answered}: name that subject, or remove the alias"
    )]
    AnotherSubject {
        /// Who answered.
        host: String,
        /// The subject that was asked for.
        asked: String,
        /// The subject that the answer speaks of.
        answered: String,
    },
    /// The registry takes no subject by this name. Says nothing of other subjects, or of the registry.
    #[error(
        "{host} does not take {subject} as the name of a subject; create this resource anew with another one. Its answer: \
         {why}"
    )]
    SubjectRefused {
        /// Who answered.
        host: String,
        /// The subject.
        subject: String,
        /// In the registry's words.
        why: String,
    },
    /// More than the client is willing to read.
    #[error("{host} answered more than {limit} bytes to {route}")]
    ReplyTooLarge {
        /// Who answered.
        host: String,
        /// The call.
        route: Route,
        /// The cap, in bytes.
        limit: usize,
    },
    /// The client cannot be built on this machine (no TLS roots, for instance).
    #[error("no client can be made for {host}: {why}")]
    NoClient {
        /// Who was to be asked.
        host: String,
        /// In the words of the HTTP library.
        why: String,
    },
}

/// How a connection fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nobody listens.
    Refused,
    /// No answer in time.
    Timeout,
    /// No common TLS version, or a certificate that is not trusted.
    Tls,
    /// The host's name is not known.
    Dns,
    /// The connection broke off.
    Reset,
    /// Anything else.
    Other,
}

/// What is known about a write whose outcome is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The connection failed after the request was sent.
    NoAnswer(Cause),
    /// The registry, or a proxy, answered that it does not know (50001, 50002, 502, 503, 504).
    Failed {
        /// The HTTP status.
        status: u16,
        /// The registry's `error_code`.
        code: Option<i64>,
    },
    /// It answered that it was done, in a way that cannot be read.
    Unreadable,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A web page, with this HTTP status.
    Html(u16),
    /// An empty body where one is due.
    Empty(u16),
    /// A body that is not the JSON that is due; what the parser says, without any of the body.
    NotTheJson(u16, String),
    /// A redirect, which is never followed, to this host.
    Redirect(u16, String),
    /// A status that has no meaning for this call, and the registry's `error_code` and words.
    Status(u16, Option<i64>, String),
}

impl RegistryError {
    /// One word for conditions and metrics.
    pub fn reason(&self) -> Reason {
        match self {
            RegistryError::Unreachable { .. } | RegistryError::Overloaded { .. } | RegistryError::Failing { .. } => {
                Reason::RegistryUnavailable
            }
            RegistryError::Unauthorized { .. } | RegistryError::Forbidden { .. } => Reason::RegistryUnauthorized,
            RegistryError::OutcomeUnknown { .. } => Reason::AwaitingReadback,
            RegistryError::AnotherSubject { .. } | RegistryError::SubjectRefused { .. } => Reason::InvalidSubject,
            RegistryError::CandidateFailed { .. }
            | RegistryError::Conflict { .. }
            | RegistryError::UnexpectedReply { .. }
            | RegistryError::ReplyTooLarge { .. }
            | RegistryError::NoClient { .. } => Reason::RegistryError,
        }
    }

    /// Whether the same request may succeed later without anyone's help.
    pub fn is_transient(&self) -> bool {
        match self {
            RegistryError::Unreachable { cause, .. } => *cause != Cause::Tls,
            RegistryError::Overloaded { .. }
            | RegistryError::Failing { .. }
            | RegistryError::CandidateFailed { .. }
            | RegistryError::Conflict { .. }
            | RegistryError::OutcomeUnknown { .. } => true,
            RegistryError::Unauthorized { .. }
            | RegistryError::Forbidden { .. }
            | RegistryError::UnexpectedReply { .. }
            | RegistryError::AnotherSubject { .. }
            | RegistryError::SubjectRefused { .. }
            | RegistryError::ReplyTooLarge { .. }
            | RegistryError::NoClient { .. } => false,
        }
    }

    /// Whether it may say something of the subject that was asked for, and nothing of others.
    pub fn is_of_subject(&self) -> bool {
        matches!(
            self,
            RegistryError::AnotherSubject { .. }
                | RegistryError::SubjectRefused { .. }
                | RegistryError::Forbidden { .. }
                | RegistryError::UnexpectedReply { .. }
                | RegistryError::ReplyTooLarge { .. }
        )
    }

    /// Whether it says that the registry is down, rather than something about this call.
    pub fn hits_breaker(&self) -> bool {
        match self {
            RegistryError::Unreachable { .. }
            | RegistryError::Failing { .. }
            | RegistryError::OutcomeUnknown { why: Unknown::NoAnswer(_) | Unknown::Failed { .. }, .. } => true,
            RegistryError::Overloaded { status, .. } => *status != 429,
            _ => false,
        }
    }

    /// The same as said of the registry, to others than the one who made the call: a write of unknown outcome is not theirs.
    pub fn about_registry(&self) -> RegistryError {
        match self {
            RegistryError::OutcomeUnknown { host, why: Unknown::NoAnswer(cause) } => {
                RegistryError::Unreachable { host: host.clone(), cause: *cause }
            }
            RegistryError::OutcomeUnknown { host, why: Unknown::Failed { status, code } } => {
                let (host, message) = (host.clone(), String::new());
                RegistryError::Failing { host, status: *status, code: *code, message }
            }
            other => other.clone(),
        }
    }
}

/// The end of a sentence that gives the registry's own words, if there are any. Without their full stop: it may go on.
fn because(message: &str) -> String {
    match message.trim_end_matches('.') {
        "" => String::new(),
        message => format!(": {message}"),
    }
}

fn slash(code: &Option<i64>) -> String {
    code.map(|code| format!("/{code}")).unwrap_or_default()
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Refused => "connection refused",
            Cause::Timeout => "no answer in time",
            Cause::Tls => "TLS handshake failed",
            Cause::Dns => "host name not found",
            Cause::Reset => "connection broken off",
            Cause::Other => "connection failed",
        })
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::NoAnswer(cause) => write!(f, "{cause}"),
            Unknown::Failed { status, code } => write!(f, "status {status}{}", slash(code)),
            Unknown::Unreadable => f.write_str("its answer cannot be read"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Html(status) => write!(f, "a web page (status {status})"),
            Problem::Empty(status) => write!(f, "nothing (status {status})"),
            Problem::NotTheJson(status, why) => {
                write!(f, "something else than JSON that fits (status {status}; {why})")
            }
            Problem::Redirect(status, host) => write!(f, "a redirect to {host} (status {status})"),
            Problem::Status(status, code, message) => write!(f, "status {status}{}{}", slash(code), because(message)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn host() -> String {
        "registry.kafka:8081".to_owned()
    }

    fn unreachable(cause: Cause) -> RegistryError {
        RegistryError::Unreachable { host: host(), cause }
    }

    fn unknown(why: Unknown) -> RegistryError {
        RegistryError::OutcomeUnknown { host: host(), why }
    }

    fn overloaded(status: u16) -> RegistryError {
        RegistryError::Overloaded { host: host(), status, retry_after: None }
    }

    fn unexpected(problem: Problem) -> RegistryError {
        RegistryError::UnexpectedReply { host: host(), route: Route::Latest, problem }
    }

    fn failing(code: i64) -> RegistryError {
        RegistryError::Failing { host: host(), status: 500, code: Some(code), message: "no leader".into() }
    }

    fn candidate_failed() -> RegistryError {
        RegistryError::CandidateFailed { host: host(), status: 500, message: String::new() }
    }

    fn subject_refused() -> RegistryError {
        RegistryError::SubjectRefused {
            host: host(),
            subject: "\"a b\"".into(),
            why: "Artifact ID 'a b' is invalid.".into(),
        }
    }

    #[rstest]
    #[case::refused(unreachable(Cause::Refused), Reason::RegistryUnavailable, true, true)]
    #[case::untrusted_certificate(unreachable(Cause::Tls), Reason::RegistryUnavailable, false, true)]
    #[case::unauthorized(RegistryError::Unauthorized { host: host() }, Reason::RegistryUnauthorized, false, false)]
    #[case::too_many_requests(overloaded(429), Reason::RegistryUnavailable, true, false)]
    #[case::unavailable(overloaded(503), Reason::RegistryUnavailable, true, true)]
    #[case::no_leader(failing(50004), Reason::RegistryUnavailable, true, true)]
    #[case::this_schema_only(candidate_failed(), Reason::RegistryError, true, false)]
    #[case::lost_write(unknown(Unknown::NoAnswer(Cause::Timeout)), Reason::AwaitingReadback, true, true)]
    #[case::garbled_write(unknown(Unknown::Unreadable), Reason::AwaitingReadback, true, false)]
    #[case::web_page(unexpected(Problem::Html(200)), Reason::RegistryError, false, false)]
    #[case::alias(
        RegistryError::AnotherSubject { host: host(), asked: "a".into(), answered: "b".into() },
        Reason::InvalidSubject,
        false,
        false
    )]
    #[case::name_refused(subject_refused(), Reason::InvalidSubject, false, false)]
    fn each_error_says_what_to_do_next(
        #[case] error: RegistryError,
        #[case] reason: Reason,
        #[case] transient: bool,
        #[case] breaker: bool,
    ) {
        assert_eq!((error.reason(), error.is_transient(), error.hits_breaker()), (reason, transient, breaker));
    }

    #[rstest]
    #[case::broken_off(Unknown::NoAnswer(Cause::Reset), Reason::RegistryUnavailable)]
    #[case::without_a_leader(Unknown::Failed { status: 500, code: Some(50002) }, Reason::RegistryUnavailable)]
    fn a_lost_write_is_an_outage_to_the_others(#[case] why: Unknown, #[case] reason: Reason) {
        assert_eq!(unknown(why).about_registry().reason(), reason);
    }

    #[rstest]
    #[case::refused(unreachable(Cause::Refused), "connection refused at registry.kafka:8081")]
    #[case::no_leader(failing(50004), "registry.kafka:8081 has trouble of its own (500/50004): no leader")]
    #[case::nothing_said(candidate_failed(), "registry.kafka:8081 fails on this schema (500)")]
    #[case::lost_write(
        unknown(Unknown::Failed { status: 500, code: Some(50002) }),
        "registry.kafka:8081 did not say whether it did the change: status 500/50002"
    )]
    #[case::redirect(
        unexpected(Problem::Redirect(302, "login.example".into())),
        "registry.kafka:8081 answered a redirect to login.example (status 302) to \
         GET /subjects/{subject}/versions/latest; check the registry's URL and what stands in front of it"
    )]
    #[case::name_refused(
        subject_refused(),
        "registry.kafka:8081 does not take \"a b\" as the name of a subject; create this resource anew with another one. \
         Its answer: Artifact ID 'a b' is invalid."
    )]
    fn messages_name_the_host_and_what_is_wrong(#[case] error: RegistryError, #[case] message: &str) {
        assert_eq!(error.to_string(), message);
    }
}
