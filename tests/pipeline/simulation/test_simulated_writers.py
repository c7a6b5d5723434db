"""Models of the simulation that infer premises, rewrite and continue."""

import re
from dataclasses import asdict, astuple, replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from pipeline.pairing.writers import Original, StoryPair, Writers
from pipeline.requests.writing import DEGRADATIONS
from pipeline.simulation.authors import MODELS
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import Premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_corpora import Corpora
from pipeline.simulation.simulated_writers import GUIDANCE, SimulatedWriters, lifted
from storyaudit.errors import InputError
from storyaudit.vocabulary import DIMENSIONS


def tokens(text: str) -> list[str]:
    return re.findall(r"[一-龥]|[a-z']+", text.casefold())


def fivegrams(text: str) -> set[tuple[str, ...]]:
    plain = tokens(text)
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


def writers_of(corpora: Corpora, seed: int = 1) -> Writers:
    return SimulatedWriters(corpora.briefs, corpora.qualities, np.random.default_rng(seed))


def by_people(corpora: Corpora, source: str) -> list[Original]:
    premises = corpora.premises.set_index("premise_id")["text"].to_dict()
    stories = corpora.stories[corpora.stories["source"] == source]
    return [
        Original(story.story_id, story.text, premises.get(story.premise_id, ""), story.language)
        for story in stories.itertuples()
    ]


def story_pairs_of(originals: list[Original]) -> list[StoryPair]:
    return [
        StoryPair((one.story_id, other.story_id), (one.text, other.text), one.language)
        for one, other in zip(originals[::2], originals[1::2], strict=False)
    ]


@pytest.fixture(scope="module")
def english(corpora: Corpora) -> list[Original]:
    return by_people(corpora, "simulated-training-human")


@pytest.fixture(scope="module")
def chinese(corpora: Corpora) -> list[Original]:
    """Platform stories, with premises inferred."""
    originals = by_people(corpora, "simulated-platform")
    story_pairs = story_pairs_of(originals)
    inferred = writers_of(corpora).premises(story_pairs)
    return [
        Original(story_id, text, str(premise), story_pair.language)
        for story_pair, premise in zip(story_pairs, inferred, strict=True)
        for story_id, text in zip(story_pair.story_ids, story_pair.texts, strict=True)
    ]


