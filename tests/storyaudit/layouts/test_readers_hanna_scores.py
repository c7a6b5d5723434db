import json
from pathlib import Path

import pandas as pd
import pytest
from real_data import real_path

from storyaudit.errors import InputError
from storyaudit.io.files import csv_text
from storyaudit.layouts.hanna_scores import CRITERIA, JUDGES, read_hanna_scores

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "data/published/hanna"
SOURCE = real_path("hanna/hanna_metric_scores_llm.csv")
real = [
    pytest.mark.real,
    pytest.mark.skipif(
        not SOURCE.is_file(), reason=f"the public file of the scores is not at {SOURCE}"
    ),
]


def sample():
    """Two authors, three premises, one rater and one judge with two prompts."""
    columns = {"Model": ["Human", "GPT-2 (tag)"], "Relevance": ["[1, 2, 3]"] * 2}
    for place, code in enumerate(CRITERIA):
        columns[f"Human 1 {code}"] = [json.dumps([1, 2, 3 + place % 2]), "[4, 5, 1]"]
        columns[f"Human Avg 1 {code}"] = ["[9, 9, 9]"] * 2
        columns[f"Beluga-13B {code} 1"] = ["[4.666666666666667, -1, 0]", f"[{place}, 1, 2.5]"]
        columns[f"Beluga-13B {code} 2"] = ["[1, 1, 1]", "[2, 2, 2]"]
    return pd.DataFrame(columns)


def read(tmp_path, frame):
    path = tmp_path / "scores.csv"
    frame.to_csv(path, index=False)
    return read_hanna_scores(path)


def test_lists_become_rows(tmp_path):
    human, judge = read(tmp_path, sample())
    assert list(human.columns) == ["premise_id", "author", "rater", *CRITERIA.values()]
    assert len(human) == 2 * 3
    assert len(judge) == 2 * 3 * 2
    row = human[(human["premise_id"] == "p3") & (human["author"] == "Human")].iloc[0]
    assert [row[name] for name in CRITERIA.values()] == [3, 4, 3, 4, 3, 4]
    row = judge.query("premise_id == 'p1' and author == 'Human' and prompt_variant == '1'").iloc[0]
    assert row["judge"] == "Beluga-13B"
    assert row["relevance"] == 14 / 3
    row = judge.query("premise_id == 'p1' and author != 'Human' and prompt_variant == '1'").iloc[0]
    assert [row[name] for name in CRITERIA.values()] == [0, 1, 2, 3, 4, 5]
    assert set(human["rater"]) == {"1"}  # averages of raters are left out
    keys = judge[["premise_id", "author", "judge", "prompt_variant"]]
    assert keys.equals(keys.sort_values(list(keys.columns)).reset_index(drop=True))


def cell(frame, column, value):
    frame = frame.copy()
    frame.loc[1, column] = value
    return frame


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: f.drop(columns="Model"), "a row an author"),
        (lambda f: f[:0], "a row an author"),
        (lambda f: cell(f, "Model", "Human"), "row 3, column 'Model'.*'Human' again"),
        (lambda f: f[["Model", "Relevance"]], "columns such as Human 1 RE"),
        (lambda f: f[[c for c in f if "Beluga" not in c]], "columns such as ChatGPT RE 1"),
        (lambda f: f.drop(columns="Human 1 SU"), "six criteria of one length from 1, found rel"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2]"), "'Human 1 RE'.* a list of one length"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2, 2.5]"), "whole numbers from single raters"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2, NaN]"), "row 3, column 'Human 1 RE'.*a list of"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2, 1e999]"), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", f"[1, 2, 1{'0' * 400}]"), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2, true]"), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", "[1, 2, '3']"), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", "[" * 100_000), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", ""), "a list of numbers"),
        (lambda f: cell(f, "Human 1 RE", "3"), "a list of numbers"),
        (
            lambda f: f.assign(**{f"Human 1 {code}": ["[1, 2]"] * 2 for code in CRITERIA}),
            "lists of one length from raters and judges",
        ),
        (
            lambda f: f.assign(**{f"Human 2 {code}": ["[1, 2]"] * 2 for code in CRITERIA}),
            "lists of one length",
        ),
    ],
)
def test_another_file_is_bad_input(tmp_path, spoil, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, spoil(sample()))


class TestSource:
    pytestmark = real

    @pytest.fixture(scope="class")
    @staticmethod
    def scores():
        return read_hanna_scores(SOURCE)

    def test_the_committed_files_are_the_sources(self, scores):
        for name in ("human", "judge"):
            committed = (PUBLISHED / f"{name}_scores.csv").read_text(encoding="utf-8")
            assert csv_text(getattr(scores, name)) == committed

    def test_raters_average_to_what_the_source_prints_for_each_author(self, scores):
        # The source has the three raters' averages in columns of their own.
        printed = pd.read_csv(SOURCE).set_index("Model")
        means = scores.human.groupby(["author", "premise_id"])[list(CRITERIA.values())].mean()
        for author, rows in means.groupby(level="author"):
            for criterion in CRITERIA.values():
                expected = json.loads(printed.loc[author, criterion.capitalize()])
                assert rows[criterion].tolist() == pytest.approx(expected, abs=1e-12)

    def test_sizes(self, scores):
        assert len(scores.human) == 96 * 11 * 3
        assert len(scores.judge) == 96 * 11 * 5 * 4
        assert set(JUDGES) < set(scores.judge["judge"])
