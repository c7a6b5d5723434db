"""Lengths, similar stories, and what the files show of their authors."""

from typing import Any

import numpy as np
import pandas as pd
import prose
import pytest
from ratings_samples import drawn, parted

from audits.ratings.texts.blinding import blinding_findings
from audits.ratings.texts.duplicates import duplicate_finding, similar_stories
from audits.ratings.texts.length_effect import length_finding
from storyaudit.findings import Finding, Unchecked
from storyaudit.ratings.usable_ratings import totals, usable
from storyaudit.text.similarity import containment, shingles
from storyaudit.text.words import words


def sentence(count: int, rng: np.random.Generator) -> str:
    return " ".join(f"w{number}" for number in rng.integers(0, 3000, count)) + "."


def texts(table: pd.DataFrame, seed: int = 0, **length: int) -> pd.DataFrame:
    """Stories of two paragraphs of the given length by each author, or 90 to 110 words."""
    rng = np.random.default_rng(seed)
    rows = [
        (
            story,
            sentence(50, rng)
            + "\n\n"
            + sentence(length.get(author, rng.integers(90, 111)) - 50, rng),
            "ascii",
        )
        for story, author in table.drop_duplicates("story_id")[["story_id", "author"]].to_numpy()
    ]
    return pd.DataFrame(rows, columns=["story_id", "text", "encoding"])


def blinding(
    table: pd.DataFrame, stories: pd.DataFrame | None, **more: Any
) -> tuple[dict[str, Finding], dict[str, Unchecked]]:
    rows = usable(table)
    options: dict[str, Any] = {"reference": "human", "resamples": 200} | more
    return parted(
        blinding_findings(stories, rows, totals(rows), np.random.default_rng(2), **options)
    )


# --- lengths


@pytest.mark.parametrize("biased", [True, False])
def test_length_bias_within_authors_is_a_warning(biased: bool) -> None:
    table = drawn(2, stories=30, items=["1"])
    rng = np.random.default_rng(3)
    names = pd.Index(table["story_id"].unique())
    words_of = pd.Series(rng.integers(100, 1000, len(names)), names)
    by_length = table["story_id"].map(words_of) / 100 + rng.normal(0, 1, len(table))
    score = by_length if biased else table["score"]
    found = length_finding(words_of, totals(usable(table.assign(score=score))), rng, resamples=200)
    assert isinstance(found, Finding) and found.severity == ("warn" if biased else "note")
    prose.check(f"ratings/length bias within authors: {biased}", found)
    assert found.numbers["stories"] == 30 and found.numbers["unit"] == "story"
    if biased:
        assert float(found.numbers["within_low"] or 0) > 0.5


def test_length_of_too_few_stories_is_unchecked() -> None:
    table = drawn(stories=4)
    lengths = pd.Series([10, 20, 30, 40], [f"s{n}" for n in range(4)])
    rng = np.random.default_rng(0)
    for few in (lengths, lengths.head(0)):
        found = length_finding(few, totals(usable(table)), rng)
        assert isinstance(found, Unchecked) and found.id == "length"
        prose.check(f"ratings/length of {len(few)} stories", found)


# --- similar stories


def test_similar_stories_are_those_of_a_loop_over_all_pairs() -> None:
    rng = np.random.default_rng(6)
    base = sentence(200, rng).split()
    stories = pd.DataFrame(
        {
            "story_id": ["a", "b", "c", "d"],
            "text": [
                " ".join(base),
                " ".join(base[:120]) + " " + sentence(60, rng),
                sentence(200, rng),
                " ".join(base[150:]) + " " + sentence(300, rng),
            ],
        }
    )
    found = similar_stories(stories, min_containment=0.0)
    runs = {s: shingles(words(t), 5) for s, t in stories.to_numpy()}
    expected = {
        (a, b): max(containment(runs[a], runs[b]), containment(runs[b], runs[a]))
        for a in runs
        for b in runs
        if a < b and runs[a] & runs[b]
    }
    rows = found[["first", "second", "containment"]].to_numpy()
    assert {(first, second): value for first, second, value in rows} == pytest.approx(expected)
    assert found["containment"].is_monotonic_decreasing


