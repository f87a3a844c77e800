//! Objects: required properties, properties under the content model, dependencies, what is not listed, counts.

use super::checker::{At, Checker, Side, Stop};
use super::order::{self, Key};
use super::rule;
use crate::compat::difference::Failure;
use crate::schema::json::{Kind, NodeId, ObjectNode, Property, Text};

/// What an object says of a property that it does not list.
enum Model {
    Open,
    /// It is not free, and no schema speaks of it.
    Closed,
    Covered(NodeId),
}

/// It is looked up in the other object and put in the registry's order.
const WORK_OF_PROPERTY: usize = 4;

impl<'s> Checker<'s> {
    /// ObjectSchemaDiff.
    pub fn objects(
        &mut self,
        old_side: Side,
        old: &'s ObjectNode,
        new_side: Side,
        new: &'s ObjectNode,
    ) -> Result<(), Stop> {
        self.budget.work((old.properties.len() + new.properties.len()) * WORK_OF_PROPERTY);
        self.within("required", |checker| checker.required(new_side, old, new));
        self.within("properties", |checker| checker.properties(old_side, old, new_side, new))?;
        self.within("dependencies", |checker| checker.dependencies(old_side, old, new_side, new))?;
        let (a, b) = (old_side.maybe(old.additional), new_side.maybe(new.additional));
        self.rest(&rule::ADDITIONAL_PROPERTIES, (old.permits_additional, a), (new.permits_additional, b))?;
        if self.rules.compares_unevaluated {
            let (a, b) = (old_side.maybe(old.unevaluated), new_side.maybe(new.unevaluated));
            self.unevaluated(&rule::UNEVALUATED_PROPERTIES, a, b)?;
        }
        self.took_shortcut |= !self.rules.compares_unevaluated && old.unevaluated.or(new.unevaluated).is_some();
        self.bound(&rule::MAX_PROPERTIES, old.max_properties, new.max_properties);
        self.bound(&rule::MIN_PROPERTIES, old.min_properties, new.min_properties);
        Ok(())
    }

    /// REQUIRED_ATTRIBUTE_*: only of properties that both declare.
    fn required(&mut self, new_side: Side, old: &'s ObjectNode, new: &'s ObjectNode) {
        for before in &old.properties {
            let Some(after) = new.property(&before.name, before.hash) else { continue };
            let rule = match (before.required, after.required) {
                (true, false) => rule::REQUIRED_ATTRIBUTE_REMOVED,
                (false, true) if self.has_default(new_side, after) => rule::REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED,
                (false, true) => rule::REQUIRED_ATTRIBUTE_ADDED,
                _ => continue,
            };
            self.add_at(&before.name, rule);
        }
    }

    fn has_default(&self, side: Side, property: &Property) -> bool {
        self.schema(side).node(property.schema).has_default()
    }

    fn properties(
        &mut self,
        old_side: Side,
        old: &'s ObjectNode,
        new_side: Side,
        new: &'s ObjectNode,
    ) -> Result<(), Stop> {
        for key in order::properties(old, new) {
            match key {
                Key::Old(before) => self.within(&*before.name, |checker| {
                    checker.property_removed(old_side.at(before.schema), before, new_side, new)
                })?,
                Key::New(after) => self.within(&*after.name, |checker| {
                    checker.property_added(old_side, old, new_side.at(after.schema), after)
                })?,
                Key::Both(before, after) => self.within(&*before.name, |checker| {
                    checker.compare(old_side.at(before.schema), new_side.at(after.schema))
                })?,
            }
        }
        Ok(())
    }

