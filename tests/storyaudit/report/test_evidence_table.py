import pandas as pd

from storyaudit.findings import Finding, Report
from storyaudit.io.files import csv_text
from storyaudit.report.evidence_table import evidence_table

ROWS = [{"item": "i1", "score": 0.5}, {"item": None, "ties": 2, "tied": True}]


def test_every_value_of_evidence_is_a_row_with_its_finding() -> None:
    found = [
        Finding(id="a", severity="fail", statement="Said.", evidence=ROWS),
        Finding(id="b", severity="pass", statement="Said."),
        Finding(id="c", severity="note", statement="Said.", evidence=[{"x": "=1"}]),
    ]
    table = evidence_table(Report.of(found, study="s", audit="a"))
    assert table.to_numpy().tolist() == [
        ["a", "fail", 1, "item", "i1"],
        ["a", "fail", 1, "score", 0.5],
        ["a", "fail", 2, "item", None],
        ["a", "fail", 2, "ties", 2],
        ["a", "fail", 2, "tied", True],
        ["c", "note", 1, "x", "=1"],
    ]
    assert csv_text(table).splitlines()[-1] == "c,note,1,x,'=1"  # no formula to a spreadsheet


def test_without_evidence_there_are_only_columns() -> None:
    table = evidence_table(Report.of([], study="s", audit="a"))
    assert table.empty and isinstance(table, pd.DataFrame)
    assert csv_text(table) == "finding,severity,row,name,value\n"
