import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.data.corpus import (
    apply_screening,
    as_corpus,
    clean_corpus,
    content_id,
    drop_flagged,
    drop_short,
    tidy,
)
from storyaudit.data.tables import PREMISES, STORIES, coerce_types
from storyaudit.errors import InputError

FILE = Path("stories.csv")


def corpus(stories, **how):
    """Of stories with a text and what else is given; by a human unless they say."""
    rows = [{"author": "human", "author_kind": "human", **row} for row in stories]
    frame = pd.DataFrame(  # objects, as a file is read: half a surrogate is no pandas string
        {
            name: pd.Series([row.get(name) for row in rows], dtype="object")
            for name in dict.fromkeys(name for row in rows for name in row)
        }
    )
    return as_corpus(frame, **{"source": "s", "use": "training", "file": FILE, **how})


def by_text(found):
    return found.stories.set_index("text").to_dict("index")


def total(counts):
    dropped = ("empty_texts", "repeated", "short", "screened_out")
    return sum(counts.get(name, 0) for name in dropped)


# Identity.


@pytest.mark.parametrize(
    ("prefix", "text", "source", "expected"),
    [  # printf 'SOURCE\0TEXT' | sha256sum
        ("s", "Once upon a time.", "wp", "4cb735a1a926"),
        ("p", "很久以前。", "知乎", "081d3ced8a9f"),
    ],
)
def test_ids_are_the_start_of_a_digest(prefix, text, source, expected):
    assert content_id(prefix, text, source) == prefix + expected


def test_ids_tell_sources_and_prefixes_apart():
    assert content_id("s", "a", "b") != content_id("s", "a", "c")
    assert content_id("s", "ab", "c") != content_id("s", "b", "ca")


def test_the_same_text_is_one_story_and_every_repetition_is_counted():
    found = corpus(
        [
            {"text": "A tale.", "premise": "P"},
            {"text": "A tale.", "premise": "P"},
            {"text": " A tale.\r\n", "premise": "Q"},
            {"text": "A tale.", "premise": "P", "author": "gpt", "author_kind": "llm"},
            {"text": "A tale.", "author": "gpt", "author_kind": "llm"},
        ]
    )
    assert found.stories["text"].tolist() == ["A tale."]
    assert found.stories["premise_id"].tolist() == [content_id("p", "P", "s")]
    assert found.stories["author"].tolist() == ["human"]
    assert found.counts == {
        "read": 5,
        "empty_texts": 0,
        "repeated": 4,
        "repeated_under_another_premise": 2,  # Q, and none
        "repeated_by_another_author": 2,
        "no_premise": 0,
    }
    assert set(found.premises["text"]) == {"P", "Q"}


def test_the_same_premise_is_one_premise():
    found = corpus([{"text": t, "premise": p} for t, p in [("a", "P"), ("b", " P\n"), ("c", "Q")]])
    assert found.premises["text"].tolist() in (["P", "Q"], ["Q", "P"])
    assert by_text(found)["a"]["premise_id"] == by_text(found)["b"]["premise_id"]


def test_empty_texts_are_dropped_with_their_premises_and_counted():
    found = corpus(
        [{"text": t, "premise": p} for t, p in [("a", "P"), (" \n", "Q"), (None, "R"), ("b", "")]]
    )
    assert set(found.stories["text"]) == {"a", "b"}
    assert found.premises["text"].tolist() == ["P"]
    assert (found.counts["empty_texts"], found.counts["no_premise"]) == (2, 1)


def test_a_corpus_without_premises_has_an_empty_table_of_them():
    found = corpus([{"text": "a"}])
    assert found.premises.empty and "premise_id" in found.premises
    assert found.stories["premise_id"].isna().all()


def test_texts_keep_their_characters():
    text = "  “Naïve—”\t\u2028 ﬁ 　Ｗ\u200d\n\n  end"
    assert corpus([{"text": f"\ufeff\r\n{text}\r\r"}]).stories["text"].tolist() == [text.strip()]
    assert tidy("a\r\nb\rc\n") == "a\nb\nc"


