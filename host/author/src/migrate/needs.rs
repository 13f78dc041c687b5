//! What a plugin would need here.

use sr_plugin::PluginName;
use sr_policy::command_rules::is_name;
use sr_policy::host_options::is_reserved;
use sr_policy::{Capability, DomainPattern};

use super::found::{FoundCommand, FoundPlugin, Literal};
use super::registration::Registered;

/// Fills in capabilities, domains, steps and what is missing.
pub(super) fn tell(plugin: &mut FoundPlugin, registered: &Registered) {
    let commands = std::mem::take(&mut plugin.commands);
    if commands.is_empty() && !registered.auth && registered.hooks.is_empty() {
        plugin
            .problems
            .push("no script registers a command".to_owned());
    }
    start(plugin);
    for command in &commands {
        ask(plugin, command);
    }
    if registered.evaluates {
        plugin.capabilities.insert(Capability::BrowserEval);
    }
    if registered.auth {
        plugin.capabilities.insert(Capability::Vault);
    }
    rules(plugin, &commands);
    if !registered.hooks.is_empty() {
        plugin.steps.push(format!(
            "do without hooks, nothing runs before or after a command here: {}",
            registered.hooks.join(", ")
        ));
    }
    for capability in &plugin.capabilities {
        let interface = match capability {
            Capability::Fetch | Capability::Posts | Capability::Sitedata => continue,
            other => other,
        };
        plugin.missing.push(interface.to_string());
    }
    plugin.commands = commands;
}

/// A name for the crate, and the crate.
fn start(plugin: &mut FoundPlugin) {
    match plugin.name.parse::<PluginName>() {
        Ok(name) => plugin.steps.push(format!(
            "sr-runtime plugin new {name}, then write each command in Rust: scripts do not run here"
        )),
        Err(error) => plugin.steps.push(format!(
            "choose another name ({error}), then sr-runtime plugin new NAME and write each command in Rust"
        )),
    }
}

fn ask(plugin: &mut FoundPlugin, command: &FoundCommand) {
    match command.effective_strategy() {
        Some("public") => {
            plugin.capabilities.insert(Capability::Fetch);
        }
        Some("cookie") => {
            plugin.capabilities.insert(Capability::Browser);
            plugin.capabilities.insert(Capability::BrowserCookies);
        }
        _ => {}
    }
    if command.needs_browser() {
        plugin.capabilities.insert(Capability::Browser);
    }
    if let Some(domain) = command.domain.text() {
        plugin.domains.insert(domain.to_owned());
    }
}

/// The rules of this runtime that its commands break, each once.
fn rules(plugin: &mut FoundPlugin, commands: &[FoundCommand]) {
    let name = |command: &FoundCommand| command.name.text().unwrap_or("?").to_owned();
    let of = |test: &dyn Fn(&FoundCommand) -> bool| -> Option<String> {
        let names: Vec<String> = commands
            .iter()
            .filter(|command| test(command))
            .map(name)
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let own = plugin.name.clone();
    let mut steps = Vec::new();
    let mut step = |words: &str, names: Option<String>| {
        steps.extend(names.map(|names| format!("{words}: {names}")));
    };
    step(
        "put commands of other sites into plugins of their own, a site here is one plugin",
        of(&|command| command.site.text().is_some_and(|site| site != own)),
    );
    step(
        "rename, a command is a-z, 0-9 and -, starting with a letter",
        of(&|command| command.name.text().is_some_and(|name| !is_name(name))),
    );
    step(
        "say read or write, access is never guessed",
        of(&|command| command.access == Literal::Absent),
    );
    step(
        "split into prepare and commit, these commands write",
        of(&|command| command.access.text() == Some("write")),
    );
    step(
        "write the steps of a pipeline as a function",
        of(&|command| command.pipeline),
    );
    let mut taken: Vec<&str> = commands
        .iter()
        .flat_map(|command| &command.arguments)
        .map(String::as_str)
        .filter(|name| is_reserved(name))
        .collect();
    taken.sort_unstable();
    taken.dedup();
    step(
        "rename arguments that are options of the host",
        (!taken.is_empty()).then(|| taken.join(", ")),
    );
    for domain in &plugin.domains {
        if let Err(error) = domain.parse::<DomainPattern>() {
            steps.push(error.to_string());
        }
    }
    plugin.steps.extend(steps);
}
