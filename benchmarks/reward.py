"""Time the linear reward model at StoryAlign's size, beside scikit-learn's HashingVectorizer.

Run it from the repository's root in the activated environment:

    python -m benchmarks.reward [PAIRS]

Texts are made up: words by Zipf's law in sentences, 600 a story, one story in ten with typographic
marks. The texts themselves take memory as well, which is printed before the rest.
"""

import resource
import sys
import time

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from pipeline.reward.linear.fitting import fit
from pipeline.reward.linear.linear_reward import LinearReward
from pipeline.reward.linear.pair_texts import pair_features
from pipeline.reward.linear.reward_settings import Settings

PAIRS = 93_729
WORDS = 600
VOCABULARY = 50_000
SCORED = 5_000
FITTED = "features and fit on 93,729 pairs of 2 × 600 words"
SETTINGS = Settings(buckets_log2=14, ngrams=2, style=True, maximum_words=None)


def stories(count: int, words: int, rng: np.random.Generator) -> list[str]:
    """Return texts of so many words, in sentences and paragraphs."""
    letters = np.array(list("etaoinshrdlu"))
    vocabulary = ["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(VOCABULARY)]
    share = 1 / np.arange(1, VOCABULARY + 1)
    drawn = np.searchsorted(np.cumsum(share / share.sum()), rng.random((count, words)))
    texts = []
    for number, row in enumerate(drawn):
        found = [vocabulary[min(rank, VOCABULARY - 1)] for rank in row.tolist()]
        marks = [".", ".", ".", "!", ".”" if number % 10 == 0 else '."', ".\n"]
        start = 0
        while start < words:
            end = min(start + int(rng.integers(4, 25)), words)
            found[start] = found[start].capitalize()
            found[end - 1] += marks[rng.integers(len(marks))]
            start = end
        texts.append(" ".join(found))
    return texts


def megabytes() -> float:
    """Return the largest memory that this process has taken so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000  # kB on Linux


def figures(count: int = PAIRS) -> dict[str, float]:
    """Print times and memory of so many pairs, and return what has a budget."""
    rng = np.random.default_rng(1)
    premises = stories(count, 20, rng)
    chosen, rejected = stories(count, WORDS, rng), stories(count, WORDS, rng)
    print(f"{count} pairs, texts alone {megabytes():.0f} MB")

    start = time.perf_counter()
    pairs = pair_features(premises, chosen, rejected, SETTINGS)
    made = time.perf_counter() - start
    model: LinearReward = fit(pairs, np.arange(count), epochs=10, l2=1e-4, seeds=[1])[0].model
    both = time.perf_counter() - start
    peak = megabytes()
    print(f"features {made:.0f} s, with the fit {both:.0f} s, at most {peak:.0f} MB")
    print(f"features of {2 * count / made:.0f} stories a second")

    start = time.process_time()  # of one process, whatever else the machine does
    model.score(premises[:SCORED], chosen[:SCORED])
    scored = min(SCORED, count) / (time.process_time() - start)
    vectorizer = HashingVectorizer(n_features=2**14, ngram_range=(1, 2))
    start = time.process_time()
    vectorizer.transform(chosen[:SCORED])
    other = min(SCORED, count) / (time.process_time() - start)
    print(f"scores {scored:.0f} stories a CPU second; HashingVectorizer alone {other:.0f}")
    print(f"ratio {scored / other:.1f}")
    return {
        FITTED: both,
        f"{FITTED}, memory": peak,
        "scoring stories of 600 words": scored,
    }


if __name__ == "__main__":
    figures(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