@settings(max_examples=25)
@given(st.data())
def test_nothing_is_lost_unseen_and_order_does_not_matter(data):
    texts = st.sampled_from(["", " ", "a", "a ", "b b b", "c\r\nc", "d"])
    rows = data.draw(
        st.lists(
            st.fixed_dictionaries({"text": texts, "premise": st.sampled_from(["", "P", "Q"])}),
            min_size=1,
            max_size=8,
        ).filter(lambda rows: any(row["text"].strip() for row in rows))
    )
    found = corpus(rows)
    short = drop_short(found, 2)
    for each in (found, short):
        assert each.counts["read"] == len(rows) == total(each.counts) + len(each.stories)
        assert not each.stories["story_id"].duplicated().any()
        assert set(each.stories["premise_id"].dropna()) <= set(each.premises["premise_id"])
    turned = corpus(data.draw(st.permutations(rows)))
    assert set(turned.stories["story_id"]) == set(found.stories["story_id"])
    assert set(turned.premises["premise_id"]) == set(found.premises["premise_id"])
    again = corpus([{"text": text} for text in found.stories["text"]])
    assert again.stories["story_id"].tolist() == found.stories["story_id"].tolist()


# Facts.


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Don't stop, she said.", 4),
        ("很久以前，有一个人。", 8),  # the field's 字数: characters without punctuation
        ("…!", 0),
        ("第3章 The end", 5),  # 第, 3, 章, the, end
    ],
)
def test_words_are_counted_as_everywhere(text, number):
    assert corpus([{"text": text}]).stories["words"].tolist() == [number]


def test_a_language_is_named_by_the_row_or_else_given_or_else_guessed():
    rows = [
        {"text": "Es war einmal", "language": "de", "premise": "Prämisse"},
        {"text": "很久以前", "language": None, "premise": "A premise"},
    ]
    found = corpus(rows)
    assert {t: f["language"] for t, f in by_text(found).items()} == {
        "Es war einmal": "de",
        "很久以前": "zh",
    }
    assert dict(zip(found.premises["text"], found.premises["language"], strict=True)) == {
        "Prämisse": "de",
        "A premise": "und",
    }
    given = corpus(rows, language="en")
    assert {f["language"] for f in by_text(given).values()} == {"de", "en"}


def test_optional_columns_pass_and_tables_are_valid():
    found = corpus(
        [
            {
                "text": "a",
                "genre": "悬疑",
                "column_id": "c1",
                "readership": 12,
                "screening": "clear",
                "provenance": "stories.csv:2",
            },
            {"text": "b", "readership": None, "premise": "P", "provenance": "stories.csv:3"},
        ]
    )
    facts = by_text(found)["a"]
    assert (facts["genre"], facts["column_id"], facts["readership"]) == ("悬疑", "c1", 12)
    assert (facts["screening"], facts["provenance"]) == ("clear", "stories.csv:2")
    assert found.premises["provenance"].tolist() == ["stories.csv:3"]
    for frame, table in ((found.premises, PREMISES), (found.stories, STORIES)):
        _, further = coerce_types(frame, table, file=FILE)
        assert not further
        assert frame[table.key[0]].is_monotonic_increasing


# Refusals.


@pytest.mark.parametrize(
    ("row", "message", "column"),
    [
        ({"author": None}, "a name", "author"),
        ({"author_kind": ""}, "a name", "author_kind"),
        ({"author_kind": "robot"}, "human, llm, unknown, found 'robot'", "author_kind"),
        ({"screening": "maybe"}, "clear, flagged, found 'maybe'", "screening"),
        ({"readership": -1}, "0 or more, found -1", "readership"),
        ({"readership": "many"}, "whole number, found 'many'", "readership"),
        ({"text": "a\0b"}, "without NUL", "text"),
        ({"premise": "a\0"}, "without NUL", "premise"),
        ({"text": json.loads('"\\ud800"')}, "expected text", "text"),
        ({"text": 1.5}, "expected text", "text"),
    ],
)
def test_invalid_values_are_refused_at_their_row(row, message, column):
    with pytest.raises(InputError, match=message) as error:
        corpus([{"text": "a"}, {"text": "b", **row}], rows=[2, 9])
    assert (error.value.row, error.value.column, error.value.file) == (9, column, FILE)


