//! Who owns a subject, when several resources of one kind name it. Pure: fed by what the watches see.
//!
//! A subject is known by the identity of its registry and its name without the default context. The oldest resource
//! whose registry resource exists owns it; the others take over when it goes.

use std::collections::{BTreeSet, HashMap};

/// A resource: namespace and name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// What one resource claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The resource.
    pub object: ObjectKey,
    /// The registry resource that it names.
    pub registry: ObjectKey,
    /// The subject, without the default context.
    pub subject: String,
    /// When the resource was created, in seconds since 1970.
    pub created: i64,
    /// The resource's uid; breaks ties.
    pub uid: String,
}

/// Where one resource stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It owns its subject.
    Owner,
    /// Another resource does.
    Conflict {
        /// Which, as far as a reader of this namespace may be told.
        owner: String,
    },
}

/// All claims of one kind.
#[derive(Debug, Default)]
pub struct Ownership {
    by_object: HashMap<ObjectKey, Claimant>,
    by_subject: HashMap<String, BTreeSet<ObjectKey>>,
}

impl Ownership {
    /// Takes in a claim as it now stands. Returns the rivals, who have to look again if anything changed.
    pub fn set(&mut self, claimant: Claimant) -> Vec<ObjectKey> {
        if self.by_object.get(&claimant.object) == Some(&claimant) {
            return Vec::new();
        }
        let mut rivals = self.remove(&claimant.object);
        rivals.extend(self.rivals(&claimant));
        self.by_subject.entry(claimant.subject.clone()).or_default().insert(claimant.object.clone());
        self.by_object.insert(claimant.object.clone(), claimant);
        rivals.sort();
        rivals.dedup();
        rivals
    }

    /// Forgets a resource. Returns the rivals, one of whom may take over.
    pub fn remove(&mut self, object: &ObjectKey) -> Vec<ObjectKey> {
        let Some(claimant) = self.by_object.remove(object) else { return Vec::new() };
        if let Some(objects) = self.by_subject.get_mut(&claimant.subject) {
            objects.remove(object);
            if objects.is_empty() {
                self.by_subject.remove(&claimant.subject);
            }
        }
        self.rivals(&claimant)
    }

    /// Forgets every resource that is not among these, after a watch listed anew.
    pub fn retain(&mut self, keep: impl Fn(&ObjectKey) -> bool) -> Vec<ObjectKey> {
        let gone: Vec<_> = self.by_object.keys().filter(|object| !keep(object)).cloned().collect();
        gone.iter().flat_map(|object| self.remove(object)).collect()
    }

    /// The owner of a subject of a registry. `identity` tells the identity of the registry that a registry resource
    /// speaks of, and nothing where there is no such resource.
    pub fn owner(
        &self,
        subject: &str,
        registry: &str,
        identity: impl Fn(&ObjectKey) -> Option<String>,
    ) -> Option<&Claimant> {
        let objects = self.by_subject.get(subject)?.iter();
        let claimants = objects.filter_map(|object| self.by_object.get(object));
        let of_registry = claimants.filter(|claimant| identity(&claimant.registry).as_deref() == Some(registry));
        of_registry.min_by(|a, b| (a.created, &a.uid).cmp(&(b.created, &b.uid)))
    }

    /// Where one resource stands.
    pub fn claim(&self, object: &ObjectKey, identity: impl Fn(&ObjectKey) -> Option<String>) -> Claim {
        let Some(claimant) = self.by_object.get(object) else { return Claim::Owner };
        let Some(registry) = identity(&claimant.registry) else { return Claim::Owner };
        match self.owner(&claimant.subject, &registry, identity) {
            Some(owner) if owner.object != *object => Claim::Conflict { owner: name_for(&owner.object, object) },
            _ => Claim::Owner,
        }
    }

    /// The claim of one resource, where it is known.
    pub fn claimant(&self, object: &ObjectKey) -> Option<&Claimant> {
        self.by_object.get(object)
    }

    /// Every claim on a registry resource.
    pub fn of_registry<'a>(&'a self, registry: &'a ObjectKey) -> impl Iterator<Item = &'a Claimant> {
        self.by_object.values().filter(move |claimant| claimant.registry == *registry)
    }

    /// The resources that share their subject's name with another one, whatever registry each speaks of.
    pub fn contested(&self) -> Vec<ObjectKey> {
        self.by_subject.values().filter(|objects| objects.len() > 1).flatten().cloned().collect()
    }

