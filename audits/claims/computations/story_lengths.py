"""How long the stories are, in words parted by white space."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import pandas as pd

from audits.claims.computations import Data, Function, Named

COLUMNS = ("author", "words")
WORDS = {"words": "", "text_words": "words without punctuation (storyaudit.text)"}
Statistic = Callable[["pd.Series[float]"], float]


def _mean(lengths: "pd.Series[float]") -> float:
    return float(lengths.mean())


def _sd(lengths: "pd.Series[float]") -> float:
    return float(lengths.std(ddof=1))


def _population_sd(lengths: "pd.Series[float]") -> float:
    return float(lengths.std(ddof=0))


def _median(lengths: "pd.Series[float]") -> float:
    return float(lengths.median())


def _shortest(lengths: "pd.Series[float]") -> float:
    return float(lengths.min())


def _longest(lengths: "pd.Series[float]") -> float:
    return float(lengths.max())


def _of(
    data: Data,
    other_than: str | None = None,
    *,
    statistic: Statistic,
    column: str = "words",
    everyone: bool = False,
) -> float | None:
    """Return a statistic of the stories' lengths, those of the author ``other_than`` left out."""
    stories = data.stories
    if stories is None or column not in stories.columns:
        return None
    chosen = stories if everyone else stories[stories["author"] != other_than]
    lengths = chosen[column].dropna()
    return None if lengths.empty else statistic(lengths)


def _named(stated: Statistic, others: Mapping[str, Statistic] | None = None) -> Named:
    """Return the computation of a statistic, with other statistics among its conventions."""
    conventions: dict[str, Function] = {}
    for (name, statistic), (column, words), everyone in product(
        {"": stated, **(others or {})}.items(), WORDS.items(), (False, True)
    ):
        parts = (words, "all authors' stories" if everyone else "", name)
        if said := ", ".join(filter(None, parts)):
            conventions[said] = partial(_of, statistic=statistic, column=column, everyone=everyone)
    return Named(partial(_of, statistic=stated), "stories", COLUMNS, conventions)


LENGTHS: Mapping[str, Named] = {
    "words_mean": _named(_mean, {"the median": _median}),
    "words_sd": _named(_sd, {"a population's SD (n)": _population_sd}),
    "words_min": _named(_shortest),
    "words_max": _named(_longest),
}
