"""What the linear model reads of a premise and a story, and how it is fitted."""

from typing import Annotated

from pydantic import Field

from storyaudit.runs.params import Params, Positive


class Settings(Params):
    """Features of the linear model; models with equal settings share them.

    Attributes:
        buckets_log2: n-grams are hashed into 2 to this power buckets.
        ngrams: n-grams of 1 to this many words.
        style: whether named features of style stand beside them.
        maximum_words: what comes after so many words of a story is not read; None reads all.
    """

    buckets_log2: Annotated[int, Field(ge=1, le=22)]
    ngrams: Annotated[int, Field(ge=1, le=10)]
    style: bool
    maximum_words: Positive | None


class LinearParams(Settings):
    """The section ``train.linear``.

    Attributes:
        epochs: passes over the pairs.
        l2: weight of the squared norm in the objective.
    """

    epochs: Annotated[int, Field(ge=1, le=10_000)]
    l2: Annotated[float, Field(ge=1e-8, le=100)]

    def settings(self) -> Settings:
        """Return the features' settings alone."""
        return Settings(**{name: getattr(self, name) for name in Settings.model_fields})
