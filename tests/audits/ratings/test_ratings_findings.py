import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import prose
import pytest
from scipy import stats

from audits.ratings import ratings_report as module
from audits.ratings.ratings_report import ratings_report
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.findings import Finding, ordered

PUBLISHED = Path(__file__).parents[3] / "data/published/confederacy/ratings.csv"

# Every rater scores every story on criteria 1 and 2; s1, s2, s3 are by a, s4 and s5 by b, s6 by c.
AUTHORS = {"s1": "a", "s2": "a", "s3": "a", "s4": "b", "s5": "b", "s6": "c"}


@pytest.fixture(autouse=True)
def _only_what_makes_a_table_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out agreement, comparisons and the like, which have tests of their own."""
    monkeypatch.setattr(module, "optional_analyses", lambda *_, **__: [], raising=False)


def small() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = [
        {"rater": rater, "story_id": story, "author": author, "item": item}
        for rater in ("r1", "r2", "r3")
        for story, author in AUTHORS.items()
        for item in ("1", "2")
    ]
    return pd.DataFrame(rows).assign(score=rng.integers(1, 11, len(rows)).astype("float64"))


def published() -> pd.DataFrame:
    return read_table(PUBLISHED, RATINGS).frame


def findings(table: pd.DataFrame, scale: Any = (1.0, 10.0), **more: Any) -> dict[str, Finding]:
    more.setdefault("rng", np.random.default_rng(1))
    report = ordered(ratings_report(table, scale=scale, study="demo", **more))
    return {finding.id: finding for finding in report.findings}


def author_rows(found: dict[str, Finding]) -> dict[object, dict[str, Any]]:
    return {row["author"]: row for row in found["author-means"].evidence}


def test_a_valid_table_passes() -> None:
    found = findings(small())
    prose.check("ratings/a valid table", *found.values())
    assert {name: f.severity for name, f in found.items()} == {
        "missing": "pass",
        "scored-once": "pass",
        "off-scale": "pass",
        "author-means": "note",
    }
    assert found["missing"].numbers == {"rating_rows": 18, "items": 2, "missing": 0, "nameless": 0}
    assert found["off-scale"].numbers["off_scale"] == 0


def score(row: int, value: float) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.assign(score=table["score"].where(table.index != row, value))


def without(row: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.drop(index=row)


def duplicated(row: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: pd.concat([table, table.loc[[row]]], ignore_index=True)


def value(row: int, column: str, new: str | None) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.assign(
        **{column: table[column].where(table.index != row, new)}  # as a reader gives it: str
    )


# Row 0 of both tables is a score of its first rater, story and item.
FAULTS: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str, str, dict[str, int]]] = {
    "above the scale": (score(0, 10.5), "off-scale", "fail", {"off_scale": 1}),
    "below the scale": (score(0, 0.5), "off-scale", "fail", {"off_scale": 1}),
    "no score": (score(0, float("nan")), "missing", "warn", {"missing": 1, "nameless": 0}),
    "no row": (without(0), "missing", "warn", {"missing": 1, "nameless": 0}),
    "no criterion": (value(0, "item", None), "missing", "warn", {"missing": 1, "nameless": 1}),
    "no rater": (value(0, "rater", None), "missing", "warn", {"missing": 1, "nameless": 1}),
    "no author": (value(0, "author", None), "missing", "warn", {"missing": 0, "nameless": 1}),
    "twice": (duplicated(0), "scored-once", "fail", {"rows": 1}),
    "two authors": (value(0, "author", "z"), "one-author", "fail", {"stories": 1}),
}


@pytest.mark.parametrize("make", [small, published])
@pytest.mark.parametrize("name", FAULTS)
def test_an_injected_fault_is_found_and_nothing_else(
    name: str, make: Callable[[], pd.DataFrame]
) -> None:
    inject, finding, severity, numbers = FAULTS[name]
    table = make()
    clean, found = findings(table), findings(inject(table))
    before = clean[finding].numbers if finding in clean else {}
    added = {n: v + (before[n] if n in {"off_scale"} else 0) for n, v in numbers.items()}
    assert found[finding].severity == severity
    if make is small:
        prose.check(f"ratings/an injected fault: {name}", found[finding])
    assert {n: found[finding].numbers[n] for n in numbers} == added
    for other in {"missing", "scored-once", "off-scale"} - {finding}:
        # A row more or less changes how many scores there are, and nothing else.
        ignored = {"scores"}
        assert found[other].severity == clean[other].severity
        assert {k: v for k, v in found[other].numbers.items() if k not in ignored} == {
            k: v for k, v in clean[other].numbers.items() if k not in ignored
        }
    assert set(found) == set(clean) | {finding}
    # Only the means of the author at fault can move.
    author = table["author"].iloc[0]
    then, now = author_rows(clean), author_rows(found)
    assert {a: r for a, r in now.items() if a not in {author, "z"}} == {
        a: r for a, r in then.items() if a != author
    }


def test_what_is_at_fault_is_named() -> None:
    table = small()
    off = findings(score(3, 11.0)(table))["off-scale"]
    assert off.evidence == [{"rater": "r1", "item": "2", "score": 11.0, "scores": 1}]
    assert {"1", "36", "10", "3"} <= prose.figures(off)
    prose.check("ratings/what is at fault is named", off)
    lacking = findings(table.drop(index=[2, 3, 14]))["missing"]
    assert [tuple(row.values()) for row in lacking.evidence] == [("r2", "s2", "1")]
    assert lacking.numbers["rating_rows"] == 17  # a row never begun is not known to lack
    twice = findings(duplicated(5)(table))["scored-once"].evidence
    assert twice == [{"rater": "r1", "story_id": "s3", "item": "2", "score": table["score"][5]}]
    two = findings(value(0, "author", "z")(table))["one-author"].evidence
    assert two == [{"story_id": "s1", "author": "a"}, {"story_id": "s1", "author": "z"}]


def test_the_ends_of_the_scale_lie_on_it() -> None:
    table = small()
    low, high = table["score"].min(), table["score"].max()
    assert findings(table, (low, high))["off-scale"].severity == "pass"
    at_high = int((table["score"] == high).sum())
    assert findings(table, (low, high - 1))["off-scale"].numbers["off_scale"] == at_high


def test_without_a_scale_it_is_unchecked() -> None:
    report = ratings_report(small(), scale=None, study="demo", rng=np.random.default_rng(1))
    assert [left.id for left in report.unchecked] == ["off-scale"]
    prose.check("ratings/no scale", *report.unchecked)
    assert "off-scale" not in {f.id for f in report.findings}


def test_author_means_take_stories_as_the_unit() -> None:
    table = small()
    found = findings(table, confidence=0.9)
    totals = table.groupby(["author", "story_id", "rater"])["score"].sum()
    assert found["author-means"].numbers == {"authors": 3, "rating_rows": 18, "confidence": 0.9}
    for author, row in author_rows(found).items():
        of_author = totals[author]
        stories = of_author.groupby("story_id").mean().to_numpy()
        assert row["mean"] == round(of_author.mean(), 2)
        assert row["sd"] == round(of_author.std(ddof=1), 2)
        assert (row["rating_rows"], row["stories"]) == (3 * len(stories), len(stories))
        if len(stories) == 1:
            assert row["low"] is None and row["high"] is None
        else:
            interval = stats.t.interval(
                0.9, len(stories) - 1, loc=stories.mean(), scale=stats.sem(stories)
            )
            assert (row["low"], row["high"]) == pytest.approx(interval, abs=0.00501)


def test_students_interval_by_hand() -> None:
    # Story means 4 and 8 of one rater: mean 6, SE 2, and t(0.975; 1) = 12.706.
    table = pd.DataFrame(
        {"rater": "r", "story_id": ["s1", "s2"], "author": "a", "item": "1", "score": [4.0, 8.0]}
    )
    (row,) = findings(table)["author-means"].evidence
    assert (row["low"], row["high"]) == (-19.41, 31.41)


def test_authors_stand_from_best_to_worst() -> None:
    means = [row["mean"] for row in findings(small())["author-means"].evidence]
    assert means == sorted(means, reverse=True)


def test_the_published_ratings_by_plain_loops() -> None:
    with PUBLISHED.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    off = [row for row in rows if not 1 <= float(row["score"]) <= 10]
    found = findings(published())
    assert found["off-scale"].numbers["off_scale"] == len(off) == 14
    assert {row["rater"] for row in found["off-scale"].evidence} == {row["rater"] for row in off}
    assert sum(row["scores"] for row in found["off-scale"].evidence) == 14
    keys = {(row["rater"], row["story_id"]) for row in rows}
    assert found["missing"].numbers == {
        "rating_rows": len(keys),
        "items": 10,
        "missing": 0,
        "nameless": 0,
    }
    assert len(rows) == 10 * len(keys)
    totals: dict[str, dict[tuple[str, str], float]] = {}
    for row in rows:
        of_author = totals.setdefault(row["author"], {})
        key = (row["rater"], row["story_id"])
        of_author[key] = of_author.get(key, 0) + float(row["score"])
    assert {author: row["mean"] for author, row in author_rows(found).items()} == {
        author: round(sum(of.values()) / len(of), 2) for author, of in totals.items()
    }


@pytest.mark.parametrize("score", [float("inf"), float("-inf"), 1e308, -1e308])
def test_a_score_that_is_none_is_found_and_spoils_no_statistic(score: float) -> None:
    table = small()
    table.loc[0, "score"] = score
    found = findings(table)
    assert found["no-score"].severity == "fail" and found["no-score"].numbers == {"scores": 1}
    prose.check("ratings/a score that is none", found["no-score"])
    assert found["off-scale"].numbers["off_scale"] == 1
    assert "no-score" not in findings(small())
    for finding in found.values():
        assert not {"nan", "inf"} & set(finding.statement.lower().replace("+", " ").split())
