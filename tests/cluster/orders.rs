//! The schemas of an order that the tests change from one to another.

/// Nothing but an id.
pub const V1: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}]}"#;

/// Compatible with V1 under every level.
pub const WITH_COUPON: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "coupon", "type": ["null", "string"], "default": null}]}"#;

/// Breaks BACKWARD against V1: data of V1 has no currency.
pub const WITH_CURRENCY: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "currency", "type": "string"}]}"#;

/// Passes BACKWARD against V1, and so does V1 against it.
pub const WITH_CURRENCY_FIXED: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "currency", "type": "string", "default": "EUR"}]}"#;
