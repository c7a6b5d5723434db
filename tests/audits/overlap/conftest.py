from collections.abc import Callable

import numpy as np
import pytest

Prose = Callable[[int], str]


@pytest.fixture
def prose() -> Prose:
    """Write so many words drawn from two thousand: five in a row hardly ever come again."""
    rng = np.random.default_rng(11)
    return lambda count: " ".join(f"w{number}" for number in rng.integers(0, 2000, count).tolist())
