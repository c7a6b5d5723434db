from typing import Any

import numpy as np
import pandas as pd
import prose
import pytest
from ratings_samples import drawn, parted

from audits.ratings.agreement.agreement_findings import agreement_findings
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.usable_ratings import usable
from storyaudit.stats.cohen_kappa import band

KAPPAS = {"kappa-unweighted", "kappa-linear", "kappa-quadratic"}
ALL = KAPPAS | {"alpha", "prevalence", "icc", "totals-correlation"}


def agreement(table: pd.DataFrame, **more: Any) -> tuple[dict[str, Finding], dict[str, Unchecked]]:
    rng = np.random.default_rng(1)
    options = {"resamples": 200} | more
    return parted(agreement_findings(usable(table), rng, **options))


def similar(seed: int = 0, noise: int = 2, **design: Any) -> pd.DataFrame:
    """Ratings of which two thirds of the stories' differences show in every rater's scores."""
    table = drawn(seed, **design)
    rng = np.random.default_rng(seed + 1)
    quality = pd.Series(
        rng.integers(1, 11, table["story_id"].nunique()), table["story_id"].unique()
    )
    score = table["story_id"].map(quality) + rng.integers(-noise, noise + 1, len(table))
    return table.assign(score=score.clip(1, 10).astype("float64"))


def test_every_estimate_has_its_interval_size_and_unit() -> None:
    found, unchecked = agreement(similar(raters=2))
    assert set(found) - {"kappa-weights"} == ALL and unchecked == {}
    for name, estimate in {
        **dict.fromkeys(KAPPAS, "kappa"),
        "alpha": "ordinal",
        "icc": "icc1",
        "totals-correlation": "pearson",
    }.items():
        numbers = found[name].numbers
        low, value, high = (numbers[f"{estimate}{end}"] for end in ("_low", "", "_high"))
        assert float(low or 0) < float(value or 0) < float(high or 0)
        assert numbers["stories"] == 12 and "story" in str(numbers["unit"])
    assert found["kappa-linear"].numbers["pairs"] == 36
    assert found["kappa-linear"].numbers["resamples"] == 200
    assert [row["item"] for row in found["alpha"].evidence] == ["all criteria", "1", "2", "3"]


def test_it_is_the_same_from_the_same_seed_and_in_any_order_of_rows() -> None:
    table = similar(3)
    one, other = agreement(table), agreement(table.sample(frac=1, random_state=5))
    assert one == other


def test_with_more_than_two_raters_every_pair_counts_and_the_rule_is_said() -> None:
    found, _ = agreement(similar(raters=4))
    assert found["kappa-linear"].numbers["pairs"] == 6 * 36
    prose.check(
        "ratings/with more than two raters every pair counts and the rule is said",
        found["kappa-linear"],
        agreement(similar(raters=2))[0]["kappa-linear"],
    )


def test_crossed_raters_get_two_way_intraclass_correlations() -> None:
    (icc,) = [f for f in agreement(similar(raters=4))[0].values() if f.id == "icc"]
    prose.check("ratings/crossed raters get two way intraclass correlations", icc)
    (row,) = icc.evidence
    assert row["stories"] == 12 and row["raters"] == "r0, r1, r2, r3"
    assert float(row["consistency"] or 0) > 0.3


def test_nested_raters_get_one_way_and_the_reason() -> None:
    table = similar(4, raters=2)
    nested = table.assign(
        rater=np.where(table["story_id"] < "s3", table["rater"], "q" + table["rater"])
    )
    icc = agreement(nested)[0]["icc"]
    assert len(icc.evidence) == 2
    alone = table.assign(rater=table["rater"] + table["story_id"])
    prose.check("ratings/nested raters get one way and the reason", icc, agreement(alone)[0]["icc"])


def test_one_rater_a_story_leaves_agreement_unchecked() -> None:
    for table in (drawn(raters=1), drawn(raters=5, a_story=1)):
        found, unchecked = agreement(table)
        assert found == {}
        prose.check("ratings/one rater a story leaves agreement unchecked", unchecked["agreement"])


