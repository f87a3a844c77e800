//! Whether an advice is about the place in an instance that is not valid. The paths of advice lead through schemas, with
//! keywords between, and pass over `$ref`s and branches; what both have is the way through the data.

/// One step into data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Property(String),
    /// A property that is not named, or any item.
    Any,
}

/// The way to a part of an instance, by its JSON pointer.
pub fn of_instance(pointer: &str) -> Vec<Step> {
    let step = |token: &str| match token.parse::<usize>() {
        Ok(_) => Step::Any,
        Err(_) => Step::Property(token.replace("~1", "/").replace("~0", "~")),
    };
    pointer.split('/').skip(1).map(step).collect()
}

/// Whether a path is about that place, something around it, or something within it: what fits no branch is only known
/// to be wrong as a whole.
pub fn is_about(path: &str, place: &[Step]) -> bool {
    let same = |(one, other): (&Step, &Step)| one == other || [one, other].contains(&&Step::Any);
    of_path(path).iter().zip(place).all(same)
}

/// The same where the schema refers to itself: what is met again further in is told where it is met first.
pub fn is_about_what_recurs(path: &str, place: &[Step]) -> bool {
    is_about(path, place) || (1..place.len()).any(|from| !of_path(path).is_empty() && is_about(path, &place[from..]))
}

/// The way through data that a path of advice leads.
fn of_path(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "properties" => steps.extend(segments.next().map(|name| Step::Property(name.to_owned()))),
            "patternProperties" => steps.extend(segments.next().map(|_| Step::Any)),
            "items" | "prefixItems" => {
                segments.next_if(|place| place.parse::<usize>().is_ok());
                steps.push(Step::Any);
            }
            "additionalProperties" | "unevaluatedProperties" | "additionalItems" | "unevaluatedItems" | "contains" => {
                steps.push(Step::Any)
            }
            "allOf" | "anyOf" | "oneOf" => drop(segments.next()),
            // What these demand, they demand of the object itself.
            "required" | "dependencies" | "dependentRequired" | "dependentSchemas" => break,
            _ => {}
        }
    }
    steps
}

#[test]
fn what_recurs_is_told_where_it_is_met_first() {
    let within = of_instance("/parent/qty");
    assert!(is_about_what_recurs("#/properties/qty/oneOf/1", &within));
    assert!(!is_about("#/properties/qty/oneOf/1", &within));
    assert!(!is_about_what_recurs("#/properties/note/oneOf/1", &within));
}

#[test]
fn a_path_is_about_what_it_leads_to_and_what_is_around_and_within() {
    for (path, pointer, expected) in [
        ("", "/a", true),
        ("#/format", "/a", true),
        ("#/properties/a/format", "/a", true),
        ("#/properties/a/format", "", true),
        ("#/properties/a/format", "/b", false),
        ("#/properties/a/properties/b/if", "/a/c", false),
        ("#/anyOf/0/properties/a/items/properties/b/format", "/a/3/b", true),
        ("#/anyOf/0/properties/a/items/properties/b/format", "/a/3/c", false),
        ("#/properties/a/required/b", "/a", true),
        ("#/properties/a/required/b", "/c", false),
    ] {
        assert_eq!(is_about(path, &of_instance(pointer)), expected, "{path} {pointer}");
    }
}
