"""Cohen's kappa of two ratings of a story on a criterion, all criteria pooled, and its interval.

Weighted as Cohen (1968); the interval is analytic (Fleiss, Cohen and Everitt 1969, as in
statsmodels) and takes the pairs of ratings as independent. Conventions: other weights; kappa by
criterion, averaged; each pair counted in both orders, as raters are interchangeable; scores below 1
taken as 1; percentile intervals (Efron 1981) from a bootstrap of stories or of pairs.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audits.claims.computations import Data, Named
from storyaudit.ratings.usable_ratings import codes
from storyaudit.runs.seeds import stream
from storyaudit.stats.bootstrap import bootstrap_counts, percentile_ci
from storyaudit.stats.cohen_kappa import WEIGHTINGS, Weighting, band, bootstrap_kappa, kappa
from storyaudit.stats.estimate import Estimate

COLUMNS = ("rater", "story_id", "author", "item", "score")
CONFIDENCE = 0.95
RESAMPLES = 2000
End = Literal["low", "high"]
Way = Callable[[pd.DataFrame, Weighting], Estimate | None]


def _pooled(pairs: pd.DataFrame, weighting: Weighting) -> Estimate | None:
    return kappa(pairs["first"].to_numpy(), pairs["second"].to_numpy(), weighting, CONFIDENCE)


def _mean_over_criteria(pairs: pd.DataFrame, weighting: Weighting) -> Estimate | None:
    by_criterion = [_pooled(part, weighting) for _, part in pairs.groupby("item")]
    defined = [estimate.value for estimate in by_criterion if estimate is not None]
    return Estimate(sum(defined) / len(defined)) if defined else None


def _both_orders(pairs: pd.DataFrame, weighting: Weighting) -> Estimate | None:
    turned = pairs.rename(columns={"first": "second", "second": "first"})
    return _pooled(pd.concat([pairs, turned]), weighting)


def _from_one(pairs: pd.DataFrame, weighting: Weighting) -> Estimate | None:
    clipped = {name: pairs[name].clip(lower=1) for name in ("first", "second")}
    return _pooled(pairs.assign(**clipped), weighting)


@lru_cache(maxsize=2)
def _samples(units: int) -> NDArray[np.float64]:
    """Return the same samples of so many stories or pairs for every kappa."""
    return bootstrap_counts(units, RESAMPLES, stream(0, "claims", f"kappa of {units}"))


def _bootstrap(
    pairs: pd.DataFrame, weighting: Weighting, *, unit: Literal["stories", "pairs"]
) -> Estimate | None:
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    of_pair = codes(pairs["story_id"])[0] if unit == "stories" else np.arange(len(pairs))
    samples = bootstrap_kappa(first, second, of_pair, _samples(int(of_pair.max()) + 1), weighting)
    return Estimate(float(np.nanmean(samples)), *percentile_ci(samples, CONFIDENCE))


def cohens_kappa(
    data: Data, weights: Weighting, *, way: Way = _pooled, weighting: Weighting | None = None
) -> float | None:
    """Return kappa over all pairs of ratings.

    Args:
        data: with ratings.
        weights: as stated: ``unweighted``, ``linear`` or ``quadratic``.
        way: another way to compute it.
        weighting: other weights than the stated.
    """
    estimate = _estimate(data, weights, way, weighting)
    return None if estimate is None else estimate.value


def cohens_kappa_end(
    data: Data,
    weights: Weighting,
    end: End,
    *,
    way: Way = _pooled,
    weighting: Weighting | None = None,
) -> float | None:
    """Return the low or high end of kappa's 95 % interval; arguments as for ``cohens_kappa``."""
    estimate = _estimate(data, weights, way, weighting)
    return None if estimate is None else {"low": estimate.low, "high": estimate.high}.get(end)


def cohens_kappa_band(
    data: Data, weights: Weighting, *, way: Way = _pooled, weighting: Weighting | None = None
) -> str | None:
    """Return what Landis and Koch (1977) call kappa; arguments as for ``cohens_kappa``."""
    value = cohens_kappa(data, weights, way=way, weighting=weighting)
    return None if value is None else band(value)


def _estimate(
    data: Data, stated: Weighting, way: Way, weighting: Weighting | None
) -> Estimate | None:
    if data.pairs.empty or (way is _pooled and weighting == stated):
        return None  # the latter: what is stated is no other convention
    return way(data.pairs, stated if weighting is None else weighting)


OF_VALUE: Mapping[str, Way] = {
    "": _pooled,
    "the mean over criteria, ": _mean_over_criteria,
    "each pair in both orders, ": _both_orders,
    "scores below 1 taken as 1, ": _from_one,
}
OF_ENDS: Mapping[str, Way] = {
    "": _pooled,
    "a bootstrap of stories, ": partial(_bootstrap, unit="stories"),
    "a bootstrap of pairs, ": partial(_bootstrap, unit="pairs"),
}
AGREEMENT: Mapping[str, Named] = {
    function.__name__: Named(
        function,
        columns=COLUMNS,
        conventions={
            f"{said}{'no' if weighting == 'unweighted' else weighting} weights": partial(
                function, way=way, weighting=weighting
            )
            for (said, way), weighting in product(ways.items(), WEIGHTINGS)
        },
    )
    for function, ways in (
        (cohens_kappa, OF_VALUE),
        (cohens_kappa_end, OF_ENDS),
        (cohens_kappa_band, OF_VALUE),
    )
}
