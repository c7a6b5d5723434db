"""The rule that the human story is first in advance, held against the humans' averages."""

import numpy as np

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting
from audits.protocol.validity.panel import Panel
from audits.protocol.validity.panel_items import decide, firsts, human_items
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import percent, whole_points, with_ci
from storyaudit.stats.clustered_means import mean_of, mean_of_all
from storyaudit.stats.estimate import rounded

HUMAN = 0
"""The human story's place in an item of ``human_items``."""


def human_first_findings(
    panel: Panel, main: Analysis, setting: Setting
) -> list[Finding | Unchecked]:
    """Return how often the human story is best, by people and by judges.

    Args:
        panel: all scores.
        main: the judges.
        setting: bootstrap samples, confidence and the threshold of tau, which is over the three LLM
            stories, as the protocol has it.
    """
    items = human_items(panel.automatic)
    if not panel.human_author or not len(items):
        reason = (
            "there are fewer than three automatic authors"
            if panel.human_author
            else "no author is the human one"
        )
        check = "how often the human story is the best of four"
        return [Unchecked(id="human-first", check=check, reason=reason)]
    decided = decide(main.scores, main.human, items, ranked=items[:, HUMAN + 1 :])
    human_best = firsts(main.human, items)[:, :, HUMAN]
    chosen = firsts(main.scores.mean(axis=0), items)
    measures = {
        "human_best": human_best.astype("float64"),
        "human_alone_best": (human_best & ~decided.humans_tie).astype("float64"),
        "judges_choose_human": chosen[:, :, HUMAN] / chosen.sum(axis=2),
        "judges_choose_best": decided.credit,
        "rule_less_judges": human_best - decided.credit,
    }
    interval = setting.weights, setting.confidence
    told = {name: mean_of_all(values, *interval) for name, values in measures.items()}
    agree = decided.tau >= setting.threshold
    rows: list[dict[str, Number]] = []
    for name, kept in (
        ("all", np.ones(agree.shape, dtype="bool")),
        (f"tau < {setting.threshold:g}", ~agree),
        (f"tau ≥ {setting.threshold:g}", agree),
    ):
        row: dict[str, Number] = {"band": name, "items": int(kept.sum())}
        row["premises"] = int(kept.any(axis=1).sum())
        for measure, values in measures.items():
            found = mean_of(values, kept, *interval)
            row |= {} if found is None else found.estimate.numbers(measure, 4)
        rows.append(row)
    rule, gap = told["human_best"], told["rule_less_judges"]
    where = f"{rule.items} Human–LLM items of {rule.clusters} premises"
    return [
        Finding(
            id="human-first",
            severity="note",
            statement=(
                f"The human story, first in advance by the rule, is best by the raters' mean in "
                f"{with_ci(rule.estimate, percent)} of {where}, alone in "
                f"{with_ci(told['human_alone_best'].estimate, percent)}."
            ),
            numbers={
                **rule.estimate.numbers("human_best", 4),
                **told["human_alone_best"].estimate.numbers("human_alone_best", 4),
                "humans_tie": rounded(decided.humans_tie.mean(), 4),
                "items": rule.items,
                **setting.how(),
            },
            evidence=evidence(rows),
        ),
        Finding(
            id="judges-without-rule",
            severity="note",
            statement=(
                "Without the rule the judges' first choice would be the human story in "
                f"{with_ci(told['judges_choose_human'].estimate, percent)} of {where}, and the "
                f"humans' best in {with_ci(told['judges_choose_best'].estimate, percent)}. The "
                f"rule less the judges: {with_ci(gap.estimate, whole_points)} "
                f"points{'' if gap.estimate.excludes_zero() else ', not told from zero'}."
            ),
            numbers={
                **told["judges_choose_human"].estimate.numbers("judges_choose_human", 4),
                **told["judges_choose_best"].estimate.numbers("judges_choose_best", 4),
                **gap.estimate.numbers("rule_less_judges", 4),
                "chance": rounded(decided.chance.mean(), 4),
                "judges_tie": int(decided.judges_tie.sum()),
                "items_at_threshold": int(agree.sum()),
                "items": rule.items,
                **setting.how(),
            },
        ),
    ]
