"""The rule that the human story is first in advance, held against the raters' means."""

import numpy as np

from audits.protocol.validity.analyses import Analysis
from audits.protocol.validity.first_choices import Setting
from audits.protocol.validity.panel import Panel
from audits.protocol.validity.panel_items import decide, firsts, human_items
from audits.protocol.validity.validity_phrasing import BEST, resampled, shown
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import points, significance
from storyaudit.stats.clustered_means import mean_of, mean_of_all
from storyaudit.stats.estimate import rounded

HUMAN = 0
"""The human story's position in an item of ``human_items``."""


def human_first_findings(
    panel: Panel, main: Analysis, setting: Setting
) -> list[Finding | Unchecked]:
    """Return how often the human story is best, by raters and by judges.

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
        check = f"how often the human story is {BEST}"
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
    means = {name: mean_of_all(values, *interval) for name, values in measures.items()}
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
    rule, alone, gap = (
        means[name] for name in ("human_best", "human_alone_best", "rule_less_judges")
    )
    by_judges, correct = means["judges_choose_human"], means["judges_choose_best"]
    where = (
        f"{counted(rule.items, 'Human–LLM item')} of {counted(len(setting.weights[0]), 'premise')}"
    )
    confidence = setting.confidence
    difference = shown(gap, confidence, points, unit="points")
    if gap.estimate.low is not None:
        difference += f": {significance(gap.estimate, confidence)}"
    return [
        Finding(
            id="human-first",
            severity="note",
            statement=(
                f"The benchmark always takes the human story as gold; it is {BEST} in "
                f"{shown(rule, confidence)} of {where}. It is alone the "
                f"best in {shown(alone, confidence)}.{resampled(rule, alone)}"
            ),
            numbers={
                **rule.estimate.numbers("human_best", 4),
                **alone.estimate.numbers("human_alone_best", 4),
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
                f"Without that rule the judges' first choice would be the human story in "
                f"{shown(by_judges, confidence)} of {where}. The first choice would be {BEST} in "
                f"{shown(correct, confidence)}. Proportion best, human story minus judges' "
                f"first choice: {difference}."
                f"{resampled(by_judges, correct, gap)}"
            ),
            numbers={
                **by_judges.estimate.numbers("judges_choose_human", 4),
                **correct.estimate.numbers("judges_choose_best", 4),
                **gap.estimate.numbers("rule_less_judges", 4),
                "chance": rounded(decided.chance.mean(), 4),
                "judges_tie": int(decided.judges_tie.sum()),
                "items_at_threshold": int(agree.sum()),
                "items": rule.items,
                **setting.how(),
            },
        ),
    ]
