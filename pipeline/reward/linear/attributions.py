"""What moves rewards most, in words."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from pipeline.reward.linear.features import CHUNK, read
from pipeline.reward.linear.fitting import Fitted
from pipeline.reward.linear.linear_reward import LinearReward
from pipeline.reward.linear.ngrams import Hashes, terms
from pipeline.reward.linear.reward_settings import Settings
from storyaudit.text.words import words

_MOST = 30
_STORIES = 2000

Name = tuple[str, int]
"""An n-gram in quotation marks, and the sign with which it counts in its bucket."""


def bucket_names(
    buckets: Collection[int], premises: Sequence[str], stories: Sequence[str], settings: Settings
) -> dict[int, Name]:
    """Return the most frequent n-gram of each bucket; of two as frequent, the alphabet's first.

    Of more than 2,000 stories, so many are read, evenly spaced; buckets whose n-grams are in none
    of them have no name.

    Args:
        buckets: the ones to name.
        premises: one a story.
        stories: their texts.
        settings: as the buckets were made.
    """
    wanted = np.zeros(2**settings.buckets_log2, dtype="bool")
    wanted[list(buckets)] = True
    counts: Counter[tuple[int, str, int]] = Counter()
    hashes = Hashes()
    chosen = np.unique(np.linspace(0, len(stories) - 1, _STORIES).round().astype("int64")).tolist()
    for start in range(0, len(chosen), CHUNK):
        some = chosen[start : start + CHUNK]
        found = [read(stories[number], settings.maximum_words).words() for number in some]
        named = [frozenset(words(premises[number])) for number in some]
        everything = [word for story in found for word in story]
        for of in terms(found, named, settings.ngrams, hashes):
            bucket = of.bucket(settings.buckets_log2)
            inside = wanted[bucket]
            label = "“{}” of the premise" if of.of_premise else "“{}”"
            counts.update(
                (number, label.format(" ".join(everything[place : place + of.length])), sign)
                for number, place, sign in zip(
                    bucket[inside].tolist(),
                    of.place[inside].tolist(),
                    (1 - 2 * of.negative()[inside]).tolist(),
                    strict=True,
                )
            )
    names: dict[int, Name] = {}
    for (bucket_number, text, sign), _ in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        names.setdefault(bucket_number, (text, sign))
    return names


def with_attributions(fitted: Fitted, names: dict[int, Name]) -> LinearReward:
    """Return the model with its strongest named features."""
    effects = dict(fitted.style)
    for bucket, effect in fitted.buckets.items():
        if bucket in names:
            text, sign = names[bucket]
            effects[text] = effect * sign
    rounded = [(name, round(effect, 6)) for name, effect in effects.items()]
    ranked = sorted(rounded, key=lambda attribution: (-abs(attribution[1]), attribution[0]))
    return replace(fitted.model, strongest=tuple(ranked[:_MOST]))
