"""How often one rater's best story is the other raters' best: a yardstick for judges."""

import numpy as np

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting
from audits.protocol.validity.panel import Panel
from audits.protocol.validity.panel_items import credit, firsts, llm_items
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import percent, with_ci
from storyaudit.stats.clustered_means import mean_of_all
from storyaudit.stats.estimate import rounded


def ceiling_finding(panel: Panel, main: Analysis, setting: Setting) -> Finding | Unchecked:
    """Return how single raters and the judges meet the mean of the other raters.

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
            id="ceiling",
            check="how often one rater's best is the best by the others",
            reason="there is one rater a story",
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
    thin = not over_chance.estimate.above(0)
    return Finding(
        id="ceiling",
        severity="warn" if thin else "note",
        statement=(
            "One rater's best of four is the best by the mean of the "
            f"other{'' if raters == 2 else f' {raters - 1}'} in "
            f"{with_ci(by_rater.estimate, percent)} of {by_rater.items} LLM–LLM items of "
            f"{premises} premises, chance {percent(chance.mean())}; the judges' first choice is it "
            f"in {with_ci(by_judges.estimate, percent)}."
            + (
                " Single raters do not agree above chance, so that they give no upper bound: how "
                "much of the judges' disagreement is the raters' own cannot be told."
                if thin
                else ""
            )
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
