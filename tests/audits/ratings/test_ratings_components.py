import numpy as np
import pandas as pd
import prose
import pytest
from ratings_samples import drawn

from audits.ratings.variance.components import (
    component_finding,
    design_effect_finding,
    variance_components,
    within_authors,
)
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.rating_rows import RATING_ROW_KEY
from storyaudit.ratings.usable_ratings import totals, usable
from storyaudit.stats.intraclass import one_way
from storyaudit.stats.mixed_model import RESIDUAL

SD = {"author": 12.0, "story_id": 5.0, "rater": 8.0, RESIDUAL: 6.0}


def simulated(seed: int, *, authors: int = 12, stories: int = 6, raters: int = 20) -> pd.DataFrame:
    """Rating rows of one criterion whose scores are sums of normal effects with the SDs above."""
    rng = np.random.default_rng(seed)
    by_author = rng.normal(0, SD["author"], authors)
    severity = rng.normal(0, SD["rater"], raters)
    rows = []
    for story in range(authors * stories):
        author, quality = story % authors, rng.normal(0, SD["story_id"])
        for rater in rng.choice(raters, 3, replace=False):
            score = 50 + by_author[author] + quality + severity[rater]
            rows.append((f"r{rater}", f"s{story}", f"a{author}", "1", score))
    table = pd.DataFrame(rows, columns=[*RATING_ROW_KEY, "author", "item", "score"])
    return table.assign(score=table["score"] + rng.normal(0, SD[RESIDUAL], len(table)))


def test_simulated_variances_are_found_and_their_intervals_hold_them() -> None:
    held = dict.fromkeys(SD, 0)
    means = dict.fromkeys(SD, 0.0)
    for seed in range(20):
        fit = variance_components(totals(simulated(seed)))
        assert fit is not None
        for name, sd in SD.items():
            estimate = fit.variance(name, 0.95)
            means[name] += estimate.value / 20
            if estimate.low is not None and estimate.high is not None:
                held[name] += estimate.low <= sd**2 <= estimate.high
    for name, sd in SD.items():
        assert means[name] == pytest.approx(sd**2, rel=0.3)
        assert held[name] >= 15


def test_the_finding_names_every_part() -> None:
    table = simulated(1)
    found = component_finding(totals(table))
    assert isinstance(found, Finding) and found.severity == "note"
    rows = {row["component"]: row for row in found.evidence}
    assert set(rows) == {"author", "story within author", "rater", "residual"}
    assert sum(float(row["proportion"] or 0) for row in rows.values()) == pytest.approx(1, abs=0.03)
    assert [rows[name]["levels"] for name in rows] == [12, 72, 20, 216]
    assert found.numbers["rating_rows"] == 216 and "rating row" in str(found.numbers["unit"])
    assert found.numbers["variance_author_low"] is not None


def test_with_one_rating_row_a_story_stories_are_in_the_residual() -> None:
    found = component_finding(totals(drawn(3, stories=30, raters=6, a_story=1)))
    assert isinstance(found, Finding)
    prose.check("ratings/with one rating row a story stories are in the residual", found)
    assert "variance_story" not in found.numbers


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("equal totals", drawn().assign(score=4.0)),
        ("one rating row", drawn(stories=1, raters=1)),
        ("two rating rows", drawn(stories=2, raters=1)),
    ],
)
def test_components_that_are_undefined_are_unchecked(name: str, table: pd.DataFrame) -> None:
    found = component_finding(totals(usable(table)))
    assert isinstance(found, Unchecked) and found.id == "variance-components"
    prose.check(f"ratings/undefined components: {name}", found)


def test_the_correlation_within_one_author_is_the_one_way_icc() -> None:
    table = drawn(5, authors=["a"])
    found = within_authors(table, RATING_ROW_KEY, 0.95)
    expected = one_way(
        [part.to_numpy() for _, part in table.groupby(RATING_ROW_KEY)["score"]], 0.95
    )
    assert found is not None and expected is not None
    assert found[0].value == pytest.approx(expected.value) and found[1] == pytest.approx(3)
    assert (found[0].low, found[0].high) == pytest.approx((expected.low, expected.high))


def test_authors_means_do_not_count() -> None:
    table = drawn(6)
    shifted = table.assign(score=table["score"] + 100 * (table["author"] == "m1"))
    one, other = (
        within_authors(table, RATING_ROW_KEY, 0.95),
        within_authors(shifted, RATING_ROW_KEY, 0.95),
    )
    assert one is not None and other is not None
    assert other[0].value == pytest.approx(one[0].value)


def test_a_simulated_design_effect() -> None:
    """Rating rows of ten criteria that share half their variance: 1 + 9 · 0.5 = 5.5."""
    rng = np.random.default_rng(4)
    table = drawn(1, stories=40, raters=5, items=[str(i) for i in range(1, 11)])
    row_of = table.groupby(RATING_ROW_KEY).ngroup().to_numpy()
    scores = rng.normal(size=row_of.max() + 1)[row_of] + rng.normal(size=len(table))
    found = design_effect_finding(table.assign(score=scores))
    assert isinstance(found, Finding)
    row = found.evidence[0]
    assert row["cluster"] == "rating row" and row["scores_a_cluster"] == 10
    assert float(row["design_effect_low"] or 0) < 5.5 < float(row["design_effect_high"] or 0)
    assert float(row["effective_scores"] or 0) == pytest.approx(2000 / 5.5, rel=0.15)
    assert found.numbers["scores"] == 2000


def test_a_rubric_of_one_criterion_has_no_design_effect_of_rating_rows() -> None:
    found = design_effect_finding(drawn(2, items=["1"]))
    assert isinstance(found, Finding)  # two raters of one story still go together
    assert [row["cluster"] for row in found.evidence] == ["story"]
    alone = design_effect_finding(drawn(2, items=["1"], raters=1))
    assert isinstance(alone, Unchecked) and alone.id == "design-effect"
    prose.check("ratings/design effects of a rubric of one criterion", found, alone)
