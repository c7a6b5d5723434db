"""How estimates over items and seeds are phrased in findings' sentences."""

from collections.abc import Callable

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.variant_outcomes import VariantOutcomes
from storyaudit.findings import Number, counted
from storyaudit.phrasing import NO_CI, ci, percent, points, significance, unsigned_points
from storyaudit.results.outcomes import remaining
from storyaudit.stats.estimate import FEWEST, Estimate, rounded
from storyaudit.stats.items_by_seeds import Crossed


def difference_in_points(found: Crossed, params: ExperimentsParams) -> str:
    """Return a difference of accuracies with its interval, items and seeds."""
    return f"{points(found.estimate.value)} points ({_interval(found, params, points)})"


def accuracy_in_percent(found: Crossed, params: ExperimentsParams) -> str:
    """Return an accuracy with its interval, items and seeds."""
    return f"{percent(found.estimate.value)} ({_interval(found, params, percent)})"


def _interval(found: Crossed, params: ExperimentsParams, shown: Callable[[float], str]) -> str:
    no_ci = NO_CI if found.items < FEWEST else "no CI: no more items than dimensions"
    interval = ci(found.estimate, params.confidence, shown, no_ci=no_ci)
    *others, last = found.seeds
    seeds = "".join(f"{number} versus " for number in others) + counted(last, "seed")
    items = counted(found.items, "item")
    if found.estimate.low is None:
        return f"{interval}; {items}, {seeds}"
    return f"{interval} over {items} {'alone;' if found.one_seed else 'and'} {seeds}"


def lacking(outcomes: VariantOutcomes) -> str:
    """Return which items and dimensions outcomes lack, as sentences after a space; or ''."""
    if not outcomes.left_out:
        return ""
    left_out = counted(outcomes.left_out, "further item that lacks", "further items that lack")
    lost = remaining(outcomes.dimensions, outcomes.lost_dimensions)
    return f" Left out: {left_out} some run." + (f" {lost}." if lost else "")


def verdict(found: Crossed, params: ExperimentsParams) -> str:
    """Return whether a difference is significant, as a sentence."""
    if found.half_width is None:
        return "Neither an effect nor its absence is shown."
    conclusion = conclusion_of(found.estimate, params)
    if not found.estimate.excludes_zero():
        reach = unsigned_points(found.half_width)
        return f"{conclusion}; the CI reaches {reach} points to either side."
    limit = " for these trained models, not for other seeds" if found.one_seed else ""
    return f"{conclusion}{limit}."


def conclusion_of(found: Estimate, params: ExperimentsParams) -> str:
    """Return whether an estimate is significant, as the start of a sentence."""
    clause = significance(found, params.confidence)
    return clause[0].upper() + clause[1:]


def numbers(name: str, estimate: Estimate) -> dict[str, Number]:
    """Return an estimate as a finding's numbers, and whether it is significant."""
    return {**estimate.numbers(name, 6), "significant": estimate.excludes_zero()}


def bounds(found: Crossed) -> dict[str, Number]:
    """Return an estimate's items, half-width and errors as numbers.

    The half-width bears an older name, 'minimum_detectable'.
    """
    return {
        "items": found.items,
        "minimum_detectable": rounded(found.half_width, 6),
        "se_items": rounded(found.se_items, 6),
        "se_seeds": None if found.one_seed else rounded(found.se_seeds, 6),
    }
