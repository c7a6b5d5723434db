import numpy as np
import pytest

from storyaudit.stats.intraclass import nested, one_way, two_way

# Shrout and Fleiss 1979, table 2: six targets, four judges.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    dtype=float,
)


def test_shrout_and_fleiss() -> None:
    """Values of their table 4; intervals as R's psych prints them for these data."""
    single = one_way(list(SHROUT_FLEISS), 0.95)
    both = two_way(SHROUT_FLEISS, 0.95)
    assert single is not None and both is not None
    agreement, consistency = both
    assert [round(e.value, 2) for e in (single, agreement, consistency)] == [0.17, 0.29, 0.71]
    assert (single.low, single.high) == pytest.approx((-0.133, 0.723), abs=5e-3)
    assert (agreement.low, agreement.high) == pytest.approx((0.019, 0.761), abs=5e-3)
    assert (consistency.low, consistency.high) == pytest.approx((0.342, 0.946), abs=5e-3)


def test_the_one_way_icc_by_statsmodels_anova() -> None:
    """Unbalanced: mean squares from a regression on targets, and Searle's average size."""
    import statsmodels.api as sm

    rng = np.random.default_rng(1)
    groups = [rng.normal(rng.normal(0, 2), 1, size) for size in [1, 2, 3] * 4]
    y = np.concatenate(groups)
    target = np.repeat(np.arange(12), [len(g) for g in groups])
    fit = sm.OLS(y, sm.add_constant(np.eye(12)[target][:, 1:])).fit()
    sizes = np.array([len(g) for g in groups])
    size = (len(y) - (sizes**2).sum() / len(y)) / 11
    expected = (fit.mse_model - fit.mse_resid) / (fit.mse_model + (size - 1) * fit.mse_resid)
    found = one_way(groups, 0.95)
    assert found is not None and found.value == pytest.approx(expected)


def test_the_interval_covers_a_planted_correlation() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(300):
        # Variances 1 between and 1 within: the correlation is one half.
        values = rng.normal(size=(20, 1)) + rng.normal(size=(20, 3))
        found = one_way(list(values), 0.9)
        assert found is not None and found.low is not None and found.high is not None
        covered += found.low <= 0.5 <= found.high
    assert 0.85 <= covered / 300 <= 0.95


@pytest.mark.parametrize(
    "groups",
    [[], [np.array([1.0, 2.0])], [np.array([1.0]), np.array([2.0])], [np.full(3, 4.0)] * 5],
    ids=["nothing", "one target", "one value a target", "no variation"],
)
def test_what_cannot_be_told_is_none(groups: list[np.ndarray]) -> None:
    assert one_way(groups, 0.95) is None


def test_two_way_degenerates() -> None:
    assert two_way(np.ones((5, 2)), 0.95) is None
    assert two_way(np.ones((1, 2)), 0.95) is None
    assert two_way(np.ones((3, 1)), 0.95) is None
    perfect = two_way(np.array([[1.0, 1], [2, 2], [5, 5]]), 0.95)
    assert perfect is not None
    assert [(e.value, e.low) for e in perfect] == [(1.0, None), (1.0, None)]
    severe = two_way(np.array([[1.0, 3], [2, 4], [5, 7]]), 0.95)  # the second gives 2 more
    assert severe is not None and severe[1].value == 1 and severe[0].value < 0.7


def test_clusters_within_groups_by_hand() -> None:
    # Group 0: clusters (1, 3) and (5, 7), means 2 and 6 about 4: between 2·4 + 2·4 = 16, within
    # 2 + 2; group 1 the same 100 higher. Mean squares 32/2 and 8/4, sizes 2: (16 − 2)/(16 + 2).
    values = np.array([1.0, 3, 5, 7, 101, 103, 105, 107])
    group, cluster = np.repeat([0, 1], 4), np.repeat(np.arange(4), 2)
    found = nested(values, group, cluster, 0.95)
    assert found is not None
    assert found[0].value == pytest.approx(14 / 18) and found[1] == pytest.approx(2)
    assert nested(values, cluster, cluster, 0.95) is None  # one cluster a group
    assert nested(values, group, np.arange(8), 0.95) is None  # one value a cluster