def test_with_a_single_label_agreement_is_undefined_and_not_nan() -> None:
    found, unchecked = agreement(drawn().assign(score=7.0))
    assert set(unchecked) == {"kappa", "icc", "totals-correlation"}
    prose.check("ratings/a single label", *found.values(), *unchecked.values())
    assert found["alpha"].evidence[0]["ordinal"] is None
    assert "NaN" not in " ".join(f.model_dump_json() for f in found.values())


def test_a_single_label_on_one_criterion_leaves_the_others() -> None:
    table = similar(6)
    found, unchecked = agreement(table.assign(score=table["score"].mask(table["item"] == "2", 5.0)))
    assert unchecked == {}
    assert {"2"} <= prose.figures(found["kappa-linear"])
    rows = {row["item"]: row for row in found["kappa-linear"].evidence}
    assert rows["2"]["kappa"] is None and rows["2"]["why"] == "undefined: a single label"
    assert rows["1"]["kappa"] is not None and rows["all criteria"]["kappa"] is not None
    assert {"2"} <= prose.figures(found["prevalence"])
    prose.check(
        "ratings/a single label on one criterion leaves the others",
        found["kappa-linear"],
        found["prevalence"],
    )


def test_alpha_near_zero_beside_near_perfect_raw_agreement_is_explained() -> None:
    table = drawn(stories=60, raters=2, items=["1"]).assign(score=1.0)
    table.loc[[0, 3, 40], "score"] = 2.0  # three of 120 ratings differ, none of them together
    found, _ = agreement(table)
    numbers = found["prevalence"].numbers
    assert numbers["exact"] == 0.95 and numbers["criteria_one_score_prevails"] == 1
    assert abs(float(found["alpha"].numbers["ordinal"] or 0)) < 0.05
    assert {"117", "120", "1"} <= prose.figures(found["prevalence"])
    prose.check(
        "ratings/alpha near zero beside near perfect raw agreement is explained",
        found["prevalence"],
    )
    (row,) = found["prevalence"].evidence
    assert row["distribution"] == "1×117, 2×3" and row["modal_proportion"] == 0.975


def test_varied_scores_are_not_explained_away() -> None:
    found, _ = agreement(drawn(9, stories=40))
    prose.check("ratings/varied scores are not explained away", found["prevalence"])
    assert found["prevalence"].numbers["criteria_one_score_prevails"] == 0


def test_a_band_that_depends_on_the_weights_is_a_warning() -> None:
    weights = agreement(similar(2, noise=2, stories=60, raters=2))[0]["kappa-weights"]
    assert weights.severity == "warn"
    prose.check("ratings/a band that depends on the weights is a warning", weights)
    assert float(weights.numbers["unweighted"] or 0) < float(weights.numbers["quadratic"] or 0)
    perfect = agreement(similar(2, noise=0, raters=2))[0]
    assert "kappa-weights" not in perfect
    assert perfect["kappa-linear"].numbers["kappa"] == 1


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (-0.1, "poor"),
        (0.0, "poor"),
        (0.01, "slight"),
        (0.2, "slight"),
        (0.48, "moderate"),
        (0.75, "substantial"),
        (0.81, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_the_words_of_landis_and_koch(value: float, name: str) -> None:
    assert band(value) == name


@pytest.mark.parametrize("stories", [1, 2, 3])
def test_few_stories(stories: int) -> None:
    found, unchecked = agreement(drawn(11, stories=stories))
    assert set(found) >= KAPPAS
    prose.check(f"ratings/few stories: {stories}", *found.values(), *unchecked.values())
    assert ("icc" in unchecked) == (stories == 1)
    for finding in found.values():
        finding.model_dump_json()  # no NaN, which JSON does not know


def test_scores_need_not_be_whole() -> None:
    table = similar(12)
    found, _ = agreement(table)
    halved, _ = agreement(table.assign(score=table["score"] / 2))
    for name in KAPPAS | {"alpha", "icc"}:
        assert halved[name].numbers == found[name].numbers
