//! A struct becomes a row, and a grid becomes structs again.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of a test fail it"
)]

use sr_guest::prelude::*;
use sr_guest::{CellKind, Grid};

#[derive(Row, Debug, PartialEq)]
struct Product {
    /// Its
    /// name
    title: String,
    price: f64,
    stock: Option<i32>,
    #[column(name = "page", help = "Where it is", kind = url)]
    link: String,
    new: bool,
    seen: Option<Time>,
    #[column(kind = json)]
    extra: Option<String>,
    #[column(kind = time)]
    at: i64,
}

fn product() -> Product {
    Product {
        title: "Lamp".to_owned(),
        price: 9.5,
        stock: None,
        link: "https://shop.example/lamp".to_owned(),
        new: true,
        seen: Some(Time(5)),
        extra: Some("[1]".to_owned()),
        at: 7,
    }
}

#[test]
fn fields_are_columns_in_order() {
    let columns: Vec<_> = Product::COLUMNS
        .iter()
        .map(|column| (column.name, column.kind))
        .collect();
    assert_eq!(
        columns,
        [
            ("title", CellKind::Text),
            ("price", CellKind::Float),
            ("stock", CellKind::Int),
            ("page", CellKind::Url),
            ("new", CellKind::Flag),
            ("seen", CellKind::Time),
            ("extra", CellKind::Json),
            ("at", CellKind::Time),
        ]
    );
    assert_eq!(Product::COLUMNS[0].help, "Its name");
    assert_eq!(Product::COLUMNS[3].help, "Where it is");
}

#[test]
fn a_row_has_one_cell_per_column() {
    assert_eq!(
        product().into_cells(),
        [
            Cell::Text("Lamp".to_owned()),
            Cell::Float(9.5),
            Cell::Null,
            Cell::Text("https://shop.example/lamp".to_owned()),
            Cell::Flag(true),
            Cell::Time(5),
            Cell::Json("[1]".to_owned()),
            Cell::Time(7),
        ]
    );
}

/// A grid of these cells; `None` is a cell that is not present.
fn grid(columns: u32, cells: &[Option<&str>]) -> Grid {
    let mut grid = Grid {
        columns,
        text: String::new(),
        ends: Vec::new(),
        present: vec![0; cells.len().div_ceil(8)],
        more: 0,
    };
    for (at, cell) in cells.iter().enumerate() {
        if let Some(text) = cell {
            grid.text.push_str(text);
            grid.present[at / 8] |= 1 << (at % 8);
        }
        grid.ends.push(u32::try_from(grid.text.len()).unwrap());
    }
    grid
}

const LAMP: [Option<&str>; 8] = [
    Some("Lamp"),
    Some("9.5"),
    None,
    Some("https://shop.example/lamp"),
    Some("true"),
    Some("5"),
    Some("[1]"),
    Some("7"),
];

#[test]
fn a_grid_becomes_typed_rows() {
    let mut cells = LAMP.to_vec();
    cells.extend([
        Some("Größe"),
        Some("0"),
        Some("-3"),
        Some(""),
        Some("false"),
        None,
        None,
        Some("0"),
    ]);
    let rows = Product::from_grid(&grid(8, &cells)).unwrap();
    assert_eq!(rows[0], product());
    assert_eq!(rows[1].title, "Größe");
    assert_eq!(rows[1].stock, Some(-3));
    assert_eq!(
        rows[1].link, "",
        "an empty text is there, an absent one is not"
    );
    assert_eq!(rows.len(), 2);
    assert!(Product::from_grid(&grid(8, &[])).unwrap().is_empty());
}

fn code(result: Result<Vec<Product>>) -> (String, String) {
    match result {
        Err(Failure::Other(coded)) => (coded.code, coded.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_broken_grid_is_a_failure_and_never_a_panic() {
    let good = grid(8, &LAMP);
    type Damage = fn(&mut Grid);
    let broken: [(&str, Damage); 10] = [
        ("no columns", |grid| grid.columns = 0),
        ("other columns", |grid| grid.columns = 7),
        ("huge columns", |grid| grid.columns = u32::MAX),
        ("half a row", |grid| grid.ends.truncate(7)),
        ("end behind the text", |grid| grid.ends[7] = u32::MAX),
        ("ends that go back", |grid| grid.ends[1] = 0),
        ("ends inside a character", |grid| {
            grid.text = "ä".repeat(40);
            grid.ends[0] = 1;
        }),
        ("no bits", |grid| grid.present.clear()),
        ("no text", |grid| grid.text.clear()),
        ("one row more than bits", |grid| {
            grid.ends.extend_from_within(..)
        }),
    ];
    for (what, break_it) in broken {
        let mut grid = good.clone();
        break_it(&mut grid);
        assert_eq!(code(Product::from_grid(&grid)).0, "GRID_BROKEN", "{what}");
    }
}

#[test]
fn a_value_of_another_type_names_row_and_column() {
    for (at, cell, message) in [
        (1, Some("cheap"), "row 1, column 2: no number"),
        (0, None, "row 1, column 1: a value that is not there"),
        (
            2,
            Some("4294967296"),
            "row 1, column 3: no whole number that fits",
        ),
        (4, Some("yes"), "row 1, column 5: no flag"),
    ] {
        let mut cells = LAMP;
        cells[at] = cell;
        let found = code(Product::from_grid(&grid(8, &cells)));
        assert_eq!(found, ("UNEXPECTED_REPLY".to_owned(), message.to_owned()));
    }
}

#[test]
fn more_bits_and_a_set_bit_after_the_end_do_no_harm() {
    let mut grid = grid(8, &LAMP);
    grid.present.extend([255, 255]);
    assert_eq!(Product::from_grid(&grid).unwrap().len(), 1);
}
