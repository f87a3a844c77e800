//! Protobuf.

use super::{Bomb, alone, pair};

const DEEP: usize = 100_000;

fn proto3(text: &str) -> String {
    format!("syntax = \"proto3\";\n{text}")
}

pub fn bombs() -> Vec<Bomb> {
    let nested = |levels: usize| {
        let open: String = (0..levels).map(|at| format!("message M{at} {{ ")).collect();
        proto3(&format!("{open}{}", "}".repeat(levels)))
    };
    let groups = |levels: usize| {
        let open: String = (0..levels).map(|at| format!("optional group G{at} = 1 {{ ")).collect();
        format!("message M {{ {open}{} }}", "}".repeat(levels))
    };
    let mut all = vec![
        alone("braces", "{".repeat(1 << 20)),
        alone("nested messages", nested(50_000)),
        alone("nested messages, as deep as they may be", nested(490)),
        alone("nested groups", groups(30_000)),
        alone("options of options", proto3(&format!("option (x) = {}{};", "{ a: ".repeat(DEEP), "}".repeat(DEEP)))),
        alone("a list of lists", proto3(&format!("option (x) = {{ a: {}{} }};", "[".repeat(DEEP), "]".repeat(DEEP)))),
        alone("a string that does not end", proto3(&format!("import \"{}", "x".repeat(1 << 20)))),
        alone("a comment that does not end", proto3(&format!("/*{}", "*".repeat(1 << 20)))),
        alone("semicolons", ";".repeat(1 << 20)),
        alone("a name of 1 MiB", proto3(&format!("message {} {{}}", "M".repeat(1 << 20)))),
        alone("a package of 1 MiB", proto3(&format!("package {}x; message M {{ M m = 1; }}", "p.".repeat(1 << 19)))),
        alone("an escape that is none", proto3(r#"option java_package = "\xZZ\u12";"#)),
        alone("half a surrogate", proto3(r#"option java_package = "\ud800";"#)),
        alone("a number beyond all numbers", proto3("message M { int32 a = 99999999999999999999999; }")),
        alone("a constant beyond all numbers", proto3("enum E { A = 1e999999999; }")),
        alone("a message twice", proto3("message M { int32 a = 1; } message M { string a = 1; }")),
        alone("a number twice", proto3("message M { int32 a = 1; string b = 1; }")),
        alone("a binary descriptor that is none", "CgR4LnByb3Rv".repeat(20_000)),
    ];
    all.extend(references());
    all.extend(wide());
    all
}

/// Messages that refer to each other in ways that multiply.
fn references() -> Vec<Bomb> {
    let doubling = |innermost: &str| {
        let message = |at: usize| match at {
            0 => format!("message N0 {{ {innermost} x = 1; }}\n"),
            at => format!("message N{at} {{ N{0} a = 1; N{0} b = 2; }}\n", at - 1),
        };
        (0..200).map(message).collect::<String>()
    };
    let main = proto3("import \"n.proto\"; message M { N199 n = 1; }");
    let imported = |innermost: &str| vec![("n.proto".to_owned(), proto3(&doubling(innermost)))];
    let mut moved = pair(
        "moved into an import, where each has the one before twice",
        proto3(&format!("{} message M {{ N199 n = 1; }}", doubling("string"))),
        main.clone(),
    );
    moved.references = imported("int32");
    let mut cyclic = alone("imports of each other", proto3("import \"a.proto\"; message M { A a = 1; }"));
    cyclic.references = vec![
        ("a.proto".to_owned(), proto3("import \"b.proto\"; message A { B b = 1; }")),
        ("b.proto".to_owned(), proto3("import \"a.proto\"; message B { A a = 1; }")),
    ];
    let chain = |innermost: &str| {
        let message = |at: usize| match at {
            0 => format!("message N0 {{ {innermost} x = 1; }}\n"),
            at => format!("message N{at} {{ N{} a = 1; }}\n", at - 1),
        };
        proto3(&(0..5_000).rev().map(message).collect::<String>())
    };
    let scopes = || {
        let open: String = (0..300).map(|at| format!("message S{at} {{ ")).collect();
        let fields: String = (1..10_000).map(|at| format!("a.b.c.d.Unknown{at} f{at} = {at}; ")).collect();
        proto3(&format!("{open}{fields}{}", "}".repeat(300)))
    };
    vec![
        pair("each has the one before twice", proto3(&doubling("string")), proto3(&doubling("int32"))),
        moved,
        cyclic,
        pair("a long chain", chain("string"), chain("int32")),
        alone("names that are looked up in many scopes", scopes()),
        alone("a message of itself", proto3("message M { M m = 1; repeated M n = 2; map<string, M> o = 3; }")),
    ]
}

/// Much of one thing.
fn wide() -> Vec<Bomb> {
    let fields = |kind: &str| {
        let all: String = (1..20_000).map(|at| format!("{kind} f{at} = {at}; ")).collect();
        proto3(&format!("message M {{ {all} }}"))
    };
    let constants = |from: usize| {
        let all: String = (0..40_000).map(|at| format!("C{} = {at}; ", from + at)).collect();
        proto3(&format!("enum E {{ {all} }}"))
    };
    let messages = |tag: &str| proto3(&(0..20_000).map(|at| format!("message {tag}{at} {{}} ")).collect::<String>());
    let oneofs = |tag: &str| {
        let all: String = (1..8_000).map(|at| format!("oneof {tag}{at} {{ int32 f{at} = {at}; }} ")).collect();
        proto3(&format!("message M {{ {all} }}"))
    };
    let one_oneof = || {
        let all: String = (1..15_000).map(|at| format!("int32 f{at} = {at}; ")).collect();
        proto3(&format!("message M {{ oneof o {{ {all} }} }}"))
    };
    let reserved = |step: usize| {
        let all: Vec<String> = (1..40_000).map(|at| format!("{} to {}", at * 10, at * 10 + step)).collect();
        proto3(&format!("message M {{ reserved {}; }}", all.join(", ")))
    };
    let of_long_name = |kind: &str| {
        let all: String = (1..10_000).map(|at| format!("{kind} f{at} = {at}; ")).collect();
        proto3(&format!("message {} {{ {all} }}", "M".repeat(200_000)))
    };
    vec![
        pair(
            "a long name of many fields that go",
            of_long_name("int32"),
            proto3("message M {}").replace('M', &"M".repeat(200_000)),
        ),
        pair("a long name of many fields of another type", of_long_name("int32"), of_long_name("string")),
        pair("a long name of many fields that are written alike", of_long_name("int64"), of_long_name("int32")),
        pair("a long name of many fields that lose presence", of_long_name("optional int32"), of_long_name("int32")),
        pair("many fields of another type", fields("int32"), fields("string")),
        pair("an enum that becomes another", constants(0), constants(100_000)),
        pair("many messages that become others", messages("A"), messages("B")),
        pair("many oneofs that become others", oneofs("a"), oneofs("b")),
        pair("many fields that move into one oneof", fields("int32"), one_oneof()),
        pair("many reserved ranges", reserved(1), reserved(2)),
        alone("many imports", proto3(&(0..20_000).map(|at| format!("import \"i{at}.proto\"; ")).collect::<String>())),
    ]
}
