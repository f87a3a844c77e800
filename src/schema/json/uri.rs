//! `java.net.URI` as far as the registry's loaders use it: what is a URI at all, and how one is resolved.

/// A URI that Java takes, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Uri<'a> {
    scheme: Option<&'a str>,
    /// Without a hierarchy, such as `urn:a:b`.
    opaque: bool,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

/// Whether Java takes this as a URI.
pub fn is_uri(text: &str) -> bool {
    Uri::parse(text).is_some()
}

/// `base.resolve(text)`; none where one of them is no URI.
pub fn resolve(base: Option<&str>, text: &str) -> Option<String> {
    let given = Uri::parse(text)?;
    let Some(base) = base else { return Some(text.to_owned()) };
    let base = Uri::parse(base)?;
    if given.opaque || base.opaque || given.scheme.is_some() {
        return Some(text.to_owned());
    }
    let only_fragment = given.authority.is_none() && given.path.is_empty() && given.query.is_none();
    if only_fragment && given.fragment.is_some() {
        return Some(Uri { fragment: given.fragment, ..base }.written());
    }
    if given.authority.is_some() {
        return Some(Uri { scheme: base.scheme, ..given }.written());
    }
    let path = if given.path.starts_with('/') { given.path.to_owned() } else { beside(&base, given.path) };
    let path = normalize(&path);
    let (query, fragment) = (given.query, given.fragment);
    Some(Uri { path: &path, query, fragment, ..base }.written())
}

/// The part before `#`.
pub fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(before, _)| before)
}

/// Whether it has a scheme, and so needs no base.
pub fn is_absolute(uri: &str) -> bool {
    Uri::parse(uri).is_some_and(|uri| uri.scheme.is_some())
}

/// The scheme, where there is one.
pub fn scheme(uri: &str) -> Option<&str> {
    Uri::parse(uri).and_then(|uri| uri.scheme)
}

/// A relative path in place of the base path's last segment.
fn beside(base: &Uri, path: &str) -> String {
    match base.path.rfind('/') {
        Some(slash) => format!("{}{path}", &base.path[..=slash]),
        None if path.is_empty() || base.scheme.is_none() => path.to_owned(),
        None => format!("/{path}"),
    }
}

/// Takes `.` and `..` out of a path; `..` that nothing stands before stays.
fn normalize(path: &str) -> String {
    if !path.split('/').any(|segment| segment == "." || segment == "..") && !path.contains("//") {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let mut normal = String::from(if absolute { "/" } else { "" });
    normal.push_str(&kept.join("/"));
    let open = ["/", "/.", "/.."].iter().any(|end| path.ends_with(end)) || path == "." || path == "..";
    if open && !kept.is_empty() && kept.last() != Some(&"..") {
        normal.push('/');
    }
    normal
}

impl<'a> Uri<'a> {
    fn parse(text: &'a str) -> Option<Uri<'a>> {
        let (before, fragment) = match text.split_once('#') {
            Some((before, fragment)) => (before, Some(fragment)),
            None => (text, None),
        };
        if !fragment.is_none_or(|fragment| is_made_of(fragment, URIC)) {
            return None;
        }
        let colon = before.find([':', '/', '?']).filter(|&at| before.as_bytes()[at] == b':');
        let (scheme, rest) = match colon {
            Some(at) => (Some(&before[..at]), &before[at + 1..]),
            None => (None, before),
        };
        if let Some(scheme) = scheme {
            let good = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
            if !good || !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || rest.is_empty() {
                return None;
            }
        }
        if scheme.is_some() && !rest.starts_with('/') {
            let opaque = Uri { scheme, opaque: true, authority: None, path: rest, query: None, fragment };
            return is_made_of(rest, URIC).then_some(opaque);
        }
        let (hierarchy, query) = match rest.split_once('?') {
            Some((before, query)) => (before, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match hierarchy.strip_prefix("//") {
            Some(after) => {
                let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
                (Some(authority), path)
            }
            None => (None, hierarchy),
        };
        let empty_authority = authority.is_some_and(str::is_empty) && path.is_empty();
        let good = is_made_of(path, PATH)
            && query.is_none_or(|query| is_made_of(query, URIC))
            && authority.is_none_or(|authority| is_made_of(authority, AUTHORITY))
            && !empty_authority;
        // Java drops an empty authority, as in file:///a.
        let authority = authority.filter(|authority| !authority.is_empty());
        good.then_some(Uri { scheme, opaque: false, authority, path, query, fragment })
    }

    fn written(&self) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(self.path);
        for (mark, part) in [('?', self.query), ('#', self.fragment)] {
            if let Some(part) = part {
                text.push(mark);
                text.push_str(part);
            }
        }
        text
    }
}

const PATH: &str = "-_.!~*'():@&=+$,;/";
const URIC: &str = "-_.!~*'();/?:@&=+$,[]";
const AUTHORITY: &str = "-_.!~*'();:@&=+$,[]%";

/// Letters and digits, the given marks, `%` with two digits, and what is not ASCII except spaces and controls.
fn is_made_of(text: &str, marks: &str) -> bool {
    let bytes = text.as_bytes();
    text.char_indices().all(|(at, c)| match c {
        '%' => bytes.len() >= at + 3 && bytes[at + 1..at + 3].iter().all(u8::is_ascii_hexdigit),
        _ if c.is_ascii() => c.is_ascii_alphanumeric() || marks.contains(c),
        _ => !c.is_control() && !c.is_whitespace(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_resolved_as_in_java() {
        let rows = [
            ("http://x/a/b.json", "#/definitions/c", "http://x/a/b.json#/definitions/c"),
            ("http://x/a/b.json#old", "#new", "http://x/a/b.json#new"),
            ("http://x/a/b.json", "c.json", "http://x/a/c.json"),
            ("http://x/a/b.json", "/c.json", "http://x/c.json"),
            ("http://x/a/b/c", "../d", "http://x/a/d"),
            ("http://x", "c.json", "http://x/c.json"),
            ("http://x/a?q", "c", "http://x/c"),
            ("http://x/a", "https://y/z", "https://y/z"),
            ("http://x/a", "//y/z", "http://y/z"),
            ("a.json", "#f", "a.json#f"),
            ("a/b.json", "c.json", "a/c.json"),
            ("a.json", "c.json", "c.json"),
            ("urn:x:y", "#f", "#f"),
            ("http://x/a/b", "", "http://x/a/"),
        ];
        for (base, given, expected) in rows {
            assert_eq!(resolve(Some(base), given).as_deref(), Some(expected), "{base} {given}");
        }
        assert_eq!(resolve(None, "a b"), None);
        assert_eq!(resolve(None, "#/definitions/a").as_deref(), Some("#/definitions/a"));
    }

    #[test]
    fn what_java_refuses_is_no_uri() {
        for bad in ["a b", "#/definitions/A<B>", "http:", "%zz", "a|b", "#a#b", "1a:b", "{x}"] {
            assert!(!is_uri(bad), "{bad}");
        }
        for good in ["", "#", "#/a/b~1c", "urn:a:b", "a%20b", "#/é", "file:///a/b", "#/a[0]"] {
            assert!(is_uri(good), "{good}");
        }
    }
}
