"""Authors, and criteria (column ``item``), in the order of their mean scores.

An author's mean on a criterion is over its scores, a criterion's mean over all authors' means;
``overall`` is the total of a rating row. Lists are sorted by name unless their order is the answer.
"""

from collections.abc import Mapping

import pandas as pd

from audits.claims.computations import Data, Named
from storyaudit.ratings.rating_rows import OVERALL

COLUMNS = ("rater", "story_id", "author", "item", "score")


def _means(data: Data, item: str, other_than: str | None = None) -> "pd.Series[float] | None":
    """Return the authors' means on a criterion, the highest first; None if one lacks."""
    if item not in data.means.columns or data.means[item].isna().any():
        return None
    means = data.means[item].sort_index()
    return means[means.index != other_than].sort_values(ascending=False, kind="stable")


def _items(data: Data, *authors: str) -> pd.DataFrame | None:
    """Return the authors' means on the criteria, without the total; None where one lacks."""
    if not set(authors) <= set(data.means.index) or data.means.isna().any(axis=None):
        return None
    return data.means.drop(columns=OVERALL)


def authors_by_mean(data: Data, item: str) -> list[str] | None:
    """Return all authors, the highest mean first."""
    means = _means(data, item)
    return None if means is None else means.index.tolist()


def top_authors(
    data: Data,
    item: str,
    number: int = 1,
    other_than: str | None = None,
    among: list[str] | None = None,
) -> list[str] | None:
    """Return the authors with the highest means, and all that tie with the last of them.

    Args:
        data: with ratings.
        item: a criterion or ``overall``.
        number: how many.
        other_than: an author who does not count.
        among: the authors that count; all if None.
    """
    means = _means(data, item, other_than)
    if means is None:
        return None
    if among is not None:
        means = means[means.index.isin(among)]
    return sorted(means[means >= means.iloc[:number].min()].index)


def authors_above(data: Data, author: str, item: str) -> list[str] | None:
    """Return the authors with a higher mean than ``author``."""
    means = _means(data, item)
    if means is None or author not in means.index:
        return None
    return sorted(means[means > means[author]].index)


def number_above(data: Data, author: str, item: str) -> int | None:
    """Return how many authors have a higher mean than ``author``."""
    above = authors_above(data, author, item)
    return None if above is None else len(above)


def authors_below(data: Data, item: str, value: float) -> list[str] | None:
    """Return the authors whose mean is below a value."""
    means = _means(data, item)
    return None if means is None else sorted(means[means < value].index)


def items_led(data: Data, author: str) -> list[str] | None:
    """Return the criteria on which no other author has so high a mean."""
    items = _items(data, author)
    if items is None:
        return None
    others = items.drop(index=author).max()
    return [str(name) for name, lead in (items.loc[author] > others).items() if lead]


def number_of_items_led(data: Data, author: str) -> int | None:
    """Return on how many criteria no other author has so high a mean."""
    led = items_led(data, author)
    return None if led is None else len(led)


def leads_on_most(data: Data, author: str, reference: str) -> bool | None:
    """Return whether an author's mean is above another's on more than half of the criteria."""
    items = _items(data, author, reference)
    if items is None:
        return None
    return bool((items.loc[author] > items.loc[reference]).mean() > 0.5)


def most_items_above(data: Data, author: str, item: str) -> bool | None:
    """Return whether an author's means on most other criteria exceed that on one."""
    items = _items(data, author)
    if items is None or item not in items.columns:
        return None
    own = items.loc[author]
    return bool((own.drop(item) > own[item]).mean() > 0.5)


def weakest_items(data: Data, author: str) -> list[str] | None:
    """Return the criteria on which an author ranks lowest among all."""
    items = _items(data, author)
    if items is None:
        return None
    above = (items > items.loc[author]).sum()
    return [str(name) for name, weakest in (above == above.max()).items() if weakest]


def items_by_mean(data: Data) -> list[str] | None:
    """Return the criteria, the highest mean first."""
    items = _items(data)
    if items is None:
        return None
    means = items.mean().round(9)
    return [str(name) for name in means.sort_values(ascending=False, kind="stable").index]


def item_at(data: Data, rank: int) -> str | None:
    """Return the criterion of a rank: 1 has the highest mean, −1 the lowest."""
    items = items_by_mean(data) or []
    if not 1 <= abs(rank) <= len(items):
        return None
    return items[rank - 1 if rank > 0 else rank]


def most_consistent(data: Data, item: str) -> list[str] | None:
    """Return the authors with the lowest sample standard deviation on a criterion."""
    if item not in data.deviations.columns or data.deviations[item].isna().any():
        return None
    deviations = data.deviations[item]
    return sorted(deviations[deviations == deviations.min()].index)


RANKINGS: Mapping[str, Named] = {
    function.__name__: Named(function, columns=COLUMNS)
    for function in (
        authors_by_mean,
        top_authors,
        authors_above,
        number_above,
        authors_below,
        items_led,
        number_of_items_led,
        leads_on_most,
        most_items_above,
        weakest_items,
        items_by_mean,
        item_at,
        most_consistent,
    )
}
