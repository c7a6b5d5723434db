"""What a reward model reads of a premise and a story."""

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
