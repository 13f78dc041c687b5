//! The pure step: does the manifest ask for what the component imports?

use sr_engine::ComponentShape;
use sr_policy::capability::{Capability, needed_for};

/// A function the component imports without the manifest asking for its capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapabilityGap {
    /// The missing capability.
    pub capability: Capability,
    /// `interface.function`, as imported.
    pub function: String,
}

/// Every import that the asked capabilities do not cover. Empty means all is well.
#[must_use]
pub fn check_manifest(shape: &ComponentShape, asked: &[Capability]) -> Vec<CapabilityGap> {
    shape
        .imports
        .iter()
        .flat_map(|import| {
            import.functions.iter().filter_map(|function| {
                let capability = needed_for(&import.interface, function)?;
                (!asked.contains(&capability)).then(|| CapabilityGap {
                    capability,
                    function: format!("{}.{function}", import.interface),
                })
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sr_engine::{Import, WorldVersion};

    #[test]
    fn an_import_without_its_capability_is_named() {
        let shape = ComponentShape {
            version: WorldVersion {
                text: "0.1.0".into(),
            },
            imports: vec![
                Import {
                    interface: "log".into(),
                    functions: vec!["write".into()],
                },
                Import {
                    interface: "fetch".into(),
                    functions: vec!["send".into()],
                },
            ],
            wasi: vec![],
        };
        let gaps = check_manifest(&shape, &[Capability::Sitedata]);
        assert_eq!(gaps.len(), 1);
        assert_eq!(gaps[0].function, "fetch.send");
        assert!(check_manifest(&shape, &[Capability::Fetch]).is_empty());
    }
}
