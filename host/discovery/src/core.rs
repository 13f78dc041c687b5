//! A catalog, checked and ready to work with.

use regex_lite::{Regex, RegexBuilder};
use sr_browsers::Catalog;
use sr_policy::protected::{ErrorPage, ProtectedRules};

/// Bytes that a compiled pattern may take: a catalog can be anybody's.
const PATTERN_BYTES: usize = 256 * 1024;

/// Why a catalog cannot be worked with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// Another version of the format.
    #[error("the catalog is of schema {found}; this program reads schema 1")]
    Schema {
        /// Its version.
        found: u32,
    },
    /// A pattern that is none.
    #[error("a pattern of the catalog cannot be used: {place}: {reason}")]
    Pattern {
        /// The field.
        place: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

/// The discovery core. It holds a catalog and no state.
#[derive(Debug)]
pub struct Core {
    pub(crate) catalog: Catalog,
    pub(crate) rules: ProtectedRules,
    pub(crate) seven_host: Regex,
    pub(crate) chrome_major: Regex,
    pub(crate) six_profile: Regex,
    pub(crate) profile_name: Regex,
}

impl Core {
    /// Takes a catalog.
    ///
    /// # Errors
    /// [`CatalogError`].
    pub fn new(catalog: Catalog) -> Result<Self, CatalogError> {
        if catalog.schema != 1 {
            return Err(CatalogError::Schema {
                found: catalog.schema,
            });
        }
        Ok(Self {
            rules: protected_rules(&catalog),
            seven_host: pattern(
                "seven.originHostPattern",
                &catalog.seven.origin_host_pattern,
                false,
            )?,
            chrome_major: pattern(
                "discovery.chromeMajorPattern",
                &catalog.discovery.chrome_major_pattern,
                false,
            )?,
            six_profile: pattern(
                "profiles.sixProfilePattern",
                &catalog.profiles.six_profile_pattern,
                true,
            )?,
            profile_name: pattern(
                "profiles.namePattern",
                &catalog.profiles.name_pattern,
                false,
            )?,
            catalog,
        })
    }

    /// The catalog.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The environment variables that are looked at; an embedder needs to pass no other.
    #[must_use]
    pub fn env_names(&self) -> Vec<&str> {
        let platforms = &self.catalog.platforms;
        let six = &self.catalog.profiles.six;
        let roots = &six.roots;
        let mut names: Vec<&str> = [
            &platforms.macos.config,
            &platforms.windows.config,
            &platforms.linux.config,
            &roots.macos.base,
            &roots.linux.base,
            &roots.windows.base,
        ]
        .into_iter()
        .chain(platforms.windows.roots.values())
        .filter_map(|location| location.env.as_deref())
        .chain([six.user_data_dir_env.as_str()])
        .filter(|name| !name.is_empty())
        .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn pattern(place: &'static str, text: &str, any_case: bool) -> Result<Regex, CatalogError> {
    RegexBuilder::new(text)
        .case_insensitive(any_case)
        .size_limit(PATTERN_BYTES)
        .build()
        .map_err(|error| CatalogError::Pattern {
            place,
            reason: error.to_string(),
        })
}

/// The protected origins of a catalog, as policy reads them.
#[must_use]
pub fn protected_rules(catalog: &Catalog) -> ProtectedRules {
    let data = &catalog.protected_origins;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let page = &data.error_page;
    ProtectedRules {
        domains: data.domains.clone(),
        hosts: data.hosts.clone(),
        schemes: data.schemes.clone(),
        inner_schemes: data.inner_schemes.clone(),
        any_schemes: data.any_schemes.clone(),
        inheriting: data.inheriting.clone(),
        refusal: data.refusal.clone(),
        protected_schemes: data.protected_schemes.clone(),
        scheme_exceptions: data.scheme_exceptions.clone(),
        about_scheme: text(&data.about_scheme),
        target_types: data.target_types.clone(),
        error_page: text(&page.url).map(|url| ErrorPage {
            url,
            target: page.target.clone(),
            redact: page.redact.clone(),
        }),
        unparseable: text(&data.unparseable),
        unparseable_refusal: text(&data.unparseable_refusal),
    }
}
