//! What names are resolved against: `$id`s made absolute, by number. Each is kept once.
//!
//! A long `$id` counts anew for each `$ref` and each `$id` below it, so that a small schema may have names of gigabytes.
//! What goes into them is counted, and too much of it is an error.

use std::collections::HashMap;
use std::rc::Rc;

use super::error::ParseError;
use super::uri;
use super::wrong;

/// How many bytes of bases, and of what is resolved against them, may be gone through. An ordinary schema of a megabyte
/// needs half of it.
const MAX_RESOLVED: usize = 4 << 20;

/// The bases of one schema and of what it refers to.
pub struct Bases {
    kept: Vec<Option<Rc<str>>>,
    numbers: HashMap<Rc<str>, u32>,
    /// Where an `$id` leads, by the base around it and by where it is written: parts are entered more than once.
    entered: HashMap<(u32, *const str), u32>,
    left: usize,
}

impl Bases {
    /// With the base of the outermost schema, which is number 0.
    pub fn new(first: Option<&str>) -> Bases {
        let mut bases = Bases {
            kept: vec![first.map(Rc::from)],
            numbers: HashMap::new(),
            entered: HashMap::new(),
            left: MAX_RESOLVED,
        };
        if let Some(Some(first)) = bases.kept.first().cloned() {
            bases.numbers.insert(first, 0);
        }
        bases
    }

    /// The base of that number.
    pub fn get(&self, number: u32) -> Option<&str> {
        self.kept[number as usize].as_deref()
    }

    /// The number of a base.
    pub fn number(&mut self, base: &str) -> u32 {
        if let Some(&number) = self.numbers.get(base) {
            return number;
        }
        let (base, number) = (Rc::<str>::from(base), self.kept.len() as u32);
        self.kept.push(Some(Rc::clone(&base)));
        self.numbers.insert(base, number);
        number
    }

    /// The base within a part that has this `$id`, as a way of resolving it has it.
    pub fn entered(
        &mut self,
        around: u32,
        id: &str,
        resolve: impl FnOnce(&mut Bases, u32, &str) -> Result<String, ParseError>,
    ) -> Result<u32, ParseError> {
        let key = (around, std::ptr::from_ref(id));
        if let Some(&number) = self.entered.get(&key) {
            return Ok(number);
        }
        let base = resolve(self, around, id)?;
        let number = self.number(&base);
        self.entered.insert(key, number);
        Ok(number)
    }

    /// A name, made absolute by the base of that number.
    pub fn resolved(&mut self, base: u32, name: &str) -> Result<String, ParseError> {
        let base = self.kept[base as usize].clone();
        self.resolved_by(base.as_deref(), name)
    }

    /// A name, made absolute by a base.
    pub fn resolved_by(&mut self, base: Option<&str>, name: &str) -> Result<String, ParseError> {
        self.spend(base, name)?;
        uri::resolve(base, name).ok_or_else(|| wrong(&format!("{name} is not a URI")))
    }

    /// A name, written behind the base of that number.
    pub fn appended(&mut self, base: u32, name: &str) -> Result<String, ParseError> {
        let base = self.kept[base as usize].clone();
        self.spend(base.as_deref(), name)?;
        Ok(format!("{}{name}", base.as_deref().unwrap_or_default()))
    }

    /// Without a base nothing multiplies.
    fn spend(&mut self, base: Option<&str>, name: &str) -> Result<(), ParseError> {
        let Some(base) = base else { return Ok(()) };
        let left = self.left.checked_sub(base.len() + name.len());
        self.left = left.ok_or(ParseError::LongNames(MAX_RESOLVED))?;
        Ok(())
    }
}
