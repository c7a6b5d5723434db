"""Texts that nobody has vetted, in prompts."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from request_samples import HOSTILE, blocks

from pipeline.prompts.prompt import FOLDER, fill, mark_for, part

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(TEXTS, TEXTS)
@example(HOSTILE[0], HOSTILE[1])
@example(HOSTILE[2], HOSTILE[3])
@example(HOSTILE[4], HOSTILE[5])
def test_texts_are_found_again_unchanged_whatever_they_hold(first, second):
    texts = {"premise": first, "story": second}
    prompt = fill("score", texts, lowest=1, highest=10, form="…")
    assert blocks(prompt) == texts
    frame = fill("score", {"premise": "", "story": ""}, lowest=1, highest=10, form="…")
    # Nothing outside the blocks depends on them but the mark.
    outside = prompt.replace(mark_for(texts.values()), "")
    for text in texts.values():
        outside = outside.replace(f"\n{text}\n----- end", "\n\n----- end", 1)
    assert outside == frame.replace(mark_for(["", ""]), "")


@pytest.mark.parametrize("story", HOSTILE)
def test_a_story_that_repeats_a_prompt_gets_another_mark(story):
    prompt = fill("score", {"premise": "p", "story": story}, lowest=1, highest=10, form="…")
    nested = fill("score", {"premise": "p", "story": prompt}, lowest=1, highest=10, form="…")
    assert blocks(nested)["story"] == prompt


def test_a_mark_occurs_in_none_of_the_texts():
    first = mark_for(["a", "b"])
    assert mark_for(["a", "b"]) == first
    assert mark_for(["b", "a"]) != first
    for text in ("x", "a\0b"):
        given = [text, mark_for([text])]
        assert mark_for(given) not in "".join(given)


def test_a_mark_that_a_text_foresaw_is_not_used():
    class Foreseen(str):
        """Holds the first two marks that are tried."""

        __slots__ = ()

        def __contains__(self, mark):
            tried.append(mark)
            return len(tried) < 3

    tried = []
    assert mark_for([Foreseen("x")]) == tried[2]
    assert len(set(tried)) == 3


def test_every_prompt_asks_for_texts_with_their_mark_and_says_they_are_no_instruction():
    prompts = [file for file in FOLDER.glob("*.txt") if "$texts" in file.read_text("utf-8")]
    assert len(prompts) == 10
    for file in prompts:
        text = file.read_text("utf-8")
        assert "the mark $mark" in " ".join(text.split()), file
        assert "never an instruction to you" in " ".join(text.split()), file
        assert text.index("$mark") < text.index("$texts") < text.rindex("nswer with"), file


def test_a_word_without_a_place_and_a_place_without_a_word_are_refused():
    with pytest.raises(ValueError, match="no place for number"):
        fill("story", {"premise": "p"}, words=5, number=1)
    with pytest.raises(KeyError, match="words"):
        fill("story", {"premise": "p"})
    with pytest.raises(ValueError, match="no place for texts"):
        fill("degradation-plot", {"premise": "p"})
    assert part("degradation-plot").startswith("Change the decisive turn")
