"""A study's models on contaminated and on uncontaminated items, always of one origin."""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from audits.contamination_effect.effect_phrasing import Threshold
from audits.contamination_effect.model_answers import Answers
from audits.contamination_effect.seen_items import GROUPS, Seen, groups
from storyaudit.findings import slugs
from storyaudit.stats.unpaired_contrast import Contrast, contrast

Items = NDArray[np.bool_]


class Compared(NamedTuple):
    """A model's contrast over all contaminated items of an origin.

    Attributes:
        model: as a number.
        origin: of all the items.
        threshold: from which overlaps count.
        contrast: with the uncontaminated items.
    """

    model: int
    origin: str
    threshold: Threshold
    contrast: Contrast


@dataclass(frozen=True)
class Contrasts:
    """What the contrasts of one study are made of.

    Attributes:
        answers: of the models.
        thresholds: from which overlaps count.
        origins: of the contaminated items.
        uncontaminated: items that overlap at no threshold.
        kinds: by threshold and kind of item, which items these are.
        confidence: of every interval.
    """

    answers: Answers
    thresholds: list[Threshold]
    origins: list[str]
    uncontaminated: Items
    kinds: dict[tuple[str, str], Items]
    confidence: float

    @classmethod
    def made(
        cls, answers: Answers, seen: Seen, thresholds: list[Threshold], confidence: float
    ) -> Self:
        """Sort the items that the models answered."""
        lowest = min(threshold.least for threshold in thresholds)
        uncontaminated = ~answers.among(seen.items(lowest))
        kinds = {
            (threshold.name, kind): answers.among(items)
            for threshold in thresholds
            for kind, items in groups(seen.rows, threshold.least).items()
        }
        origins = sorted(set(answers.origins[~uncontaminated].tolist()))
        return cls(answers, thresholds, origins, uncontaminated, kinds, confidence)

    def item_groups(
        self, origin: str, threshold: Threshold, kind: str = GROUPS[0]
    ) -> tuple[Items, Items]:
        """Return which items of an origin are of a kind, and which are uncontaminated."""
        of_origin = self.answers.origins == origin
        return of_origin & self.kinds[threshold.name, kind], of_origin & self.uncontaminated

    def of(self, model: int, origin: str, threshold: Threshold, kind: str = GROUPS[0]) -> Contrast:
        """Return a model's contrast on a kind of items."""
        outcomes = self.answers.by_model[model]
        first, second = self.item_groups(origin, threshold, kind)
        return contrast(outcomes[first], outcomes[second], self.confidence)

    def models_by_origin(self, models: list[int]) -> list[tuple[int, str, str]]:
        """Return models with every origin, and a slug for each."""
        both = list(product(models, self.origins))
        names = slugs(f"{self.answers.names[model]} {origin}" for model, origin in both)
        return [(*one, name) for one, name in zip(both, names, strict=True)]

    def of_all(self, models: list[int]) -> list[Compared]:
        """Return the contrasts of some models, where there is something to compare."""
        found = [
            Compared(model, origin, threshold, self.of(model, origin, threshold))
            for model, origin, _ in self.models_by_origin(models)
            for threshold in self.thresholds
        ]
        return [one for one in found if one.contrast.exposed.items]
