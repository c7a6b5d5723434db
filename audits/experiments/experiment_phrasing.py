"""How estimates are said in findings' sentences."""

from audits.experiments.experiment_params import ExperimentsParams
from audits.experiments.variant_outcomes import VariantOutcomes
from storyaudit import phrasing
from storyaudit.findings import Number, counted
from storyaudit.phrasing import NO_INTERVAL, TOLD, UNTOLD, points, unsigned_points
from storyaudit.results.outcomes import remaining
from storyaudit.stats.estimate import Estimate, rounded
from storyaudit.stats.items_by_seeds import Crossed


def interval(found: Crossed, params: ExperimentsParams, *, sign: bool = True) -> str:
    """Return an interval and what it is over, in points."""
    if found.estimate.low is None:
        return NO_INTERVAL
    over = "items alone" if found.one_seed else "items and seeds"
    shown = points if sign else unsigned_points
    return f"{phrasing.interval(found.estimate, params.confidence, shown)} over {over}"


def sizes(found: Crossed, outcomes: VariantOutcomes | None = None) -> str:
    """Return how many items and seeds an estimate is from, and what its outcomes lack."""
    *others, last = found.seeds
    seeds = "".join(f"{number} against " for number in others) + counted(last, "seed")
    return f"{counted(found.items, 'item')}{lacking(outcomes) if outcomes else ''}; {seeds}"


def lacking(outcomes: VariantOutcomes) -> str:
    """Return which items and dimensions outcomes lack, to go on after their number; or ''."""
    if not outcomes.left_out:
        return ""
    clause = remaining(outcomes.dimensions, outcomes.lost_dimensions)
    return f", {outcomes.left_out} more left out that some run lacks" + (clause and f": {clause}")


def verdict(found: Crossed) -> str:
    """Return whether a difference is told from zero, as the end of a sentence."""
    if found.half_width is None:
        return f"whether they differ {UNTOLD}."
    if found.estimate.excludes_zero():
        limit = " for these trained models, not for other seeds" if found.one_seed else ""
        return f"{TOLD}{limit}."
    least = unsigned_points(found.half_width)
    return f"{UNTOLD}, which tells differences from {least} points on."


def numbers(name: str, estimate: Estimate) -> dict[str, Number]:
    """Return an estimate as a finding's numbers, and whether it is told from zero."""
    return {**estimate.numbers(name, 6), "told": estimate.excludes_zero()}


def bounds(found: Crossed) -> dict[str, Number]:
    """Return an estimate's interval, sizes and errors as a finding's numbers."""
    return {
        "items": found.items,
        "smallest_told": rounded(found.half_width, 6),
        "items_error": rounded(found.se_items, 6),
        "seeds_error": None if found.one_seed else rounded(found.se_seeds, 6),
    }