    /// PROPERTY_REMOVED_*: the new model says whether the property may still be there.
    fn property_removed(
        &mut self,
        old: At,
        before: &'s Property,
        new_side: Side,
        new: &'s ObjectNode,
    ) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut self.subjects, (Some(old), None));
        let rule = match self.model(new_side, new, &before.name)? {
            Model::Open => rule::PROPERTY_REMOVED_FROM_OPEN,
            Model::Covered(cover) => {
                let start = self.noted.mark();
                self.compare(old, new_side.at(cover))?;
                match self.is_compatible_since(start) {
                    true => rule::PROPERTY_REMOVED_IS_COVERED,
                    false => rule::PROPERTY_REMOVED_NOT_COVERED,
                }
            }
            Model::Closed if matches!(self.node(old).kind, Kind::False) => {
                rule::PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED
            }
            Model::Closed => rule::PROPERTY_REMOVED_FROM_CLOSED,
        };
        self.add(rule);
        self.subjects = outer;
        Ok(())
    }

    /// *_PROPERTY_*_ADDED_*: the old model says what may have stood there.
    fn property_added(
        &mut self,
        old_side: Side,
        old: &'s ObjectNode,
        new: At,
        after: &'s Property,
    ) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut self.subjects, (None, Some(new)));
        let has_default = self.node(new).has_default();
        match self.model(old_side, old, &after.name)? {
            Model::Open if matches!(self.node(new).kind, Kind::Empty | Kind::True) => {
                self.add(rule::PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN);
            }
            Model::Open if !self.rules.splits_added_properties => self.add(rule::PROPERTY_ADDED_TO_OPEN),
            Model::Open => self.add(match (after.required, has_default) {
                (true, true) => rule::REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN,
                (true, false) => rule::REQUIRED_PROPERTY_ADDED_TO_OPEN,
                (false, _) => rule::OPTIONAL_PROPERTY_ADDED_TO_OPEN,
            }),
            model => {
                if let Model::Covered(cover) = model {
                    let start = self.noted.mark();
                    self.compare(old_side.at(cover), new)?;
                    self.add(match self.is_compatible_since(start) {
                        true => rule::PROPERTY_ADDED_IS_COVERED,
                        false => rule::PROPERTY_ADDED_NOT_COVERED,
                    });
                }
                self.add(match (after.required, has_default) {
                    (true, true) => rule::REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN,
                    (true, false) => rule::REQUIRED_PROPERTY_ADDED_TO_UNOPEN,
                    (false, _) => rule::OPTIONAL_PROPERTY_ADDED_TO_UNOPEN,
                });
            }
        }
        self.subjects = outer;
        Ok(())
    }

    /// DEPENDENCY_ARRAY_* and DEPENDENCY_SCHEMA_*.
    fn dependencies(
        &mut self,
        old_side: Side,
        old: &'s ObjectNode,
        new_side: Side,
        new: &'s ObjectNode,
    ) -> Result<(), Stop> {
        let names = |object: &ObjectNode| -> usize {
            object.property_dependencies.iter().map(|(_, names)| names.len() + 1).sum::<usize>()
                + object.schema_dependencies.len()
        };
        self.budget.work((names(old) + names(new)) * WORK_OF_PROPERTY);
        for key in order::named(&old.property_dependencies, &new.property_dependencies) {
            let (name, rule) = match key {
                Key::Old((name, _)) => (name, rule::DEPENDENCY_ARRAY_REMOVED),
                Key::New((name, _)) => (name, rule::DEPENDENCY_ARRAY_ADDED),
                Key::Both((_, before), (_, after)) if before == after => continue,
                Key::Both((name, before), (_, after)) if holds(after, before) => {
                    (name, rule::DEPENDENCY_ARRAY_EXTENDED)
                }
                Key::Both((name, before), (_, after)) if holds(before, after) => {
                    (name, rule::DEPENDENCY_ARRAY_NARROWED)
                }
                Key::Both((name, _), _) => (name, rule::DEPENDENCY_ARRAY_CHANGED),
            };
            self.add_at(name, rule);
        }
        for key in order::named(&old.schema_dependencies, &new.schema_dependencies) {
            match key {
                Key::Old((name, _)) => self.add_at(name, rule::DEPENDENCY_SCHEMA_REMOVED),
                Key::New((name, _)) => self.add_at(name, rule::DEPENDENCY_SCHEMA_ADDED),
                Key::Both((name, before), (_, after)) => {
                    self.within(&**name, |checker| checker.compare(old_side.at(*before), new_side.at(*after)))?;
                }
            }
        }
        Ok(())
    }

    /// Open only without any pattern, be it unrelated: so the registry sees it.
    fn model(&mut self, side: Side, object: &'s ObjectNode, name: &str) -> Result<Model, Failure> {
        let is_open = object.patterns.is_empty() && object.additional.is_none() && object.permits_additional;
        let unevaluated = object.unevaluated.filter(|_| self.rules.compares_unevaluated);
        let unevaluated = unevaluated.map(|id| (id, &self.schema(side).node(id).kind));
        if is_open && matches!(unevaluated, None | Some((_, Kind::True))) {
            return Ok(Model::Open);
        }
        for (pattern, schema) in &object.patterns {
            match self.patterns.is_found(pattern, name, &mut self.budget) {
                Some(true) => return Ok(Model::Covered(*schema)),
                Some(false) => {}
                None => return Err(Failure::Unsupported(format!("the pattern {pattern} cannot be matched here"))),
            }
            if self.budget.work == 0 {
                return Err(Failure::Unsupported("matching these patterns takes too long".to_owned()));
            }
        }
        Ok(match (object.additional, unevaluated) {
            (Some(cover), _) => Model::Covered(cover),
            (None, Some((cover, kind))) if object.permits_additional && !matches!(kind, Kind::False | Kind::True) => {
                Model::Covered(cover)
            }
            _ => Model::Closed,
        })
    }
}

/// Both are sorted.
fn holds(set: &[Text], part: &[Text]) -> bool {
    part.iter().all(|name| set.binary_search(name).is_ok())
}
