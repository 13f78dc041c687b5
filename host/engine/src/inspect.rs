//! What a component asks for, read before anything is compiled.
//!
//! The check reads functions, not instances: a component that only uses the types of an
//! interface imports an instance without functions, and needs nothing for it.

use wasmparser::component_types::ComponentEntityType;
use wasmparser::{Parser, Payload, ValidPayload, Validator, WasmFeatures};

use crate::EngineError;
use crate::bindings::v0_1;
use crate::limits::constants::{COMPONENT_BYTES, FUNCTION_BYTES, FUNCTION_COMPLEXITY, NESTING};
use crate::wasi;

/// One import of the `sr:runtime` package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The interface, for example `fetch`.
    pub interface: String,
    /// Its functions that the component uses, for example `send`; methods as `resource.method`.
    pub functions: Vec<String>,
}

/// A version of the WIT package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldVersion {
    /// As written, for example `0.1.0`.
    pub text: String,
}

/// What a component imports and which version of the package it was built for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentShape {
    /// The version in its `plugin` export.
    pub version: WorldVersion,
    /// Imports of `sr:runtime` that have functions.
    pub imports: Vec<Import>,
    /// WASI instances it imports, by full name.
    pub wasi: Vec<String>,
}

/// Validates a component and reads its imports and exports.
///
/// # Errors
/// [`EngineError::TooLarge`], [`EngineError::CoreModule`], [`EngineError::Invalid`],
/// [`EngineError::ImportNotOffered`] with every refused name, [`EngineError::Version`],
/// [`EngineError::NoPlugin`].
pub fn inspect(bytes: &[u8]) -> Result<ComponentShape, EngineError> {
    if bytes.len() > COMPONENT_BYTES {
        return Err(EngineError::TooLarge {
            bytes: bytes.len(),
            limit: COMPONENT_BYTES,
        });
    }
    if Parser::is_core_wasm(bytes) {
        return Err(EngineError::CoreModule);
    }
    let names = TopLevelNames::read(bytes)?;
    let mut shape = ComponentShape {
        version: WorldVersion {
            text: String::new(),
        },
        imports: Vec::new(),
        wasi: Vec::new(),
    };
    let mut refused = Vec::new();
    let version = names.plugin_version()?;
    for (name, functions) in &names.imports {
        match parse_name(name) {
            Some(("sr:runtime", interface, version))
                if v0_1::compatible(version) && v0_1::has_interface(interface) =>
            {
                let unknown: Vec<String> = functions
                    .iter()
                    .filter(|function| !v0_1::offers(interface, function))
                    .map(|function| format!("{name}#{function}"))
                    .collect();
                if unknown.is_empty() && !functions.is_empty() {
                    shape.imports.push(Import {
                        interface: interface.to_owned(),
                        functions: functions.clone(),
                    });
                }
                refused.extend(unknown);
            }
            Some((package, interface, version))
                if version.starts_with("0.2.") && wasi_offers(package, interface) =>
            {
                shape.wasi.push(name.clone());
            }
            _ => refused.push(name.clone()),
        }
    }
    if !refused.is_empty() {
        return Err(EngineError::ImportNotOffered { names: refused });
    }
    shape.version.text = version;
    Ok(shape)
}

/// What this host has for an import it refused, in words for a message.
pub(crate) fn offered_for(import: &str) -> String {
    let name = import.split_once('#').map_or(import, |(name, _)| name);
    match parse_name(name) {
        Some(("sr:runtime", interface, _)) if v0_1::has_interface(interface) => {
            format!("offered: sr:runtime/{interface}@{}", v0_1::VERSION)
        }
        Some((package, interface, _)) if wasi_offers(package, interface) => {
            format!("offered: {package}/{interface}@0.2")
        }
        _ => "not offered in any version".to_owned(),
    }
}

fn wasi_offers(package: &str, interface: &str) -> bool {
    wasi::OFFERED
        .iter()
        .any(|(offered, interfaces)| *offered == package && interfaces.contains(&interface))
}

/// `package:name/interface@version` in its three parts.
fn parse_name(name: &str) -> Option<(&str, &str, &str)> {
    let (path, version) = name.split_once('@')?;
    let (package, interface) = path.split_once('/')?;
    Some((package, interface, version))
}

