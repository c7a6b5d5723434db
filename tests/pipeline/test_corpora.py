import hashlib
import math
import re
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

import pipeline.simulation.simulated_corpora
from pipeline.simulation.authors import MODELS
from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.simulated_corpora import (
    PLATFORM_STORIES,
    PREMISES_HUMAN,
    PREMISES_LLM,
    PREMISES_TRAINING,
    PREMISES_TRAINING_HUMAN,
    Corpora,
    CorporaParams,
    simulate_corpora,
)
from pipeline.simulation.simulated_platform import UNSEEN
from pipeline.simulation.truth_tables import BRIEFS, LEAKS, QUALITIES
from storyaudit.data.tables import PREMISES, STORIES, validate
from storyaudit.errors import InputError
from storyaudit.vocabulary import DIMENSIONS, USES

SMALL = {"scale": 0.004, "training_scale": 0.0008, "chinese_share": 0.3, "median_words": 120}
NONE = dict.fromkeys(FaultsParams.model_fields, 0) | {
    "edit_share": 0.05,
    "order_biased_judge": 0.0,
}
SOME = {"copies": 1, "light_edits": 1, "embedded": 1, "leaked_premises": 1}


def simulate(
    *,
    seeds: tuple[int, int, int, int] = (1, 2, 3, 4),
    faults: dict | None = None,
    uses: tuple[str, ...] = ("benchmark", "training"),
    **sizes: float,
) -> Corpora:
    premises, stories, leaks, platform = map(np.random.default_rng, seeds)
    return simulate_corpora(
        CorporaParams(**{**SMALL, **sizes}),
        FaultsParams(**{**NONE, **(SOME if faults is None else faults)}),
        uses=uses,
        premises_rng=premises,
        stories_rng=stories,
        leaks_rng=leaks,
        platform_rng=platform,
    )


def test_the_tables_are_sound(corpora) -> None:
    tables = (PREMISES, STORIES, QUALITIES, LEAKS, BRIEFS)
    for frame, table in zip(corpora, tables, strict=True):
        validate(frame, table, file="table")
    assert corpora.stories["story_id"].is_unique
    assert set(corpora.qualities["story_id"]) == set(corpora.stories["story_id"])
    assert corpora.qualities[list(DIMENSIONS)].stack().between(0, 1).all()


def test_no_premise_stands_there_twice_but_the_leaked(corpora) -> None:
    twice = corpora.premises[corpora.premises["text"].duplicated(keep=False)]
    leaked = corpora.leaks[corpora.leaks["kind"] == "premise"]
    assert set(twice["premise_id"]) == {*leaked["training_id"], *leaked["benchmark_id"]}


def test_a_premise_that_is_there_already_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_of_30(rng: np.random.Generator, language: str) -> Premise:
        return write_premise(np.random.default_rng(int(rng.integers(30))), language)

    monkeypatch.setattr(pipeline.simulation.simulated_corpora, "write_premise", one_of_30)
    texts = simulate(faults={}).premises["text"]
    # Of 30 there are in a language, 20 draws are all different less than once in 500 times.
    assert len(texts) == 24 and texts.is_unique


@pytest.mark.parametrize(
    ("scale", "training_scale", "expected"),
    [
        # 12.48 and 12 benchmark premises; 13.4, 11 and 15 of training.
        (0.02, 0.001, [12, 12, 13, 11, 15]),
        # 0.624 and 0.6; 1.34, 1.1 and 1.5, and the even one of two as near.
        (0.001, 0.0001, [1, 1, 1, 1, 2]),
        # One at least.
        (0.0001, 0.00001, [1, 1, 1, 1, 1]),
    ],
)
def test_sizes_follow_the_scales(scale: float, training_scale: float, expected: list[int]) -> None:
    made = simulate(scale=scale, training_scale=training_scale, faults={})
    premises, stories = (frame["source"].value_counts() for frame in (made.premises, made.stories))
    llm, human, training, training_human, platform = expected
    assert premises.to_dict() == {
        "simulated-llm": llm,
        "simulated-human": human,
        "simulated-training": training,
        "simulated-training-human": training_human,
    }
    assert stories.to_dict() == {
        "simulated-llm": 4 * llm,
        "simulated-human": 5 * human,
        "simulated-training": 4 * training,
        "simulated-training-human": training_human,
        "simulated-platform": platform,
    }


