from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.stats.bootstrap import bootstrap_counts
from storyaudit.stats.krippendorff_alpha import bootstrap_alpha
from storyaudit.stats.pair_agreement import chance_agreement, pair_agreement


def counted(units: list[str]) -> np.ndarray:
    """Units by answers."""
    answers = sorted(set("".join(units)))
    return np.array([[u.count(a) for a in answers] for u in units], dtype="float64")


def test_by_chance_in_krippendorffs_example() -> None:
    # Krippendorff 2011: four observers, twelve units; the last, of one answer, is not here. 40
    # paired answers: 9, 13, 10, 5 and 3 of each. By chance
    # (9·8 + 13·12 + 10·9 + 5·4 + 3·2) / (40·39) = 344/1560 are alike.
    units = counted(
        ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11"]
    )
    assert chance_agreement(units, np.ones((1, 11)))[0] == pytest.approx(344 / 1560)


def test_raw_in_the_binary_example() -> None:
    first, second = "0100000010", "1110010000"
    units = ["".join(pair) for pair in zip(first, second, strict=True)]
    assert pair_agreement(counted(units), np.ones((1, 10)))[0] == pytest.approx(6 / 10)


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
def test_samples_are_the_agreement_of_the_drawn_items(rows: list[list[int]], seed: int) -> None:
    table = np.array(rows, dtype="float64")
    counts = bootstrap_counts(len(table), 3, np.random.default_rng(seed))
    raw, chance = pair_agreement(table, counts), chance_agreement(table, counts)
    for sample, drawn in enumerate(counts):
        units = np.repeat(table, drawn.astype(int), axis=0).astype(int)
        answers = [np.repeat(np.arange(units.shape[1]), unit).tolist() for unit in units]
        within = [a == b for unit in answers for a, b in combinations(unit, 2)]
        across = [a == b for a, b in combinations(chain(*answers), 2)]
        assert raw[sample] == pytest.approx(np.mean(within))
        assert chance[sample] == pytest.approx(np.mean(across))


def test_with_two_annotators_alpha_is_raw_beyond_chance() -> None:
    rng = np.random.default_rng(2)
    table = np.zeros((30, 3))
    for _ in range(2):
        table[np.arange(30), rng.integers(0, 3, 30)] += 1
    counts = bootstrap_counts(30, 10, rng)
    raw, chance = pair_agreement(table, counts), chance_agreement(table, counts)
    expected = (raw - chance) / (1 - chance)
    found = bootstrap_alpha(table, np.arange(3.0), "nominal", np.arange(30), counts)
    assert found == pytest.approx(expected)
