"""Named features of a story's style, and how much of its premise it takes up."""

import math
import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.premise_coverage import coverage
from storyaudit.text.sentences import kurtosis

STYLE = (
    "log words",
    "log mean sentence length",
    "log SD of sentence length",
    "burstiness",
    "root type-token ratio",
    "share of dialogue",
    "punctuation per word",
    "log mean paragraph length",
    "premise coverage",
)
"""The features' names, in the order of the columns."""

_MARKS = re.compile(r"[.,;:!?…—–()\[\]\"“”„«»、。，；：！？（）《》「」『』【】·-]")
_SPEECH = re.compile(
    r'"[^"\n]*"|“[^“”\n]*”|„[^„“\n]*“|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』'  # in one paragraph
)
_DECIMALS = 6  # a logarithm's last bits differ between machines


def style(text: str, sentences: Sequence[Sequence[str]], premise: frozenset[str]) -> list[float]:
    """Return a story's features of style, in the order of ``STYLE``; NaN where it has none.

    Lengths are in words. Of a story without words nothing is known; of one with too few
    sentences, not how their lengths vary. Burstiness is ``sentences.kurtosis``; the root
    type–token ratio (Guiraud 1954) hangs less on length than the plain one; speech is what stands
    in double quotation marks, as a share of characters; premise coverage is ``coverage``.

    Args:
        text: the story.
        sentences: each sentence's words.
        premise: the premise's distinct words.
    """
    lengths = [len(sentence) for sentence in sentences if sentence]
    count, total = len(lengths), sum(lengths)
    if not total:
        return [math.nan] * len(STYLE)
    distinct = set(chain.from_iterable(sentences))
    squares = sum((count * length - total) ** 2 for length in lengths)
    paragraphs = sum(1 for line in text.splitlines() if line.strip())
    peaked = kurtosis(lengths)
    features = [
        math.log(total),
        math.log(total / count),
        math.log1p(math.sqrt(squares / count) / count) if count > 1 else math.nan,
        math.nan if peaked is None else peaked,
        len(distinct) / math.sqrt(total),
        sum(len(speech) for speech in _SPEECH.findall(text)) / len(text),
        len(_MARKS.findall(text)) / total,
        math.log(total / paragraphs),
        coverage(premise, distinct),
    ]
    return [round(feature, _DECIMALS) for feature in features]


def standardised(
    features: NDArray[np.float64], means: NDArray[np.float64], sds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return features of style in training stories' standard deviations from their mean.

    A feature that a story does not have is 0, as if it were the mean; so is a feature that did
    not vary in training.
    """
    varies = sds > 0
    scaled = (features - means) / np.where(varies, sds, 1.0)
    return np.where(varies & ~np.isnan(scaled), scaled, 0.0)
