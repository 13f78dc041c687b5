//! Types as WIT: named ones, and those that stand inside others.

use std::fmt;

use wasmparser::component_types::{
    AliasableResourceId, ComponentAnyTypeId, ComponentDefinedType, ComponentDefinedTypeId,
    ComponentFuncType, ComponentValType,
};

use super::world::{Named, Printer, TEXT_BYTES, escaped, in_package};

impl Printer<'_> {
    pub(super) fn named_type(
        &mut self,
        name: &str,
        referenced: ComponentAnyTypeId,
        functions: &[(&str, &ComponentFuncType)],
    ) -> fmt::Result {
        let here = |known: &Named| known.interface == self.interface && known.name == name;
        let known = self.known(referenced).filter(|known| !here(known));
        match (known, referenced) {
            (Some(known), _) if known.interface == self.interface => self.line(&format!(
                "type {} = {};",
                escaped(name),
                escaped(&known.name)
            )),
            (Some(known), _) => {
                let place = self.seen_from_here(&known.interface);
                let (theirs, ours) = (escaped(&known.name), escaped(name));
                match known.name == name {
                    true => self.line(&format!("use {place}.{{{ours}}};")),
                    false => self.line(&format!("use {place}.{{{theirs} as {ours}}};")),
                }
            }
            (None, ComponentAnyTypeId::Resource(_)) => self.resource_block(name, functions),
            (None, ComponentAnyTypeId::Defined(id)) => self.definition(name, id),
            (None, _) => self.line(&format!("// type {name}")),
        }
    }

    /// An interface of the same package goes by its own name.
    fn seen_from_here(&self, interface: &str) -> String {
        match (in_package(interface), in_package(&self.interface)) {
            (Some((theirs, name)), Some((ours, _))) if theirs == ours => escaped(&name),
            _ => interface.to_owned(),
        }
    }

    /// Where this type, or the one it is an alias of, was named.
    fn known(&self, id: ComponentAnyTypeId) -> Option<Named> {
        let mut at = Some(id);
        while let Some(id) = at {
            let named = match id {
                ComponentAnyTypeId::Defined(id) => self.names.get(&id),
                ComponentAnyTypeId::Resource(id) => self.resource(id),
                _ => None,
            };
            if named.is_some() {
                return named.cloned();
            }
            at = self.types.peel_alias(id);
        }
        None
    }

    fn resource(&self, id: AliasableResourceId) -> Option<&Named> {
        let named = self.resources.get(&id);
        named.or_else(|| self.origins.get(&id.resource()))
    }

    fn definition(&mut self, name: &str, id: ComponentDefinedTypeId) -> fmt::Result {
        let types = self.types;
        let name = escaped(name);
        let Some(definition) = types.get(id) else {
            return Ok(());
        };
        match definition {
            ComponentDefinedType::Record(record) => {
                self.open(&format!("record {name}"))?;
                for (field, ty) in &record.fields {
                    let ty = self.value(ty)?;
                    self.line(&format!("{}: {ty},", escaped(field.as_str())))?;
                }
                self.close()
            }
            ComponentDefinedType::Variant(variant) => {
                self.open(&format!("variant {name}"))?;
                for (case, content) in &variant.cases {
                    let content = self.optional(content.ty.as_ref())?;
                    let content = content.map(|ty| format!("({ty})")).unwrap_or_default();
                    self.line(&format!("{}{content},", escaped(case.as_str())))?;
                }
                self.close()
            }
            ComponentDefinedType::Enum(cases) => self.words(
                "enum",
                &name,
                cases.iter().map(|case| escaped(case.as_str())),
            ),
            ComponentDefinedType::Flags(flags) => self.words(
                "flags",
                &name,
                flags.iter().map(|flag| escaped(flag.as_str())),
            ),
            other => {
                let text = self.structure(other)?;
                self.line(&format!("type {name} = {text};"))
            }
        }
    }

    fn words(
        &mut self,
        kind: &str,
        name: &str,
        words: impl Iterator<Item = String>,
    ) -> fmt::Result {
        self.open(&format!("{kind} {name}"))?;
        for word in words {
            self.line(&format!("{word},"))?;
        }
        self.close()
    }

    pub(super) fn function(
        &self,
        function: &ComponentFuncType,
        is_method: bool,
    ) -> Result<String, fmt::Error> {
        let mut parameters = Vec::new();
        for (name, ty) in function.params.iter().skip(usize::from(is_method)) {
            parameters.push(format!("{}: {}", escaped(name), self.value(ty)?));
        }
        let result = self.optional(function.result.as_ref())?;
        let result = result.map(|ty| format!(" -> {ty}")).unwrap_or_default();
        let is_async = if function.async_ { "async " } else { "" };
        Ok(format!("{is_async}func({}){result}", parameters.join(", ")))
    }

    fn optional(&self, ty: Option<&ComponentValType>) -> Result<Option<String>, fmt::Error> {
        ty.map(|ty| self.value(ty)).transpose()
    }

    fn value(&self, ty: &ComponentValType) -> Result<String, fmt::Error> {
        let text = match ty {
            ComponentValType::Primitive(primitive) => primitive.to_string(),
            ComponentValType::Type(id) => match self.known(ComponentAnyTypeId::Defined(*id)) {
                Some(named) => escaped(&named.name),
                None => match self.types.get(*id) {
                    Some(definition) => self.structure(definition)?,
                    None => return Err(fmt::Error),
                },
            },
        };
        // Unnamed types inside each other can be far longer than the component.
        if text.len() > TEXT_BYTES {
            return Err(fmt::Error);
        }
        Ok(text)
    }

    /// A type without a name.
    fn structure(&self, ty: &ComponentDefinedType) -> Result<String, fmt::Error> {
        let resource = |id: &AliasableResourceId| {
            self.resource(*id)
                .map_or_else(|| "resource".to_owned(), |named| escaped(&named.name))
        };
        Ok(match ty {
            ComponentDefinedType::Primitive(primitive) => primitive.to_string(),
            ComponentDefinedType::List { element, .. } => format!("list<{}>", self.value(element)?),
            ComponentDefinedType::Map { key, value, .. } => {
                format!("map<{}, {}>", self.value(key)?, self.value(value)?)
            }
            ComponentDefinedType::FixedLengthList {
                element, length, ..
            } => {
                format!("list<{}, {length}>", self.value(element)?)
            }
            ComponentDefinedType::Tuple(tuple) => {
                let mut parts = Vec::new();
                for ty in &tuple.types {
                    parts.push(self.value(ty)?);
                }
                format!("tuple<{}>", parts.join(", "))
            }
            ComponentDefinedType::Option { ty, .. } => format!("option<{}>", self.value(ty)?),
            ComponentDefinedType::Result { ok, err, .. } => {
                match (self.optional(ok.as_ref())?, self.optional(err.as_ref())?) {
                    (None, None) => "result".to_owned(),
                    (Some(ok), None) => format!("result<{ok}>"),
                    (ok, Some(err)) => format!("result<{}, {err}>", ok.as_deref().unwrap_or("_")),
                }
            }
            ComponentDefinedType::Own(id) => resource(id),
            ComponentDefinedType::Borrow(id) => format!("borrow<{}>", resource(id)),
            ComponentDefinedType::Record(_) => "/* a record */".to_owned(),
            ComponentDefinedType::Variant(_) => "/* a variant */".to_owned(),
            ComponentDefinedType::Enum(_) => "/* an enum */".to_owned(),
            ComponentDefinedType::Flags(_) => "/* flags */".to_owned(),
            ComponentDefinedType::Future { .. } => "/* a future */".to_owned(),
            ComponentDefinedType::Stream { .. } => "/* a stream */".to_owned(),
        })
    }
}
