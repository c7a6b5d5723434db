"""How much is found of what is injected, at a reduced size, and what is found in real stories.

``benchmarks/calibrate_overlap.py`` is the full size; ``docs/statistics.md`` has its figures.
"""

import numpy as np
import pandas as pd
import pytest
from real_data import real_path
from scipy import stats

from audits.overlap.study_comparisons import Comparison, Texts, compare
from benchmarks.calibrate_overlap import KINDS, Case, calibrate
from pipeline.simulation.premise import write_premise
from storyaudit.data.corpus import Corpus
from storyaudit.layouts.confederacy import read_confederacy
from storyaudit.layouts.hanna import read_hanna
from storyaudit.layouts.mops import read_mops
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.similarity import containment, shingles
from storyaudit.text.words import words

REAL = real_path()
COUNT = 30
WHOLE = {
    "copy",
    "punctuation, capitals, spacing",
    "names exchanged",
    "2 % of words exchanged",
    "5 % of words exchanged",
    "paragraphs in another order",
    "inside a text ten times as long",
}
BEYOND = {"every fifth word exchanged", "retold"}


@pytest.fixture(scope="module")
def calibration() -> tuple[pd.DataFrame, pd.DataFrame]:
    rows, alarms = calibrate(COUNT, seed=7)
    return rows.set_index(["language", "kind"]), alarms


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_injected_is_found(calibration, language: str, kind: str) -> None:
    row = calibration[0].loc[(language, kind)]
    if kind in WHOLE:
        assert row["copies"] == COUNT
    elif kind in BEYOND:
        assert row["found"] == 0
    elif kind == "30 % of words exchanged":
        # 398 of 400 at full size: fewer than one in a thousand samples may have fewer.
        assert row["found"] >= stats.binom.ppf(0.001, COUNT, 0.99)
    else:
        assert row["found"] == COUNT


@pytest.mark.parametrize(("percent", "share"), [(2, 0.02), (5, 0.05), (15, 0.15), (30, 0.3)])
def test_edits_leave_what_five_kept_words_in_a_row_leave(calibration, percent, share) -> None:
    # In English, where a word is a token, edits at random leave (1 − p)^5 of the shingles.
    row = calibration[0].loc[("en", f"{percent} % of words exchanged")]
    assert row["median"] == pytest.approx((1 - share) ** 5, abs=0.03)


