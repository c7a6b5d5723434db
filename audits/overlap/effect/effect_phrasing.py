"""How the effect of overlap is said in findings' sentences, rows and numbers."""

from typing import NamedTuple

from audits.overlap.overlap_params import OverlapParams
from storyaudit.findings import Number, counted
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
    copies = sum(value >= params.copy_from for value in containments)
    copy = f"a copy (containment of {params.copy_from:g} or more)"
    overlap = f"an overlap (containment of {params.report_from:g} or more)"
    if copies == len(containments):
        return [Threshold("any", params.report_from, copy)]
    everything = Threshold("any", params.report_from, overlap)
    return [everything, Threshold("copy", params.copy_from, copy)] if copies else [everything]


def points(value: float, *, sign: bool = True) -> str:
    """Return a share as points of a hundred, without a negative zero."""
    shown = round(100 * value, 1) + 0.0
    return f"{shown:+.1f}" if sign else f"{shown:.1f}"


def interval(estimate: Estimate, confidence: float, over: str = "items") -> str:
    """Return an estimate's interval in points, and what it is over."""
    if estimate.low is None or estimate.high is None:
        return "no interval from so few items"
    return (
        f"{100 * confidence:g}% interval {points(estimate.low)} to {points(estimate.high)} over "
        f"{over}"
    )


def accuracy(contrast: Contrast, *, clean: bool) -> str:
    """Return how often a model is right on one side."""
    side = contrast.clean if clean else contrast.overlapping
    if not side.items:
        return "no item"
    seeds = side.answers // side.items
    answers = f"{side} answers" if seeds > 1 else f"{side}"
    over = f", {_items(side.items)} with {seeds} seeds" if seeds > 1 else ""
    return f"{answers} ({side.share:.1%}{over})"


def verdict(contrast: Contrast) -> str:
    """Return whether a difference is told from zero, as the end of a sentence."""
    if not contrast.overlapping.items or not contrast.clean.items:
        return "there is nothing to compare."
    if contrast.few:
        return (
            f"cannot be told from this data, with fewer than {FEWEST} items on a side; "
            f"{_reach(contrast)}."
        )
    if contrast.told:
        return f"told from zero, a {'rise' if contrast.estimate.value > 0 else 'fall'}."
    return f"cannot be told from this data; {_reach(contrast)}."


def _reach(contrast: Contrast) -> str:
    """Return the smallest differences that so many items could have told."""
    rise, fall = contrast.least_rise, contrast.least_fall
    parts = [
        "no rise could have been told, even had all been right"
        if rise is None
        else f"a rise could have been told from {points(rise, sign=False)} points on",
        "no fall, even had all been wrong"
        if fall is None
        else f"a fall from {points(-fall, sign=False)} on",
    ]
    return ", ".join(parts)


def short_verdict(contrast: Contrast) -> str:
    """Return the same for a row of evidence."""
    if not contrast.overlapping.items or not contrast.clean.items:
        return "nothing to compare"
    if contrast.few:
        return "too few"
    return "told" if contrast.told else "cannot be told"


def difference(contrast: Contrast, confidence: float) -> str:
    """Return a difference with its interval."""
    return f"{points(contrast.estimate.value)} points ({interval(contrast.estimate, confidence)})"


def numbers(prefix: str, contrast: Contrast) -> dict[str, Number]:
    """Return a contrast as a finding's numbers."""
    return {
        f"{prefix}_items": contrast.overlapping.items,
        f"{prefix}_right": contrast.overlapping.right,
        f"{prefix}_answers": contrast.overlapping.answers,
        **contrast.estimate.numbers(f"{prefix}_difference", 6),
        f"{prefix}_told": contrast.told,
        f"{prefix}_least_rise": rounded(contrast.least_rise, 6),
        f"{prefix}_least_fall": rounded(contrast.least_fall, 6),
        f"{prefix}_design_effect": rounded(contrast.deff, 6),
    }


def row(contrast: Contrast) -> dict[str, Number]:
    """Return a contrast as a row of evidence."""
    return {
        "items": contrast.overlapping.items,
        "right": contrast.overlapping.right,
        "answers": contrast.overlapping.answers,
        "accuracy": rounded(contrast.overlapping.share, 4),
        "clean_items": contrast.clean.items,
        "clean_accuracy": rounded(contrast.clean.share, 4),
        **contrast.estimate.numbers("difference", 4),
        "verdict": short_verdict(contrast),
    }


def _items(number: int) -> str:
    return counted(number, "item")
