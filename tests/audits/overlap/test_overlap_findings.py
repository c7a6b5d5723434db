import pandas as pd
import pytest

from audits.overlap.findings import overlap_report
from audits.overlap.search import OverlapParams
from storyaudit.findings import Finding, Report

SIZES = {"story": (200, 50)}


def overlaps(*rows: tuple[str, str, str, float]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["level", "left_id", "right_id", "containment"])
    return table.assign(jaccard=0.25, longest_run=7, verified=True)


def report(table: pd.DataFrame, **more: object) -> Report:
    options = {"sizes": SIZES, "params": OverlapParams(), **more}
    return overlap_report(table, study="demo", command="show", **options)


def findings(table: pd.DataFrame, **more: object) -> dict[str, Finding]:
    return {finding.id: finding for finding in report(table, **more).findings}


def test_nothing_found_is_a_pass() -> None:
    found = findings(overlaps())
    assert {name: f.severity for name, f in found.items()} == {
        "story-copy": "pass",
        "story-partial": "pass",
        "index-recall": "note",
    }
    assert found["story-copy"].numbers == {
        "training": 200,
        "benchmark": 50,
        "overlapping": 0,
        "pairs": 0,
    }


@pytest.mark.parametrize(
    ("containment", "copy", "partial"),
    [(1.0, "fail", "pass"), (0.5, "fail", "pass"), (0.499, "pass", "warn"), (0.1, "pass", "warn")],
)
def test_a_copy_fails_and_a_partial_one_warns(containment: float, copy: str, partial: str) -> None:
    found = findings(overlaps(("story", "b", "t", containment)))
    assert (found["story-copy"].severity, found["story-partial"].severity) == (copy, partial)


def test_stories_are_counted_once_and_pairs_each() -> None:
    found = findings(
        overlaps(
            ("story", "b1", "t1", 1.0),
            ("story", "b1", "t2", 0.9),
            ("story", "b2", "t1", 0.6),
            ("story", "b3", "t1", 0.2),
        ),
        items={"b1": ["i1", "i7"]},
    )
    copy = found["story-copy"]
    assert copy.numbers["overlapping"] == 2 and copy.numbers["pairs"] == 3
    assert copy.statement.startswith("2 of 50 benchmark stories overlap with the 200 training")
    assert [row["items"] for row in copy.evidence] == ["i1, i7", "i1, i7", ""]
    assert copy.evidence[0] == {
        "benchmark": "b1",
        "items": "i1, i7",
        "training": "t1",
        "containment": 1.0,
        "jaccard": 0.25,
        "longest_run": 7,
    }
    assert found["story-partial"].numbers["pairs"] == 1


def test_evidence_is_cut_and_numbers_are_not() -> None:
    found = findings(overlaps(*(("story", f"b{n}", "t", 0.8) for n in range(45))))
    assert found["story-copy"].numbers["overlapping"] == 45
    assert len(found["story-copy"].evidence) == 20


def test_each_level_has_its_own_findings() -> None:
    found = findings(
        overlaps(("premise", "p", "q", 1.0)),
        sizes={"story": (200, 50), "premise": (9, 8)},
        empty={"story": 3, "premise": 0},
    )
    severities = {name: f.severity for name, f in found.items()}
    assert severities == {
        "story-copy": "pass",
        "story-partial": "pass",
        "story-empty": "warn",
        "premise-copy": "fail",
        "premise-partial": "pass",
        "index-recall": "note",
    }
    assert found["story-empty"].numbers == {"empty": 3}
    assert found["premise-copy"].numbers["benchmark"] == 8


def test_what_was_not_searched_for_is_said() -> None:
    assert {left.id for left in report(overlaps()).unchecked} == {"embedded", "paraphrase"}


def test_the_index_is_described() -> None:
    recall = findings(overlaps(), params=OverlapParams(permutations=16, bands=8))["index-recall"]
    # 8 bands of 2 rows: 1 − (1 − s²)^8. Of two equal texts of 2 shingles that
    # share 1, 3 are different: containment 1/2, s = 1/3. Of 10 that share 1, 19 are: 1/10, 1/19.
    assert recall.numbers["recall_0.5"] == pytest.approx(1 - (8 / 9) ** 8, abs=1e-6)
    assert recall.numbers["recall_0.1"] == pytest.approx(1 - (360 / 361) ** 8, abs=1e-6)
    assert recall.numbers["rows"] == 2