def test_nothing_is_found_that_was_not_injected(calibration) -> None:
    alarms = calibration[1]
    # 30 stories against 30 others and 12 kinds of 30 texts, but for the one that was injected.
    assert alarms["pairs"].tolist() == [30 * (30 + 12 * 30) - 30 * 12] * 2
    assert alarms["false"].tolist() == [0, 0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_injected_shares_what_sets_of_words_say(language: str) -> None:
    rng = np.random.default_rng(5)
    premise = write_premise(rng, language)
    case = Case(KINDS["retold"](Case("", premise, [], rng)), premise, [], rng)
    other = KINDS["retold"](case)
    own = shingles(words(case.text), 5)
    for kind, plant in KINDS.items():
        text = plant(case._replace(others=[other]))
        sides = [Texts(["x"], [side]) for side in (case.text, text)]
        (share,) = compare(Comparison("train_benchmark", "story", *sides), OverlapParams()).rows[
            "containment"
        ].tolist() or [0]
        exact = containment(own, shingles(words(text), 5))
        assert share == (pytest.approx(exact, abs=1e-6) if exact >= 0.1 else 0), kind


# --- real stories; IDs hang on the texts alone ---


@pytest.fixture(scope="module")
def corpora() -> dict[str, Corpus]:
    return {
        "hanna": read_hanna(REAL / "hanna/hanna_llm_stories.csv", source="hanna", use="benchmark"),
        "mops": read_mops(REAL / "mops/stories", source="mops", use="training"),
        "confederacy": read_confederacy(
            REAL / "confederacy/stories", source="confederacy", use="training"
        ),
    }


def stories(*found: Corpus) -> Texts:
    table = pd.concat([corpus.stories for corpus in found])
    return Texts(table["story_id"].tolist(), table["text"].tolist())


def premises(*found: Corpus) -> Texts:
    table = pd.concat([corpus.premises for corpus in found])
    return Texts(table["premise_id"].tolist(), table["text"].tolist())


def search(level: str, left: Texts, right: Texts | None, **params: float) -> pd.DataFrame:
    sides = "benchmark_benchmark" if right is None else "train_benchmark"
    return compare(Comparison(sides, level, left, right), OverlapParams(**params)).rows


def listed(rows: pd.DataFrame) -> list[list[object]]:
    return rows[["left_id", "right_id", "longest_common_substring"]].to_numpy().tolist()


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the public data are not at {REAL}")
class TestRealStories:
    def test_no_story_of_hanna_is_contained_in_stories_by_others(self, corpora) -> None:
        others = stories(corpora["mops"], corpora["confederacy"])
        assert search("story", stories(corpora["hanna"]), others).empty
        # Below the floor are stock phrases: the longest has ten words.
        low = search("story", stories(corpora["hanna"]), others, min_containment=0.03)
        assert low["containment"].max() < 0.05 and low["longest_common_substring"].max() == 10

    def test_one_premise_of_hanna_is_one_of_mops(self, corpora) -> None:
        # Read: the same premise of WritingPrompts, but for a space before the full stop.
        found = search("premise", premises(corpora["hanna"]), premises(corpora["mops"]))
        assert listed(found) == [["p6f9c29cdbf71", "pae5e8a417c51", 23]]
        assert found["containment"].tolist() == [1.0]

    def test_of_hannas_premises_in_others_stories_one_phrase_is_found(self, corpora) -> None:
        # Read: the story was written on the premise that the two corpora have in common, and has
        # six words of it.
        others = stories(corpora["mops"], corpora["confederacy"])
        found = search("premise_in_story", premises(corpora["hanna"]), others)
        assert listed(found) == [["p6f9c29cdbf71", "s7ffd404a31dc", 6]]
        written_on = corpora["mops"].stories.set_index("story_id")["premise_id"]
        assert written_on["s7ffd404a31dc"] == "pae5e8a417c51"

    def test_premises_stand_in_the_stories_written_on_them_and_in_no_others(self, corpora) -> None:
        hanna = corpora["hanna"]
        found = search("premise_in_story", premises(hanna), stories(hanna))
        own = hanna.stories.set_index("story_id")["premise_id"]
        assert len(found) == 109
        assert (own[found["right_id"]].to_numpy() == found["left_id"].to_numpy()).all()
        assert (found["containment"] >= 0.5).sum() == 25

    def test_of_other_premises_only_stock_phrases_stand_in_stories(self, corpora) -> None:
        # Read: fourteen pairs, of which none is real ('in a parallel universe where …').
        found = search("premise_in_story", premises(corpora["mops"]), stories(corpora["hanna"]))
        assert len(found) == 14
        assert found["containment"].max() < 0.25 and found["longest_common_substring"].max() == 8

    def test_similar_stories_of_hanna_are_one_models_answers_to_no_prompt(self, corpora) -> None:
        # Read: an assistant's phrases ('I'd be happy to …'); only the first is a text of nothing
        # else, which stands in another for more than a half.
        hanna = corpora["hanna"]
        found = search("story", stories(hanna), None)
        author = hanna.stories.set_index("story_id")["author"]
        assert len(found) == 27
        assert set(author[[*found["left_id"], *found["right_id"]]]) == {"Llama-7b"}
        copies = found[found["containment"] >= 0.5]
        assert listed(copies) == [["sa4a03e705a12", "sd30f1e23d17a", 15]]

    def test_similar_stories_of_confederacy_are_one_models_on_one_prompt(self, corpora) -> None:
        # Read: real; the same scene in nearly the same words.
        confederacy = corpora["confederacy"]
        found = search("story", stories(confederacy), None)
        assert listed(found) == [
            ["s65239b70ea31", "s81263daaa7cc", 55],
            ["s3ef90c9764b6", "s4f5abc7a9d2e", 31],
            ["s63c974a35b46", "s81263daaa7cc", 42],
        ]
        author = confederacy.stories.set_index("story_id")["author"]
        assert set(author[[*found["left_id"], *found["right_id"]]]) == {"bing"}
        assert found["containment"].max() < 0.2
