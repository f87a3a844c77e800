//! Which calls there are, and how many of each were made. Names no subject: these are metric labels.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A call to a registry: a method and the template of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // `template` says what each is.
pub enum Route {
    Latest,
    Version,
    Versions,
    Lookup,
    Register,
    CheckAll,
    CheckOne,
    GetLevel,
    SetLevel,
    GetMode,
    GetGlobalLevel,
    GetGlobalMode,
    Types,
    MetadataVersion,
    MetadataId,
    KarapaceHealth,
    ApicurioInfo,
    RedpandaReady,
}

impl Route {
    const ALL: [Route; 18] = [
        Route::Latest,
        Route::Version,
        Route::Versions,
        Route::Lookup,
        Route::Register,
        Route::CheckAll,
        Route::CheckOne,
        Route::GetLevel,
        Route::SetLevel,
        Route::GetMode,
        Route::GetGlobalLevel,
        Route::GetGlobalMode,
        Route::Types,
        Route::MetadataVersion,
        Route::MetadataId,
        Route::KarapaceHealth,
        Route::ApicurioInfo,
        Route::RedpandaReady,
    ];

    /// The HTTP method.
    pub fn method(self) -> &'static str {
        match self {
            Route::Lookup | Route::Register | Route::CheckAll | Route::CheckOne => "POST",
            Route::SetLevel => "PUT",
            _ => "GET",
        }
    }

    /// The path, with names in braces where a subject or a version stands.
    pub fn template(self) -> &'static str {
        match self {
            Route::Latest => "/subjects/{subject}/versions/latest",
            Route::Version => "/subjects/{subject}/versions/{version}",
            Route::Versions | Route::Register => "/subjects/{subject}/versions",
            Route::Lookup => "/subjects/{subject}",
            Route::CheckAll => "/compatibility/subjects/{subject}/versions",
            Route::CheckOne => "/compatibility/subjects/{subject}/versions/{version}",
            Route::GetLevel | Route::SetLevel => "/config/{subject}",
            Route::GetMode => "/mode/{subject}",
            Route::GetGlobalLevel => "/config",
            Route::GetGlobalMode => "/mode",
            Route::Types => "/schemas/types",
            Route::MetadataVersion => "/v1/metadata/version",
            Route::MetadataId => "/v1/metadata/id",
            Route::KarapaceHealth => "/_health",
            Route::ApicurioInfo => "/apis/registry/v3/system/info",
            Route::RedpandaReady => "/status/ready",
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method(), self.template())
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// 2xx.
    Success,
    /// 3xx and 4xx, and the 404s among them that are a plain "no".
    Refused,
    /// 5xx.
    Failed,
    /// No answer, or none that was read to its end.
    NoAnswer,
}

impl Outcome {
    const ALL: [Outcome; 4] = [Outcome::Success, Outcome::Refused, Outcome::Failed, Outcome::NoAnswer];

    /// What an answer with this HTTP status is.
    pub(super) fn of(status: u16) -> Outcome {
        match status {
            0..300 => Outcome::Success,
            300..500 => Outcome::Refused,
            _ => Outcome::Failed,
        }
    }

    /// The word for a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Success => "success",
            Outcome::Refused => "refused",
            Outcome::Failed => "failed",
            Outcome::NoAnswer => "no_answer",
        }
    }
}

/// How often each call ended in each way, since the table was made. Every request counts, retries too.
#[derive(Debug, Default)]
pub struct CallCounts([[AtomicU64; Outcome::ALL.len()]; Route::ALL.len()]);

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Which call.
    pub route: Route,
    /// How it ended.
    pub outcome: Outcome,
    /// How often; never 0.
    pub count: u64,
}

impl CallCounts {
    pub(super) fn add(&self, route: Route, outcome: Outcome) {
        self.0[route as usize][outcome as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// The lines of the table that are not 0.
    pub fn snapshot(&self) -> Vec<CallCount> {
        let all = Route::ALL.into_iter().flat_map(|route| Outcome::ALL.map(|outcome| (route, outcome)));
        all.map(|(route, outcome)| CallCount { route, outcome, count: self.count(route, outcome) })
            .filter(|line| line.count > 0)
            .collect()
    }

    fn count(&self, route: Route, outcome: Outcome) -> u64 {
        self.0[route as usize][outcome as usize].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_every_call_and_a_column_for_every_outcome() {
        for (at, route) in Route::ALL.into_iter().enumerate() {
            assert_eq!(route as usize, at, "{route}");
        }
        for (at, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, at, "{}", outcome.as_str());
        }
    }

    #[test]
    fn what_is_added_is_read_back() {
        let counts = CallCounts::default();
        counts.add(Route::Register, Outcome::of(200));
        counts.add(Route::Register, Outcome::of(200));
        counts.add(Route::Lookup, Outcome::of(404));
        counts.add(Route::Lookup, Outcome::of(503));
        let line = |route, outcome, count| CallCount { route, outcome, count };
        assert_eq!(
            counts.snapshot(),
            [
                line(Route::Lookup, Outcome::Refused, 1),
                line(Route::Lookup, Outcome::Failed, 1),
                line(Route::Register, Outcome::Success, 2),
            ]
        );
    }
}
