"""The ledger's computations again, in plain Python over rows as the CSV files hold them.

Nothing of the audits, pandas, numpy, scipy or statsmodels is used: these are the second source.
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

Row = dict[str, str]
PUBLISHED = Path(__file__).parents[3] / "data/published/confederacy"


def read_rows(name: str) -> list[Row]:
    with (PUBLISHED / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def mean(values: list[Any]) -> Any:
    return sum(values) / len(values)


def variance(values: list[Any], ddof: int = 1) -> Any:
    centre = mean(values)
    return sum((value - centre) ** 2 for value in values) / (len(values) - ddof)


def sd(values: list[Any], ddof: int = 1) -> float:
    return math.sqrt(variance(values, ddof))


def beta_tail(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_tail(1 - x, b, a)
    if x == 0:
        return 0.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d), 1 + term / c
            value *= d * c
    return front * value / a


def welch_p(m1: float, s1: float, n1: int, m2: float, s2: float, n2: int) -> float:
    """The two-sided p value of Welch's t test."""
    a, b = s1**2 / n1, s2**2 / n2
    t = (m1 - m2) / math.sqrt(a + b)
    df = (a + b) ** 2 / (a**2 / (n1 - 1) + b**2 / (n2 - 1))
    return beta_tail(df / (df + t * t), df / 2, 0.5)


def welch_of(x: list[Any], y: list[Any]) -> float:
    return welch_p(float(mean(x)), sd(x), len(x), float(mean(y)), sd(y), len(y))


def kappa(pairs: list[tuple[Any, Any]], power: int) -> tuple[float, float]:
    """Cohen's kappa weighted by |i − j| to the power, and its analytic standard error.

    Fleiss, Cohen and Everitt (1969): w̄ᵢ. and w̄.ⱼ are mean weights under the other's distribution.
    """
    n, labels = len(pairs), sorted({score for pair in pairs for score in pair})
    widest = float(labels[-1] - labels[0]) ** power
    weight = {(i, j): 1 - float(abs(i - j)) ** power / widest for i in labels for j in labels}
    joint: dict[Any, float] = defaultdict(float)
    first: dict[Any, float] = defaultdict(float)
    second: dict[Any, float] = defaultdict(float)
    for i, j in pairs:
        joint[i, j] += 1 / n
        first[i] += 1 / n
        second[j] += 1 / n
    observed = sum(proportion * weight[cell] for cell, proportion in joint.items())
    chance = sum(first[i] * second[j] * weight[i, j] for i, j in weight)
    value = (observed - chance) / (1 - chance)
    row = {i: sum(second[j] * weight[i, j] for j in labels) for i in labels}
    column = {j: sum(first[i] * weight[i, j] for i in labels) for j in labels}
    spread = sum(
        proportion * (weight[i, j] - (row[i] + column[j]) * (1 - value)) ** 2
        for (i, j), proportion in joint.items()
    )
    error = math.sqrt((spread - (value - chance * (1 - value)) ** 2) / n) / (1 - chance)
    return value, error


def pearson(pairs: list[tuple[Any, Any]]) -> float:
    xs, ys = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    mx, my = mean(xs), mean(ys)
    xy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    return xy / math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))