    fn rivals(&self, claimant: &Claimant) -> Vec<ObjectKey> {
        let objects = self.by_subject.get(&claimant.subject).into_iter().flatten();
        objects.filter(|object| **object != claimant.object).cloned().collect()
    }
}

/// Another namespace's names are not told.
fn name_for(owner: &ObjectKey, reader: &ObjectKey) -> String {
    if owner.namespace == reader.namespace { owner.name.clone() } else { "a resource in another namespace".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(namespace: &str, name: &str) -> ObjectKey {
        ObjectKey { namespace: namespace.into(), name: name.into() }
    }

    fn claimant(namespace: &str, name: &str, created: i64) -> Claimant {
        Claimant {
            object: key(namespace, name),
            registry: key(namespace, "default"),
            subject: "orders-value".into(),
            created,
            uid: format!("{namespace}/{name}"),
        }
    }

    fn one_registry(_: &ObjectKey) -> Option<String> {
        Some("http://registry:8081/".into())
    }

    #[test]
    fn the_oldest_owns_the_subject_and_the_next_takes_over() {
        let mut all = Ownership::default();
        assert_eq!(all.set(claimant("shop", "young", 20)), []);
        assert_eq!(all.set(claimant("shop", "old", 10)), [key("shop", "young")]);
        assert_eq!(all.claim(&key("shop", "old"), one_registry), Claim::Owner);
        assert_eq!(all.claim(&key("shop", "young"), one_registry), Claim::Conflict { owner: "old".into() });
        assert_eq!(all.remove(&key("shop", "old")), [key("shop", "young")]);
        assert_eq!(all.claim(&key("shop", "young"), one_registry), Claim::Owner);
    }

    #[test]
    fn of_two_made_in_one_second_the_smaller_uid_owns() {
        let mut all = Ownership::default();
        all.set(claimant("shop", "b", 10));
        all.set(claimant("shop", "a", 10));
        assert_eq!(all.claim(&key("shop", "a"), one_registry), Claim::Owner);
    }

    #[test]
    fn another_namespace_is_not_named() {
        let mut all = Ownership::default();
        all.set(claimant("a", "mine", 10));
        all.set(claimant("b", "mine", 20));
        let owner = "a resource in another namespace".to_owned();
        assert_eq!(all.claim(&key("b", "mine"), one_registry), Claim::Conflict { owner });
    }

    #[test]
    fn subjects_of_two_registries_do_not_meet() {
        let mut all = Ownership::default();
        all.set(claimant("a", "mine", 10));
        all.set(claimant("b", "mine", 20));
        let apart = |registry: &ObjectKey| Some(registry.namespace.clone());
        assert_eq!(all.claim(&key("b", "mine"), apart), Claim::Owner);
    }

    #[test]
    fn a_claim_through_a_missing_registry_resource_does_not_count() {
        let mut all = Ownership::default();
        all.set(claimant("a", "mine", 10));
        all.set(claimant("b", "mine", 20));
        let only_b = |registry: &ObjectKey| (registry.namespace == "b").then(|| "r".to_owned());
        assert_eq!(all.claim(&key("b", "mine"), only_b), Claim::Owner);
    }

    #[test]
    fn a_list_forgets_what_it_does_not_hold() {
        let mut all = Ownership::default();
        all.set(claimant("shop", "old", 10));
        all.set(claimant("shop", "young", 20));
        assert_eq!(all.retain(|object| object.name != "old"), [key("shop", "young")]);
        assert_eq!(all.claim(&key("shop", "young"), one_registry), Claim::Owner);
    }

    #[test]
    fn who_shares_a_name_may_gain_or_lose_it_when_two_registries_turn_out_to_be_one() {
        let mut claims = Ownership::default();
        claims.set(claimant("a", "orders", 1));
        claims.set(Claimant { subject: "payments-value".into(), ..claimant("a", "payments", 1) });
        assert_eq!(claims.contested(), [], "nobody else names these");
        claims.set(claimant("b", "orders", 2));
        assert_eq!(claims.contested(), [key("a", "orders"), key("b", "orders")]);
    }

    #[test]
    fn a_claim_that_did_not_change_wakes_nobody() {
        let mut all = Ownership::default();
        all.set(claimant("shop", "old", 10));
        all.set(claimant("shop", "young", 20));
        assert_eq!(all.set(claimant("shop", "young", 20)), Vec::<ObjectKey>::new());
    }
}
