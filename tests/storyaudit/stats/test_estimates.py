import math

import pytest

from storyaudit.findings import slugs
from storyaudit.stats.estimate import Estimate, rounded, rounded_p


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.12345, 0.123), (-0.0001, 0.0), (None, None), (math.nan, None), (math.inf, None)],
)
def test_no_more_digits_than_known(value: float | None, expected: float | None) -> None:
    found = rounded(value)
    assert found == expected and (found is None or math.copysign(1, found) == 1 or found < 0)


def test_p_values() -> None:
    assert [rounded_p(p) for p in (0.00031052, 0.0625, 1.0)] == [0.000311, 0.0625, 1.0]
    assert rounded_p(math.nan) is None and rounded_p(None) is None


def test_an_estimates_numbers_and_what_it_excludes() -> None:
    told = Estimate(0.4849, 0.4266, 0.5433)
    assert told.excludes_zero() and told.above(0.4) and told.not_above(0.43)
    assert told.numbers("k", 2) == {"k": 0.48, "k_low": 0.43, "k_high": 0.54}
    untold = Estimate(0.3)
    assert not untold.excludes_zero() and not untold.above(0) and not untold.not_above(1)
    assert not Estimate(0.1, -0.2, 0.3).excludes_zero()


def test_slugs_are_ids_and_differ() -> None:
    assert slugs(["GPT-4", "gpt 4", "模型", "", "a" * 200]) == [
        "gpt-4", "gpt-4-2", "unnamed", "unnamed-2", "a" * 80,
    ]  # fmt: skip
