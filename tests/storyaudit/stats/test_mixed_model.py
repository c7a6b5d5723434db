import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy.stats import norm

from storyaudit.stats.mixed_model import RESIDUAL, MixedFit, _minimise, _profile, fit_mixed


def crossed(seed: int, *, stories: int = 40, raters: int = 8, a_story: int = 3) -> pd.DataFrame:
    """Totals of stories by four authors, each read by some raters: unbalanced and crossed."""
    rng = np.random.default_rng(seed)
    severity, quality = rng.normal(0, 3, raters), rng.normal(0, 4, stories)
    rows = [
        (story, story % 4, rater, 5.0 * (story % 4) + quality[story] + severity[rater])
        for story in range(stories)
        for rater in rng.choice(raters, a_story, replace=False)
    ]
    table = pd.DataFrame(rows, columns=["story", "author", "rater", "y"])
    return table.assign(y=table["y"] + rng.normal(0, 3, len(table)))


def fit(table: pd.DataFrame, *factors: str, fixed: bool = True) -> MixedFit | None:
    design = np.eye(4)[table["author"]] if fixed else np.ones((len(table), 1))
    return fit_mixed(
        table["y"].to_numpy(), design, {name: table[name].to_numpy() for name in factors}
    )


@pytest.mark.parametrize("seed", range(4))
def test_statsmodels_finds_the_same(seed: int) -> None:
    table = crossed(seed).assign(one=1)
    found = fit(table, "story", "rater")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = smf.mixedlm(
            "y ~ 0 + C(author)",
            table,
            groups="one",
            re_formula="0",
            vc_formula={"story": "0 + C(story)", "rater": "0 + C(rater)"},
        ).fit(reml=True)
    assert found is not None and expected.converged
    variances = dict(zip(expected.model.exog_vc.names, expected.vcomp, strict=True))
    for name, value in variances.items():
        assert found.variances[name] == pytest.approx(value, rel=5e-3)
    assert found.variances[RESIDUAL] == pytest.approx(expected.scale, rel=1e-3)
    assert found.beta == pytest.approx(expected.fe_params.to_numpy(), abs=1e-2)
    errors = np.sqrt(np.diag(found.covariance))
    assert errors == pytest.approx(expected.bse_fe.to_numpy(), rel=5e-3)


def nested(seed: int = 3) -> np.ndarray:
    """Values of 4 authors, 5 stories each, 3 sheets each."""
    rng = np.random.default_rng(seed)
    stories = rng.normal(0, 2, (4, 5, 1)) + np.arange(4)[:, None, None]
    return np.asarray(stories + rng.normal(0, 1.5, (4, 5, 3)))