def opened(originals: list[Original]) -> list[tuple[Original, str]]:
    """Stories of two paragraphs or more, with the first half of them as the opening."""
    paragraphs = [(original, original.text.split("\n\n")) for original in originals]
    return [
        (original, "\n\n".join(parts[: len(parts) // 2]))
        for original, parts in paragraphs
        if len(parts) > 1
    ]


def test_the_authors_are_models_of_the_simulation(corpora: Corpora) -> None:
    writers = writers_of(corpora)
    assert set(writers.names) == {"rewriting", "continuation"}
    assert set(writers.names.values()) <= {model.name for model in MODELS}
    assert writers.counts == {}


def test_an_inferred_premise_has_something_of_both_stories(corpora: Corpora) -> None:
    story_pairs = story_pairs_of(by_people(corpora, "simulated-platform"))
    briefs = corpora.briefs.set_index("brief_id")
    names = ["hero", "rival", "place", "goal", "obstacle", "object", "theme"]
    of_first = []
    for story_pair, premise in zip(
        story_pairs, writers_of(corpora).premises(story_pairs), strict=True
    ):
        first, second = (briefs.loc[story_id, names] for story_id in story_pair.story_ids)
        assert premise is not None and re.fullmatch("[一-龥，。：；]+", premise)
        # Every phrase is that of one of the two.
        assert all(first[name] in premise or second[name] in premise for name in names)
        of_first.append(np.mean([first[name] in premise for name in names]))
    assert 0.35 < np.mean(of_first) < 0.65
    assert np.std(of_first) > 0.1


def test_an_inferred_premise_is_no_other_one(corpora: Corpora) -> None:
    story_pairs = story_pairs_of(by_people(corpora, "simulated-platform"))
    inferred = writers_of(corpora).premises(story_pairs)
    assert len(set(inferred)) == len(story_pairs) > 20
    known = [*corpora.premises["text"], *corpora.briefs["text"]]
    grams = [fivegrams(text) for text in known]
    for_benchmark = corpora.premises["use"] == "benchmark"
    of_benchmark = [fivegrams(text) for text in corpora.premises.loc[for_benchmark, "text"]]
    for premise in inferred:
        own = fivegrams(str(premise))
        assert premise not in known
        assert max(len(own & other) / len(own) for other in grams) < 0.5
        assert max(len(own & other) / len(own) for other in of_benchmark) < 0.1


def test_nobody_opposes_himself_in_an_inferred_premise() -> None:
    one = Premise("勇气", "conflict", "甲", "乙", "丙", "丁", "戊", "己", "庚", "zh")
    other = replace(one, hero="乙", rival="甲", text="辛")
    briefs = pd.DataFrame([{"brief_id": "s1", **asdict(one)}, {"brief_id": "s2", **asdict(other)}])
    qualities = pd.DataFrame(columns=["story_id", *DIMENSIONS])
    for seed in range(30):
        writers = SimulatedWriters(briefs, qualities, np.random.default_rng(seed))
        premise = str(writers.premises([StoryPair(("s1", "s2"), ("a", "b"), "zh")])[0])
        assert "甲" in premise and "乙" in premise


def test_the_order_of_a_story_pair_says_nothing(corpora: Corpora) -> None:
    story_pairs = story_pairs_of(by_people(corpora, "simulated-platform"))
    turned = [
        StoryPair(story_pair[0][::-1], story_pair[1][::-1], story_pair[2])
        for story_pair in story_pairs
    ]
    writers = writers_of(corpora)
    assert writers.premises(story_pairs) == writers.premises(turned)


def test_what_is_written_depends_on_the_request_alone(
    corpora: Corpora, english: list[Original], chinese: list[Original]
) -> None:
    story_pairs = story_pairs_of(chinese)
    rewritings = [
        (story, degradation) for story in english[:4] + chinese[:4] for degradation in DEGRADATIONS
    ]
    continuations = opened(english)[:4] + opened(chinese)[:4]
    at_once = writers_of(corpora)
    one_by_one = writers_of(corpora)
    another = writers_of(corpora, seed=2)
    for asked, name in (
        (story_pairs, "premises"),
        (rewritings, "rewritings"),
        (continuations, "continuations"),
    ):
        answers = getattr(at_once, name)(asked)
        assert len(answers) == len(asked) > 4 and None not in answers
        backwards = [getattr(one_by_one, name)([request])[0] for request in asked[::-1]]
        assert backwards[::-1] == answers
        assert getattr(at_once, name)([]) == []
        assert all(a != b for a, b in zip(getattr(another, name)(asked), answers, strict=True))


def test_shuffled_tables_and_other_stories_change_nothing(
    corpora: Corpora, english: list[Original]
) -> None:
    briefs = corpora.briefs.sample(frac=1, random_state=1)
    mine = corpora.qualities["story_id"].isin([story.story_id for story in english])
    fewer = SimulatedWriters(briefs, corpora.qualities[mine][::-1], np.random.default_rng(1))
    asked = opened(english)[:3]
    assert fewer.continuations(asked) == writers_of(corpora).continuations(asked)


def test_every_rewriting_is_another_text(
    corpora: Corpora, english: list[Original], chinese: list[Original]
) -> None:
    asked = [(story, degradation) for story in english + chinese for degradation in DEGRADATIONS]
    rewritten = writers_of(corpora).rewritings(asked)
    assert len({*rewritten, *(story.text for story, _ in asked)}) == len(asked) * 6 // 5
    for (story, _), text in zip(asked, rewritten, strict=True):
        assert text is not None and tokens(text) != tokens(story.text)
        letters = re.search("[a-z]", text.casefold()) is not None
        assert letters == (story.language == "en")


def test_a_continuation_goes_on_for_about_as_long_as_the_person_did(
    corpora: Corpora, english: list[Original], chinese: list[Original]
) -> None:
    for asked in (opened(english), opened(chinese)):
        ratios = []
        for (story, opening), answer in zip(
            asked, writers_of(corpora).continuations(asked), strict=True
        ):
            assert answer is not None and answer[0] != answer[1]
            left = len(tokens(story.text)) - len(tokens(opening))
            ratios += [len(tokens(text)) / left for text in answer]
            # Neither repeats the story: unrelated stories share next to no five words.
            for text in answer:
                grams = fivegrams(text)
                assert len(grams & fivegrams(story.text)) <= 0.1 * len(grams)
        assert 0.8 < np.median(ratios) < 1.2


def vivid_words(text: str, language: str) -> float:
    """What shows a story's creativity, as tests of the qualities measure it: by a hundred words."""
    words = LANGUAGES[language].words
    edge = r"\b" if language == "en" else ""

    def count(*groups: tuple[str, ...]) -> int:
        phrases = [re.escape(phrase) for group in groups for phrase in group]
        return len(re.findall(f"{edge}(?:{'|'.join(phrases)}){edge}", text, re.IGNORECASE))

    vivid = count(words["vivid"], words["odd"])
    plain = count(words["plain_adjective"], words["plain_noun"])
    return 100 * (vivid - plain) / len(tokens(text))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_guidance_gives_a_continuation_the_persons_qualities(
    corpora: Corpora, english: list[Original], chinese: list[Original], language: str
) -> None:
    # The person's qualities are injected: as good as can be, or as poor, by turns.
    asked = opened(english if language == "en" else chinese)
    injected = pd.DataFrame(
        {"story_id": [story.story_id for story, _ in asked]}
        | {name: [float(number % 2) for number in range(len(asked))] for name in DIMENSIONS}
    )
    writers = SimulatedWriters(corpora.briefs, injected, np.random.default_rng(1))
    answers = [answer for answer in writers.continuations(asked) if answer is not None]
    guided, unguided = (
        np.array([vivid_words(answer[which], language) for answer in answers]) for which in (0, 1)
    )
    good = injected["creativity"].to_numpy() == 1
    assert guided[good].mean() > unguided.mean() + 1 > guided[~good].mean() + 2
    assert spearmanr(guided, good)[0] > 0.7
    assert abs(spearmanr(unguided, good)[0]) < 0.45


def test_a_guided_model_is_near_the_person_and_keeps_something_of_its_own() -> None:
    rng = np.random.default_rng(3)
    for own, person in rng.random((50, 2, 5)).tolist():
        made = astuple(lifted(Quality(*own), Quality(*person)))
        expected = np.array(own) + GUIDANCE * (np.array(person) - np.array(own))
        np.testing.assert_allclose(made, expected, atol=1e-12)
    assert lifted(Quality(*[1.0] * 5), Quality(*[1.0] * 5)) == Quality(*[1.0] * 5)
    assert lifted(Quality(*[0.0] * 5), Quality(*[0.0] * 5)) == Quality(*[0.0] * 5)


def test_stories_of_another_simulation_are_refused(
    corpora: Corpora, chinese: list[Original]
) -> None:
    stranger = Original("s000", "Text.", "A premise nobody wrote.", "en")
    known = chinese[0].story_id
    writers = writers_of(corpora)
    with pytest.raises(InputError, match=r"simulated story s000 .* found nothing"):
        writers.rewritings([(stranger, "plot")])
    with pytest.raises(InputError, match="s000"):
        writers.continuations([(stranger, "Text.")])
    with pytest.raises(InputError, match="s000"):
        writers.premises([StoryPair((known, "s000"), ("a", "b"), "en")])
