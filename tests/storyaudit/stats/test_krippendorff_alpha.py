import krippendorff
import numpy as np
import pytest

from storyaudit.stats.estimate import resample_weights
from storyaudit.stats.krippendorff_alpha import LEVELS, Level, alpha, counts, resample_alpha

NONE = np.nan
# Krippendorff 2011: four observers, twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
)


def table(observers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, unit = np.nonzero(~np.isnan(observers))
    return counts(unit, observers[~np.isnan(observers)])


@pytest.mark.parametrize(("level", "expected"), [("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_example(level: Level, expected: float) -> None:
    assert alpha(*table(OBSERVERS), level) == pytest.approx(expected, abs=5e-4)
    units = table(OBSERVERS)
    (own,) = resample_alpha(*units, level, np.arange(12), np.ones((1, 12)))
    assert own == pytest.approx(expected, abs=5e-4)


def test_the_binary_example() -> None:
    # 0.095 of Krippendorff 2011 is nominal; with two labels every level is nominal.
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    for level in LEVELS:
        found = alpha(*table(np.array([first, second], dtype=float)), level)
        assert found == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize("level", LEVELS)
def test_resampling_is_the_librarys_alpha_of_the_drawn_units(level: Level) -> None:
    rng = np.random.default_rng(3)
    ratings = rng.integers(1, 8, size=(3, 20)).astype(float)
    ratings[0, :5] = np.nan
    ratings[1:, 19] = np.nan  # a unit of one rating, which counts nowhere
    story = np.repeat(np.arange(10), 2)
    weights = resample_weights(10, 15, rng)
    samples = resample_alpha(*table(ratings), level, story, weights)
    for sample, row in zip(samples, weights, strict=True):
        drawn = np.repeat(np.arange(20), row[story].astype(int))
        expected = krippendorff.alpha(ratings[:, drawn], level_of_measurement=level)
        assert sample == pytest.approx(expected)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "observers",
    [
        np.full((2, 6), 7.0),
        np.array([[1.0, 2.0, 3.0], [NONE, NONE, NONE]]),
        np.array([[5.0, 5.0, 3.0], [5.0, 5.0, NONE]]),  # the 3 is paired with nothing
    ],
    ids=["one label", "one rater", "one label among pairs"],
)
def test_what_cannot_be_told_is_none(level: Level, observers: np.ndarray) -> None:
    units = table(observers)
    assert alpha(*units, level) is None
    samples = resample_alpha(*units, level, np.arange(len(units[0])), np.ones((2, len(units[0]))))
    assert np.isnan(samples).all()
