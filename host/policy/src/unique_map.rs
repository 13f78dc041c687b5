//! A map that refuses a key given twice.

use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Text keys in byte order; reading a document that names a key twice is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueMap<V>(BTreeMap<String, V>);

impl<V> UniqueMap<V> {
    /// No entries.
    #[must_use]
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&V> {
        self.0.get(key)
    }

    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.0.get_mut(key)
    }

    /// Sets a value and returns the one it replaces.
    pub fn insert(&mut self, key: impl Into<String>, value: V) -> Option<V> {
        self.0.insert(key.into(), value)
    }

    /// Takes an entry out.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        self.0.remove(key)
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Entries in byte order of their keys.
    pub fn iter(&self) -> btree_map::Iter<'_, String, V> {
        self.0.iter()
    }

    /// Keys in byte order.
    pub fn keys(&self) -> btree_map::Keys<'_, String, V> {
        self.0.keys()
    }

    /// Values in byte order of their keys.
    pub fn values(&self) -> btree_map::Values<'_, String, V> {
        self.0.values()
    }
}

impl<V> Default for UniqueMap<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, V> IntoIterator for &'a UniqueMap<V> {
    type Item = (&'a String, &'a V);
    type IntoIter = btree_map::Iter<'a, String, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<V> IntoIterator for UniqueMap<V> {
    type Item = (String, V);
    type IntoIter = btree_map::IntoIter<String, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<V> FromIterator<(String, V)> for UniqueMap<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<V: Serialize> Serialize for UniqueMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for UniqueMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
    type Value = UniqueMap<V>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            match map.entry(key) {
                btree_map::Entry::Vacant(slot) => {
                    slot.insert(entries.next_value()?);
                }
                btree_map::Entry::Occupied(slot) => {
                    // The same words as serde's for a struct, so that one place can tell.
                    return Err(A::Error::custom(format_args!(
                        "duplicate field `{}`",
                        slot.key()
                    )));
                }
            }
        }
        Ok(UniqueMap(map))
    }
}
