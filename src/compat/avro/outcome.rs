//! What comparisons found: shared between all places that found it, since the library tells the result of a pair again
//! wherever the pair is met again. Paths and words are made at the end, and only for what is told.

use crate::schema::avro::TypeId;

/// The result of comparing one pair: nothing, or what was found, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome(u32);

/// Where a comparison stands, as a step from another place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The place before this one.
    pub(super) from: Option<PlaceId>,
    /// The step from there; none for where a comparison starts.
    pub(super) step: Step,
}

/// A place that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceId(u32);

/// A step of the reader's schema, or into a branch of the writer's union.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Start,
    Items,
    Values,
    /// The type of a reader's field.
    Field {
        record: TypeId,
        at: u32,
    },
    /// A branch of the writer's union.
    Branch(u32),
}

/// Something that breaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) breach: Breach,
    pub(super) place: PlaceId,
    pub(super) reader: TypeId,
    pub(super) writer: TypeId,
}

/// What breaks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Breach {
    Name,
    Size,
    Symbols,
    Type,
    /// The reader's field at this place has no default.
    Default {
        at: u32,
    },
    /// The reader's union takes no such branch. The reason is what was found first in the branch that looks most like
    /// it, see [`Findings::reason`].
    Branch {
        branch: TypeId,
        reason: Outcome,
    },
}

/// How much was found at some time.
pub(super) struct Mark {
    nodes: usize,
    places: usize,
}

enum Node {
    One(Finding),
    Both {
        one: Outcome,
        other: Outcome,
        /// The one finding that comes first.
        first: Outcome,
    },
}

/// All that was found, and where.
#[derive(Default)]
pub(super) struct Findings {
    nodes: Vec<Node>,
    places: Vec<Place>,
}

impl Outcome {
    /// Nothing was found.
    pub(super) const COMPATIBLE: Outcome = Outcome(0);

    pub(super) fn is_compatible(self) -> bool {
        self == Outcome::COMPATIBLE
    }
}

impl Place {
    /// Where a comparison starts.
    pub(super) const START: Place = Place { from: None, step: Step::Start };
}

impl PlaceId {
    pub(super) fn then(self, step: Step) -> Place {
        Place { from: Some(self), step }
    }
}

impl Findings {
    /// Keeps a place.
    pub(super) fn keep(&mut self, place: Place) -> PlaceId {
        self.places.push(place);
        PlaceId(self.places.len() as u32 - 1)
    }

    /// How much there is now.
    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), places: self.places.len() }
    }

    /// Forgets the places kept since a mark if nothing was found there.
    pub(super) fn forget_unused(&mut self, since: Mark) {
        if self.nodes.len() == since.nodes {
            self.places.truncate(since.places);
        }
    }

    /// One thing that breaks.
    pub(super) fn one(&mut self, finding: Finding) -> Outcome {
        self.add(Node::One(finding))
    }

    /// First the one, then the other.
    pub(super) fn both(&mut self, one: Outcome, other: Outcome) -> Outcome {
        match (one.is_compatible(), other.is_compatible()) {
            (true, _) => other,
            (_, true) => one,
            _ => self.add(Node::Both { one, other, first: self.first_of(one) }),
        }
    }

    /// What an outcome begins with; none of a compatible one.
    pub(super) fn first(&self, outcome: Outcome) -> Option<&Finding> {
        match self.node(self.first_of(outcome))? {
            Node::One(finding) => Some(finding),
            Node::Both { .. } => None,
        }
    }

    /// Why a branch does not read a type, as one finding. Where that itself has a reason, it is that one: reasons that
    /// name each other would be as long a chain as the schema has types.
    pub(super) fn reason(&self, read: Outcome) -> Outcome {
        match self.first(read).map(|finding| finding.breach) {
            Some(Breach::Branch { reason, .. }) if !reason.is_compatible() => reason,
            _ => self.first_of(read),
        }
    }

    fn first_of(&self, outcome: Outcome) -> Outcome {
        match self.node(outcome) {
            Some(Node::Both { first, .. }) => *first,
            _ => outcome,
        }
    }

    fn node(&self, outcome: Outcome) -> Option<&Node> {
        self.nodes.get((outcome.0 as usize).checked_sub(1)?)
    }

    fn add(&mut self, node: Node) -> Outcome {
        self.nodes.push(node);
        // The checker's budget keeps this far below 2³².
        Outcome(self.nodes.len() as u32)
    }

    /// What an outcome consists of, in order, no more than `most`.
    pub(super) fn list(&self, outcome: Outcome, most: usize) -> Vec<&Finding> {
        let mut listed = Vec::new();
        let mut next = vec![outcome];
        while let Some(outcome) = next.pop() {
            match self.node(outcome) {
                Some(Node::One(finding)) => listed.push(finding),
                Some(Node::Both { one, other, .. }) => next.extend([*other, *one]),
                None => {}
            }
            if listed.len() == most {
                break;
            }
        }
        listed
    }

    /// The steps to a place, from where its comparison started.
    pub(super) fn steps(&self, place: PlaceId) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = Some(place);
        while let Some(place) = at {
            let place = &self.places[place.0 as usize];
            steps.push(place.step);
            at = place.from;
        }
        steps.reverse();
        steps
    }
}
