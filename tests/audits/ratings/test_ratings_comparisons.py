from typing import Any

import numpy as np
import pandas as pd
import prose
import pytest
from ratings_samples import drawn, parted

from audits.ratings.comparisons.comparison_methods import Method, Outcome, compare
from audits.ratings.comparisons.robustness import comparison_findings, judge
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.usable_ratings import totals, usable
from storyaudit.stats.estimate import Estimate

RNG = np.random.default_rng(0)
METHODS = ["rating-rows", "scores", "raters", "groups", "stories", "mixed"]


def compared(
    table: pd.DataFrame, reference: str | None = None, **more: Any
) -> tuple[dict[str, Finding], dict[str, Unchecked]]:
    rows = usable(table)
    return parted(comparison_findings(rows, totals(rows), RNG, reference=reference, **more))


def shifted(table: pd.DataFrame, author: str, by: float) -> pd.DataFrame:
    return table.assign(score=table["score"] + by * (table["author"] == author))


def grouped(seed: int = 0, groups: int = 5) -> pd.DataFrame:
    """Groups of two raters; each group reads a story by every author, as in Confederacy."""
    parts = []
    for group in range(groups):
        part = drawn(seed + group, stories=3, raters=2)
        part["rater"] = part["rater"].map({"r0": f"{2 * group + 1}", "r1": f"{2 * group + 2}"})
        parts.append(part.assign(story_id=f"g{group}" + part["story_id"], group=str(group)))
    return pd.concat(parts, ignore_index=True)


def test_every_method_allows_a_grouped_design() -> None:
    found, unchecked = compared(grouped())
    assert unchecked == {}
    assert set(found) == {"comparison-m1", "comparison-m2", "comparisons"}
    rows = found["comparison-m1"].evidence
    assert [row["unit"] for row in rows] == [
        "rating row", "score", "rater", "group", "story", "story and rater",
    ]  # fmt: skip
    assert [row["n"] for row in rows] == [10, 30, 10, 5, 5, 5]
    assert [row["n_reference"] for row in rows] == [10, 30, 10, 5, 5, 5]


def test_all_methods_estimate_the_same_difference_in_a_balanced_design() -> None:
    rows = usable(grouped())
    row_totals = totals(rows)
    means = row_totals.groupby("author")["total"].mean()
    for method in compare(rows, row_totals, "human", RNG, 0.95):
        scale = 3 if method.id == "scores" else 1
        for author, outcome in method.outcomes.items():
            expected = means[author] - means["human"]
            assert scale * outcome.estimate.value == pytest.approx(expected, abs=1e-6)


def test_a_large_difference_is_significant_by_every_method() -> None:
    found, _ = compared(shifted(grouped(), "m1", 30))
    one = found["comparison-m1"]
    assert one.severity == "note" and one.numbers["conclusion"] == "survives"
    assert one.numbers["methods"] == one.numbers["significant_after_holm"] == 5
    # Five groups cannot reach significance, which is said.
    assert {"5", "0.0625"} <= prose.figures(one)
    prose.check("ratings/a large difference is significant by every method", *found.values())
    (groups,) = [row for row in one.evidence if row["unit"] == "group"]
    assert groups["p"] == 0.0625 and groups["verdict"] == "none: smallest possible p 0.0625"
    assert groups["difference_low"] is None


def test_no_difference_is_inconclusive() -> None:
    table = grouped()
    human = table[table["author"] == "human"].sort_values(["rater", "item"])["score"].to_numpy()
    model = table["author"] == "m1"
    order = table[model].sort_values(["rater", "item"]).index
    table.loc[order, "score"] = human  # m1 is rated as human is, by everyone
    one = compared(table)[0]["comparison-m1"]
    assert one.severity == "warn" and one.numbers["conclusion"] == "inconclusive"
    assert one.numbers["difference"] == 0