def flat(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    authors, stories, sheets = values.shape
    story = np.repeat(np.arange(authors * stories), sheets)
    return values.reshape(-1), story // stories, story


def test_the_analysis_of_variance_of_a_balanced_design() -> None:
    """Closed forms: REML equals ANOVA where a balanced design gives no negative variance."""
    values = nested()
    y, author, story = flat(values)
    within = values.var(axis=2, ddof=1).mean()
    between = 3 * values.mean(axis=2).var(axis=1, ddof=1).mean()
    found = fit_mixed(y, np.eye(4)[author], {"story": story})
    assert found is not None
    assert found.variances[RESIDUAL] == pytest.approx(within, rel=1e-6)
    assert found.variances["story"] == pytest.approx((between - within) / 3, rel=1e-5)
    # The contrast of two authors is Student's t on story means pooled over authors, on 4·4 df.
    estimate, p, df = found.contrast(np.array([1.0, -1, 0, 0]), 0.95)
    assert df == pytest.approx(16, rel=1e-5)
    assert estimate.value == pytest.approx(values[0].mean() - values[1].mean())
    from scipy.stats import t

    error = np.sqrt(2 * between / 15)
    assert p == pytest.approx(2 * t.sf(abs(estimate.value) / error, 16), rel=1e-4)
    assert estimate.high == pytest.approx(estimate.value + t.ppf(0.975, 16) * error)


def test_the_residuals_interval_is_chi_squareds() -> None:
    from scipy.stats import chi2

    values = nested()
    y, author, story = flat(values)
    found = fit_mixed(y, np.eye(4)[author], {"story": story})
    assert found is not None
    interval = found.variance(RESIDUAL, 0.95)
    sums = found.variances[RESIDUAL] * 40  # 60 sheets less 20 stories
    assert (interval.low, interval.high) == pytest.approx(
        (sums / chi2.ppf(0.975, 40), sums / chi2.ppf(0.025, 40)), rel=1e-5
    )


def test_a_variance_without_support_is_zero() -> None:
    """Sheets of one story differ more than stories do: the estimate is on the boundary."""
    y = np.tile([0.0, 10.0, 20.0], 6) + np.repeat(np.arange(6) % 2, 3)
    story = np.repeat(np.arange(6), 3)
    found = fit_mixed(y, np.ones((18, 1)), {"story": story})
    assert found is not None
    assert found.variances["story"] == 0 and found.estimated == [RESIDUAL]
    assert found.variances[RESIDUAL] == pytest.approx(y.var(ddof=1))
    assert found.variance("story", 0.95).low is None
    estimate, _, df = found.contrast(np.ones(1), 0.95)
    assert df == pytest.approx(17) and estimate.value == pytest.approx(y.mean())


@pytest.mark.parametrize("ratio", [1.001, 1.01, 1.05, 1.2, 3.0, 1000.0])
def test_a_variance_of_any_size_is_that_of_the_analysis_of_variance(ratio: float) -> None:
    """Two sheets a story, mean square within 2, between 2 · ratio."""
    spread = np.sqrt(ratio / np.arange(10).var(ddof=1))
    y = np.tile([-1.0, 1.0], 10) + np.repeat(spread * np.arange(10), 2)
    found = fit_mixed(y, np.ones((20, 1)), {"story": np.arange(20) // 2})
    assert found is not None
    assert found.variances[RESIDUAL] == pytest.approx(2, rel=1e-5)
    assert found.variances["story"] == pytest.approx(ratio - 1, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_no_point_of_a_grid_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sds = 10 ** rng.uniform(-2, 1, 2)
    story, rater = np.repeat(np.arange(15), 3), rng.integers(0, 6, 45)
    y = rng.normal(0, sds[0], 15)[story] + rng.normal(0, sds[1], 6)[rater] + rng.normal(size=45)
    dummies = [np.eye(15)[story], np.eye(6)[rater]]
    profile = _profile(y, np.ones((45, 1)), dummies)
    best = profile(_minimise(profile, 2))[0]
    grid = [0, *np.geomspace(0.01, 30, 25)]
    assert best <= min(profile(np.array(point))[0] for point in product(grid, grid)) + 1e-6


def test_a_variance_hardly_above_zero_has_no_interval() -> None:
    """Story means vary just more than sheets let expect, so that the variance is near zero."""
    sheets = np.tile([-1.0, 1.0], 10)
    spread = np.sqrt(1.01 / np.arange(10).var(ddof=1))  # sheets alone would give 1
    y = sheets + np.repeat(spread * np.arange(10), 2)
    found = fit_mixed(y, np.ones((20, 1)), {"story": np.arange(20) // 2})
    assert found is not None and 0 < found.variances["story"] < 0.02
    interval = found.variance("story", 0.95)
    assert interval.low is None and interval.high is None


@pytest.mark.parametrize("ratio", [1.01, 1.1, 1.5, 1.8, 2.0, 3.0, 10.0, 1000.0])
def test_an_interval_of_a_variance_ends_within_what_one_degree_of_freedom_allows(
    ratio: float,
) -> None:
    """Of one degree of freedom the 2.5 % point is the square of the normal's 51.25 % point."""
    spread = np.sqrt(ratio / np.arange(10).var(ddof=1))
    y = np.tile([-1.0, 1.0], 10) + np.repeat(spread * np.arange(10), 2)
    found = fit_mixed(y, np.ones((20, 1)), {"story": np.arange(20) // 2})
    assert found is not None
    interval = found.variance("story", 0.95)
    # Satterthwaite: (MSB - MSW)² / (MSB²/9 + MSW²/10), mean squares of 2·ratio and 2.
    df = (ratio - 1) ** 2 / (ratio**2 / 9 + 1 / 10)
    assert (interval.high is None) == (df < 1)
    if interval.high is not None:
        assert interval.high / interval.value <= 1 / norm.ppf(0.5125) ** 2


def test_without_random_factors_it_is_least_squares() -> None:
    rng = np.random.default_rng(0)
    y, author = rng.normal(size=12), np.repeat([0, 1], 6)
    found = fit_mixed(y, np.eye(2)[author], {})
    assert found is not None
    from scipy.stats import ttest_ind

    estimate, p, df = found.contrast(np.array([1.0, -1]), 0.95)
    student = ttest_ind(y[:6], y[6:])
    assert (df, p) == pytest.approx((10, student.pvalue))
    interval = student.confidence_interval()
    assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high))


def test_adding_and_scaling_do_what_they_must() -> None:
    table = crossed(9)
    one, other = (
        fit(table, "story", "rater"),
        fit(table.assign(y=7 * table["y"] - 100), "story", "rater"),
    )
    assert one is not None and other is not None
    for name, value in one.variances.items():
        assert other.variances[name] == pytest.approx(49 * value, rel=1e-5)
    assert other.beta == pytest.approx(7 * one.beta - 100)
    weights = np.array([1.0, 0, 0, -1])
    assert other.contrast(weights, 0.9)[1:] == pytest.approx(
        one.contrast(weights, 0.9)[1:], rel=1e-4
    )


@pytest.mark.parametrize(
    ("y", "factors"),
    [
        (np.full(8, 5.0), {"story": np.arange(8) // 2}),
        (np.arange(2.0), {}),
        (np.repeat([1.0, 5, 9, 2], 2), {"story": np.arange(8) // 2}),
    ],
    ids=["constant", "no more rows than effects", "raters agree perfectly"],
)
def test_what_cannot_be_told_is_none(y: np.ndarray, factors: dict[str, np.ndarray]) -> None:
    design = np.eye(2)[np.arange(len(y)) % 2] if len(y) == 2 else np.ones((len(y), 1))
    assert fit_mixed(y, design, factors) is None


def test_factors_that_are_the_same_cannot_be_told_apart() -> None:
    values = nested()
    y, _, story = flat(values)
    found = fit_mixed(y, np.ones((60, 1)), {"story": story, "rater": story})
    assert found is None or 0 in found.variances.values()


def test_intervals_of_a_contrast_cover_a_planted_difference() -> None:
    covered = 0
    for seed in range(150):
        found = fit(crossed(seed, stories=20), "story", "rater")
        assert found is not None
        estimate, _, _ = found.contrast(np.array([-1.0, 1, 0, 0]), 0.9)
        assert estimate.low is not None and estimate.high is not None
        covered += estimate.low <= 5 <= estimate.high
    assert 0.84 <= covered / 150 <= 0.96
