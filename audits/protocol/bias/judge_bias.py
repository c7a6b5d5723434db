"""What the look for one bias of judges is: a name, what is checked, and a finding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from audits.protocol.bias.effects import Effects
from audits.protocol.bias.overall_scores import Overall
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import estimated, level, signed_decimal, significance
from storyaudit.vocabulary import Severity


class Setting(NamedTuple):
    """What a bias is looked for in, and how.

    Attributes:
        overall: the judges' overall scores; there is one at least.
        weights: bootstrap samples of items, samples × items.
        shuffled: see ``position.balance``; None where there is nothing to test.
        families: models' families by name; None where they follow from the names.
        no_stories: why a check that needs the stories cannot run; '' where there are stories.
        confidence: of every interval.
        resamples: bootstrap samples.
    """

    overall: Overall
    weights: np.ndarray
    shuffled: tuple[float, int] | None
    families: Mapping[str, str] | None
    no_stories: str
    confidence: float
    resamples: int


@dataclass(frozen=True)
class JudgeBias:
    """A bias of judges; ``biases`` lists them.

    Attributes:
        name: the finding's ID is 'bias-' and this name.
        check: what is checked, where it is not.
        look: returns the finding, or why there is none.
    """

    name: str
    check: str
    look: Callable[[Setting], Finding | str]

    def unchecked(self, reason: str) -> Unchecked:
        """Return the record that it was not checked."""
        return Unchecked(id=f"bias-{self.name}", check=self.check, reason=reason)


NAMED = 3
"""A sentence names no more judges than this; the evidence has a row for each."""


def effects_finding(
    name: str,
    effect: str,
    caution: str,
    found: Effects,
    setting: Setting,
    severity: Severity,
) -> Finding:
    """Return the finding on a bias in points of the overall score.

    Args:
        name: of the bias.
        effect: what its size measures, as a subject: 'Length bias (… )'.
        caution: sentences on what the size does not show.
        found: the bias.
        setting: in which it was found.
        severity: of the finding.
    """
    significant = found.significant_judges()
    judges = len(found.judges)
    overall = setting.overall
    size = estimated(
        found.mean, setting.confidence, signed_decimal, no_ci=found.no_ci, unit="score points"
    )
    conclusion = "" if found.no_ci else f": {significance(found.mean, setting.confidence)}"
    return Finding(
        id=f"bias-{name}",
        severity=severity,
        statement=f"{effect}: {size}, mean of {counted(judges, 'judge')}{conclusion}. {caution} "
        f"Least squares within items, bootstrap over {counted(len(overall.items), 'item')}. "
        f"{_by_judge(found, setting.confidence)}",
        numbers={
            **found.mean.numbers("points"),
            "judges": judges,
            "judges_significant": len(significant),
            "items": len(overall.items),
            "unit": "item",
            "authors_held": bool(overall.authors),
            "confidence": setting.confidence,
            "resamples": setting.resamples,
        },
        evidence=evidence(found.rows()),
    )


def _by_judge(found: Effects, confidence: float) -> str:
    """Return how many judges' own intervals exclude zero, as a sentence."""
    judges, significant = len(found.judges), found.significant_judges()
    with_ci = sum(estimate.low is not None for estimate in found.each)
    if not with_ci:
        return "No judge's own effect has a CI."
    names = f" ({', '.join(significant)})" if 0 < len(significant) <= NAMED else ""
    which = f"familywise {level(confidence)} CI (Bonferroni)"
    without = f"; {judges - with_ci} have no CI" if with_ci < judges else ""
    return (
        f"Single judges: the {which if judges > 1 else f'{level(confidence)} CI'} excludes 0 for "
        f"{len(significant)} of {judges}{names}{without}."
    )
