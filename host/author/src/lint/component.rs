//! The component: what it imports, what it was built for, what it offers.

use sr_capabilities::check_manifest;
use sr_engine::{ComponentShape, EngineError};
use sr_host::{Fault, HostError};
use sr_plugin::{Judged, MANIFEST_FILE, ManifestParts};
use sr_policy::capability::{Capability, needed_for};
use sr_policy::command::Command;

use super::commands;
use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::subject::{ComponentFile, Subject};

/// Checks a component as `install` does and gives its commands, if they can be read.
pub(super) fn check(
    subject: &Subject,
    component: &ComponentFile,
    parts: &ManifestParts,
    judged: &Judged,
    findings: &mut Findings,
) -> Option<Vec<Command>> {
    let file = component.file.as_str();
    let shape = match sr_engine::inspect(&component.bytes) {
        Ok(shape) => shape,
        Err(error) => {
            unusable(file, &error, findings);
            return None;
        }
    };
    capabilities(subject, file, &shape, parts, findings);
    world(subject, &shape, parts, findings);
    match sr_host::read_commands(&component.bytes) {
        Ok(commands) => {
            commands::check(file, &commands, &judged.allowlist, findings);
            Some(commands)
        }
        Err(Fault::Host(HostError::Commands { faults })) => {
            for fault in faults {
                findings.add(Finding::new(Rule::Command, file, fault));
            }
            None
        }
        Err(Fault::Host(HostError::Metadata { reason, guest })) => {
            let said = guest.map(|words| format!("; it said: {words}"));
            let why = format!(
                "its list of commands cannot be read: {reason}{}",
                said.unwrap_or_default()
            );
            findings.add(Finding::new(Rule::Metadata, file, why));
            None
        }
        Err(Fault::Engine(error)) => {
            unusable(file, &error, findings);
            None
        }
        Err(other) => {
            findings.add(Finding::new(Rule::Metadata, file, other.to_string()));
            None
        }
    }
}

fn unusable(file: &str, error: &EngineError, findings: &mut Findings) {
    let rule = match error {
        EngineError::ImportNotOffered { names } => {
            for name in names {
                let why = format!("the sandbox does not offer: {name}");
                findings.add(Finding::new(Rule::ImportNotOffered, file, why));
            }
            return;
        }
        EngineError::TooLarge { .. }
        | EngineError::TooComplex { .. }
        | EngineError::CompileTooLong { .. } => Rule::ComponentLimit,
        EngineError::Version { .. } => Rule::WorldVersion,
        _ => Rule::Component,
    };
    findings.add(Finding::new(rule, file, error.to_string()));
}

fn capabilities(
    subject: &Subject,
    file: &str,
    shape: &ComponentShape,
    parts: &ManifestParts,
    findings: &mut Findings,
) {
    for gap in check_manifest(shape, &parts.capabilities) {
        let why = format!(
            "it imports {}, which needs \"{}\"",
            gap.function, gap.capability
        );
        let found = Finding::new(Rule::CapabilityNotAsked, file, why);
        findings.add(found.fix(format!(
            "in {MANIFEST_FILE}: \"capabilities\": [\"{}\"]",
            gap.capability
        )));
    }
    for capability in &parts.capabilities {
        let used = match capability {
            Capability::Posts => !parts.posts.is_empty(),
            other => shape.imports.iter().any(|import| {
                import
                    .functions
                    .iter()
                    .any(|function| needed_for(&import.interface, function) == Some(*other))
            }),
        };
        if !used {
            let why = match capability {
                Capability::Posts => "\"posts\" is asked for and no post is listed".to_owned(),
                other => format!("\"{other}\" is asked for and the component imports none of it"),
            };
            findings.add(unused(subject, parts, *capability, why));
        }
    }
    if parts.capabilities.contains(&Capability::Sitedata) != parts.sitedata.is_some() {
        let (at, why) = match parts.sitedata {
            Some(_) => (
                "/sitedata",
                "there is sitedata and the capability is not asked for",
            ),
            None => (
                "/capabilities",
                "\"sitedata\" is asked for and none is bundled",
            ),
        };
        let found = Finding::new(Rule::SitedataUnused, subject.manifest(), why);
        findings.add(found.at(at, parts.json.place(at)));
    }
}

fn unused(
    subject: &Subject,
    parts: &ManifestParts,
    capability: Capability,
    why: String,
) -> Finding {
    let pointer = parts.json.element("/capabilities", capability.name());
    let pointer = pointer.unwrap_or_default();
    Finding::new(Rule::CapabilityUnused, subject.manifest(), why)
        .at(&pointer, parts.json.place(&pointer))
}

fn world(
    subject: &Subject,
    shape: &ComponentShape,
    parts: &ManifestParts,
    findings: &mut Findings,
) {
    let named = parts
        .world
        .as_ref()
        .and_then(|world| world.as_str().rsplit_once('@'));
    if let Some((_, named)) = named
        && named != shape.version.text
    {
        let why = format!(
            "the manifest names version {named}, the component was built for {}",
            shape.version.text
        );
        let found = Finding::new(Rule::WorldDiffers, subject.manifest(), why);
        findings.add(found.at("/world", parts.json.place("/world")));
    }
}
