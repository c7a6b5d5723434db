from collections import Counter

import numpy as np
import pytest
from reward_samples import PLAIN, STRENGTHS, STYLED, WORDS, injected, prose

from pipeline.reward.linear.attributions import bucket_names, with_attributions
from pipeline.reward.linear.features import features
from pipeline.reward.linear.fitting import fit
from pipeline.reward.linear.ngrams import Hashes, terms
from pipeline.reward.linear.pair_texts import pair_features
from pipeline.reward.linear.reward_settings import Settings

TINY = Settings(buckets_log2=2, ngrams=2, style=False, maximum_words=None)


def test_a_bucket_bears_the_name_of_its_most_frequent_ngram() -> None:
    premises = ["b"] * 2
    stories = ["a b a c", "b, a! d"]
    counts: Counter[tuple[int, str, int]] = Counter()
    for premise, story in zip(premises, (["a", "b", "a", "c"], ["b", "a", "d"]), strict=True):
        for of in terms([story], [frozenset([premise])], 2, Hashes()):
            for number, place in enumerate(of.place.tolist()):
                text = f"“{' '.join(story[place : place + of.length])}”"
                text += " of the premise" * of.of_premise
                sign = 1 - 2 * int(of.negative()[number])
                counts[int(of.bucket(2)[number]), text, sign] += 1
    expected = {}
    for bucket in range(4):
        of_bucket = [(-n, text, sign) for (b, text, sign), n in counts.items() if b == bucket]
        if of_bucket:
            expected[bucket] = min(of_bucket)[1:]
    assert len(expected) > 2
    assert bucket_names(range(4), premises, stories, TINY) == expected
    assert bucket_names([1], premises, stories, TINY).keys() == {1}
    assert bucket_names([], premises, stories, TINY) == {}


def test_words_behind_the_bound_name_nothing() -> None:
    cut = TINY.model_copy(update={"maximum_words": 1, "buckets_log2": 20})
    one = bucket_names(range(2**20), ["p"], ["a b c"], cut)
    assert [name for name, _ in one.values()] == ["“a”"]


def test_injected_words_drive_rewards_with_their_signs() -> None:
    texts = injected(2000)
    pairs = pair_features(*texts, PLAIN)
    found = fit(pairs, np.arange(2000), epochs=20, l2=1e-3, seeds=[1])[0]
    names = bucket_names(found.buckets, texts[0] * 2, texts[1] + texts[2], PLAIN)
    model = with_attributions(found, names)
    attributions = {name.strip("“”"): effect for name, effect in model.attributions(len(WORDS))}
    assert set(attributions) == set(WORDS)
    assert attributions["ice"] > 0 > attributions["sun"]
    order = sorted(WORDS, key=lambda word: attributions[word])
    assert np.corrcoef([WORDS.index(word) for word in order], range(len(WORDS)))[0, 1] > 0.9
    assert STRENGTHS[0] < 0 < STRENGTHS[-1]
    sizes = [abs(effect) for _, effect in model.attributions(100)]
    assert sizes == sorted(sizes, reverse=True)
    assert model.attributions(2) == model.attributions(100)[:2]


def test_an_effect_is_what_a_feature_adds_to_a_pairs_difference() -> None:
    premises, chosen, rejected = prose(50)
    pairs = pair_features(premises, chosen, rejected, STYLED)
    found = fit(pairs, np.arange(50), epochs=5, l2=1e-3, seeds=[1])[0]
    left = features(premises, chosen, STYLED, Hashes())
    right = features(premises, rejected, STYLED, Hashes())
    of = found.model.style
    z = [np.nan_to_num((side.style - of.means) / of.sds) for side in (left, right)]
    parts = (z[0] - z[1]) * of.weights
    expected = np.sqrt((parts**2).mean(axis=0)) * np.sign(of.weights)
    assert list(found.style.values()) == pytest.approx(expected.tolist(), abs=1e-4)
    grams = (left.ngrams - right.ngrams).toarray() * found.model.ngrams
    sizes = np.sqrt((grams**2).mean(axis=0)) * np.sign(found.model.ngrams)
    for bucket, effect in found.buckets.items():
        assert effect == pytest.approx(sizes[bucket], abs=1e-4)
    assert max(map(abs, found.buckets.values())) == pytest.approx(np.abs(sizes).max(), abs=1e-4)


def test_buckets_without_a_name_are_left_out() -> None:
    pairs = pair_features(*prose(20), STYLED)
    found = fit(pairs, np.arange(20), epochs=2, l2=1e-3, seeds=[1])[0]
    assert {name for name, _ in with_attributions(found, {}).attributions(100)} == set(found.style)