/// The names of a component's own imports and exports, in order. Validates nothing.
pub(crate) fn top_level(
    bytes: &[u8],
) -> Result<(Vec<String>, Vec<String>), wasmparser::BinaryReaderError> {
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    exports.push(export?.name.name.to_owned());
                }
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok((imports, exports))
}

struct TopLevelNames {
    imports: Vec<(String, Vec<String>)>,
    exports: Vec<String>,
}

impl TopLevelNames {
    fn read(bytes: &[u8]) -> Result<Self, EngineError> {
        let invalid = |error: wasmparser::BinaryReaderError| EngineError::Invalid {
            reason: error.to_string(),
        };
        let mut validator = Validator::new_with_features(features());
        let (imports, exports) = top_level(bytes).map_err(invalid)?;
        let mut types = None;
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(invalid)?;
            match &payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                    depth += 1;
                    if depth > NESTING {
                        return Err(EngineError::TooDeep { limit: NESTING });
                    }
                }
                Payload::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            match validator.payload(&payload).map_err(invalid)? {
                ValidPayload::Func(body, code) => {
                    check_complexity(&code).map_err(|fault| match fault {
                        Complexity::Broken(error) => invalid(error),
                        Complexity::Over(bytes, locals) => EngineError::TooComplex {
                            bytes,
                            locals,
                            most_bytes: FUNCTION_BYTES,
                            limit: FUNCTION_COMPLEXITY,
                        },
                    })?;
                    let mut function =
                        body.into_validator(wasmparser::FuncValidatorAllocations::default());
                    function.validate(&code).map_err(invalid)?;
                }
                ValidPayload::End(end) => types = Some(end),
                _ => {}
            }
        }
        let types = types.ok_or_else(|| EngineError::Invalid {
            reason: "it ends early".into(),
        })?;
        let view = types.as_ref();
        let imports = imports
            .into_iter()
            .map(|name| {
                let functions = match view.component_item_for_import(&name).map(|item| &item.ty) {
                    Some(ComponentEntityType::Instance(id)) => view
                        .get(*id)
                        .into_iter()
                        .flat_map(|instance| &instance.exports)
                        .filter(|(_, item)| matches!(item.ty, ComponentEntityType::Func(_)))
                        .map(|(name, _)| function_name(name))
                        .collect(),
                    _ => vec![],
                };
                (name, functions)
            })
            .collect();
        Ok(Self { imports, exports })
    }

    fn plugin_version(&self) -> Result<String, EngineError> {
        let found = self
            .exports
            .iter()
            .filter_map(|name| parse_name(name))
            .find(|(package, interface, _)| *package == "sr:runtime" && *interface == "plugin")
            .map(|(_, _, version)| version);
        match found {
            Some(version) if v0_1::compatible(version) => Ok(version.to_owned()),
            Some(version) => Err(EngineError::Version {
                found: version.to_owned(),
                offered: v0_1::VERSION,
            }),
            None => Err(EngineError::NoPlugin),
        }
    }
}

/// `[method]page.goto` as `page.goto`.
fn function_name(name: &str) -> String {
    name.rsplit_once(']')
        .map_or(name, |(_, name)| name)
        .to_owned()
}

enum Complexity {
    Broken(wasmparser::BinaryReaderError),
    Over(usize, u64),
}

fn check_complexity(code: &wasmparser::FunctionBody<'_>) -> Result<(), Complexity> {
    let bytes = code.range().len();
    let mut locals = 1_u64;
    for group in code.get_locals_reader().map_err(Complexity::Broken)? {
        locals += u64::from(group.map_err(Complexity::Broken)?.0);
    }
    let product = locals.saturating_mul(bytes as u64);
    if bytes > FUNCTION_BYTES || product > FUNCTION_COMPLEXITY {
        return Err(Complexity::Over(bytes, locals));
    }
    Ok(())
}

/// What the engine of this crate runs: no threads, no component-model async.
pub(crate) fn features() -> WasmFeatures {
    (WasmFeatures::WASM2 | WasmFeatures::COMPONENT_MODEL)
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::MULTI_MEMORY
        | WasmFeatures::EXTENDED_CONST
        | WasmFeatures::RELAXED_SIMD
        | WasmFeatures::MEMORY64
}