def test_scale_1_has_the_sizes_of_the_paper() -> None:
    # StoryAlign, section 2: 624 premises by language models, 600 of WritingPrompts.
    params = CorporaParams(**{**SMALL, "scale": 1.0, "training_scale": 1.0})
    assert params.size(PREMISES_LLM, "benchmark") == 624
    assert params.size(PREMISES_HUMAN, "benchmark") == 600
    # Section 3.1: about 6,000 pairs of people's stories, of those that enough people read;
    # 30,000 rewritings, in five respects; 10,000 continuations. What is left of 93,729 pairs, and
    # as many further ones as the largest method has (appendix H.1), are pairs of four models.
    assert params.size(PLATFORM_STORIES, "training") * (1 - UNSEEN) >= 1.05 * 2 * 6_000
    assert params.size(PREMISES_TRAINING_HUMAN, "training") >= 1.05 * max(30_000 / 5, 10_000)
    story_pairs = 93_729 - 6_000 - 30_000 - 10_000 + 30_000
    assert params.size(PREMISES_TRAINING, "training") * math.comb(4, 2) >= 1.03 * story_pairs


def rows_of(frame: pd.DataFrame, key: str, **wanted: str) -> dict[str, dict]:
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    return frame.set_index(key).to_dict("index")


def test_the_benchmark_does_not_change_with_the_training_texts() -> None:
    small, large = (simulate(training_scale=size, faults={}) for size in (0.0004, 0.0008))
    alone = simulate(uses=("benchmark",), faults={})
    for other in (large, alone):
        for frame, same, key in (
            (small.premises, other.premises, "premise_id"),
            (small.stories, other.stories, "story_id"),
        ):
            ours, theirs = (rows_of(part, key, use="benchmark") for part in (frame, same))
            assert ours and pd.DataFrame(ours).equals(pd.DataFrame(theirs))


def test_a_source_does_not_change_with_the_size_of_another() -> None:
    made = simulate(scale=0.004, faults={})
    larger = simulate(scale=0.012, faults={})
    grown = simulate(training_scale=0.0016, faults={})
    alone = simulate(uses=("training",), faults={})
    for source in ("simulated-training", "simulated-training-human", "simulated-platform"):
        ours = rows_of(made.stories, "story_id", source=source)
        for other in (larger, alone):
            theirs = rows_of(other.stories, "story_id", source=source)
            assert pd.DataFrame(ours).equals(pd.DataFrame(theirs))
        # The first of more are the same, their premises and languages among them.
        assert set(ours) < set(rows_of(grown.stories, "story_id", source=source))
    ids = made.premises[["premise_id", "text"]].itertuples(index=False, name=None)
    assert set(ids) < set(grown.premises[["premise_id", "text"]].itertuples(index=False, name=None))


def test_what_is_not_needed_is_not_written() -> None:
    for uses in (("benchmark",), ("training",), ()):
        made = simulate(uses=uses, faults={})
        assert set(made.premises["use"]) == set(made.stories["use"]) == set(uses)
        assert set(made.qualities["story_id"]) == set(made.stories["story_id"])
        for frame, table in zip(made, (PREMISES, STORIES, QUALITIES, LEAKS, BRIEFS), strict=True):
            required = {column.name for column in table.columns if not column.optional}
            assert required <= set(frame.columns)


