//! The world, its packages and their interfaces.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use wasmparser::Validator;
use wasmparser::component_types::{
    AliasableResourceId, ComponentAnyTypeId, ComponentDefinedTypeId, ComponentEntityType,
    ComponentFuncType, ComponentInstanceTypeId, ResourceId,
};
use wasmparser::types::TypesRef;

use crate::EngineError;
use crate::inspect::{features, top_level};
use crate::limits::constants::COMPONENT_BYTES;

/// Bytes of the text; a type can be written down far shorter than it is long.
pub(super) const TEXT_BYTES: usize = 256 * 1024;
/// Words that stand in WIT for something else, written with `%` when they are names.
const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "bool",
    "borrow",
    "char",
    "constructor",
    "enum",
    "error-context",
    "export",
    "f32",
    "f64",
    "flags",
    "from",
    "func",
    "future",
    "import",
    "include",
    "interface",
    "list",
    "map",
    "option",
    "own",
    "package",
    "record",
    "resource",
    "result",
    "s16",
    "s32",
    "s64",
    "s8",
    "static",
    "stream",
    "string",
    "tuple",
    "type",
    "u16",
    "u32",
    "u64",
    "u8",
    "use",
    "variant",
    "with",
    "world",
];

/// What a component imports and exports, as a `world` of WIT.
///
/// # Errors
/// [`EngineError::TooLarge`], [`EngineError::CoreModule`], [`EngineError::Invalid`].
pub fn wit_text(bytes: &[u8]) -> Result<String, EngineError> {
    if bytes.len() > COMPONENT_BYTES {
        return Err(EngineError::TooLarge {
            bytes: bytes.len(),
            limit: COMPONENT_BYTES,
        });
    }
    if wasmparser::Parser::is_core_wasm(bytes) {
        return Err(EngineError::CoreModule);
    }
    let invalid = |error: wasmparser::BinaryReaderError| EngineError::Invalid {
        reason: error.to_string(),
    };
    let names = top_level(bytes).map_err(invalid)?;
    let types = Validator::new_with_features(features())
        .validate_all(bytes)
        .map_err(invalid)?;
    let mut printer = Printer {
        types: types.as_ref(),
        text: String::new(),
        depth: 0,
        names: HashMap::new(),
        resources: HashMap::new(),
        origins: HashMap::new(),
        interface: String::new(),
    };
    match printer.world(&names.0, &names.1) {
        Ok(()) => {}
        Err(fmt::Error) => {
            printer
                .text
                .truncate(printer.text.floor_char_boundary(TEXT_BYTES));
            let _ = write!(
                printer.text,
                "\n// the text is longer than {TEXT_BYTES} bytes: the rest is left out\n"
            );
        }
    }
    Ok(printer.text)
}

/// Where a type was named first.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) interface: String,
    pub(super) name: String,
}

/// The interfaces of one package, in the order the component names them.
struct Package {
    name: String,
    interfaces: Vec<Interface>,
}

struct Interface {
    name: String,
    path: String,
    id: ComponentInstanceTypeId,
}

pub(super) struct Printer<'a> {
    pub(super) types: TypesRef<'a>,
    text: String,
    depth: usize,
    pub(super) names: HashMap<ComponentDefinedTypeId, Named>,
    pub(super) resources: HashMap<AliasableResourceId, Named>,
    /// A resource goes by many ids; this is where it was named first.
    pub(super) origins: HashMap<ResourceId, Named>,
    /// The interface that is being written.
    pub(super) interface: String,
}

