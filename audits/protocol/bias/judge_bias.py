"""What the look for one bias of judges is: a name, what is checked, and a finding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from audits.protocol.bias.effects import Effects
from audits.protocol.bias.overall_scores import Overall
from storyaudit.findings import Finding, Unchecked, evidence
from storyaudit.vocabulary import Severity


class Setting(NamedTuple):
    """What a bias is looked for in, and how.

    Attributes:
        overall: the judges' overall scores; there is one at least.
        weights: bootstrap samples of items, samples × items.
        shuffled: see ``position.balance``; None where it cannot be told.
        families: models' families by name; None where the names tell them.
        no_stories: why what hangs on the stories is not checked; '' where there are stories.
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


def effects_finding(
    name: str,
    statement: str,
    caution: str,
    found: Effects,
    setting: Setting,
    severity: Severity,
) -> Finding:
    """Return the finding on a bias in points of the overall score.

    Args:
        name: of the bias.
        statement: how large it is, the beginning of a sentence.
        caution: what that does not show, the rest of it.
        found: the bias.
        setting: in which it was found.
        severity: of the finding.
    """
    told = found.told_judges()
    judges = len(found.judges)
    overall = setting.overall
    return Finding(
        id=f"bias-{name}",
        severity=severity,
        statement=f"{statement}{caution}. Mean of {judges} judges over {len(overall.items)} "
        f"items, least squares within items, bootstrap of items. "
        + (f"Told from zero for {', '.join(told)}" if told else "Told from zero for no judge")
        + (f" (intervals for all {judges} at once)." if judges > 1 else "."),
        numbers={
            **found.mean.numbers("points"),
            "judges": judges,
            "judges_told_from_zero": len(told),
            "items": len(overall.items),
            "unit": "item",
            "authors_held": bool(overall.authors),
            "confidence": setting.confidence,
            "resamples": setting.resamples,
        },
        evidence=evidence(found.rows()),
    )
