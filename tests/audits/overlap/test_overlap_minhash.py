from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from audits.overlap.kernels.minhash import (
    SCHEME,
    band_keys,
    digests,
    recall,
    signatures,
)
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.shingles import shingle
from storyaudit.text.tokens import Tokens, tokenise

HASHES = st.lists(st.integers(0, 2**64 - 1), max_size=30)


def texts_of(texts: Sequence[Sequence[int]]) -> Tokens:
    starts = np.cumsum([0, *(len(text) for text in texts)])
    return Tokens(np.array([token for text in texts for token in text], dtype=np.uint64), starts)


def by_datasketch(hashes: NDArray[np.uint64], count: int, seed: int) -> NDArray[np.uint32]:
    folded = [int(value) & 0xFFFFFFFF ^ int(value) >> 32 for value in hashes]
    sketch = MinHash(num_perm=count, seed=seed, scheme=SCHEME, hashfunc=int)
    sketch.update_batch(folded)
    assert sketch.hashvalues.dtype == np.uint32
    return sketch.hashvalues


@settings(max_examples=60, deadline=None)
@given(
    st.lists(HASHES, max_size=5),
    st.integers(1, 6),
    st.sampled_from([8, 31, 128]),
    st.sampled_from([1, 7]),
)
def test_signatures_equal_datasketchs(
    texts: list[list[int]], size: int, count: int, seed: int
) -> None:
    tokens = texts_of(texts)
    signed = signatures(tokens, size, count, seed)
    assert signed.shape == (len(texts), count)
    assert signed.dtype == np.uint32
    hashes, starts = shingle(tokens, size)
    for text, (begin, end) in enumerate(pairwise(starts)):
        assert (signed[text] == by_datasketch(hashes[begin:end], count, seed)).all()


@pytest.mark.parametrize("length", [4, 5, 6, 4096, 4100, 4101, 8192 + 4, 10_000])
def test_signatures_of_long_texts_equal_datasketchs(length: int) -> None:
    drawn = np.random.default_rng(3).integers(0, 2**64, length, dtype=np.uint64)
    tokens = Tokens(drawn, np.array([0, length]))
    expected = by_datasketch(shingle(tokens, 5).hashes, 128, 1)
    assert (signatures(tokens, 5, 128)[0] == expected).all()


def test_a_text_s_sketch_depends_on_its_words_alone() -> None:
    story = "The old lamp-keeper’s boat came back in the snow, and nobody saw it come."
    texts = [None, story, "", "字" * 30, story.upper(), "another story altogether, of seven words"]
    tokens = tokenise(texts)
    signed, digested = signatures(tokens, 5, 128), digests(tokens)
    for place, text in enumerate(texts):
        alone = tokenise([text])
        assert (signatures(alone, 5, 128)[0] == signed[place]).all()
        assert (digests(alone)[0] == digested[place]).all()
    assert (signed[1] == signed[4]).all()
    assert (signed[0] == 2**32 - 1).all() and (signed[2] == signed[0]).all()
    # One shingle, however often it comes again.
    assert (signed[3] == signatures(tokenise(["字" * 5]), 5, 128)[0]).all()


@settings(deadline=None)
@given(
    st.integers(0, 6).flatmap(
        lambda texts: st.lists(
            st.lists(st.integers(0, 1), min_size=12, max_size=12), min_size=texts, max_size=texts
        )
    ),
    st.sampled_from([2, 3, 4, 6, 12]),
)
def test_keys_agree_where_all_rows_of_a_band_do(texts: list[list[int]], bands: int) -> None:
    signed = np.array(texts, dtype=np.uint32).reshape(-1, 12)
    keys = band_keys(signed, bands)
    assert keys.shape == (len(texts), bands)
    rows = 12 // bands
    for band in range(bands):
        parts = [tuple(text[band * rows : (band + 1) * rows]) for text in texts]
        agree = keys[:, band][:, None] == keys[:, band]
        assert agree.tolist() == [[one == other for other in parts] for one in parts]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), max_size=5), max_size=12))
def test_digests_agree_where_all_tokens_do(texts: list[list[int]]) -> None:
    digested = [tuple(row) for row in digests(texts_of(texts)).tolist()]
    assert [[one == other for other in digested] for one in digested] == [
        [one == other for other in texts] for one in texts
    ]


def test_both_halves_of_a_digest_tell_a_hundred_thousand_texts_apart() -> None:
    rng = np.random.default_rng(5)
    texts = np.unique(rng.integers(0, 3, (100_000, 14)).astype(np.uint64), axis=0)
    starts = np.arange(len(texts) + 1) * 14
    digested = digests(Tokens(texts.ravel(), starts))
    assert all(len(np.unique(half)) == len(texts) for half in digested.T)


@pytest.mark.parametrize("similarity", [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize(("permutations", "bands"), [(128, 32), (128, 16), (64, 64)])
def test_recall_is_the_chance_that_a_band_agrees(
    similarity: Fraction, permutations: int, bands: int
) -> None:
    # By inclusion and exclusion over the bands, in exact fractions.
    agrees = similarity ** (permutations // bands)
    some = sum((-1) ** (k + 1) * comb(bands, k) * agrees**k for k in range(1, bands + 1))
    params = OverlapParams(permutations=permutations, bands=bands)
    assert recall(float(similarity), params) == pytest.approx(float(some), abs=1e-12)


def proposed(shared: int, alone: int, params: OverlapParams, pairs: int) -> float:
    """The proportion of pairs that some band proposes, which share so many shingles.

    Each of the two has ``alone`` more: a Jaccard similarity of shared / (shared + 2 * alone).
    """
    width = shared + 2 * alone
    drawn = np.random.default_rng(1).integers(0, 2**64, (pairs, width), dtype=np.uint64)
    sides = drawn[:, : shared + alone], np.delete(drawn, np.s_[shared : shared + alone], axis=1)
    starts = np.arange(pairs + 1) * (shared + alone)
    left, right = (
        # A text's tokens as its shingles of one.
        band_keys(
            signatures(Tokens(np.ascontiguousarray(side).ravel(), starts), 1, params.permutations),
            params.bands,
        )
        for side in sides
    )
    return float((left == right).any(axis=1).mean())


@pytest.mark.parametrize(
    ("shared", "alone"), [(100, 50), (60, 70), (1, 0), (400, 25), (0, 20), (3, 5)]
)
@pytest.mark.parametrize("bands", [32, 64])
def test_injected_pairs_are_proposed_as_often_as_computed(
    shared: int, alone: int, bands: int
) -> None:
    params = OverlapParams(bands=bands)
    pairs = 1000
    expected = recall(shared / (shared + 2 * alone), params)
    found = proposed(shared, alone, params, pairs)
    # Four deviations of a binomial proportion; a tenth of a pair for shares next to 0 and 1.
    bound = 4 * sqrt(expected * (1 - expected) / pairs) + 0.1 / pairs
    assert abs(found - expected) <= bound
