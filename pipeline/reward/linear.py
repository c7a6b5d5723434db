"""A linear Bradley–Terry reward over hashed word n-grams of premise and story."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from storyaudit.errors import InputError
from storyaudit.files import json_text, read_text
from storyaudit.findings import first_fault
from storyaudit.text import words

FORMAT = "storyaudit linear reward 1"
_DECIMALS = 8  # weights are stored, and used, as rounded: the last bits differ between processors


class _Saved(BaseModel):
    """The model's file."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    format: Literal["storyaudit linear reward 1"]
    buckets_log2: Annotated[int, Field(gt=0, le=26)]
    ngrams: Annotated[int, Field(gt=0, le=10)]
    weights: dict[Annotated[int, Field(ge=0)], float]

    @model_validator(mode="after")
    def _inside(self) -> Self:
        if max(self.weights, default=0) >= 2**self.buckets_log2:
            raise ValueError("a weight's index lies outside the buckets")
        return self


@dataclass(frozen=True)
class LinearReward:
    """Weights of hashed n-gram buckets; a story's reward is their dot product with its features.

    Attributes:
        buckets_log2: the number of buckets is 2 to this power.
        ngrams: n-grams of 1 to this many words.
        weights: one a bucket, float64.
    """

    buckets_log2: int
    ngrams: int
    weights: NDArray[np.float64]

    def score(self, features: Any) -> NDArray[np.float64]:
        """Return the rewards of a feature matrix from ``features``, one a row."""
        return np.asarray(np.round(features @ self.weights, _DECIMALS))

    def to_json(self) -> str:
        """Return the model as JSON."""
        return json_text(
            {
                "format": FORMAT,
                "buckets_log2": self.buckets_log2,
                "ngrams": self.ngrams,
                "weights": {
                    str(index): float(self.weights[index])
                    for index in np.flatnonzero(self.weights).tolist()
                },
            }
        )


def terms(premise: str, story: str, ngrams: int) -> list[str]:
    """Return a story's n-grams, and once more each of its words that the premise has as well."""
    story_words = words(story)
    named = set(words(premise))
    grams = [
        " ".join(story_words[start : start + n])
        for n in range(1, ngrams + 1)
        for start in range(len(story_words) - n + 1)
    ]
    return grams + [f"premise:{word}" for word in story_words if word in named]


def features(
    premises: Sequence[str], stories: Sequence[str], *, buckets_log2: int, ngrams: int
) -> Any:
    """Return a sparse matrix, one row a story: hashed term counts, scaled to unit length."""
    from sklearn.feature_extraction.text import HashingVectorizer

    vectorizer = HashingVectorizer(
        analyzer=lambda pair: terms(pair[0], pair[1], ngrams), n_features=2**buckets_log2
    )
    return vectorizer.transform(zip(premises, stories, strict=True))


def fit(
    chosen: Any,
    rejected: Any,
    *,
    buckets_log2: int,
    ngrams: int,
    epochs: int,
    l2: float,
    seed: int,
) -> LinearReward:
    """Fit P(chosen over rejected) = 1 / (1 + exp(reward(rejected) − reward(chosen))).

    Bradley and Terry (1952), with linear rewards: logistic regression without intercept on the
    differences of features, by averaged stochastic gradient descent, which does not move between
    one thread and two.

    Args:
        chosen: features of the chosen stories, one row a pair.
        rejected: features of the rejected stories, in the same order.
        buckets_log2: as the features were made.
        ngrams: as the features were made.
        epochs: passes over the pairs.
        l2: weight of the squared norm in the objective.
        seed: of the order of the pairs.
    """
    from sklearn.linear_model import SGDClassifier

    difference = chosen - rejected
    # The solver wants two classes: turning every other pair round leaves the likelihood as it is.
    signs = np.where(np.arange(difference.shape[0]) % 2 == 0, 1.0, -1.0)
    solver = SGDClassifier(
        loss="log_loss",
        alpha=l2,
        fit_intercept=False,
        max_iter=epochs,
        tol=None,
        average=True,
        random_state=seed,
    )
    solver.fit(difference.multiply(signs[:, None]).tocsr(), signs)
    return LinearReward(buckets_log2, ngrams, np.round(solver.coef_[0], _DECIMALS))


def load(path: Path) -> LinearReward:
    """Read a model written by ``LinearReward.to_json``.

    Raises:
        InputError: not such a file.
    """
    try:
        saved = _Saved.model_validate_json(read_text(path))
    except ValidationError as error:
        raise InputError(
            f"expected a model saved as '{FORMAT}' ({first_fault(error)}).",
            "Train and save it again.",
            file=path,
        ) from None
    weights = np.zeros(2**saved.buckets_log2)
    weights[list(saved.weights)] = list(saved.weights.values())
    return LinearReward(saved.buckets_log2, saved.ngrams, weights)
