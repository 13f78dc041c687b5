//! Papers on arXiv, through its public query API (<https://info.arxiv.org/help/api/>).

mod atom;
mod identifier;
mod query;

use sr_guest::prelude::*;

use atom::Entry;

/// A paper in a list.
#[derive(Row)]
struct Listed {
    /// arXiv identifier with version
    id: String,
    title: String,
    authors: String,
    /// First version
    published: Time,
    /// Latest version
    updated: Option<Time>,
    /// Primary subject
    category: Option<String>,
    url: Url,
}

/// One paper in full.
#[derive(Row)]
struct Paper {
    /// arXiv identifier with version
    id: String,
    title: String,
    authors: String,
    /// First version
    published: Time,
    /// Latest version
    updated: Option<Time>,
    /// Primary subject
    category: Option<String>,
    url: Url,
    r#abstract: String,
    /// Of the published article
    doi: Option<String>,
    /// The authors' remark
    comment: Option<String>,
}

/// Order of search results.
#[derive(Choice)]
enum Sort {
    Relevance,
    Updated,
    Submitted,
}

/// One paper by its identifier.
///
/// Takes 1706.03762, 1706.03762v5, hep-th/9901001, with or without `arXiv:`, and the address of
/// a paper on arxiv.org.
#[command(
    read,
    domain = "export.arxiv.org",
    example = ("paper 1706.03762", "the paper \"Attention Is All You Need\""),
    pace(min_gap_ms = 3000)
)]
fn paper(
    /// Identifier or address
    #[arg(positional)]
    id: String,
) -> Result<Paper> {
    let id = identifier::parse(&id)?;
    let feed = fetch::get(url!("https://export.arxiv.org/api/query?id_list={id}")).text()?;
    let entry = atom::parse(&feed)?.entries.into_iter().next();
    Paper::from_entry(entry.or_empty("no such paper")?)
}

/// Papers that match a query.
///
/// Words are searched for everywhere and must all occur; a query with the fields of arXiv's own
/// language, such as `ti:attention AND cat:cs.CL`, is passed on as it is.
#[command(
    read,
    domain = "export.arxiv.org",
    example = "search \"graph attention\" --limit 5",
    example = ("search \"au:vaswani AND cat:cs.CL\" --sort submitted", "newest of one author"),
    pace(min_gap_ms = 3000)
)]
fn search(
    /// Words, or arXiv's query language
    #[arg(positional)]
    query: String,
    /// How many papers
    #[arg(short = 'n', default = 10, range = 1..=100)]
    limit: u32,
    /// Best, latest changed or newest first
    #[arg(default = "relevance")]
    sort: Sort,
) -> Result<Table<Listed>> {
    let query = query::expression(&query)?;
    let order = match sort {
        Sort::Relevance => "relevance",
        Sort::Updated => "lastUpdatedDate",
        Sort::Submitted => "submittedDate",
    };
    let url = url!(
        "https://export.arxiv.org/api/query?search_query={query}&start=0&max_results={limit}&sortBy={order}&sortOrder=descending"
    );
    let feed = atom::parse(&fetch::get(url).text()?)?;
    let mut papers = Vec::new();
    for entry in feed.entries {
        papers.push(Listed::from_entry(entry)?);
    }
    let found = papers.len();
    let table = Table::new(papers.or_empty("no paper matches")?);
    Ok(match feed.total {
        Some(total) => table.footer(format!("{found} of {total} papers")),
        None => table,
    })
}

impl Listed {
    fn from_entry(entry: Entry) -> Result<Self> {
        Ok(Self {
            published: published(&entry)?,
            updated: entry.updated.as_deref().and_then(Time::parse),
            authors: entry.authors,
            url: page(&entry.id),
            id: entry.id,
            title: entry.title,
            category: entry.category,
        })
    }
}

impl Paper {
    fn from_entry(entry: Entry) -> Result<Self> {
        Ok(Self {
            published: published(&entry)?,
            updated: entry.updated.as_deref().and_then(Time::parse),
            authors: entry.authors,
            url: page(&entry.id),
            id: entry.id,
            title: entry.title,
            category: entry.category,
            r#abstract: entry.summary,
            doi: entry.doi,
            comment: entry.comment,
        })
    }
}

fn published(entry: &Entry) -> Result<Time> {
    let date = Time::parse(&entry.published);
    Ok(date.ok_or("the feed's `published` is not a date")?)
}

/// The paper's page; the feed's own link is plain http.
fn page(id: &str) -> Url {
    Url(format!("https://arxiv.org/abs/{id}"))
}

plugin!(paper, search);
