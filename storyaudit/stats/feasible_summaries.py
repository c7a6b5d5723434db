"""Can the printed statistic exist at all? Exact searches over integer scores."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import ceil, floor

from storyaudit.stats.rational_intervals import Interval

MOST_WORK = 10**12
"""Bound of m³ w⁴ for m scores of w + 1 values: what a search takes grows so; about ten seconds."""
MOST_SUMS = 100_000
"""So many sums that round to the mean are tried."""


def possible_sums(mean: Interval, n: int, low: int, high: int) -> range:
    """Return the sums of ``n`` whole scores from ``low`` to ``high`` whose mean lies in ``mean``.

    The test of Brown and Heathers (2017, GRIM), as an exact search.
    """
    first = max(n * low, ceil(mean.low * n))
    last = min(n * high, floor(mean.high * n))
    return range(first, last + 1)


def possible_deviation(
    mean: Interval, sd: Interval, n: int, low: int, high: int, *, ddof: int
) -> bool | None:
    """Return whether ``n`` whole scores can have such a mean and standard deviation together.

    Decided exactly over the sum S and the sum of squares Q: the variance is
    (Q − S²/n) / (n − ddof). The question of Anaya's GRIMMER, without its shortcuts, which can call
    a possible pair impossible.

    Args:
        mean: what rounding leaves of the mean.
        sd: the same of the standard deviation.
        n: number of scores.
        low: lowest score.
        high: highest score.
        ddof: 1 for a sample's SD, 0 for a population's.

    Returns:
        None where the search would take too long.
    """
    if n <= ddof or sd.high < 0:
        return False
    least, most = max(sd.low, Fraction(0)) ** 2, sd.high**2
    sums = possible_sums(mean, n, low, high)
    undecided = len(sums) > MOST_SUMS
    for total in islice(sums, MOST_SUMS):
        shifted = total - n * low  # the scores from 0 have the same deviation
        centre = Fraction(shifted * shifted, n)
        first = ceil(least * (n - ddof) + centre)
        last = floor(most * (n - ddof) + centre)
        possible = possible_squares(n, high - low, shifted, first, last)
        if possible:
            return True
        undecided = undecided or possible is None
    return None if undecided else False


def possible_squares(n: int, width: int, total: int, first: int, last: int) -> bool | None:
    """Return whether scores with a given sum can have a sum of squares from ``first`` to ``last``.

    Most questions need no search. A sum of squares Q is odd or even as the sum is, is least for
    the most even scores, and is w·S − Σ x(w − x), so that only scores between the ends keep it
    below its most. Where two scores between the ends are equal, moving one up and one down by 1
    raises Q by 2; if none are, Σ x(w − x) is at most 1(w − 1) + … + (w − 1)1 = w(w² − 1)/6. So
    every such Q from the least to w·S − w(w² − 1)/6 is possible. Above, fewer than w(w + 1)/6
    scores lie between the ends, since each of them adds w − 1 or more: these are searched.

    Args:
        n: number of whole scores, each from 0 to ``width``.
        width: the highest score.
        total: their sum.
        first: least sum of squares looked for.
        last: greatest.

    Returns:
        None where the search would take too long.
    """
    each, over = divmod(total, n)
    least = (n - over) * each**2 + over * (each + 1) ** 2
    over = total % width
    most = width * total - over * (width - over)
    first, last = max(first, least), min(last, most)
    first += (total - first) % 2
    if first > last:
        return False
    if first <= width * total - width * (width**2 - 1) // 6:
        return True
    free = min(n, width * (width + 1) // 6)
    if free**3 * width**4 > MOST_WORK:
        return None
    reachable = _reachable(free, width)
    fewest = max(0, ceil(Fraction(total, width)) - free)
    for at_top in range(fewest, min(n - free, total // width) + 1):
        squares = reachable[total - at_top * width]
        low, high = max(0, first - at_top * width**2), last - at_top * width**2
        if low <= high and squares >> low & ((1 << (high - low + 1)) - 1):
            return True
    return False


@lru_cache(maxsize=4)
def _reachable(n: int, width: int) -> tuple[int, ...]:
    """For each sum of ``n`` scores from 0 to ``width``, the sums of squares as bits of a number."""
    table = [1]
    for count in range(1, n + 1):
        following = [0] * (count * width + 1)
        for total, bits in enumerate(table):
            for score in range(width + 1):
                following[total + score] |= bits << (score * score)
        table = following
    return tuple(table)


def possible_counts(percentage: Interval, denominator: int) -> range:
    """Return the counts out of ``denominator`` whose percentage lies in the interval."""
    return _counts(percentage / Interval.point(100), denominator)


def possible_denominators(
    row: Sequence[Interval], candidates: Iterable[int], *, exhaustive: bool
) -> list[int]:
    """Return the denominators that allow a whole row of rounded percentages.

    Args:
        row: what rounding leaves of each percentage.
        candidates: denominators to try.
        exhaustive: the row's counts make up the denominator, as win, tie and lose do.
    """
    shares = Counter(percentage / Interval.point(100) for percentage in row)
    allowed = []
    for denominator in candidates:
        counts = [(_counts(share, denominator), times) for share, times in shares.items()]
        if not all(possible for possible, _ in counts):
            continue
        least = sum(possible[0] * times for possible, times in counts)
        most = sum(possible[-1] * times for possible, times in counts)
        if not exhaustive or least <= denominator <= most:
            allowed.append(denominator)
    return allowed


def _counts(share: Interval, denominator: int) -> range:
    low, high = share.low, share.high
    first = -(-low.numerator * denominator // low.denominator)  # rounded up
    last = high.numerator * denominator // high.denominator
    return range(max(0, first), min(denominator, last) + 1)