def fixed(method: str, smallest: float = 0.0, **p_values: float) -> Method:
    outcomes = {
        author: Outcome(Estimate(1.0 if p >= 0 else -1.0, 0.1, 2.0), abs(p), 5, 5, smallest)
        for author, p in p_values.items()
    }
    return Method(method, method, method, "", outcomes, "")


@pytest.mark.parametrize(
    ("p_values", "conclusion"),
    [
        ({"rows": 0.001, "stories": 0.01}, "survives"),
        ({"rows": 0.2, "stories": 0.01}, "depends"),
        ({"rows": 0.03, "stories": 0.04}, "depends"),
        ({"rows": 0.3, "stories": 0.4}, "inconclusive"),
        ({"rows": 0.001, "stories": -0.001}, "depends"),
    ],
)
def test_the_conclusion_follows_from_the_corrected_p_values(
    monkeypatch: pytest.MonkeyPatch, p_values: dict[str, float], conclusion: str
) -> None:
    """Two authors; the other's p is 1, so that Holm doubles this one's."""
    methods = [fixed(name, m1=p, m2=1.0) for name, p in p_values.items()]
    monkeypatch.setattr("audits.ratings.comparisons.robustness.compare", lambda *_: methods)
    found, _ = compared(drawn())
    one = found["comparison-m1"]
    assert one.numbers["conclusion"] == conclusion
    if p_values["rows"] == 0.2:
        assert one.evidence[0]["p_holm"] == 0.4  # Holm doubles it
    by = ", ".join(f"{p} by {name}" for name, p in p_values.items())
    prose.check(f"ratings/what the p values show: {by}", one)
    assert one.severity == ("note" if conclusion == "survives" else "warn")
    counts = {name: found["comparisons"].numbers[name] for name in ("survives", "depends")}
    assert counts == {name: int(name == conclusion) for name in counts}


def test_a_corrected_p_value_at_the_level_is_significant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Twice 1/8 is 1/4, without a bit lost.
    methods = [fixed("rows", m1=0.125, m2=1.0)]
    monkeypatch.setattr("audits.ratings.comparisons.robustness.compare", lambda *_: methods)
    found, _ = compared(drawn(), confidence=0.75)
    assert found["comparison-m1"].numbers["conclusion"] == "survives"


@pytest.mark.parametrize(
    ("authors", "smallest", "capable"),
    [(1, 0.05, True), (2, 0.05, False), (12, 2 / 2**10, True), (40, 2 / 2**10, False)],
)
def test_a_method_is_judged_only_where_its_smallest_p_survives_holm(
    authors: int, smallest: float, capable: bool
) -> None:
    method = fixed("raters", smallest, **{f"m{n}": max(smallest, 0.5) for n in range(authors)})
    results = judge([method], 0.05)
    assert {result.capable for (result,) in results.values()} == {capable}


def test_the_family_is_all_authors_against_the_reference() -> None:
    found, _ = compared(shifted(grouped(), "m1", 30))
    for key, other in (("comparison-m1", "comparison-m2"), ("comparison-m2", "comparison-m1")):
        for row, twin in zip(found[key].evidence, found[other].evidence, strict=True):
            p, q, corrected = float(row["p"] or 0), float(twin["p"] or 0), float(row["p_holm"] or 0)
            expected = min(1, 2 * p) if p <= q else max(p, min(1, 2 * q))
            assert corrected == pytest.approx(expected, rel=0.02)