def test_every_premise_has_its_stories(corpora) -> None:
    models = sorted(model.name for model in MODELS)
    facts = corpora.premises.set_index("premise_id")
    for premise, group in corpora.stories.groupby("premise_id"):
        source, use, language = facts.loc[premise, ["source", "use", "language"]]
        expected = {
            "simulated-human": [*models, "human"],
            "simulated-training-human": ["human"],
        }
        assert sorted(group["author"]) == sorted(expected.get(source, models))
        assert set(group["source"]) == {source}
        assert set(group["use"]) == {use} <= set(USES)
        assert set(group["language"]) == {language}
    assert set(facts.index) == set(corpora.stories["premise_id"].dropna())
    by_kind = corpora.stories.groupby("author_kind")["author"].unique()
    assert sorted(by_kind["llm"]) == models
    assert all(name == "human" or name.startswith("columnist-") for name in by_kind["human"])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_share_of_chinese_is_that_of_premises_by_models(share: float) -> None:
    made = simulate(scale=0.01, training_scale=0.0018, chinese_share=share, faults={})
    languages = made.premises.groupby("source")["language"].agg(
        lambda column: (column == "zh").sum()
    )
    assert languages["simulated-llm"] == round(share * 6)
    assert languages["simulated-training"] == round(share * 24)
    assert languages["simulated-human"] == languages["simulated-training-human"] == 0
    platform = made.stories[made.stories["source"] == "simulated-platform"]
    assert set(platform["language"]) == {"zh"}


def test_a_text_is_in_its_language(corpora) -> None:
    for frame in (corpora.premises, corpora.stories, corpora.briefs):
        chinese = frame["language"] == "zh"
        assert chinese.any() and not chinese.all()
        assert not frame.loc[chinese, "text"].str.contains("[A-Za-z{}]").any()
        assert frame.loc[~chinese, "text"].map(str.isascii).all()


def test_words_are_counted_by_a_character_in_chinese(corpora) -> None:
    for text, language, words in corpora.stories[["text", "language", "words"]].itertuples(
        index=False
    ):
        found = re.findall(r"[一-龥]" if language == "zh" else r"\w+(?:'\w+)*", text)
        assert words == len(found)


def test_only_platform_stories_have_a_genre_a_column_and_readers(corpora) -> None:
    stories = corpora.stories
    platform = stories["source"] == "simulated-platform"
    columns = ["genre", "column_id", "readership"]
    assert stories.loc[platform, columns].notna().all().all()
    assert stories.loc[~platform, columns].isna().all().all()
    assert (stories["premise_id"].isna() == platform).all()


def test_lengths_have_the_median_asked_for() -> None:
    for median in (60, 300):
        made = simulate(scale=0.02, training_scale=0.003, median_words=median, faults={})
        on_premises = made.stories[made.stories["premise_id"].notna()]
        # 300 stories, log-SD about 0.37: the median's standard error is 2.7 %.
        assert abs(on_premises["words"].median() / median - 1) < 0.12


def test_an_id_comes_from_content_and_source_alone(corpora) -> None:
    for story, text, source in corpora.stories[["story_id", "text", "source"]].itertuples(
        index=False
    ):
        digest = hashlib.sha256(f"{source}\0{text}".encode()).hexdigest()
        assert story == "s" + digest[:12]


def test_the_same_seeds_give_the_same_tables() -> None:
    for first, second in zip(simulate(), simulate(), strict=True):
        pd.testing.assert_frame_equal(first, second)


def test_another_seed_gives_other_texts(corpora, another_simulation) -> None:
    assert not set(corpora.stories["text"]) & set(another_simulation.stories["text"])
    assert not set(corpora.premises["text"]) & set(another_simulation.premises["text"])


def test_each_stream_moves_only_its_own() -> None:
    made = simulate(faults={})
    moved = {
        stream: simulate(faults={}, seeds=tuple(9 if i == place else i + 1 for i in range(4)))
        for place, stream in enumerate(("premises", "stories", "leaks", "platform"))
    }
    platform = made.stories["source"] == "simulated-platform"
    assert not moved["premises"].premises.equals(made.premises)
    assert moved["stories"].premises.equals(made.premises)
    for stream in ("premises", "stories"):
        assert (made.stories["text"] == moved[stream].stories["text"]).equals(platform)
    assert (made.stories["text"] != moved["platform"].stories["text"]).equals(platform)
    for before, after in zip(made, moved["leaks"], strict=True):
        assert before.equals(after)  # without leaks


