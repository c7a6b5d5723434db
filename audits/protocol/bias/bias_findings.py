"""Findings on judges' biases: position, length and self-preference (family) bias."""

from collections.abc import Mapping

import numpy as np

from audits.protocol.bias.biases import BIASES
from audits.protocol.bias.judge_bias import JudgeBias, Setting
from audits.protocol.bias.overall_scores import overall_scores
from audits.protocol.bias.position import balance
from audits.protocol.usable_rows import Tables
from storyaudit.findings import Finding, Unchecked
from storyaudit.stats.bootstrap import bootstrap_counts


def bias_findings(
    tables: Tables,
    *,
    prompt_variant: str,
    families: Mapping[str, str] | None,
    rng: np.random.Generator,
    resamples: int,
    confidence: float,
) -> list[Finding | Unchecked]:
    """Return the findings on biases in the judges' overall scores.

    Args:
        tables: valid rows of candidates and judgements, and stories if there are any.
        prompt_variant: whose judgements count.
        families: models' families by name; by default the letters with which a name begins.
        rng: draws the bootstrap samples of items, and shuffles positions.
        resamples: how many of either.
        confidence: of every interval.
    """
    overall = overall_scores(tables, prompt_variant)
    if overall.rows.empty:
        return [bias.unchecked("there are no overall scores") for bias in BIASES]
    weights = bootstrap_counts(len(overall.items), resamples, rng)
    setting = Setting(
        overall=overall,
        weights=weights,
        shuffled=balance(overall, resamples, rng),
        families=families,
        no_stories="" if "stories" in tables else "there is no table 'stories'",
        confidence=confidence,
        resamples=resamples,
    )
    return [_looked(bias, setting) for bias in BIASES]


def _looked(bias: JudgeBias, setting: Setting) -> Finding | Unchecked:
    found = bias.look(setting)
    return bias.unchecked(found) if isinstance(found, str) else found
