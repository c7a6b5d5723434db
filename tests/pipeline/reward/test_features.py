import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_samples import PLAIN, STYLED, prose

from pipeline.reward.linear.features import features, read
from pipeline.reward.linear.ngrams import Hashes
from pipeline.reward.linear.pair_texts import pair_features
from pipeline.reward.linear.reward_settings import Settings
from storyaudit.text.words import words

TEXT = "One two three. Four five! “Six seven.”"
CUT = {
    0: "",
    1: "One ",
    2: "One two ",
    3: "One two three. ",
    4: "One two three. Four ",
    6: "One two three. Four five! “Six ",
}


@pytest.mark.parametrize("most", CUT)
def test_the_end_is_cut_off(most: int) -> None:
    story = read(TEXT, most)
    assert story.truncated
    assert story.text.rstrip("“ ") == CUT[most].rstrip("“ ")
    assert story.words() == words(TEXT)[:most]


@pytest.mark.parametrize("most", [7, 8, None])
def test_a_story_within_the_bound_is_read_whole(most: int | None) -> None:
    story = read(TEXT, most)
    assert (story.text, story.truncated) == (TEXT, False)
    assert [len(sentence) for sentence in story.sentences] == [3, 2, 2]


@given(st.text(alphabet="abc'’. \n三é!”1"), st.integers(0, 12))
def test_as_many_words_are_left_as_asked(text: str, most: int) -> None:
    story = read(text, most)
    assert story.words() == words(text)[:most]
    assert text.startswith(story.text)
    assert story.truncated == (len(words(text)) > most)


def test_words_beyond_the_bound_change_nothing() -> None:
    settings = STYLED.model_copy(update={"maximum_words": 5})
    found = features(
        ["one"] * 2, ["a b. c d e. f", "a b. c d e. zoo “zoo” zoo!"], settings, Hashes()
    )
    np.testing.assert_array_equal(*found.ngrams.toarray())
    assert found.truncated.tolist() == [True, True]
    assert found.style[0, 0] == pytest.approx(np.log(5), abs=1e-6)


def test_style_is_left_out_on_demand() -> None:
    assert features(["p"], ["a story"], PLAIN, Hashes()).style.shape == (1, 0)
    assert features(["p"], ["a story"], STYLED, Hashes()).style.shape == (1, 9)


@pytest.mark.parametrize("settings", [PLAIN.model_copy(update={"buckets_log2": 8}), STYLED])
def test_pairs_hold_the_differences_of_their_stories(settings: Settings) -> None:
    premises, chosen, rejected = prose(700)  # more than a chunk
    rejected[3] = chosen[2]
    pairs = pair_features(premises, chosen, rejected, settings)
    buckets = 2**settings.buckets_log2
    left = features(premises, chosen, settings, Hashes())
    right = features(premises, rejected, settings, Hashes())
    np.testing.assert_allclose(
        pairs.differences[:, :buckets].toarray() * pairs.signs[:, None],
        (left.ngrams - right.ngrams).toarray(),
        atol=1e-12,
    )
    assert pairs.signs.tolist() == [1, -1] * 350
    np.testing.assert_array_equal(pairs.chosen, left.style)
    np.testing.assert_array_equal(pairs.rejected, right.style)
    assert pairs.truncated.shape == (2, 700)
    if settings.style:
        assert (np.diff(pairs.differences.indptr) >= 9).all()
        last = pairs.differences.indices[pairs.differences.indptr[1:] - 1]
        assert (last == buckets + 8).all()


def test_a_story_against_itself_differs_in_nothing() -> None:
    pairs = pair_features(["p", "q"], ["a b", ""], ["a b", ""], PLAIN)
    assert pairs.differences.nnz == 0