def test_leaks_change_nothing_but_what_leaks() -> None:
    faults = {"copies": 1, "embedded": 1, "leaked_premises": 4}
    # Long stories differ in what they draw: what one draws must not move the next.
    made, clean = simulate(faults=faults, median_words=500), simulate(faults={}, median_words=500)
    shared = made.leaks[made.leaks["kind"] == "premise"]["training_id"]
    replaced = made.leaks[made.leaks["kind"] != "premise"]["training_id"]
    same = made.stories["text"] == clean.stories["text"]
    touched = made.stories["premise_id"].isin(shared) | made.stories["story_id"].isin(replaced)
    assert (same == ~touched).all()


def tokens(text: str, language: str) -> list[str]:
    return re.findall(r"[一-龥]" if language == "zh" else r"[a-z']+", text.casefold())


def fivegrams(text: str, language: str) -> set[tuple[str, ...]]:
    plain = tokens(text, language)
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


def overlapping(frame: pd.DataFrame, key: str, least: float) -> dict[tuple[str, str], float]:
    """Training and benchmark texts that share at least so much of the benchmark text."""
    benchmark = frame[frame["use"] == "benchmark"]
    where, sizes = defaultdict(list), {}
    for name, text, language in benchmark[[key, "text", "language"]].itertuples(index=False):
        grams = fivegrams(text, language)
        sizes[name] = len(grams)
        for gram in grams:
            where[gram].append(name)
    found = {}
    training = frame[frame["use"] == "training"]
    for name, text, language in training[[key, "text", "language"]].itertuples(index=False):
        shared = Counter(
            other for gram in fivegrams(text, language) for other in where.get(gram, ())
        )
        found |= {
            (name, other): count / sizes[other]
            for other, count in shared.items()
            if count >= least * sizes[other]
        }
    return found


def test_the_leaks_are_all_the_overlap_there_is(corpora) -> None:
    # Every training text against every benchmark text, at the audit's own least containment.
    leaks = {tuple(pair): kind for *pair, kind in corpora.leaks.itertuples(index=False)}
    assert Counter(leaks.values()) == {"copy": 3, "light_edit": 4, "embedded": 2, "premise": 2}
    found = overlapping(corpora.premises, "premise_id", 0.1) | overlapping(
        corpora.stories, "story_id", 0.1
    )
    assert set(found) == set(leaks)
    for pair, kind in leaks.items():
        if kind in ("copy", "premise"):
            assert found[pair] == 1
        elif kind == "embedded":
            assert found[pair] == 1  # no shingle is lost: the story stands there whole
        else:
            assert 0.5 < found[pair] < 0.97


def test_leaks_are_what_they_claim(corpora) -> None:
    assert corpora.leaks["training_id"].is_unique and corpora.leaks["benchmark_id"].is_unique
    source = corpora.premises.set_index("premise_id")["source"].to_dict()
    source |= corpora.stories.set_index("story_id")["source"].to_dict()
    assert set(corpora.leaks["training_id"].map(source)) == {"simulated-training"}
    texts = corpora.stories.set_index("story_id")["text"].to_dict()
    texts |= corpora.premises.set_index("premise_id")["text"].to_dict()
    language = corpora.stories.set_index("story_id")["language"].to_dict()
    for training, benchmark, kind in corpora.leaks.itertuples(index=False):
        ours, theirs = texts[training], texts[benchmark]
        if kind in ("copy", "premise"):
            assert ours == theirs
        elif kind == "embedded":
            before, after = ours.split(theirs)
            assert before.endswith("\n\n") and after.startswith("\n\n")
            assert before.strip() and after.strip()
        else:
            pairs = [tokens(text, language[benchmark]) for text in (ours, theirs)]
            changed = sum(one != other for one, other in zip(*pairs, strict=True))
            assert 0.02 * len(pairs[0]) < changed <= 0.05 * len(pairs[0]) + 2


def test_a_leak_is_as_good_as_what_it_was_made_of(corpora, clean_corpora) -> None:
    qualities = corpora.qualities.set_index("story_id")
    words = corpora.stories.set_index("story_id")["words"]
    in_training = clean_corpora.stories["source"] == "simulated-training"
    clean = clean_corpora.qualities[in_training].set_index("story_id")
    for training, benchmark, kind in corpora.leaks.itertuples(index=False):
        if kind in ("copy", "light_edit"):
            assert (qualities.loc[training] == qualities.loc[benchmark]).all()
        elif kind == "embedded":
            share = words[benchmark] / words[training]
            own = (qualities.loc[training] - share * qualities.loc[benchmark]) / (1 - share)
            assert (clean - own).abs().max(axis=1).min() < 1e-4  # that of some story before


