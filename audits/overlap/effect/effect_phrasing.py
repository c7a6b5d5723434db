"""How the effect of overlap is said in findings' sentences, rows and numbers."""

from typing import NamedTuple

from audits.overlap.overlap_params import OverlapParams
from storyaudit import phrasing
from storyaudit.findings import Number, counted
from storyaudit.phrasing import NO_INTERVAL, TOLD, UNTOLD, points, unsigned_points
from storyaudit.stats.estimate import Estimate, rounded
from storyaudit.stats.unpaired_contrast import FEWEST, Contrast


class Threshold(NamedTuple):
    """A containment from which overlaps count.

    Attributes:
        name: 'any' or 'copy'.
        least: the containment.
        told: as a sentence has it.
    """

    name: str
    least: float
    told: str


def thresholds(containments: list[float], params: OverlapParams) -> list[Threshold]:
    """Return the thresholds that tell overlaps apart; one where all are copies, or none is."""
    copies = sum(value >= params.duplicate_threshold for value in containments)
    copy = f"a copy (containment of {params.duplicate_threshold:g} or more)"
    overlap = f"an overlap (containment of {params.min_containment:g} or more)"
    if copies == len(containments):
        return [Threshold("any", params.min_containment, copy)]
    everything = Threshold("any", params.min_containment, overlap)
    return (
        [everything, Threshold("copy", params.duplicate_threshold, copy)]
        if copies
        else [everything]
    )


def interval(estimate: Estimate, confidence: float, over: str = "items") -> str:
    """Return an estimate's interval in points, and what it is over."""
    if estimate.low is None:
        return NO_INTERVAL
    return f"{phrasing.interval(estimate, confidence)} over {over}"


def accuracy(contrast: Contrast, *, clean: bool) -> str:
    """Return how often a model is right on one side."""
    side = contrast.unexposed if clean else contrast.exposed
    if not side.items:
        return "no item"
    seeds = side.answers // side.items
    answers = f"{side.right} of {side.answers}" + (" answers" if seeds > 1 else "")
    over = f", {counted(side.items, 'item')} with {seeds} seeds" if seeds > 1 else ""
    return f"{answers} ({side.share:.1%}{over})"


def verdict(contrast: Contrast) -> str:
    """Return whether a difference is told from zero, as the end of a sentence."""
    if not contrast.exposed.items or not contrast.unexposed.items:
        return "there is nothing to compare."
    if contrast.few:
        return f"{UNTOLD}, with fewer than {FEWEST} items on a side; {_reach(contrast)}."
    if contrast.significant:
        return f"{TOLD}, a {'rise' if contrast.estimate.value > 0 else 'fall'}."
    return f"{UNTOLD}; {_reach(contrast)}."


def _reach(contrast: Contrast) -> str:
    """Return the smallest differences that so many items could have told."""
    rise, fall = contrast.least_rise, contrast.least_fall
    parts = [
        "no rise could have been told, even had all been right"
        if rise is None
        else f"a rise could have been told from {unsigned_points(rise)} points on",
        "no fall, even had all been wrong"
        if fall is None
        else f"a fall from {unsigned_points(-fall)} on",
    ]
    return ", ".join(parts)


def short_verdict(contrast: Contrast) -> str:
    """Return the same for a row of evidence."""
    if not contrast.exposed.items or not contrast.unexposed.items:
        return "nothing to compare"
    if contrast.few:
        return "too few"
    return "told" if contrast.significant else "cannot be told"


def difference(contrast: Contrast, confidence: float) -> str:
    """Return a difference with its interval."""
    return f"{points(contrast.estimate.value)} points ({interval(contrast.estimate, confidence)})"


def numbers(prefix: str, contrast: Contrast) -> dict[str, Number]:
    """Return a contrast as a finding's numbers."""
    return {
        f"{prefix}_items": contrast.exposed.items,
        f"{prefix}_right": contrast.exposed.right,
        f"{prefix}_answers": contrast.exposed.answers,
        **contrast.estimate.numbers(f"{prefix}_difference", 6),
        f"{prefix}_told": contrast.significant,
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
        "clean_items": contrast.unexposed.items,
        "clean_accuracy": rounded(contrast.unexposed.share, 4),
        **contrast.estimate.numbers("difference", 4),
        "verdict": short_verdict(contrast),
    }
