//! Where a registry is: the one place that takes a URL from outside and builds the URLs of calls.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Url;

/// All that RFC 3986 does not call unreserved is encoded: a subject is one path segment, whatever it holds.
/// `+` in particular, which Karapace would read as a space.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The base URL of a registry: http or https, a host, and a path prefix without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BaseUrl(Url);

/// Why a URL cannot be the base URL of a registry. No message repeats the URL: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// No URL at all, or one without a host.
    #[error("the registry's URL is not a URL; write it like http://registry.kafka:8081")]
    NotAUrl,
    /// Neither http nor https.
    #[error("the registry's URL must begin with http:// or https://")]
    Scheme,
    /// `user:password@`, which would end up in logs.
    #[error("the registry's URL holds a user name or a password; remove it, a URL is no place for a secret")]
    UserInfo,
    /// `?…`
    #[error("the registry's URL has a query; remove everything from the question mark on")]
    Query,
    /// `#…`
    #[error("the registry's URL has a fragment; remove everything from the # on")]
    Fragment,
    /// `/contexts/.name`: the registry then names every subject with its context, as `:.name:subject`.
    #[error(
        "the registry's URL names a context, which is not supported yet; remove everything from /contexts/ on, and name \
         the context in the subject, like :.context:orders"
    )]
    Context,
}

impl BaseUrl {
    /// Takes a URL as a user writes it. A path prefix is kept (`/apis/ccompat/v7`), slashes at its end are folded.
    pub fn parse(text: &str) -> Result<BaseUrl, BaseUrlError> {
        let mut url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotAUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BaseUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::UserInfo);
        }
        if url.query().is_some() {
            return Err(BaseUrlError::Query);
        }
        if url.fragment().is_some() {
            return Err(BaseUrlError::Fragment);
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(BaseUrlError::NotAUrl);
        }
        if names_context(url.path()) {
            return Err(BaseUrlError::Context);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(BaseUrl(url))
    }

    /// The same text for every spelling of the same base URL: scheme, host in lower case, port, path.
    pub fn identity(&self) -> String {
        format!("{}://{}{}", self.0.scheme(), self.host_and_port(), self.path())
    }

    /// `registry.kafka:8081`, for messages; the port is always there.
    pub fn host_and_port(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port_or_known_default() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The path prefix: empty, or `/` and more, without a slash at its end.
    pub(super) fn path(&self) -> &str {
        self.0.path().trim_end_matches('/')
    }

    /// The URL of a call: `path` begins with a slash and is encoded already; `query` is empty or without its `?`.
    pub(super) fn call(&self, path: &str, query: &str) -> Url {
        self.at_root(&format!("{}{path}", self.path()), query)
    }

    /// The URL of a path beside the prefix, on the same server.
    pub(super) fn at_root(&self, path: &str, query: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(path);
        url.set_query(Some(query).filter(|query| !query.is_empty()));
        url
    }
}

/// Whether a path holds `/contexts/.name` or `/contexts/:.name:`.
fn names_context(path: &str) -> bool {
    let segments: Vec<_> = path.split('/').map(|part| percent_decode_str(part).decode_utf8_lossy()).collect();
    segments.windows(2).any(|pair| pair[0] == "contexts" && pair[1].starts_with(['.', ':']))
}

/// A name as one segment of a path.
pub(super) fn segment(name: &str) -> String {
    utf8_percent_encode(name, SEGMENT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("http://registry.kafka:8081", "http://registry.kafka:8081")]
    #[case::slash_at_the_end("http://registry.kafka:8081/", "http://registry.kafka:8081")]
    #[case::default_port_is_said("http://registry.kafka", "http://registry.kafka:80")]
    #[case::https_default_port("https://registry.kafka", "https://registry.kafka:443")]
    #[case::host_in_upper_case("HTTP://Registry.Kafka:8081", "http://registry.kafka:8081")]
    #[case::prefix_kept("http://r:8080/apis/ccompat/v7//", "http://r:8080/apis/ccompat/v7")]
    #[case::no_context("http://r/contexts/v1", "http://r:80/contexts/v1")]
    #[case::case_of_the_prefix_kept("http://r/A/b", "http://r:80/A/b")]
    #[case::ipv6("http://[::1]:8081/", "http://[::1]:8081")]
    #[case::white_space_around(" http://r:1 \n", "http://r:1")]
    fn spellings_of_one_base_url_have_one_identity(#[case] text: &str, #[case] identity: &str) {
        assert_eq!(BaseUrl::parse(text).unwrap().identity(), identity);
    }

    #[rstest]
    #[case::empty("", BaseUrlError::NotAUrl)]
    #[case::no_scheme("registry.kafka:8081", BaseUrlError::Scheme)]
    #[case::only_a_path("/apis", BaseUrlError::NotAUrl)]
    #[case::no_host("http://", BaseUrlError::NotAUrl)]
    #[case::file("file:///etc/passwd", BaseUrlError::Scheme)]
    #[case::user("http://me@registry", BaseUrlError::UserInfo)]
    #[case::password("http://me:s3cret@registry", BaseUrlError::UserInfo)]
    #[case::password_only("http://:s3cret@registry", BaseUrlError::UserInfo)]
    #[case::query("http://registry/?token=s3cret", BaseUrlError::Query)]
    #[case::fragment("http://registry/#s3cret", BaseUrlError::Fragment)]
    #[case::context("http://registry:8081/contexts/.s3cret", BaseUrlError::Context)]
    #[case::context_amid("http://registry/prefix/contexts/.s3cret/v1/", BaseUrlError::Context)]
    #[case::context_in_full("http://registry/contexts/:.s3cret:", BaseUrlError::Context)]
    #[case::context_encoded("http://registry/contexts/%3A.s3cret%3a", BaseUrlError::Context)]
    #[case::bad_port("http://me:s3cret@registry:99999", BaseUrlError::NotAUrl)]
    fn what_is_no_base_url_is_refused_without_repeating_a_secret(#[case] text: &str, #[case] error: BaseUrlError) {
        assert_eq!(BaseUrl::parse(text), Err(error));
        assert!(!error.to_string().contains("s3cret"));
    }

    #[rstest]
    #[case::unreserved("orders-value_1.~", "orders-value_1.~")]
    #[case::reserved("/ : + % # ? & ;", "%2F%20%3A%20%2B%20%25%20%23%20%3F%20%26%20%3B")]
    #[case::not_ascii("größe", "gr%C3%B6%C3%9Fe")]
    #[case::dots_inside("a/../b", "a%2F..%2Fb")]
    fn a_name_is_one_segment(#[case] name: &str, #[case] encoded: &str) {
        assert_eq!(segment(name), encoded);
        let base = BaseUrl::parse("http://r:1/prefix").unwrap();
        let url = base.call(&format!("/subjects/{}/versions", segment(name)), "verbose=true");
        assert_eq!(url.as_str(), format!("http://r:1/prefix/subjects/{encoded}/versions?verbose=true"));
    }
}
