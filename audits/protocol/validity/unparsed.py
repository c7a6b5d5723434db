"""Averages below the scale, which unparsed answers coded below it can explain."""

import pandas as pd

from audits.protocol.validity.analyses import Choice
from audits.protocol.validity.panel import UNPARSED, Panel
from storyaudit.findings import Finding, evidence


def unparsed_finding(panel: Panel, choice: Choice, scale: tuple[float, float]) -> Finding:
    """Return how many averages lie below the scale, by judge and prompt variant.

    Args:
        panel: all scores.
        choice: the main judges and variant.
        scale: lowest and highest score.
    """
    criteria = len(panel.criteria)
    rows = pd.DataFrame(
        {
            "judge": judge,
            "prompt_variant": variant,
            "averages": panel.below[at, number].size * criteria,
            "below": panel.below[at, number].sum(),
            "stories": panel.below[at, number].size,
            "stories_below": (panel.below[at, number] > 0).sum(),
        }
        for number, judge in enumerate(panel.judges)
        for at, variant in enumerate(panel.variants)
    )
    used = panel.below[choice.variant, choice.judges]
    averages, total = panel.below.size * criteria, int(panel.below.sum())
    stories = int((used > 0).any(axis=0).sum())
    coded = f"unparsed answers coded as {UNPARSED:g}".replace("-", "−")
    statement = f"Judges' averages below the scale minimum of {scale[0]:g}: {total} of {averages}."
    if total:
        statement += f" Such an average is impossible on the scale; it is consistent with {coded}."
        coded = "them"
    statement += f" Averages on the scale may also include {coded}."
    if used.sum():
        statement += (
            f" The main analysis uses {used.sum()} of them, in {stories} of {used[0].size} "
            f"stories; the sensitivity analysis repeats it without these stories."
        )
    return Finding(
        id="unparsed",
        severity="warn" if total else "pass",
        statement=statement,
        numbers={
            "averages": averages,
            "below": total,
            "used_averages": used.size * criteria,
            "used_below": int(used.sum()),
            "used_stories": used[0].size,
            "used_stories_below": stories,
        },
        evidence=evidence(rows.sort_values("below", ascending=False, kind="stable")),
    )