class Plain:
    """Answers a ledger's computations by name."""

    def __init__(self, ratings: list[Row], stories: list[Row]) -> None:
        self.ratings, self.files = ratings, stories
        self._ranked: dict[str | None, dict[str, int]] = {}

    def __call__(self, computation: str, **arguments: Any) -> Any:
        return getattr(self, computation)(**arguments)

    @cached_property
    def rating_rows(self) -> dict[tuple[str, str, str], dict[str, Fraction]]:
        """Scores by item and their total, by (author, rater, story)."""
        rating_rows: dict[tuple[str, str, str], dict[str, Fraction]] = {}
        for row in self.ratings:
            key = row["author"], row["rater"], row["story_id"]
            rating_rows.setdefault(key, {})[row["item"]] = Fraction(row["score"])
        for scores in rating_rows.values():
            scores["overall"] = sum(scores.values(), Fraction(0))
        return rating_rows

    @cached_property
    def authors(self) -> list[str]:
        return sorted({author for author, _, _ in self.rating_rows})

    @cached_property
    def items(self) -> list[str]:
        return sorted({row["item"] for row in self.ratings}, key=int)

    def scores(self, author: str, item: str) -> list[Fraction]:
        return self._scores[author, item]

    @cached_property
    def _scores(self) -> dict[tuple[str, str], list[Fraction]]:
        by_author: dict[tuple[str, str], list[Fraction]] = defaultdict(list)
        for (author, _, _), scores in self.rating_rows.items():
            for item, score in scores.items():
                by_author[author, item].append(score)
        return by_author

    # Means and deviations.

    def mean(self, author: str, item: str) -> Fraction:
        value: Fraction = mean(self.scores(author, item))
        return value

    def sd(self, author: str, item: str) -> float:
        return sd(self.scores(author, item))

    def mean_of_means(self, item: str) -> Fraction:
        value: Fraction = mean([self.mean(author, item) for author in self.authors])
        return value

    def mean_of_sds(self, item: str) -> float:
        value: float = mean([self.sd(author, item) for author in self.authors])
        return value

    # Counts.

    def _distinct(self, columns: list[str], rows: list[Row]) -> set[tuple[str, ...]]:
        return {tuple(row[name] for name in columns) for row in rows}

    def count(self, of: str, author: str | None = None, other_than: str | None = None) -> int:
        rows = [
            row
            for row in self.ratings
            if author in (None, row["author"]) and row["author"] != other_than
        ]
        return len(self._distinct([of], rows))

    def _sizes(self, of: str | list[str], within: str | list[str]) -> list[int]:
        inner, outer = ([of] if isinstance(of, str) else of), within
        outer = [outer] if isinstance(outer, str) else outer
        sizes: dict[tuple[str, ...], int] = defaultdict(int)
        for values in self._distinct([*outer, *inner], self.ratings):
            sizes[values[: len(outer)]] += 1
        return list(sizes.values())

    def count_within(self, of: str | list[str], within: str | list[str]) -> float:
        value: float = mean(self._sizes(of, within))
        return value

    def counts_within(self, of: str | list[str], within: str | list[str]) -> list[str]:
        return [str(size) for size in sorted(set(self._sizes(of, within)))]

    def scores_off_scale(self, low: float, high: float) -> int:
        return sum(not low <= float(row["score"]) <= high for row in self.ratings)

    # Ranks of authors and items.

    def authors_by_mean(self, item: str) -> list[str]:
        return sorted(self.authors, key=lambda author: (-self.mean(author, item), author))

    def top_authors(
        self,
        item: str,
        number: int = 1,
        other_than: str | None = None,
        among: list[str] | None = None,
    ) -> list[str]:
        ranked = [
            author
            for author in self.authors_by_mean(item)
            if author != other_than and (among is None or author in among)
        ]
        return sorted(ranked[:number])

    def authors_above(self, author: str, item: str) -> list[str]:
        return [a for a in self.authors if self.mean(a, item) > self.mean(author, item)]

    def number_above(self, author: str, item: str) -> int:
        return len(self.authors_above(author, item))

    def authors_below(self, item: str, value: float) -> list[str]:
        return [author for author in self.authors if self.mean(author, item) < value]

    def items_led(self, author: str) -> list[str]:
        others = [name for name in self.authors if name != author]
        return [i for i in self.items if all(self._above(author, name, i) for name in others)]

    def _above(self, author: str, other: str, item: str) -> bool:
        return self.mean(author, item) > self.mean(other, item)

    def number_of_items_led(self, author: str) -> int:
        return len(self.items_led(author))

    def leads_on_most(self, author: str, reference: str) -> bool:
        return sum(self._above(author, reference, item) for item in self.items) > 5

    def most_items_above(self, author: str, item: str) -> bool:
        others = [self.mean(author, other) for other in self.items if other != item]
        return sum(other > self.mean(author, item) for other in others) > len(others) / 2

    def weakest_items(self, author: str) -> list[str]:
        above = {item: self.number_above(author, item) for item in self.items}
        return [item for item, number in above.items() if number == max(above.values())]

    def item_at(self, rank: int) -> str:
        ranked = sorted(self.items, key=lambda item: -self.mean_of_means(item))
        return ranked[rank - 1 if rank > 0 else rank]

    def most_consistent(self, item: str) -> list[str]:
        return [min(self.authors, key=lambda author: self.sd(author, item))]

    # Stories by rank.

    def _ranks(self, author: str | None = None) -> dict[str, int]:
        if author not in self._ranked:
            self._ranked[author] = self._rank(author)
        return self._ranked[author]

    def _rank(self, author: str | None) -> dict[str, int]:
        totals: dict[str, list[Fraction]] = defaultdict(list)
        for (name, _, story), scores in self.rating_rows.items():
            if author in (None, name):
                totals[story].append(scores["overall"])
        means = {story: mean(values) for story, values in totals.items()}
        return {s: 1 + sum(other > m for other in means.values()) for s, m in means.items()}

    def _at(self, rank: int, author: str | None) -> dict[str, dict[str, Fraction]]:
        (story,) = (story for story, place in self._ranks(author).items() if place == rank)
        return {
            rater: scores for (_, rater, name), scores in self.rating_rows.items() if name == story
        }

    def story_score(self, rank: int, rater: str, item: str, author: str | None = None) -> Fraction:
        return self._at(rank, author)[rater][item]

    def story_mean(self, rank: int, item: str, author: str | None = None) -> Fraction:
        value: Fraction = mean([scores[item] for scores in self._at(rank, author).values()])
        return value

    def story_raters(self, rank: int, author: str | None = None) -> list[str]:
        return sorted(self._at(rank, author), key=int)

    def story_authors(self, rank: int) -> list[str]:
        ranks = self._ranks()
        return sorted({author for author, _, story in self.rating_rows if ranks[story] == rank})

    def best_rank(self, author: str) -> int:
        ranks = self._ranks()
        return min(ranks[story] for name, _, story in self.rating_rows if name == author)

    # Lengths and file names.

    def _words(self, other_than: str) -> list[int]:
        return [int(row["words"]) for row in self.files if row["author"] != other_than]

    def words_mean(self, other_than: str) -> float:
        value: float = mean(self._words(other_than))
        return value

    def words_sd(self, other_than: str) -> float:
        return sd(self._words(other_than))

    def words_min(self, other_than: str) -> int:
        return min(self._words(other_than))

    def words_max(self, other_than: str) -> int:
        return max(self._words(other_than))

    def _names(self, author: str) -> list[str]:
        return [row["file_name"] for row in self.files if row["author"] == author]

    def file_dates(self, author: str) -> list[str] | None:
        dates = {
            m[0] for name in self._names(author) if (m := re.search(r"20\d\d-\d\d-\d\d", name))
        }
        return sorted(dates) or None

    def file_dates_within(self, author: str, first: str, last: str) -> bool:
        return all(first <= date <= last for date in self.file_dates(author) or [])

    def last_file_date(self, other_than: str) -> str:
        names = [row["author"] for row in self.files if row["author"] != other_than]
        return max(date for name in names for date in self.file_dates(name) or [])

    def files_named(self, author: str, text: str) -> int:
        return sum(text.lower() in name.lower() for name in self._names(author))

    # Agreement.

    def pairs(self, item: str | None = None) -> list[tuple[Fraction, Fraction]]:
        """Both raters' scores of each story's item, or of all items; or totals."""
        by_story: dict[str, list[tuple[int, dict[str, Fraction]]]] = defaultdict(list)
        for (_, rater, story), scores in self.rating_rows.items():
            by_story[story].append((int(rater), scores))
        items = self.items if item is None else [item]
        return [
            (first[item], second[item])
            for both in by_story.values()
            for (_, first), (_, second) in [sorted(both, key=lambda row: row[0])]
            for item in items
        ]

    def cohens_kappa(self, weights: str) -> float:
        return kappa(self.pairs(), {"linear": 1, "quadratic": 2}[weights])[0]

    def cohens_kappa_end(self, weights: str, end: str) -> float:
        value, error = kappa(self.pairs(), {"linear": 1, "quadratic": 2}[weights])
        return value + {"low": -1, "high": 1}[end] * 1.959963984540054 * error

    def cohens_kappa_band(self, weights: str) -> str:
        value = self.cohens_kappa(weights)
        bands = ("slight", 0.2), ("fair", 0.4), ("moderate", 0.6), ("substantial", 0.8)
        return next(name for name, top in bands if value <= top)

    def pearson_of_totals(self) -> float:
        return pearson(self.pairs("overall"))

    # Significance.

    def _observations(self, author: str, item: str) -> list[Fraction]:
        items = self.items if item == "every score" else [item]
        return [score for name in items for score in self.scores(author, name)]

    def p_value(self, author: str, reference: str, item: str) -> float:
        return welch_of(self._observations(author, item), self._observations(reference, item))

    def differing(
        self,
        reference: str,
        item: str,
        side: str = "either",
        among: list[str] | None = None,
    ) -> list[str]:
        base = mean(self._observations(reference, item))
        found = []
        for author in sorted(among or [name for name in self.authors if name != reference]):
            own = mean(self._observations(author, item))
            wanted = {"lower": own < base, "higher": own > base, "either": True}[side]
            if wanted and self.p_value(author, reference, item) < 0.05:
                found.append(author)
        return found


def corner_p_values(first: tuple[float, float], second: tuple[float, float]) -> Iterator[float]:
    """Welch's p of two samples of ten, at all ends that rounding to one decimal leaves."""
    for signs in product((-0.05, 0.05), repeat=4):
        m1, s1, m2, s2 = (v + e for v, e in zip((*first, *second), signs, strict=True))
        yield welch_p(m1, s1, 10, m2, s2, 10)
