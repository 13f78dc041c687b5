//! Rows are what the command declared.

use sr_policy::command::Column;
use sr_policy::command_rules::{RowMeter, check_rows};
use sr_policy::value::{Cell, CellKind};

fn columns(kinds: &[CellKind]) -> Vec<Column> {
    let column = |kind: &CellKind| Column {
        name: kind.name().to_owned(),
        kind: *kind,
        help: String::new(),
        notes: Vec::new(),
    };
    kinds.iter().map(column).collect()
}

fn text(bytes: usize) -> Cell {
    Cell::Text("x".repeat(bytes))
}

fn fault(kind: CellKind, cell: Cell) -> String {
    let rows = [vec![Cell::Null], vec![cell]];
    let fault = check_rows(&columns(&[kind]), &rows).unwrap_err();
    assert_eq!((fault.row, fault.column.as_deref()), (1, Some(kind.name())));
    fault.to_string()
}

#[test]
fn a_row_of_the_declared_kinds_passes() {
    use CellKind::{Flag, Float, Int, Json, Text, Time, Url};
    let row = vec![
        Cell::Flag(true),
        Cell::Int(i64::MIN),
        Cell::Float(-0.5),
        Cell::Int(3),
        text(64 * 1024),
        Cell::Time(253_402_300_799_999),
        Cell::Text("not judged".to_owned()),
        Cell::Json("{\"a\":[1,null]}".to_owned()),
        Cell::Null,
    ];
    assert_eq!(
        check_rows(
            &columns(&[Flag, Int, Float, Float, Text, Time, Url, Json, Int]),
            &[row]
        ),
        Ok(())
    );
}

#[test]
fn a_cell_of_another_kind_is_named_with_row_and_column() {
    assert_eq!(
        fault(CellKind::Int, text(1)),
        "row 2, column int: a text cell in a column of kind int"
    );
    for (kind, cell) in [
        (CellKind::Int, Cell::Float(1.0)),
        (CellKind::Text, Cell::Json("{}".to_owned())),
        (CellKind::Time, Cell::Int(1)),
        (CellKind::Flag, Cell::Int(1)),
        (CellKind::Json, text(1)),
    ] {
        assert!(fault(kind, cell).contains("in a column of kind"));
    }
}

#[test]
fn values_nobody_can_print_are_refused() {
    assert!(fault(CellKind::Float, Cell::Float(f64::NAN)).contains("not finite"));
    assert!(fault(CellKind::Float, Cell::Float(f64::INFINITY)).contains("not finite"));
    for ms in [i64::MAX, i64::MIN, 253_402_300_800_000, -62_135_596_800_001] {
        let said = fault(CellKind::Time, Cell::Time(ms));
        assert!(said.contains("outside the years 1 to 9999"), "{ms}: {said}");
    }
    for json in ["", "{", "{} {}", "1e999", "'a'"] {
        assert!(
            fault(CellKind::Json, Cell::Json(json.to_owned())).contains("not JSON"),
            "{json}"
        );
    }
    let deep = "[".repeat(1000) + &"]".repeat(1000);
    assert!(fault(CellKind::Json, Cell::Json(deep)).contains("not JSON"));
}

#[test]
fn a_row_has_as_many_cells_as_columns() {
    let fault = check_rows(&columns(&[CellKind::Int]), &[vec![]]).unwrap_err();
    assert_eq!(
        (fault.column.clone(), fault.to_string().as_str()),
        (None, "row 1: 0 cells for 1 columns")
    );
    assert!(check_rows(&[], &[vec![Cell::Null]]).is_err());
}

#[test]
fn sizes_are_bounded_over_all_pieces_of_a_run() {
    assert!(fault(CellKind::Text, text(64 * 1024 + 1)).contains("at most 65536"));
    let columns = columns(&[CellKind::Text]);
    let mut meter = RowMeter::new();
    let piece = vec![vec![text(64 * 1024 - 8)]; 128];
    assert_eq!(
        (meter.check(&columns, &piece), meter.check(&columns, &piece)),
        (Ok(()), Ok(()))
    );
    let fault = meter.check(&columns, &[vec![text(1)]]).unwrap_err();
    assert!(fault.reason.contains("16777216"), "{fault}");
    assert_eq!((fault.row, meter.rows()), (256, 256));
}

#[test]
fn empty_cells_are_bounded_too() {
    let columns = columns(&[CellKind::Text; 64]);
    let row = vec![text(0); 64];
    let mut meter = RowMeter::new();
    for _ in 0..16 * 1024 * 1024 / (64 * 8) {
        assert_eq!(meter.check(&columns, std::slice::from_ref(&row)), Ok(()));
    }
    let fault = meter.check(&columns, &[row]).unwrap_err();
    assert!(fault.reason.contains("16777216"), "{fault}");
}

#[test]
fn a_run_has_at_most_100_000_rows() {
    let mut meter = RowMeter::new();
    let piece = vec![vec![]; 50_000];
    assert_eq!(
        (meter.check(&[], &piece), meter.check(&[], &piece)),
        (Ok(()), Ok(()))
    );
    assert!(
        meter
            .check(&[], &[vec![]])
            .unwrap_err()
            .reason
            .contains("100000")
    );
}
