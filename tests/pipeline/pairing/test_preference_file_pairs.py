import json
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_samples import text

from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.pair_tables import premises_table, stories_table
from pipeline.pairing.preference_files import file_pairs
from storyaudit.data.corpus import Corpus, content_id
from storyaudit.errors import InputError
from storyaudit.layouts.preferences import Preferences, read_preferences


@pytest.fixture
def read(tmp_path):
    def make(*rows, source="mine", name="pairs.jsonl", language=None):
        path = tmp_path / name
        names = ("premise", "chosen", "rejected")
        path.write_text(
            "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
        )
        return read_preferences(path, source=source, use="training", language=language)

    return make


A, B, C = text("a"), text("b"), text("c")


def test_pairs_keep_their_texts_source_and_place(read):
    pair_filter = PairFilter(0.5)
    pairs = file_pairs([read(("Rain.", A, B), ("Snow.", "猫来了", C))], pair_filter)
    assert not pair_filter.dropped
    found = {(p.premise.text, p.chosen.text, p.rejected.text) for p in pairs}
    assert found == {("Rain.", A, B), ("Snow.", "猫来了", C)}
    assert {pair.method for pair in pairs} == {"preference_file"}
    assert {pair.source for pair in pairs} == {"mine"}
    stories = stories_table(pairs, set()).set_index("text")
    assert stories.loc[A, "story_id"] == content_id("s", A, "mine")
    assert stories.loc[A, "author_kind"] == "unknown"
    assert stories.loc["猫来了", "language"] == "zh"
    assert stories.loc[C, "provenance"] == "pairs.jsonl:2"
    assert stories.loc[A, "words"] == 40
    premises = premises_table(pairs, set()).set_index("text")
    assert premises.loc["Rain.", "premise_id"] == content_id("p", "Rain.", "mine")
    assert set(premises["use"]) == {"training"}


def test_what_the_corpora_hold_is_not_held_again(read):
    pairs = file_pairs([read(("Rain.", A, B))], PairFilter(0.5))
    known = {content_id("s", A, "mine"), content_id("p", "Rain.", "mine")}
    assert stories_table(pairs, known)["text"].tolist() == [B]
    assert premises_table(pairs, known).empty
    assert stories_table([], set()).empty


def test_pairs_that_contradict_each_other_are_both_dropped(read):
    pair_filter = PairFilter(0.5)
    pairs = file_pairs([read(("Rain.", A, B), ("Rain.", B, A), ("Rain.", A, C))], pair_filter)
    assert [(p.chosen.text, p.rejected.text) for p in pairs] == [(A, C)]
    assert pair_filter.dropped == Counter({"preference_file.contradicting": 2})


def test_other_files_premises_and_spellings_contradict_as_well(read):
    files = [
        read(("Rain.", A, B), name="one.jsonl"),
        read(("Snow.", B.upper(), A + "…"), name="two.jsonl", source="other"),
    ]
    pair_filter = PairFilter(0.5)
    assert file_pairs(files, pair_filter) == []
    assert pair_filter.dropped == Counter({"preference_file.contradicting": 2})


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("Rain.", A, A.upper()), "same_text"),
        (("Rain.", A, A + " Once."), "near_copy"),
        (("Rain.", "…", A), "no_words"),
        (("Snow.", C, B), "used_before"),
    ],
)
def test_some_rows_make_no_pair(read, row, reason):
    pair_filter = PairFilter(0.5)
    pairs = file_pairs([read(("Rain.", C, B), row)], pair_filter)
    assert len(pairs) == 1
    assert pair_filter.dropped == Counter({f"preference_file.{reason}": 1})


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from("abcd"), st.sampled_from("abcd")).filter(
            lambda row: row[1] != row[2]
        ),
        min_size=1,
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_no_pair_is_stated_twice_or_in_reverse_in_whatever_order_rows_stand(rows, random):
    def stated(rows) -> Preferences:
        premises = pd.DataFrame({"premise_id": list("pq"), "text": ["Rain.", "Snow."]})
        stories = pd.DataFrame({"story_id": list("abcd"), "text": list(map(text, "abcd"))})
        shared = {"language": "en", "source": "mine", "author_kind": "unknown", "author": "unknown"}
        corpus = Corpus(premises.assign(**shared), stories.assign(**shared), {})
        names = ["premise_id", "chosen_id", "rejected_id"]
        return Preferences(corpus, pd.DataFrame(rows, columns=names).drop_duplicates(), "")

    pair_filter = PairFilter(0.5)
    pairs = file_pairs([stated(rows)], pair_filter)
    found = [(pair.chosen.text, pair.rejected.text) for pair in pairs]
    assert len({frozenset(story_pair) for story_pair in found}) == len(found)
    wanted = {(text(left), text(right)) for _, left, right in rows}
    assert set(found) == {story_pair for story_pair in wanted if story_pair[::-1] not in wanted}
    assert len(pairs) + pair_filter.dropped.total() == len(set(rows))
    shuffled = random.sample(rows, len(rows))

    def without_places(pairs):
        return [(p.premise.premise_id, p.chosen.story_id, p.rejected.story_id) for p in pairs]

    assert without_places(file_pairs([stated(shuffled)], PairFilter(0.5))) == without_places(pairs)


def test_one_text_in_two_languages_is_refused(read):
    files = [
        read(("Rain.", A, B), language="en"),
        read(("Snow.", A, C), language="fr", name="more.jsonl"),
    ]
    pairs = file_pairs(files, PairFilter(0.5))
    with pytest.raises(InputError, match=r"is said to be in (en and in fr|fr and in en)"):
        stories_table(pairs, set())