def test_what_is_no_corpus_is_refused():
    with pytest.raises(InputError, match="columns text, author, author_kind"):
        as_corpus(pd.DataFrame({"x": ["a"]}), source="s", use="training", file=FILE)
    with pytest.raises(InputError, match="2 empty texts"):
        corpus([{"text": ""}, {"text": " "}])
    with pytest.raises(InputError, match=r"benchmark, training.* found 'test'"):
        corpus([{"text": "a"}], use="test")


# Filters.


def test_short_stories_go_and_premises_left_alone_with_them():
    found = drop_short(
        corpus(
            [
                {"text": "one two", "premise": "P"},
                {"text": "one two three", "premise": "P"},
                {"text": "one", "premise": "Q"},
                {"text": "一二三"},
            ]
        ),
        3,
    )
    assert set(found.stories["text"]) == {"one two three", "一二三"}
    assert found.premises["text"].tolist() == ["P"]
    assert (found.counts["short"], found.counts["premises_dropped"]) == (2, 1)
    assert drop_short(found, 3).counts == found.counts
    assert drop_short(found, 4).counts["short"] == 4


def test_screening_flags_drops_and_counts():
    read = corpus([{"text": t, "premise": t.upper()} for t in "abcd"])
    ids = {text: facts["story_id"] for text, facts in by_text(read).items()}
    verdicts = pd.DataFrame(
        {
            "story_id": [ids["a"], ids["b"], "elsewhere"],
            "screening": ["clear", "flagged", "flagged"],
        }
    )
    screened = apply_screening(read, verdicts)
    assert by_text(screened)["a"]["screening"] == "clear"
    assert screened.stories["screening"].isna().sum() == 2
    assert screened.counts == read.counts | {
        "unscreened": 2,
        "flagged": 1,
        "screened_elsewhere": 1,
    }
    left = drop_flagged(screened)
    assert set(left.stories["text"]) == set("acd")
    assert set(left.premises["text"]) == set("ACD")
    assert (left.counts["screened_out"], left.counts["unscreened"]) == (1, 2)
    later = apply_screening(left, pd.DataFrame({"story_id": [ids["c"]], "screening": ["clear"]}))
    assert by_text(later)["a"]["screening"] == "clear"  # an earlier verdict stays
    assert later.counts["unscreened"] == 1


def test_without_a_screening_all_stories_are_unscreened():
    found = drop_flagged(corpus([{"text": "a"}, {"text": "b"}]))
    assert len(found.stories) == 2 and found.counts["unscreened"] == 2


def test_cleaning_counts_each_step_and_gives_new_ids():
    read = corpus(
        [
            {"text": "Here is a story:\n\nThe Lake\n\nIt rained.\n\n\nIt stopped.", "premise": "P"},
            {"text": "It rained.\n\nIt stopped.", "premise": "P"},
            {"text": "It snowed.", "premise": "P"},
        ]
    )
    cleaned = clean_corpus(read)
    assert set(cleaned.stories["text"]) == {"It rained.\n\nIt stopped.", "It snowed."}
    assert by_text(cleaned)["It snowed."] == by_text(read)["It snowed."]
    assert by_text(cleaned)["It rained.\n\nIt stopped."]["words"] == 4
    counts = cleaned.counts
    assert counts["read"] == total(counts) + len(cleaned.stories) == 3
    assert [counts[f"cleaned_{s}"] for s in ("task_sentence", "title", "paragraphs")] == [1, 1, 1]
    assert set(cleaned.stories["story_id"]) == {
        content_id("s", text, "s") for text in cleaned.stories["text"]
    }
