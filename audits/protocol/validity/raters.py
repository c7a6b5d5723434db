"""How often one rater's best story is the other raters' best: a human upper bound for judges."""

import numpy as np

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting
from audits.protocol.validity.panel import Panel
from audits.protocol.validity.panel_items import credit, firsts, llm_items
from audits.protocol.validity.validity_phrasing import above_chance, resampled, shown
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.stats.clustered_means import ClusteredMean, mean_of_all
from storyaudit.stats.estimate import Estimate, rounded

_NO_BOUND = (
    " Agreement above chance is not shown, so single ratings give no upper bound for the judges."
)


def upper_bound_finding(panel: Panel, main: Analysis, setting: Setting) -> Finding | Unchecked:
    """Return how often single raters and the judges pick the best by the other raters' mean.

    Each rater in turn is held against the mean of the others, and so are the judges, who would
    otherwise be held against a mean of more raters than a rater is.

    Args:
        panel: all scores, of four automatic authors or more.
        main: the judges to compare with.
        setting: bootstrap samples and confidence.
    """
    premises, _, raters = panel.human.shape
    if raters < 2:
        return Unchecked(
            id="human-upper-bound",
            check="how often one rater's best is the best by the other raters (human upper bound)",
            reason="each story has one rater",
        )
    items = llm_items(panel.automatic)
    interval = setting.weights, setting.confidence
    chosen = firsts(main.scores.mean(axis=0), items)
    single, judges, chance = (np.zeros((raters, premises, len(items))) for _ in range(3))
    rows: list[dict[str, Number]] = []
    for rater in range(raters):
        others = np.delete(panel.human, rater, axis=2).mean(axis=2)
        own, best = firsts(panel.human[:, :, rater], items), firsts(others, items)
        single[rater], judges[rater] = credit(own, best), credit(chosen, best)
        chance[rater] = best.mean(axis=-1)
        rows.append(
            {
                "rater": rater + 1,
                **mean_of_all(single[rater], *interval).estimate.numbers("agreement", 4),
                "judges": rounded(judges[rater].mean(), 4),
                "chance": rounded(chance[rater].mean(), 4),
                "own_best_tied": rounded((own.sum(axis=-1) > 1).mean(), 4),
            }
        )
    by_rater, by_judges, gap, over_chance = (
        mean_of_all(values.mean(axis=0), *interval)
        for values in (single, judges, judges - single, single - chance)
    )
    other = "the other rater" if raters == 2 else f"the mean of the other {raters - 1} raters"
    same = "that rater" if raters == 2 else "that mean"
    thin = not over_chance.estimate.above(0)
    return Finding(
        id="human-upper-bound",
        severity="warn" if thin else "note",
        statement=(
            f"The story that one rater ranks first of four is also first by {other} in "
            f"{shown(by_rater, setting.confidence)} of "
            f"{counted(by_rater.items, 'LLM–LLM item')}: "
            f"{_chance(over_chance, float(chance.mean()))}. The judges' first choice is first by "
            f"{same} in {shown(by_judges, setting.confidence)}.{resampled(by_rater, by_judges)}"
            f"{_NO_BOUND if thin else ''}"
        ),
        numbers={
            **by_rater.estimate.numbers("raters", 4),
            **by_judges.estimate.numbers("judges", 4),
            **gap.estimate.numbers("judges_less_raters", 4),
            **over_chance.estimate.numbers("raters_less_chance", 4),
            "chance": rounded(chance.mean(), 4),
            "raters_a_story": raters,
            "items": by_rater.items,
            **setting.how(),
        },
        evidence=evidence(rows),
    )


def _chance(over: ClusteredMean, chance: float) -> str:
    """Return chance, and whether raters are significantly above it, as a clause.

    Args:
        over: agreement less chance, paired by item.
        chance: its mean.
    """
    shifted = Estimate(
        over.estimate.value + chance,
        None if over.estimate.low is None else over.estimate.low + chance,
        None if over.estimate.high is None else over.estimate.high + chance,
    )
    return above_chance(shifted, chance)
