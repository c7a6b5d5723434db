"""What of a study is compared with what, beside all pairs by sets of words."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from plain_measures import longest_shared_run

from audits.overlap.study_comparisons import (
    Compared,
    Study,
    all_rows,
    compare_study,
    derived,
    further_overlaps,
    study_comparisons,
)
from storyaudit.data.tables import OVERLAPS, coerce_types, validate
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.words import words

PARAMS = OverlapParams(permutations=128, bands=64)
ITEM_STORIES = [item + place for item in "12" for place in "abcd"]
TRAIN_STORIES = [pair + side for pair in "jrc" for side in "ab"]
HELD_OUT_STORIES = ["va", "vb"]


def run(study: Study) -> dict[tuple[str, str], Compared]:
    return {(found.sides, found.level): found for found in compare_study(study, PARAMS)}


def id_pairs(found: Compared) -> set[tuple[str, str]]:
    return set(zip(found.rows["left_id"], found.rows["right_id"], strict=True))


def relations(found: Compared) -> dict[tuple[str, str], str | None]:
    return {
        (row.left_id, row.right_id): None if pd.isna(row.relation) else row.relation
        for row in found.rows.itertuples()
    }


def by_force(study: Study, least: dict[str, float]) -> dict[tuple[str, ...], tuple[float, ...]]:
    """Every pair of every comparison, by sets of words."""
    tables = {
        "story": (study.stories, study.pair_stories),
        "premise": (study.premises, study.pair_premises),
    }
    texts = {
        kind: {
            name: words(text)
            for table in both
            for name, text in zip(table[f"{kind}_id"], table["text"], strict=True)
        }
        for kind, both in tables.items()
    }
    sides = [
        ("train_benchmark", "story", ITEM_STORIES, TRAIN_STORIES + HELD_OUT_STORIES),
        ("train_benchmark", "premise", ["p1", "p2"], ["pj", "pr", "pv"]),
        ("train_benchmark", "premise_in_story", ["p1", "p2"], TRAIN_STORIES + HELD_OUT_STORIES),
        ("train_validation", "story", HELD_OUT_STORIES, TRAIN_STORIES),
        ("train_validation", "premise", ["pv"], ["pj", "pr"]),
        ("benchmark_benchmark", "story", ITEM_STORIES, None),
        ("train_train", "story", TRAIN_STORIES, None),
    ]
    found = {}
    for name, level, lefts, rights in sides:
        of_left = texts["story" if level == "story" else "premise"]
        of_right = texts["premise" if level == "premise" else "story"]
        pairs = combinations(sorted(lefts), 2) if rights is None else product(lefts, rights)
        for left, right in pairs:
            part, whole = of_left[left], of_right[right]
            own, other = shingles(part, 5), shingles(whole, 5)
            share = containment(own, other)
            if rights is None:
                share = max(share, containment(other, own))
            if share >= least.get(name, 0.1):
                found[name, level, left, right] = (
                    round(share, 6),
                    round(jaccard(own, other), 6),
                    longest_shared_run(part, whole),
                )
    return found


def mixed(rng: np.random.Generator, parts: list[list[str]]) -> str:
    """A text of two or three parts, each cut, that other texts may have as well."""
    chosen = rng.choice(len(parts), rng.integers(1, 4), replace=False)
    return " ".join(" ".join(parts[n][: rng.integers(8, 60)]) for n in chosen)


@pytest.mark.parametrize("seed", range(4))
def test_every_comparison_finds_what_sets_of_words_find(make_study, prose, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [prose(60).split() for _ in range(12)]
    names = [*ITEM_STORIES, *TRAIN_STORIES, *HELD_OUT_STORIES]
    names += ["3a", *(f"p{name}" for name in "123jrv")]
    study = make_study({name: mixed(rng, parts) for name in names})
    expected = by_force(study, {"train_train": PARAMS.duplicate_threshold})
    assert {key[:2] for key in expected} >= {
        ("train_benchmark", "story"),
        ("train_benchmark", "premise_in_story"),
        ("benchmark_benchmark", "story"),
    }
    table = all_rows(run(study).values())
    found = {
        (row.comparison, row.level, row.left_id, row.right_id): (
            row.containment,
            row.jaccard,
            row.longest_common_substring,
        )
        for row in table.itertuples()
    }
    # The index may miss a pair of low Jaccard similarity, and never adds one.
    missed = set(expected) - set(found)
    assert all(name == "train_train" and expected[name, *rest][1] < 0.4 for name, *rest in missed)
    assert found == {key: value for key, value in expected.items() if key not in missed}
    assert table["verified"].all()


def test_what_is_compared_is_what_is_used(make_study) -> None:
    compared = {
        (c.sides, c.level): (sorted(c.left.ids), c.right and sorted(c.right.ids))
        for c in study_comparisons(make_study())
    }
    every = sorted(TRAIN_STORIES + HELD_OUT_STORIES)
    assert compared == {
        ("train_benchmark", "story"): (ITEM_STORIES, every),
        ("train_benchmark", "premise"): (["p1", "p2"], ["pj", "pr", "pv"]),
        ("train_benchmark", "premise_in_story"): (["p1", "p2"], every),
        ("benchmark_benchmark", "story"): (ITEM_STORIES, None),
        ("train_train", "story"): (sorted(TRAIN_STORIES), None),
        ("train_validation", "story"): (HELD_OUT_STORIES, sorted(TRAIN_STORIES)),
        ("train_validation", "premise"): (["pv"], ["pj", "pr"]),
    }


def test_a_benchmark_story_inside_a_longer_training_story_is_found(make_study, prose) -> None:
    story = prose(60)
    study = make_study({"1b": story, "jb": f"{prose(900)} {story} {prose(900)}"})
    found = run(study)["train_benchmark", "story"]
    (row,) = found.rows.to_dict("records")
    assert (row["left_id"], row["right_id"], row["containment"]) == ("1b", "jb", 1.0)
    assert row["jaccard"] < 0.05 and row["longest_common_substring"] == 60


def test_stories_of_an_item_are_apart_from_those_of_others(make_study, prose) -> None:
    text, other = prose(60), prose(60)
    found = run(make_study({"1a": text, "1c": text, "1d": other, "2b": other, "3a": text}))
    assert relations(found["benchmark_benchmark", "story"]) == {
        ("1a", "1c"): "item",
        ("1d", "2b"): None,
    }


def test_derived_stories_are_marked(make_study, prose) -> None:
    original, text = prose(60), prose(60)
    texts = {"ra": original, "rb": f"{original} {prose(3)}", "ca": f"{original} {prose(9)}"}
    texts |= {"ja": text, "jb": text}
    found = run(make_study(texts))["train_train", "story"]
    assert relations(found) == {
        ("ra", "rb"): "derived",
        ("ca", "rb"): "derived",
        ("ca", "ra"): "derived",
        ("ja", "jb"): "pair",
    }
    assert found.proposed is not None and found.proposed >= 3


def test_of_many_equal_stories_each_is_found_with_one_of_them(make_study, prose) -> None:
    text = prose(60)
    found = run(make_study({"ja": text, "ra": text, "rb": text}))["train_train", "story"]
    assert relations(found) == {("ja", "ra"): None, ("ja", "rb"): None}


PAIRS = [
    ("rewriting", "p1", "h1", "r1"),
    ("rewriting", "p1", "h1", "r2"),
    ("rewriting", "p1", "h2", "r3"),
    ("continuation", "p1", "g1", "u1"),
    ("continuation", "p2", "g2", "u2"),
    ("judged", "p1", "m1", "h1"),
    ("rewriting", "p1", None, "r4"),
]


@pytest.mark.parametrize(
    ("left", "right", "similar"),
    [
        ("h1", "r1", True),
        ("r1", "r2", True),  # of one original
        ("h1", "h2", False),  # two people's stories on one premise
        ("r1", "r3", False),
        ("g1", "u1", True),
        ("g1", "h1", True),  # one of them may be the original that was continued
        ("u1", "r3", True),
        ("g1", "g2", False),
        ("g2", "h1", False),
        ("m1", "h1", False),
        ("m1", "g1", False),
        ("r4", "h1", False),
        ("unknown", "h1", False),
    ],
)
def test_what_is_similar_by_design(left: str, right: str, similar: bool) -> None:
    columns = ["method", "premise_id", "chosen_id", "rejected_id"]
    on_purpose = derived(pd.DataFrame(PAIRS, columns=columns))
    assert on_purpose(left, right) is on_purpose(right, left) is similar


def test_the_rows_make_a_valid_table(make_study, prose, tmp_path) -> None:
    text = prose(60)
    study = make_study({"1a": text, "1b": text, "ja": text, "jb": text, "va": text, "p1": text})
    table = all_rows(run(study).values())
    assert len(table) > 8
    converted, further = coerce_types(table, OVERLAPS, file=tmp_path)
    validate(converted, OVERLAPS, file=tmp_path)
    assert further == []
    validate(converted.drop(columns=["comparison", "relation"]).head(1), OVERLAPS, file=tmp_path)
    nothing = all_rows(run(make_study()).values())
    assert coerce_types(nothing, OVERLAPS, file=tmp_path)[0].empty


def test_what_cannot_be_compared_is_counted(make_study, prose) -> None:
    study = make_study({"1a": None, "1b": "…!", "ja": "", "p1": "one two", "p2": "a b c d e"})
    pairs = study.pairs
    pairs.loc[0, "rejected_id"] = "lost"
    pairs.loc[1, "chosen_id"] = None
    duplicated = pd.concat([study.stories, study.stories[study.stories["story_id"] == "2a"]])
    found = run(study._replace(stories=duplicated))
    story = found["train_benchmark", "story"]
    assert (story.left, story.right, story.empty) == (8, 6, 3)
    assert (story.repeated, story.absent) == (1, 1)
    premise = found["train_benchmark", "premise"]
    assert (premise.left, premise.right, premise.short, premise.empty) == (2, 3, 1, 0)
    windowed = compare_study(study, OverlapParams(window=20))
    assert windowed[0].long == 6  # all benchmark stories but those without a word


def test_an_id_without_a_value_names_no_text(make_study, prose) -> None:
    text = prose(60)
    study = make_study({"1a": text})
    lost = pd.DataFrame({"story_id": [None], "text": [text]})
    pairs = study.pairs.assign(chosen_id=None)
    found = run(study._replace(stories=pd.concat([study.stories, lost]), pairs=pairs))
    assert found["train_benchmark", "story"].right == 4
    assert found["train_benchmark", "story"].rows.empty


@pytest.mark.parametrize("table", ["pairs", "candidates", "benchmark", "stories", "premises"])
def test_without_a_side_nothing_is_compared(make_study, table: str) -> None:
    study = make_study()
    found = run(study._replace(**{table: getattr(study, table).iloc[:0]}))
    sides = {name for name, _ in found}
    assert (
        sides
        == {
            "pairs": {"benchmark_benchmark"},
            "candidates": {"train_train", "train_validation"},
            "benchmark": {"train_train", "train_validation"},
            "stories": {"train_train", "train_benchmark", "train_validation"},
            "premises": {
                "train_benchmark",
                "benchmark_benchmark",
                "train_train",
                "train_validation",
            },
        }[table]
    )
    assert all(found.rows.empty for found in found.values())


def test_one_split_leaves_nothing_held_out(make_study) -> None:
    study = make_study()
    found = run(study._replace(pairs=study.pairs.assign(split="train")))
    assert not [name for name, _ in found if name == "train_validation"]


def test_rows_of_any_order_and_index_give_the_same(make_study, prose) -> None:
    text = prose(60)
    names = ("1a", "1b", "2c", "ja", "jb", "ra", "rb", "va")
    study = make_study({name: f"{text} {prose(20)}" for name in names})
    first = compare_study(study, PARAMS, threads=1)
    rng = np.random.default_rng(3)
    shuffled = Study(*(table.iloc[rng.permutation(len(table))] for table in study))
    second = compare_study(shuffled, PARAMS, threads=3)
    for one, other in zip(first, second, strict=True):
        pd.testing.assert_frame_equal(one.rows, other.rows)
        assert one._replace(rows=None) == other._replace(rows=None)


def test_a_duplicate_in_pairs_of_experiments_alone_is_apart_from_the_studys(
    make_study, prose
) -> None:
    text = prose(60)
    study = make_study({"1a": text})
    spare = "xa"
    stories = pd.concat(
        [study.stories, study.stories.iloc[:1].assign(story_id=spare, text=text)],
        ignore_index=True,
    )
    further = study.pairs.iloc[:1].assign(pair_id="e1", method="replacement", rejected_id=spare)
    apart = study._replace(stories=stories, pairs=further)
    assert run(study)["train_benchmark", "story"].rows.empty
    found = further_overlaps(apart, PARAMS)
    assert set(found["comparison"]) == {"train_benchmark"}
    assert set(zip(found["left_id"], found["right_id"], strict=True)) == {("1a", spare)}