# What a design forbids.
FORBIDDEN: dict[str, tuple[pd.DataFrame, set[str]]] = {
    "no groups": (drawn(), {"groups"}),
    "one group": (drawn(groups=True), {"groups"}),
    "one criterion": (drawn(items=["1"]), {"scores", "groups"}),
    "one story each": (drawn(stories=3), {"stories", "mixed", "groups"}),
    "one rater a story, of his own": (
        drawn(stories=6, raters=1).assign(rater=lambda t: "r" + t["story_id"]),
        {"raters", "groups"},
    ),
    "one rater": (drawn(raters=1), {"raters", "groups"}),
    "two rating rows": (
        drawn(stories=2, raters=1, authors=["human", "m1"]),
        {"rating-rows", "raters", "groups", "stories", "mixed"},
    ),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_methods_that_the_design_forbids_are_unchecked_with_the_reason(name: str) -> None:
    table, forbidden = FORBIDDEN[name]
    found, unchecked = compared(table)
    assert set(unchecked) == {f"comparison-by-{method}" for method in forbidden}
    prose.check(f"ratings/methods that the design forbids: {name}", *unchecked.values())
    methods = {row["method"] for row in found["comparisons"].evidence}
    assert len(methods) == len(METHODS) - len(forbidden)


def test_an_unbalanced_table_is_compared() -> None:
    table = drawn(7, stories=20, raters=6, a_story=2).drop(index=[0, 8, 30])
    found, unchecked = compared(table)
    assert set(unchecked) == {"comparison-by-groups"}
    rows = found["comparison-m2"].evidence
    counted = {row["unit"]: row["n"] for row in rows}
    assert counted["score"] == (table["author"] == "m2").sum()
    for row in rows:
        assert 0 < float(row["p"] or 0) <= 1
        if row["unit"] != "rater":  # too few of whom read both for an interval
            assert float(row["difference_low"] or 0) < float(row["difference_high"] or 0)


def test_an_author_of_one_story_is_compared_by_what_remains() -> None:
    table = drawn(8, stories=9)
    table.loc[table["story_id"] == "s1", "author"] = "rare"
    found, _ = compared(table)
    methods = [row["method"] for row in found["comparison-rare"].evidence]
    assert "Welch clustered by story" not in methods and "mixed model" in methods


def test_the_reference_is_human_or_named() -> None:
    found, _ = compared(drawn(), reference="m2")
    assert set(found) == {"comparison-human", "comparison-m1", "comparisons"}
    assert found["comparison-m1"].numbers["reference"] == "m2"
    nobody, unchecked = compared(drawn(authors=["a", "b"]))
    assert nobody == {}
    prose.check("ratings/the reference is human or named (1)", unchecked["comparisons"])
    alone, unchecked = compared(drawn(authors=["human"]))
    assert alone == {}
    prose.check("ratings/the reference is human or named (2)", unchecked["comparisons"])
    with pytest.raises(InputError, match=r"'GPT' to compare with, found human, m1, m2\. Name"):
        compared(drawn(), reference="GPT")


def test_ids_of_odd_author_names_are_slugs_of_their_own() -> None:
    odd = ["human", "GPT 4/x", "gpt-4 (x)", "模型"]
    found, _ = compared(drawn(authors=odd, stories=16))
    assert set(found) == {
        "comparison-gpt-4-x", "comparison-gpt-4-x-2", "comparison-unnamed", "comparisons",
    }  # fmt: skip
    statements = " ".join(finding.statement for finding in found.values())
    assert all(name in statements for name in odd[1:])


def test_false_alarms_are_as_rare_as_stated() -> None:
    """No author differs: by each method at most about one table in twenty says so after Holm."""
    alarms = dict.fromkeys(METHODS, 0)
    for seed in range(80):
        rng = np.random.default_rng(seed)
        table = grouped(100 * seed)
        severity = rng.normal(0, 2, 11)[table["rater"].astype(int)]
        quality = pd.Series(rng.normal(0, 2, 15), table["story_id"].unique())
        score = severity + table["story_id"].map(quality).to_numpy() + rng.normal(0, 1, len(table))
        rows = usable(table.assign(score=score))
        methods = compare(rows, totals(rows), "human", rng, 0.95)
        for results in zip(*judge(methods, 0.05).values(), strict=True):
            alarms[results[0].method.id] += any(r.holm <= 0.05 for r in results)
    assert alarms["scores"] / 80 > 0.2  # taking the scores of a rating row as independent
    assert alarms["groups"] == 0
    # Differences of raters hold stories fixed, so that they are significant more often.
    assert all(alarms[name] / 80 < 0.11 for name in ("stories", "mixed"))
