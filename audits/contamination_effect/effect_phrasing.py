"""How the effect of contamination is phrased in findings' sentences, rows and numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from storyaudit.findings import Number, counted
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.phrasing import (
    NOT_SIGNIFICANT,
    SIGNIFICANT,
    ci,
    percent,
    points,
    significance,
    unsigned_points,
)
from storyaudit.stats.estimate import Estimate, rounded
from storyaudit.stats.unpaired_contrast import FEWEST, Contrast, Tally

SHOWN = 3
"""Of models, model pairs or comparisons so many are named in a sentence."""
FEW = f"no CI: fewer than {FEWEST} items in a group"
UNDEFINED = "undefined: no item in a group"


class Threshold(NamedTuple):
    """A containment from which overlaps count.

    Attributes:
        name: 'any' or 'near-duplicate'.
        least: the containment.
        what: an item has in training, as a sentence has it.
    """

    name: str
    least: float
    what: str

    @property
    def key(self) -> str:
        """The name as it starts a finding's numbers."""
        return self.name.replace("-", "_")

    @property
    def kind(self) -> str:
        """What an item has in training, without the containment."""
        return self.what.split(" (")[0]


def thresholds(containments: list[float], params: OverlapParams) -> list[Threshold]:
    """Return the thresholds that part the overlaps; one where all or none are near-duplicates."""
    duplicates = sum(value >= params.duplicate_threshold for value in containments)
    duplicate = f"a near-duplicate in training (containment ≥ {params.duplicate_threshold:g})"
    overlap = f"an overlap with training (containment ≥ {params.min_containment:g})"
    if duplicates == len(containments):
        return [Threshold("any", params.min_containment, duplicate)]
    found = [Threshold("any", params.min_containment, overlap)]
    if duplicates:
        found.append(Threshold("near-duplicate", params.duplicate_threshold, duplicate))
    return found


def some(parts: Sequence[str], joint: str) -> str:
    """Return the first ``SHOWN`` parts of a sentence, and how many more there are."""
    more = f"{joint}and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    return joint.join(parts[:SHOWN]) + more


def difference(
    estimate: Estimate, confidence: float, *, over: str = "items", no_ci: str = FEW
) -> str:
    """Return a difference in points and its interval: '+2.1 points (95 % CI a to b over items)'.

    Args:
        estimate: as proportions.
        confidence: of the interval.
        over: the units of the interval.
        no_ci: why there is no interval, where there is none.
    """
    over = "" if estimate.low is None else f" over {over}"
    interval = ci(estimate, confidence, points, no_ci=no_ci)
    return f"{points(estimate.value)} points ({interval}{over})"


def conclusion(estimate: Estimate, confidence: float) -> str:
    """Return what follows from an interval, after a comma; '' where there is none."""
    return "" if estimate.low is None else f", {significance(estimate, confidence)}"


def accuracy(group: Tally) -> str:
    """Return how often a model is right on some items."""
    seeds = group.answers // group.items
    if seeds == 1:
        return f"{group.right} of {group.answers} ({percent(group.share)})"
    return (
        f"{group.right} of {group.answers} answers ({percent(group.share)}; "
        f"{counted(group.items, 'item')}, {seeds} seeds)"
    )


def compared(contrast: Contrast, confidence: float, *, whose: str = "") -> str:
    """Return the sentences on a difference: its interval, and what could have been significant.

    Args:
        contrast: of contaminated with uncontaminated items.
        confidence: of the interval.
        whose: stands after 'Difference'.
    """
    if not contrast.unexposed.items:
        return "Difference undefined: no item of this origin is uncontaminated."
    estimate = contrast.estimate
    found = (
        f"Difference{whose}: {difference(estimate, confidence)}{conclusion(estimate, confidence)}."
    )
    return found if contrast.few or contrast.significant else f"{found} {_detectable(contrast)}"


def _detectable(contrast: Contrast) -> str:
    """Return the smallest differences that would be significant with so many items."""
    rise, fall = contrast.least_rise, contrast.least_fall
    size = f"With {counted(contrast.exposed.items, 'item')}"
    if rise is not None and fall is not None:
        return (
            f"{size} an increase would need {unsigned_points(rise)} points to be significant, a "
            f"decrease {unsigned_points(-fall)} points."
        )
    if rise is not None:
        return (
            f"{size} an increase would need {unsigned_points(rise)} points to be significant; no "
            f"decrease could be significant even at 0 %."
        )
    if fall is not None:
        return (
            f"{size} no increase could be significant even at 100 %; a decrease would need "
            f"{unsigned_points(-fall)} points."
        )
    return f"{size} no difference could be significant."


def verdict(contrast: Contrast) -> str:
    """Return what follows from a difference, for a row of evidence."""
    if not contrast.exposed.items or not contrast.unexposed.items:
        return UNDEFINED
    if contrast.few:
        return FEW
    return SIGNIFICANT if contrast.significant else NOT_SIGNIFICANT


def numbers(prefix: str, contrast: Contrast) -> dict[str, Number]:
    """Return a contrast as a finding's numbers."""
    return {
        f"{prefix}_items": contrast.exposed.items,
        f"{prefix}_right": contrast.exposed.right,
        f"{prefix}_answers": contrast.exposed.answers,
        **contrast.estimate.numbers(f"{prefix}_difference", 6),
        f"{prefix}_significant": contrast.significant,
        f"{prefix}_least_rise": rounded(contrast.least_rise, 6),
        f"{prefix}_least_fall": rounded(contrast.least_fall, 6),
        f"{prefix}_design_effect": rounded(contrast.deff, 6),
    }


def row(contrast: Contrast) -> dict[str, Number]:
    """Return a contrast as a row of evidence."""
    return {
        "items": contrast.exposed.items,
        "right": contrast.exposed.right,
        "answers": contrast.exposed.answers,
        "accuracy": rounded(contrast.exposed.share, 4),
        "uncontaminated_items": contrast.unexposed.items,
        "uncontaminated_accuracy": rounded(contrast.unexposed.share, 4),
        **contrast.estimate.numbers("difference", 4),
        "verdict": verdict(contrast),
    }
