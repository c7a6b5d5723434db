from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.stats.bootstrap import percentile_interval
from storyaudit.stats.estimate import resample_weights
from storyaudit.stats.nominal_alpha import nominal


def counted(units: list[str]) -> np.ndarray:
    """Units by answers."""
    answers = sorted(set("".join(units)))
    return np.array([[u.count(a) for a in answers] for u in units], dtype="float64")


def test_krippendorffs_example() -> None:
    # Krippendorff 2011: four observers, twelve units; the last, of one answer, is not here.
    units = "111 2232 3333 3333 2222 1234 4444 1121 2222 555 11"
    # 40 paired answers: 9, 13, 10, 5 and 3 of each. By chance (9·8 + 13·12 + 10·9 + 5·4 + 3·2) /
    # (40·39) = 344/1560 are alike. Unlike are 6 ordered pairs of 2232 over 3, 12 of 1234 over 3, 6
    # of 1121 over 3: alike are 32/40. Alpha is (32·39 − 344) / (1560 − 344) = 904/1216.
    table = counted(units.split())
    found = nominal(table, np.ones((1, 11)))
    assert found.chance[0] == pytest.approx(344 / 1560)
    assert found.alpha[0] == pytest.approx(904 / 1216)


def test_the_binary_example() -> None:
    first, second = "0100000010", "1110010000"
    units = ["".join(pair) for pair in zip(first, second, strict=True)]
    found = nominal(counted(units), np.ones((1, 10)))
    assert found.raw[0] == pytest.approx(6 / 10)
    assert found.alpha[0] == pytest.approx(0.095, abs=5e-4)


tables = st.integers(2, 4).flatmap(
    lambda answers: st.lists(
        st.lists(st.integers(0, 3), min_size=answers, max_size=answers).filter(
            lambda row: sum(row) > 1
        ),
        min_size=1,
        max_size=12,
    )
)


@settings(max_examples=40)
@given(tables, st.integers(0, 2**32))
def test_samples_are_the_librarys_alpha_and_raw_agreement_of_the_drawn_items(
    rows: list[list[int]], seed: int
) -> None:
    table = np.array(rows, dtype="float64")
    weights = resample_weights(len(table), 3, np.random.default_rng(seed))
    found = nominal(table, weights)
    for sample, drawn in enumerate(weights):
        units = np.repeat(table, drawn.astype(int), axis=0).astype(int)
        answers = [np.repeat(np.arange(units.shape[1]), unit) for unit in units]
        alike = [a == b for unit in answers for a, b in combinations(unit, 2)]
        assert found.raw[sample] == pytest.approx(np.mean(alike))
        if (units.sum(axis=0) > 0).sum() < 2:
            assert np.isnan(found.alpha[sample])
        else:
            expected = krippendorff.alpha(value_counts=units, level_of_measurement="nominal")
            assert found.alpha[sample] == pytest.approx(expected, abs=1e-9)


def test_the_interval_holds_a_planted_agreement() -> None:
    # Two annotators give one answer with probability 0.6, else each its own: alpha is 0.6.
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(150):
        first, own = (rng.random((2, 60)) < 0.3).astype(int)
        second = np.where(rng.random(60) < 0.6, first, own)
        table = np.zeros((60, 2))
        for side in (first, second):
            table[np.arange(60), side] += 1
        samples = nominal(table, resample_weights(60, 300, rng)).alpha
        low, high = percentile_interval(samples, 0.9)
        assert low is not None and high is not None
        covered += low <= 0.6 <= high
    assert 0.82 <= covered / 150 <= 0.96
