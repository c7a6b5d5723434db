"""How uncertain is a difference of macro accuracies of which only the two means are printed?

Two systems answer the same items, n_d of them in dimension d of K. System j is right on a share
p_jd, and the macro accuracy is the mean over d. The difference is D = mean of δ_d = p_1d − p_2d.
On an item of d the two outcomes differ by −1, 0 or 1; they are discordant on a share q_d, so that
the plug-in variance of D, dimensions taken as strata, is

    Var(D) = 1/K² · Σ_d (q_d − δ_d²) / n_d.

A printed table says nothing of q_d beyond |δ_d| ≤ q_d ≤ min(p_1d + p_2d, 2 − p_1d − p_2d) (Fréchet
bounds), and where only the means are known, little of p_jd. Here Var(D) is bounded over all that is
left open. Shares count as real numbers, though each is a whole count over n_d: that can only widen
the bounds.

The paired variance is that of McNemar's setting (Agresti, Categorical Data Analysis, 3rd edition,
section 11.1). Weak duality is in Boyd and Vandenberghe, Convex Optimization (2004), section 5.2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TypeVar

from storyaudit.stats.rational_intervals import Interval

Real = TypeVar("Real", float, Fraction)


@dataclass(frozen=True)
class Setting:
    """What is printed: bounds of two macro accuracies as shares, and the dimensions' sizes."""

    first: Interval
    second: Interval
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 1:
            raise ValueError("each dimension has an item at least")
        for share in (self.first, self.second):
            if not 0 <= share.low <= share.high <= 1:
                raise ValueError("a macro accuracy lies from 0 to 1")

    @property
    def sums(self) -> tuple[Interval, Interval]:
        """Bounds of Σ p_1d and Σ p_2d."""
        k = Interval.point(len(self.sizes))
        return k * self.first, k * self.second


def variance_bounds(setting: Setting) -> Interval:
    """Return bounds of Var(D) over every profile of dimensions and every pairing of outcomes."""
    k = len(setting.sizes)
    return Interval(lowest(setting) / k**2, highest(setting) / k**2)


def lowest(setting: Setting) -> Fraction:
    """Return the least Σ (q_d − δ_d²)/n_d, exactly.

    The least q_d is |δ_d|. With f(x) = x(1 − x) on [0, 1], continued with period 1, |δ| − δ² is
    f(δ). f is concave between whole numbers and 0 at them, and so subadditive: with Δ = Σ δ_d, no
    profile costs less than f(Δ) / max n. Whole steps of δ = ±1, and the rest in the largest
    dimension, cost just that. Over the Δ that the sums allow, f is least at an end, or 0.
    """
    one, two = setting.sums
    low, high = one.low - two.high, one.high - two.low
    if floor(high) >= low:
        return Fraction(0)
    return min((end - floor(end)) * (1 - end + floor(end)) for end in (low, high)) / max(
        setting.sizes
    )


def highest(setting: Setting) -> Fraction:
    """Return a certified upper bound of Σ (q_d − δ_d²)/n_d, in practice its largest value.

    The largest q_d is min(p_1d + p_2d, 2 − p_1d − p_2d): a concave function to be maximised under
    two linear constraints. By weak duality every pair of multipliers gives an upper bound; a good
    one is searched in floating point, and its bound computed exactly. There is no gap at the best
    pair, and it need not exceed three times the largest 1/n_d, which is how much the function can
    change with a share.
    """
    one, two = setting.sums
    weights = [Fraction(1, n) for n in setting.sizes]
    reach = 3 * float(max(weights))
    ends = [float(end) for end in (one.low, one.high, two.low, two.high)]
    rough = [float(weight) for weight in weights]

    def best_second(first: float) -> tuple[float, float]:
        return _least(lambda second: _dual(first, second, ends, rough), reach)

    first, _ = _least(lambda multiplier: best_second(multiplier)[1], reach)
    second, _ = best_second(first)
    exact = [one.low, one.high, two.low, two.high]
    return _dual(Fraction(first), Fraction(second), exact, weights)


def _dual(first: Real, second: Real, ends: Sequence[Real], weights: Sequence[Real]) -> Real:
    """Return the Lagrangian dual: no feasible value is above it, whatever the multipliers."""
    free = max(first * ends[0], first * ends[1]) + max(second * ends[2], second * ends[3])
    for weight in weights:
        free += _inner(first, second, weight)
    return free


def _inner(first: Real, second: Real, weight: Real) -> Real:
    """Return the maximum of w(min(s, 2 − s) − δ²) − λ₁p₁ − λ₂p₂ over p₁, p₂ in [0, 1].

    With r = min(s, 2 − s), so that |δ| ≤ r ≤ 1, and μ, ν half the multipliers' sum and the size of
    half their difference, it is the larger of (w − μ)r + h(r) and (w + μ)r − 2μ + h(r), where h(r)
    is the maximum of −wδ² + νδ: ν²/4w from r = ν/2w on, νr − wr² before.
    """
    mu, nu = (first + second) / 2, abs(first - second) / 2
    one = weight / weight
    found = []
    for slope, start in ((weight - mu, 0 * mu), (weight + mu, -2 * mu)):
        turning = (slope + nu) / (2 * weight)
        r = one if slope >= 0 else min(one, max(0 * one, turning))
        gain = nu**2 / (4 * weight) if 2 * weight * r >= nu else nu * r - weight * r**2
        found.append(start + slope * r + gain)
    return max(found)


def _least(function: Callable[[float], float], reach: float) -> tuple[float, float]:
    """Return where a convex function on [−reach, reach] is least, and its value, by golden cuts."""
    ratio = (5**0.5 - 1) / 2
    low, high = -reach, reach
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(60):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return (left, at_left) if at_left <= at_right else (right, at_right)
