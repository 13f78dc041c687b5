//! A whole adapter: one command, one fetch, one row.
use sr_guest::prelude::*;

#[derive(Row)]
struct Weather {
    /// Where
    place: String,
    /// Degrees Celsius
    degrees: f64,
}

/// The weather at a place.
#[command(read, domain = "weather.example", example = "weather Oslo")]
fn weather(#[arg(positional)] place: String) -> Result<Weather> {
    let reply = fetch::get(url!("https://weather.example/now?q={place}")).json()?;
    let degrees = reply.at("now").at("degrees").float()?;
    Ok(Weather { place, degrees })
}

plugin!(weather);

fn main() {}