@pytest.mark.parametrize(
    ("shared", "severity", "numbers"),
    [
        (200, "fail", {"identical": 1, "near_duplicates": 1, "pairs": 1}),
        (150, "warn", {"identical": 0, "near_duplicates": 1, "pairs": 1}),
        (60, "note", {"identical": 0, "near_duplicates": 0, "pairs": 1}),
        (0, "pass", {"identical": 0, "near_duplicates": 0, "pairs": 0}),
    ],
)
def test_an_injected_duplicate(shared: int, severity: str, numbers: dict[str, int]) -> None:
    rng = np.random.default_rng(7)
    base = sentence(200, rng).rstrip(".").split()
    copy = [*base[:shared], *sentence(200 - shared, rng).split()] if shared < 200 else base
    stories = pd.DataFrame(
        {
            "story_id": ["s1", "s2", "s3"],
            "text": [" ".join(base), f"{' '.join(copy)}!\n", sentence(200, rng)],
        }
    )
    found = duplicate_finding(stories, {"s1": "a", "s2": "b", "s3": "a"})
    assert found.severity == severity
    prose.check(f"ratings/two texts of 200 words that share {shared}", found)
    assert {name: found.numbers[name] for name in numbers} == numbers
    if shared:
        (row,) = found.evidence
        assert (row["first"], row["second"]) == ("s1", "s2")
        assert (row["first_author"], row["second_author"]) == ("a", "b")


# --- what the files show


def test_without_texts_it_is_unchecked() -> None:
    found, unchecked = blinding(drawn(), None)
    assert found == {} and list(unchecked) == ["blinding"]
    prose.check("ratings/no texts", *unchecked.values())
    orphan = pd.DataFrame({"story_id": ["x"], "text": ["a"]})
    assert "none of the given texts" in blinding(drawn(), orphan)[1]["blinding"].reason


def test_similar_files_keep_raters_blind() -> None:
    table = drawn(3, stories=30)
    found, unchecked = blinding(table, texts(table))
    prose.check("ratings/similar files", *found.values())
    assert unchecked == {} and set(found) == {
        "blinding", "length", "similar-stories", "story-features", "texts-match",
    }  # fmt: skip
    assert found["blinding"].severity == "note" and found["texts-match"].severity == "pass"
    assert float(found["blinding"].numbers["p"] or 0) > 0.05


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda text: f"“{text}” “Yes”", "quotes: curly double"),
        (lambda text: text.replace("\n\n", "\n"), "paragraphs: line ends"),
        (lambda text: text + "\n\n\n\n", "line ends at end: 3 or more"),
        (lambda text: "The Title\n\n" + text, "title: yes"),
    ],
)
def test_an_injected_trace_of_an_author_is_found(change: Any, rule: str) -> None:
    table = drawn(4, stories=30)
    stories = texts(table).set_index("story_id")
    own = table[table["author"] == "human"]["story_id"].unique()
    stories.loc[own, "text"] = stories.loc[own, "text"].map(change)
    one = blinding(table, stories.reset_index())[0]["blinding"]
    assert one.severity == "warn"
    assert rule in {str(row["rule"]) for row in one.evidence if row["author"] == "human"}.pop()
    prose.check(f"ratings/an injected trace of an author is found: {rule}", one)
    assert one.numbers["sensitivity"] == one.numbers["specificity"] == 1
    assert 0.5 < float(one.numbers["sensitivity_low"] or 0) < 1  # of ten stories
    assert {"human"} == {
        str(row["author"]) for row in one.evidence if row["balanced_accuracy"] == 1.0
    }


def test_files_that_are_not_utf8_are_named_with_their_authors() -> None:
    table = drawn(5, stories=15)
    stories = texts(table)
    own = table[table["author"] == "human"]["story_id"].unique()
    stories.loc[stories["story_id"].isin(own), "encoding"] = "cp1252"
    found = blinding(table, stories)[0]
    assert {"5"} <= prose.figures(found["story-features"])
    prose.check(
        "ratings/files that are not utf8 are named with their authors",
        found["story-features"],
        found["blinding"],
    )


def test_texts_and_ratings_that_do_not_match_are_named() -> None:
    table = drawn(6, stories=12)
    stories = texts(table)
    extra = pd.DataFrame({"story_id": ["zz"], "text": ["One."], "encoding": ["ascii"]})
    given = pd.concat([stories.drop(index=0), stories.loc[[3]], extra], ignore_index=True)
    one = blinding(table, given)[0]["texts-match"]
    assert one.severity == "warn"
    prose.check("ratings/texts and ratings that do not match", one)
    assert one.evidence == [
        {"story_id": stories["story_id"][0], "fault": "rated, but no text"},
        {"story_id": "zz", "fault": "a text that nobody rated"},
    ]
    assert one.numbers == {"rated": 12, "without_text": 1, "not_rated": 1, "twice": 1}


def test_without_a_reference_the_most_exposed_author_leads() -> None:
    table = drawn(8, stories=20, authors=["a", "b"])
    one = blinding(table, texts(table, b=500))[0]["blinding"]
    assert float(one.numbers["balanced_accuracy"] or 0) >= 0.9 and one.severity == "warn"
    assert one.numbers["reach_0.8"] == 2 and one.numbers["reach_0.8_by_chance"] == 0


def test_authors_of_one_story_are_not_examined() -> None:
    table = drawn(9, stories=3)
    _, unchecked = blinding(table, texts(table))
    prose.check("ratings/authors of one story", unchecked["blinding"])
