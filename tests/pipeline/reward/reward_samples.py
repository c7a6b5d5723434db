"""Made-up pairs whose truth is known."""

import math

import numpy as np

from pipeline.reward.linear.fitting import fit
from pipeline.reward.linear.linear_reward import LinearReward
from pipeline.reward.linear.pair_texts import PairFeatures, pair_features
from pipeline.reward.linear.reward_settings import Settings

WORDS = ("sun", "rain", "wind", "snow", "fog", "hail", "dew", "ice")
STRENGTHS = np.linspace(-3, 4, len(WORDS))
PLAIN = Settings(buckets_log2=16, ngrams=1, style=False, maximum_words=None)
STYLED = Settings(buckets_log2=6, ngrams=2, style=True, maximum_words=None)

Texts = tuple[list[str], list[str], list[str]]


def injected(count: int, seed: int = 0, words: int = 12) -> Texts:
    """Premises, chosen and rejected stories: of two random ones, by Bradley and Terry's law.

    A story's strength is the dot product of STRENGTHS with its words' counts, scaled to length 1.
    """
    rng = np.random.default_rng(seed)
    bags = rng.integers(0, len(WORDS), (count, 2, words))
    counts = (bags[..., None] == np.arange(len(WORDS))).sum(axis=2)
    strength = (counts / np.linalg.norm(counts, axis=2, keepdims=True)) @ STRENGTHS
    first = rng.random(count) < 1 / (1 + np.exp(strength[:, 1] - strength[:, 0]))
    texts = [[" ".join(WORDS[w] for w in bag) + "." for bag in pair] for pair in bags]
    chosen = [pair[0 if is_first else 1] for pair, is_first in zip(texts, first, strict=True)]
    rejected = [pair[1 if is_first else 0] for pair, is_first in zip(texts, first, strict=True)]
    return ["a premise"] * count, chosen, rejected


def prose(count: int, seed: int = 0) -> Texts:
    """Premises and stories of several sentences, at random; chosen ones are longer on average."""
    rng = np.random.default_rng(seed)

    def story(longest: int) -> str:
        sentences = (
            " ".join(rng.choice(WORDS, rng.integers(1, longest))) for _ in range(rng.integers(2, 9))
        )
        return "".join(f"{'“Oh,”' if rng.random() < 0.2 else 'So'} {s}. " for s in sentences)

    premises = [" ".join(rng.choice(WORDS, 3)) for _ in range(count)]
    return premises, [story(9) for _ in range(count)], [story(7) for _ in range(count)]


def fitted(texts: Texts, settings: Settings = PLAIN, **changes: float) -> LinearReward:
    pairs = pair_features(*texts, settings)
    return fitted_to(pairs, **changes)


def fitted_to(pairs: PairFeatures, **changes: float) -> LinearReward:
    options = {"epochs": 20, "l2": 1e-3, "seed": 1, **changes}
    seed = options.pop("seed")
    rows = np.arange(pairs.differences.shape[0])
    return fit(pairs, rows, **options, seeds=[seed])[0].model


def exact_interval(right: int, of: int, error: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share."""
    from scipy.stats import binomtest

    found = binomtest(right, of).proportion_ci(1 - error)
    assert not math.isnan(found.low)
    return found.low, found.high