impl Printer<'_> {
    fn world(&mut self, imports: &[String], exports: &[String]) -> fmt::Result {
        let types = self.types;
        let imports = imports.iter().map(|name| {
            let item = types.component_item_for_import(name);
            ("import", name, item.map(|item| item.ty))
        });
        let exports = exports.iter().map(|name| {
            let item = types.component_item_for_export(name);
            ("export", name, item.map(|item| item.ty))
        });
        let items: Vec<_> = imports.chain(exports).collect();
        let mut packages: Vec<Package> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for (_, name, item) in &items {
            let Some(ComponentEntityType::Instance(id)) = item else {
                continue;
            };
            self.register(name, *id);
            let Some((package, interface)) = in_package(name) else {
                continue;
            };
            let place = *places.entry(package.clone()).or_insert_with(|| {
                packages.push(Package {
                    name: package,
                    interfaces: Vec::new(),
                });
                packages.len() - 1
            });
            // An interface that is imported and exported is one interface.
            if let (Some(package), true) = (packages.get_mut(place), seen.insert(name)) {
                package.interfaces.push(Interface {
                    name: interface,
                    path: (*name).clone(),
                    id: *id,
                });
            }
        }
        self.line("package root:component;")?;
        self.line("")?;
        self.open("world root")?;
        for (word, name, item) in &items {
            self.item(word, name, *item)?;
        }
        self.close()?;
        for package in packages {
            self.line("")?;
            self.open(&format!("package {}", package.name))?;
            for interface in package.interfaces {
                self.interface.clone_from(&interface.path);
                self.open(&format!("interface {}", escaped(&interface.name)))?;
                self.instance(interface.id)?;
                self.close()?;
            }
            self.close()?;
        }
        Ok(())
    }

    /// Gives the types of an interface their names, before any text needs them.
    fn register(&mut self, interface: &str, id: ComponentInstanceTypeId) {
        let Some(instance) = self.types.get(id) else {
            return;
        };
        for (name, item) in &instance.exports {
            if let ComponentEntityType::Type { created, .. } = item.ty {
                self.name(interface, name, created);
            }
        }
    }

    fn name(&mut self, interface: &str, name: &str, created: ComponentAnyTypeId) {
        let named = Named {
            interface: interface.to_owned(),
            name: name.to_owned(),
        };
        match created {
            ComponentAnyTypeId::Defined(id) => {
                self.names.insert(id, named);
            }
            ComponentAnyTypeId::Resource(id) => {
                let origin = self.origins.entry(id.resource());
                origin.or_insert_with(|| named.clone());
                self.resources.insert(id, named);
            }
            _ => {}
        }
    }

    fn item(&mut self, word: &str, name: &str, item: Option<ComponentEntityType>) -> fmt::Result {
        match item {
            Some(ComponentEntityType::Instance(_)) if in_package(name).is_some() => {
                self.line(&format!("{word} {name};"))
            }
            Some(ComponentEntityType::Instance(id)) => {
                name.clone_into(&mut self.interface);
                self.open(&format!("{word} {}: interface", escaped(name)))?;
                self.instance(id)?;
                self.close()
            }
            Some(ComponentEntityType::Func(id)) => {
                let Some(function) = self.types.get(id) else {
                    return Ok(());
                };
                let text = self.function(function, false)?;
                self.line(&format!("{word} {}: {text};", escaped(name)))
            }
            Some(ComponentEntityType::Type {
                referenced,
                created,
            }) => {
                self.interface.clear();
                self.named_type(name, referenced, &[])?;
                self.name("", name, created);
                Ok(())
            }
            Some(ComponentEntityType::Module(_)) => {
                self.line(&format!("// {word} of a core module: {name}"))
            }
            Some(ComponentEntityType::Component(_)) => {
                self.line(&format!("// {word} of a component: {name}"))
            }
            Some(ComponentEntityType::Value(_)) | None => {
                self.line(&format!("// {word} of a value: {name}"))
            }
        }
    }

    fn instance(&mut self, id: ComponentInstanceTypeId) -> fmt::Result {
        let Some(instance) = self.types.get(id) else {
            return Ok(());
        };
        let functions: Vec<(&str, &ComponentFuncType)> = instance
            .exports
            .iter()
            .filter_map(|(name, item)| match item.ty {
                ComponentEntityType::Func(id) => Some((name.as_str(), self.types.get(id)?)),
                _ => None,
            })
            .collect();
        for (name, item) in &instance.exports {
            if let ComponentEntityType::Type { referenced, .. } = item.ty {
                self.named_type(name, referenced, &functions)?;
            }
        }
        for (name, function) in functions {
            if !name.starts_with('[') {
                let text = self.function(function, false)?;
                self.line(&format!("{}: {text};", escaped(name)))?;
            }
        }
        Ok(())
    }

    pub(super) fn resource_block(
        &mut self,
        resource: &str,
        functions: &[(&str, &ComponentFuncType)],
    ) -> fmt::Result {
        self.open(&format!("resource {}", escaped(resource)))?;
        for (name, function) in functions {
            let Some((kind, plain)) = name.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            else {
                continue;
            };
            match (kind, plain.split_once('.')) {
                ("constructor", None) if plain == resource => {
                    let text = self.function(function, false)?;
                    let arguments = text.strip_prefix("func").unwrap_or(&text);
                    let arguments = arguments.split(" -> ").next().unwrap_or_default();
                    self.line(&format!("constructor{arguments};"))?;
                }
                ("static", Some((of, plain))) if of == resource => {
                    let text = self.function(function, false)?;
                    self.line(&format!("{}: static {text};", escaped(plain)))?;
                }
                ("method", Some((of, plain))) if of == resource => {
                    let text = self.function(function, true)?;
                    self.line(&format!("{}: {text};", escaped(plain)))?;
                }
                _ => {}
            }
        }
        self.close()
    }

    pub(super) fn open(&mut self, head: &str) -> fmt::Result {
        self.line(&format!("{head} {{"))?;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn close(&mut self) -> fmt::Result {
        self.depth = self.depth.saturating_sub(1);
        self.line("}")
    }

    pub(super) fn line(&mut self, line: &str) -> fmt::Result {
        if self.text.len() + line.len() > TEXT_BYTES {
            return Err(fmt::Error);
        }
        writeln!(self.text, "{:width$}{line}", "", width = self.depth * 2)
    }
}

/// `package:name@version` and the interface, of a name such as `package:name/interface@version`.
pub(super) fn in_package(name: &str) -> Option<(String, String)> {
    let (package, rest) = name.split_once('/')?;
    Some(match rest.split_once('@') {
        Some((interface, version)) => (format!("{package}@{version}"), interface.to_owned()),
        None => (package.to_owned(), rest.to_owned()),
    })
}

pub(super) fn escaped(name: &str) -> String {
    match KEYWORDS.contains(&name) {
        true => format!("%{name}"),
        false => name.to_owned(),
    }
}
