"""The validity of the gold of StoryAlign's protocol, on stories that raters and judges scored.

The protocol takes judges' first choice as gold where they agree, once an annotator confirms it,
and the human story without asking judges. Here the same stories have scores of several raters, who
were asked neither to confirm nor to compare.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audits.protocol.validity.analyses import Choice, analyses, choose
from audits.protocol.validity.first_choices import Setting
from audits.protocol.validity.human_first import human_first_findings
from audits.protocol.validity.llm_findings import llm_findings
from audits.protocol.validity.panel import Panel, as_panel
from audits.protocol.validity.panel_items import CANDIDATES
from audits.protocol.validity.raters import upper_bound_finding
from audits.protocol.validity.unparsed import unparsed_finding
from audits.protocol.validity.validity_phrasing import BEST
from storyaudit.findings import Finding, Report, Unchecked, counted
from storyaudit.stats.bootstrap import bootstrap_counts

AUDIT = "protocol"


def validity_report(
    human_scores: pd.DataFrame,
    judge_scores: pd.DataFrame,
    *,
    study: str,
    rng: np.random.Generator,
    tau_threshold: float = 0.6,
    confidence: float = 0.95,
    resamples: int = 2000,
    judges: Sequence[str] | None = None,
    prompt_variant: str | None = None,
    scale: tuple[float, float] = (1.0, 5.0),
) -> Report:
    """Return how often the judges' gold is the raters' best.

    Items are all sets of four stories of a premise: of automatic authors (LLM–LLM), and the human
    story with three of them (Human–LLM). A score is the mean of the criteria; the humans' value is
    the mean over raters. Items of one premise share stories: every interval is a percentile
    interval over premises.

    Args:
        human_scores: the human_scores table with its criteria.
        judge_scores: the judge_scores table with the same criteria.
        study: the study's name.
        rng: draws the bootstrap samples of premises.
        tau_threshold: from which on the judges' ranking is taken (0.6 in StoryAlign).
        confidence: of every interval.
        resamples: bootstrap samples.
        judges: the main judges; all if None. The others are added one at a time.
        prompt_variant: the main one; the first by name if None.
        scale: lowest and highest score.

    Raises:
        InputError: scores that are missing, duplicated or off the scale, a premise without all
            authors and judges, fewer than two judges, or an unknown judge or variant.
    """
    panel = as_panel(human_scores, judge_scores, scale)
    choice = choose(panel, judges, prompt_variant)
    weights = bootstrap_counts(len(panel.premises), resamples, rng)
    setting = Setting(tau_threshold, weights, confidence)
    main, *others = analyses(panel, choice)
    parts: list[Finding | Unchecked] = [unparsed_finding(panel, choice, scale)]
    if panel.automatic < CANDIDATES:
        reason = f"there are {panel.automatic} automatic authors, and an item needs four"
        check = f"how often the judges' first choice is {BEST}"
        parts.append(Unchecked(id="confirmed", check=check, reason=reason))
    else:
        parts += llm_findings(panel.automatic, main, others, setting)
        parts.append(upper_bound_finding(panel, main, setting))
    parts += human_first_findings(panel, main, setting)
    return Report.of(parts, study=study, audit=AUDIT, about=_about(panel, choice))


def _about(panel: Panel, choice: Choice) -> str:
    judges = ", ".join(panel.judges[number] for number in choice.judges)
    return (
        f"Judges are {judges} (prompt variant {panel.variants[choice.variant]}); each story has "
        f"{counted(panel.human.shape[2], 'rater')}. A story's overall score, by raters and judges, "
        f"is the mean of {', '.join(panel.criteria)}. The figures apply to these judges, authors "
        f"and raters only. No annotator confirmed a ranking."
    )
