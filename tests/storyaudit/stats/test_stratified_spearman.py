from typing import Any

import numpy as np
import pytest
from scipy import stats

from storyaudit.stats.stratified_spearman import FEWEST, stratified_spearman

OPTIONS: dict[str, Any] = {"resamples": 50, "confidence": 0.9}


def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def test_with_one_stratum_it_is_spearmans() -> None:
    drawn = np.random.default_rng(0)
    x, y = drawn.integers(50, 900, 30).astype(float), drawn.normal(size=30)
    found = stratified_spearman(x, y, np.zeros(30, dtype=int), rng=rng(), **OPTIONS)
    assert found is not None and found.value == pytest.approx(stats.spearmanr(x, y).statistic)


def test_within_strata_their_means_do_not_count() -> None:
    drawn = np.random.default_rng(1)
    stratum = np.repeat(np.arange(6), 5)
    x, y = drawn.normal(size=30), drawn.normal(size=30)
    one = stratified_spearman(x, y, stratum, rng=rng(), **OPTIONS)
    shifted = stratified_spearman(x + 10 * stratum, y + 7 * stratum, stratum, rng=rng(), **OPTIONS)
    assert one is not None and shifted is not None
    assert shifted.value == pytest.approx(one.value) and shifted.low == pytest.approx(one.low)
    centred = [v - np.array([v[stratum == s].mean() for s in range(6)])[stratum] for v in (x, y)]
    assert one.value == pytest.approx(stats.spearmanr(*centred).statistic)


def test_what_is_undefined_is_none() -> None:
    stratum, x = np.zeros(8, dtype=int), np.arange(8.0)
    assert stratified_spearman(x, np.ones(8), stratum, rng=rng(), **OPTIONS) is None
    few = slice(FEWEST - 1)
    assert stratified_spearman(x[few], x[few], stratum[few], rng=rng(), **OPTIONS) is None
