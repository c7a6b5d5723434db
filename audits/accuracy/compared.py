"""Models compared on the items that all of them answered, with paired bootstrap samples."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from storyaudit.results.outcomes import Outcomes
from storyaudit.stats.bootstrap import percentile_ci
from storyaudit.stats.estimate import Array, Estimate
from storyaudit.stats.macro_accuracy import bootstrap_macro, macro, no_ci_reason


@dataclass(frozen=True)
class Compared:
    """Macro accuracies.

    Attributes:
        outcomes: of the models.
        macros: one a model.
        samples: the same of bootstrap samples of items, one row a sample.
        confidence: of every interval.
    """

    outcomes: Outcomes
    macros: Array
    samples: Array
    confidence: float

    @classmethod
    def draw(
        cls, outcomes: Outcomes, resamples: int, confidence: float, rng: np.random.Generator
    ) -> Self:
        """Draw the samples; one draw serves all models, so that differences are paired."""
        samples = bootstrap_macro(outcomes.correct, outcomes.strata, resamples=resamples, rng=rng)
        return cls(outcomes, macro(outcomes.correct, outcomes.strata), samples, confidence)

    @property
    def best(self) -> int:
        """Return the model with the highest macro accuracy; of equals the first by name."""
        return self.ranked[0]

    @property
    def ranked(self) -> list[int]:
        """Return the models, the highest macro accuracy first, and equals by name."""
        # Rounded, so that equal accuracies are equal whatever the last bits.
        return [int(model) for model in np.argsort(-self.macros.round(9), kind="stable")]

    def accuracy(self, model: int) -> tuple[Estimate, str]:
        """Return a model's macro accuracy, and 'no CI: …' if it has none; '' if it has one."""
        return self._estimate(
            float(self.macros[model]), self.samples[:, model], self.outcomes.correct[:, model]
        )

    def difference(self, higher: int, lower: int) -> tuple[Estimate, str]:
        """Return how much more accurate one model is, and 'no CI: …' if it has none."""
        correct = self.outcomes.correct
        return self._estimate(
            float(self.macros[higher] - self.macros[lower]),
            self.samples[:, higher] - self.samples[:, lower],
            correct[:, higher] - correct[:, lower],
        )

    def _estimate(self, value: float, samples: Array, by_item: Array) -> tuple[Estimate, str]:
        reason = no_ci_reason(by_item, self.outcomes.strata, self.outcomes.dimensions)
        if reason:
            return Estimate(value), f"no CI: {reason}"
        return Estimate(value, *percentile_ci(samples, self.confidence)), ""
