from itertools import product

import numpy as np
import pytest
from computed import compute, drawn, otherwise, ratings
from scipy import stats


def test_by_hand() -> None:
    # Totals (1, 2), (2, 1), (3, 3): r = 0.5.
    cells = [("1", s, "a", "x", v) for s, v in zip("pqr", (1, 2, 3), strict=True)]
    cells += [("2", s, "a", "x", v) for s, v in zip("pqr", (2, 1, 3), strict=True)]
    assert compute("pearson_of_totals", ratings(cells)) == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(3))
def test_two_raters_by_scipy(seed: int) -> None:
    data = drawn(seed, raters=2, stories=20)
    assert data.ratings is not None
    totals = data.ratings.pivot_table(
        index="story_id", columns="rater", values="score", aggfunc="sum"
    )
    scores = data.ratings.pivot(index=["story_id", "item"], columns="rater", values="score")
    assert compute("pearson_of_totals", data) == pytest.approx(
        stats.pearsonr(totals["1"], totals["2"])[0]
    )
    found = otherwise("pearson_of_totals", data)
    assert found["Spearman's rho"] == pytest.approx(stats.spearmanr(totals["1"], totals["2"])[0])
    assert found["Kendall's tau-b"] == pytest.approx(stats.kendalltau(totals["1"], totals["2"])[0])
    assert found["Pearson's r of single scores"] == pytest.approx(
        stats.pearsonr(scores["1"], scores["2"])[0]
    )
    # One pair of raters: within it is over it, and no order to choose.
    assert found["Pearson's r within pairs of raters, averaged"] == pytest.approx(
        compute("pearson_of_totals", data)
    )
    assert found["Pearson's r, raters in the order that makes it least"] is None


def test_pairs_of_raters_in_any_order_by_loops() -> None:
    rng = np.random.default_rng(0)
    blocks = [rng.integers(1, 30, size=(6, 2)) + 5 * n for n in range(3)]
    cells = []
    for n, block in enumerate(blocks):
        for story, row in enumerate(block):
            for rater, total in zip((2 * n + 1, 2 * n + 2), row, strict=True):
                cells.append((str(rater), f"{n}-{story}", "a", "x", float(total)))
    found = otherwise("pearson_of_totals", ratings(cells))
    values = []
    for flips in product((False, True), repeat=3):
        turned = [b[:, ::-1] if flip else b for b, flip in zip(blocks, flips, strict=True)]
        values.append(np.corrcoef(np.vstack(turned).T)[0, 1])
    assert compute("pearson_of_totals", ratings(cells)) == pytest.approx(values[0])
    assert found["Pearson's r, raters in the order that makes it least"] == pytest.approx(
        min(values)
    )
    assert found["Pearson's r, raters in the order that makes it greatest"] == pytest.approx(
        max(values)
    )
    within = [np.corrcoef(block.T)[0, 1] for block in blocks]
    assert found["Pearson's r within pairs of raters, averaged"] == pytest.approx(np.mean(within))


def test_an_incomplete_sheet_has_no_total() -> None:
    data = drawn(0, raters=2, stories=6)
    assert data.ratings is not None
    gap = type(data)(ratings=data.ratings.iloc[1:])
    rest = type(data)(ratings=data.ratings[data.ratings["story_id"] != "s0"])
    assert compute("pearson_of_totals", gap) == compute("pearson_of_totals", rest)


def test_where_it_is_undefined() -> None:
    single = ratings([("1", s, "a", "x", v) for s, v in zip("pqr", (1, 2, 3), strict=True)])
    constant = ratings([(r, s, "a", "x", 3.0) for r in "12" for s in "pqr"])
    for data in (single, constant):
        assert compute("pearson_of_totals", data) is None
        assert set(otherwise("pearson_of_totals", data).values()) == {None}
