import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pipeline.simulation.authors import MODELS
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.story import write_story
from storyaudit.vocabulary import DIMENSIONS

STYLES = ("human", *(model.name for model in MODELS))
MIDDLING = Quality(0.5, 0.5, 0.5, 0.5, 0.5)
PARAGRAPH = {"en": r'["A-Z][^\n{}]*[.?"]', "zh": r"[“「一-龥][^\n{} A-Za-z]*[。？！”」]"}


def story(
    seed: int,
    *,
    quality: Quality = MIDDLING,
    words: int = 250,
    style: str = "human",
    language: str = "en",
) -> str:
    rng = np.random.default_rng(seed)
    return write_story(write_premise(rng, language), quality, words=words, style=style, rng=rng)


@pytest.mark.parametrize("style", STYLES)
def test_the_seed_decides(style: str, language: Language) -> None:
    code = language.code
    assert story(1, style=style, language=code) == story(1, style=style, language=code)
    assert story(1, style=style, language=code) != story(2, style=style, language=code)


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
        "from pipeline.simulation.simulated_corpora import CorporaParams, simulate_corpora\n"
        "from pipeline.simulation.fault_params import FaultsParams\n"
        "faults = dict.fromkeys(FaultsParams.model_fields, 1)\n"
        "faults = FaultsParams(**faults | {'edit_share': 0.1, 'order_biased_judge': 0.0})\n"
        "sizes = {'scale': 0.002, 'training_scale': 0.001}\n"
        "params = CorporaParams(**sizes, chinese_share=0.5, median_words=100)\n"
        "streams = map(np.random.default_rng, range(4))\n"
        "names = ('premises_rng', 'stories_rng', 'leaks_rng', 'platform_rng')\n"
        "made = simulate_corpora(params, faults, **dict(zip(names, streams)))\n"
        "print(*(frame.to_csv() for frame in made))\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert b"embedded" in printed[0] and "。".encode() in printed[0]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("words", [60, 120, 250, 420])
def test_stories_have_about_the_requested_length(
    style: str, words: int, language: Language
) -> None:
    rng = np.random.default_rng(words)
    for level in rng.random((20, 5)).tolist():
        premise = write_premise(rng, language.code)
        text = write_story(premise, Quality(*level), words=words, style=style, rng=rng)
        length = len(text.split() if language.code == "en" else re.findall("[一-龥]", text))
        assert abs(length - words) <= 0.2 * words


def test_even_one_word_asked_for_gives_a_sentence(language: Language) -> None:
    assert re.fullmatch(PARAGRAPH[language.code], story(4, words=1, language=language.code))


@pytest.mark.parametrize("style", STYLES)
def test_stories_are_paragraphs_of_sentences(style: str, language: Language) -> None:
    text = story(6, style=style, language=language.code)
    paragraphs = text.split("\n\n")
    assert len(paragraphs) >= 2
    for paragraph in paragraphs:
        assert re.fullmatch(PARAGRAPH[language.code], paragraph), paragraph
        assert "  " not in paragraph


def test_the_seed_of_the_premise_shapes_the_turn(language: Language) -> None:
    # These words are found in stories of reversal only.
    turn = {"en": "opposite:", "zh": "反倒"}[language.code]
    rng = np.random.default_rng(8)
    found = dict.fromkeys(("conflict", "reversal"), 0)
    for _ in range(200):
        premise = write_premise(rng, language.code)
        text = write_story(premise, MIDDLING, words=250, style="human", rng=rng)
        found[premise.seed] += turn in text
    assert found["conflict"] == 0 < found["reversal"]


@pytest.mark.parametrize(
    "premise",
    [
        Premise(
            theme="beekeeping",
            seed="conflict",
            hero="Aunt May",
            rival="Bo",
            place="old hive",
            goal="harvest honey",
            obstacle="long frost",
            object="smoker",
            text="Aunt May wants honey.",
        ),
        Premise(
            theme="养蜂",
            seed="conflict",
            hero="阿梅婶",
            rival="阿波",
            place="旧蜂场",
            goal="割蜜",
            obstacle="长霜",
            object="熏炉",
            text="阿梅婶想割蜜。",
            language="zh",
        ),
    ],
)
def test_premises_from_elsewhere_work_too(premise: Premise) -> None:
    best = Quality(1.0, 1.0, 1.0, 1.0, 1.0)
    rng = np.random.default_rng(9)
    text = write_story(premise, best, words=400, style="human", rng=rng)
    assert premise.hero in text and premise.place in text


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
