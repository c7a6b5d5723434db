import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pipeline.world.authors import MODELS
from pipeline.world.premise import Premise, write_premise
from pipeline.world.story import DIMENSIONS, Quality, write_story

STYLES = ("human", *(model.name for model in MODELS))
MIDDLING = Quality(0.5, 0.5, 0.5, 0.5, 0.5)


def story(seed: int, *, quality: Quality = MIDDLING, words: int = 250, style: str = "human") -> str:
    rng = np.random.default_rng(seed)
    return write_story(write_premise(rng), quality, words=words, style=style, rng=rng)


@pytest.mark.parametrize("style", STYLES)
def test_the_seed_decides(style: str) -> None:
    assert story(1, style=style) == story(1, style=style)
    assert story(1, style=style) != story(2, style=style)


def test_two_stories_from_one_generator_differ() -> None:
    rng = np.random.default_rng(3)
    premise = write_premise(rng)
    first, second = (
        write_story(premise, MIDDLING, words=200, style="human", rng=rng) for _ in range(2)
    )
    assert first != second


def test_hash_seeds_do_not_matter() -> None:
    script = (
        "import numpy as np\n"
        "from pipeline.world.edits import lightly_edit\n"
        "from pipeline.world.premise import write_premise\n"
        "from pipeline.world.story import Quality, write_story\n"
        "rng = np.random.default_rng(1)\n"
        "text = write_story(write_premise(rng), Quality(.5, .5, .5, .5, .5), words=200,"
        " style='human', rng=rng)\n"
        "print(text, lightly_edit(text, rng))\n"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    ]
    assert texts[0] == texts[1] != b""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("words", [60, 120, 250, 420])
def test_stories_have_about_the_requested_length(style: str, words: int) -> None:
    rng = np.random.default_rng(words)
    for level in rng.random((20, 5)).tolist():
        text = write_story(write_premise(rng), Quality(*level), words=words, style=style, rng=rng)
        assert abs(len(text.split()) - words) <= 0.2 * words


def test_even_one_word_asked_for_gives_a_sentence() -> None:
    assert re.fullmatch(r'"?[A-Z].*[.?"]', story(4, words=1))


@pytest.mark.parametrize("style", STYLES)
def test_stories_are_paragraphs_of_sentences(style: str) -> None:
    text = story(6, style=style)
    paragraphs = text.split("\n\n")
    assert len(paragraphs) >= 2
    for paragraph in paragraphs:
        assert re.fullmatch(r'["A-Z][^\n{}]*[.?"]', paragraph), paragraph
        assert "  " not in paragraph


def test_the_seed_of_the_premise_shapes_the_turn() -> None:
    # 'the opposite' is found in stories of reversal only.
    rng = np.random.default_rng(8)
    found = dict.fromkeys(("conflict", "reversal"), 0)
    for _ in range(200):
        premise = write_premise(rng)
        text = write_story(premise, MIDDLING, words=250, style="human", rng=rng)
        found[premise.seed] += "opposite:" in text
    assert found["conflict"] == 0 < found["reversal"]


def test_premises_from_elsewhere_work_too() -> None:
    premise = Premise(
        theme="beekeeping",
        seed="conflict",
        hero="Aunt May",
        rival="Bo",
        place="old hive",
        goal="harvest honey",
        obstacle="long frost",
        object="smoker",
        text="Aunt May wants honey.",
    )
    best = Quality(1.0, 1.0, 1.0, 1.0, 1.0)
    rng = np.random.default_rng(9)
    text = write_story(premise, best, words=300, style="human", rng=rng)
    assert "Aunt May" in text and "old hive" in text


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one word"):
        story(1, words=0)
    with pytest.raises(ValueError, match="no author 'ghost'"):
        story(1, style="ghost")


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_qualities_lie_between_0_and_1(dimension: str, value: float) -> None:
    with pytest.raises(ValueError, match=dimension):
        Quality(**{**dict.fromkeys(DIMENSIONS, 0.5), dimension: value})