def test_a_study_without_leaks_has_an_empty_table_of_them() -> None:
    leaks = simulate(faults={}).leaks
    assert leaks.empty and leaks.columns.tolist() == ["training_id", "benchmark_id", "kind"]


def test_briefs_say_what_stories_were_written_on(corpora) -> None:
    briefs = corpora.briefs.set_index("brief_id")
    platform = corpora.stories["source"] == "simulated-platform"
    stories = corpora.stories.set_index("story_id")
    assert set(briefs.index) == {
        *corpora.premises["premise_id"],
        *corpora.stories.loc[platform, "story_id"],
    }
    premises = corpora.premises.set_index("premise_id")
    for name, brief in briefs.iterrows():
        if name in premises.index:
            assert brief["text"] == premises["text"][name]
            assert brief["language"] == premises["language"][name]
        for part in ("hero", "rival", "place", "goal", "obstacle", "object"):
            assert brief[part] in brief["text"]
    named = [briefs["hero"][name] in stories["text"][name] for name in stories.index[platform]]
    assert np.mean(named) > 0.6


@pytest.mark.parametrize(
    ("faults", "parameter"),
    [
        ({"copies": 19}, "copies"),  # of 18 benchmark stories
        ({"copies": 18, "light_edits": 1}, "light_edits"),
        ({"embedded": 19}, "embedded"),
        ({"leaked_premises": 5}, "leaked_premises"),  # of 4 benchmark premises
    ],
)
def test_leaks_that_have_no_room_are_refused(faults: dict[str, int], parameter: str) -> None:
    with pytest.raises(InputError, match=rf"params.yaml: faults.{parameter}: expected at most"):
        simulate(faults=faults)


def test_leaks_keep_to_a_language() -> None:
    # All training premises are Chinese, human premises English: only models' stories can leak.
    made = simulate(chinese_share=1.0, faults={"copies": 8, "leaked_premises": 2})
    language = made.stories.set_index("story_id")["language"]
    copies = made.leaks[made.leaks["kind"] == "copy"]
    assert set(language[copies["training_id"]]) == {"zh"} == set(language[copies["benchmark_id"]])
    with pytest.raises(InputError, match="at most 8"):  # 2 premises by models, 4 stories each
        simulate(chinese_share=1.0, faults={"copies": 9})


@pytest.mark.parametrize(
    "wrong",
    [
        {"scale": 0.0},
        {"scale": 101.0},
        {"scale": float("nan")},
        {"chinese_share": 1.1},
        {"median_words": 0},
        {"premises_llm": 12},
    ],
)
def test_parameters_that_make_no_study_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        CorporaParams(**{**SMALL, **wrong})
    CorporaParams(**SMALL)


@pytest.mark.parametrize(
    "wrong", [{"copies": -1}, {"edit_share": 1.1}, {"embedded": 1.5}, {"more_copies": 1}]
)
def test_faults_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        FaultsParams(**{**NONE, **wrong})
    FaultsParams(**NONE)


def test_a_further_language_takes_its_share_of_what_would_be_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LANGUAGES, "sco", replace(LANGUAGES["en"], code="sco"))
    plain = CorporaParams(**{**SMALL, "chinese_share": 0.2})
    more = CorporaParams(**{**SMALL, "chinese_share": 0.2, "further_languages": {"sco": 0.3}})
    before, after = plain.languages(1000), more.languages(1000)
    assert Counter(before) == {"zh": 200, "en": 800}
    assert Counter(after) == {"zh": 200, "en": 500, "sco": 300}
    assert [code == "zh" for code in before] == [code == "zh" for code in after]
    for wrong in ({"xx": 0.1}, {"en": 0.1}, {"sco": 0.9}):
        with pytest.raises(ValidationError):
            CorporaParams(**{**SMALL, "chinese_share": 0.2, "further_languages": wrong})
