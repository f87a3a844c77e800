# What a person and CI run. Needs Rust, Go and a JDK; everything else is fetched from package registries
# and kept in the user's cache folder.

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/schema-registrar
DENY_VERSION := 0.20.2
DENY := $(CACHE)/cargo-deny-$(DENY_VERSION)/bin/cargo-deny

.PHONY: demo test check fmt clippy deny unit servers bench fuzz

## demo: the operator on real servers, as a story; `make demo KEEP=1` leaves it all running, to play with
demo:
	@DEMO_KEEP=$(KEEP) cargo test --locked --test demo

## test: everything that CI checks; builds the servers that it needs
test: check servers
	cargo test --locked --no-fail-fast

## check: what needs no server, under a minute once it has run before; for each commit
check: fmt clippy deny unit

fmt:
	cargo fmt --check

clippy:
	cargo clippy --locked --all-targets -- -D warnings

## deny: licences, sources and bans of the dependencies (deny.toml)
deny: $(DENY)
	$(DENY) --locked check bans licenses sources

unit:
	cargo test --locked --lib --bins --test pure --test cli

## servers: build or download every server that the tests and the demo start, and nothing else
servers:
	cargo test --locked --test bed -- --exact servers::every_server_and_tool_is_in_the_cache

# Unoptimised: compiles in a third of the time, and a check takes two seconds either way.
$(DENY):
	env -u CARGO_TARGET_DIR cargo install cargo-deny --version $(DENY_VERSION) --locked --debug --root $(CACHE)/cargo-deny-$(DENY_VERSION)

## bench: what the compatibility engine costs; then what 1,000 new Schemas cost on the real servers, beside a bare loop
bench:
	cargo bench --locked --bench engine
	cargo bench --locked --bench converge

# Minutes for each target of `make fuzz`.
MINUTES ?= 10
FUZZ_VERSION := 0.13.2
FUZZ := $(CACHE)/cargo-fuzz-$(FUZZ_VERSION)/bin/cargo-fuzz
FUZZ_TARGETS := parse_avro parse_json parse_protobuf compare

## fuzz: any text through each parser, and any pair through the comparison; needs a nightly toolchain; `MINUTES=1` is a try
fuzz: $(addprefix fuzz-,$(FUZZ_TARGETS))

fuzz-%: $(FUZZ)
	cargo run --quiet --manifest-path fuzz/Cargo.toml --example seeds
	RUSTUP_TOOLCHAIN=nightly $(FUZZ) run $* -- -max_total_time=$$((60 * $(MINUTES))) -timeout=10 -rss_limit_mb=1024 -max_len=20000 -dict=fuzz/dictionaries/$*

$(FUZZ):
	env -u CARGO_TARGET_DIR cargo install cargo-fuzz --version $(FUZZ_VERSION) --locked --debug --root $(CACHE)/cargo-fuzz-$(FUZZ_VERSION)
