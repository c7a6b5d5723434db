"""Every author against a reference author, by each method that the design allows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audits.ratings.variance.components import random_factors
from storyaudit.ratings.rating_rows import natural_order
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.clustered_errors import welch
from storyaudit.stats.estimate import Array, Codes, Estimate
from storyaudit.stats.mixed_model import fit_mixed
from storyaudit.stats.sign_flip_test import sign_flip

NO_REFERENCE = "the reference has no complete rating row"


@dataclass(frozen=True)
class Outcome:
    """One author against the reference by one method.

    Attributes:
        estimate: author minus reference, with its interval.
        p: two-sided, not corrected.
        first: units of the author.
        second: units of the reference.
        smallest: the smallest p that so many units can give.
    """

    estimate: Estimate
    p: float
    first: int
    second: int
    smallest: float = 0.0


@dataclass(frozen=True)
class Method:
    """A way to compare.

    Attributes:
        id: names it in ids of findings.
        name: as sentences call it.
        unit: what counts as one observation.
        about: what it takes for granted or speaks of.
        outcomes: by author; authors for whom the design does not allow it are absent.
        why_not: why it allows it for none.
    """

    id: str
    name: str
    unit: str
    about: str
    outcomes: dict[str, Outcome]
    why_not: str


def compare(
    rows: pd.DataFrame,
    row_totals: pd.DataFrame,
    reference: str,
    rng: np.random.Generator,
    confidence: float,
) -> list[Method]:
    """Compare every author with the reference by every method.

    Differences are of totals, but of single scores by the method on scores.

    Args:
        rows: usable rows of the ratings table.
        row_totals: totals of complete rating rows (``storyaudit.ratings.usable_ratings.totals``).
        reference: an author of the table.
        rng: draws patterns of signs where there are too many to count.
        confidence: of every interval.
    """
    authors = sorted({*rows["author"]} - {reference}, key=natural_order)
    by_author = {str(name): part for name, part in row_totals.groupby("author")}
    scores = {name: part["score"].to_numpy() for name, part in rows.groupby("author")}

    def by_rating_row(author: str) -> Outcome | None:
        sides = [by_author[name]["total"].to_numpy() for name in (author, reference)]
        return _welch(sides, [np.arange(len(side)) for side in sides], confidence)

    def by_score(author: str) -> Outcome | None:
        if rows["item"].nunique() == 1:
            return None
        sides = [scores[name] for name in (author, reference)]
        return _welch(sides, [np.arange(len(side)) for side in sides], confidence)

    def by_story(author: str) -> Outcome | None:
        sides = [by_author[name] for name in (author, reference)]
        clusters = [codes(side["story_id"])[0] for side in sides]
        return _welch([side["total"].to_numpy() for side in sides], clusters, confidence)

    def flipping(unit: str) -> Callable[[str], Outcome | None]:
        def by_unit(author: str) -> Outcome | None:
            if unit not in row_totals:
                return None
            means = [by_author[name].groupby(unit)["total"].mean() for name in (author, reference)]
            differences = (means[0] - means[1]).dropna().to_numpy()
            if len(differences) < 2:
                return None
            test = sign_flip(differences, rng, confidence)
            return Outcome(test.estimate, test.p, test.n, test.n, test.smallest)

        return by_unit

    def over(function: Callable[[str], Outcome | None]) -> dict[str, Outcome]:
        both = [name for name in authors if name in by_author and reference in by_author]
        found = {author: function(author) for author in both}
        return {author: outcome for author, outcome in found.items() if outcome is not None}

    modelled, why_no_model = _mixed(row_totals, authors, reference, confidence)
    no_groups = "" if "group" in row_totals else "the ratings table has no group in every row"
    no_reference = "" if reference in by_author else NO_REFERENCE
    return [
        Method(
            "rating-rows",
            "Welch on rating rows",
            "rating row",
            "takes rating rows of a story or a rater as independent",
            over(by_rating_row),
            no_reference
            or "no author and the reference have two complete rating rows each, with variation",
        ),
        Method(
            "scores",
            "Welch on single scores",
            "score",
            "takes the scores of one rating row as independent",
            over(by_score),
            no_reference
            or (
                "the rubric has one criterion, so a score is a total"
                if rows["item"].nunique() == 1
                else "no author and the reference have two scores each, with variation"
            ),
        ),
        Method(
            "raters",
            "sign-flip over raters",
            "rater",
            "speaks of other raters of these stories only",
            over(flipping("rater")),
            no_reference or "no two raters rated both an author and the reference",
        ),
        Method(
            "groups",
            "sign-flip over groups",
            "group",
            "a group of raters and its stories are one observation",
            over(flipping("group")),
            no_groups or no_reference or "no two groups rated both an author and the reference",
        ),
        Method(
            "stories",
            "Welch clustered by story",
            "story",
            "speaks of other stories of these authors; raters' severity is noise",
            over(by_story),
            no_reference or "no author and the reference have two stories each, with variation",
        ),
        Method(
            "mixed",
            "mixed model",
            "story and rater",
            "random stories and raters (REML, Satterthwaite's df): speaks of others of both",
            modelled,
            why_no_model,
        ),
    ]


def _welch(sides: list[Array], clusters: list[Codes], confidence: float) -> Outcome | None:
    found = welch(sides[0], clusters[0], sides[1], clusters[1], confidence)
    if found is None:
        return None
    return Outcome(found.estimate, found.p, found.first, found.second)


def _mixed(
    row_totals: pd.DataFrame, authors: list[str], reference: str, confidence: float
) -> tuple[dict[str, Outcome], str]:
    """Fit totals by author (fixed), story and rater (random), and compare by contrasts."""
    if row_totals.empty or reference not in set(row_totals["author"]):
        return {}, NO_REFERENCE
    author, names = codes(row_totals["author"])
    stories = row_totals.groupby("author")["story_id"].nunique()
    if stories.max() < 2:
        return {}, "not identifiable: each author has one story"
    factors = random_factors(row_totals, ["story_id", "rater"])
    fit = fit_mixed(row_totals["total"].to_numpy(), np.eye(len(names))[author], factors)
    if fit is None:
        return (
            {},
            "not identifiable: totals do not vary within authors, or stories and raters coincide",
        )
    outcomes = {}
    for name in authors:
        if name not in names:
            continue
        weights = np.zeros(len(names))
        weights[names.index(name)], weights[names.index(reference)] = 1, -1
        estimate, p, _ = fit.contrast(weights, confidence)
        outcomes[name] = Outcome(estimate, p, int(stories[name]), int(stories[reference]))
    return outcomes, ""
