from collections import Counter
from typing import Literal

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pipeline.candidates import CandidatesParams, build_candidates
from storyaudit.errors import InputError

MODELS = ("m1", "m2", "m3", "m4")
NONE = {"short_human_stories": 0, "incomplete_premises": 0, "llm_llm": 0, "human_llm": 0}


def study(**human_stories: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A models' premise pl, a training premise pt, and those with the human stories given."""
    uses = {"pl": "benchmark", "pt": "training"} | dict.fromkeys(human_stories, "benchmark")
    premises = pd.DataFrame({"premise_id": list(uses), "use": list(uses.values())})
    stories = [
        {"story_id": f"{premise}-{model}", "premise_id": premise, "author_kind": "llm"}
        | {"text": f"by {model}"}
        for premise in uses
        for model in MODELS
    ]
    stories += [
        {"story_id": f"{p}-human", "premise_id": p, "author_kind": "human", "text": text}
        for p, text in human_stories.items()
    ]
    return premises, pd.DataFrame(stories)


def build(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    *,
    minimum: int = 1,
    incomplete: Literal["refuse", "drop"] = "refuse",
    seed: int = 1,
) -> tuple[pd.DataFrame, dict[str, int]]:
    params = CandidatesParams(minimum_words=minimum, incomplete_premises=incomplete)
    return build_candidates(premises, stories, params, np.random.default_rng(seed))


def test_a_models_premise_makes_an_item_of_four_models() -> None:
    table, counts = build(*study())
    assert set(table["item_id"]) == {"i-pl"}  # none for the training premise
    assert set(table["origin"]) == {"llm_llm"}
    assert set(table["story_id"]) == {f"pl-{model}" for model in MODELS}
    assert counts == NONE | {"llm_llm": 1}


def test_a_human_premise_makes_an_item_of_one_human_and_three_models() -> None:
    table, counts = build(*study(ph="once upon a time"))
    item = table[table["item_id"] == "i-ph"]
    assert set(item["origin"]) == {"human_llm"} and set(item["premise_id"]) == {"ph"}
    assert item["story_id"].is_unique and len(item) == 4
    assert "ph-human" in set(item["story_id"])
    assert set(item["story_id"]) <= {f"ph-{author}" for author in (*MODELS, "human")}
    assert counts["human_llm"] == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("one two three four five", True),
        ("One, two -- three … four (five)!", True),
        ("one two three four", False),
        ("one two three four … !", False),
        ("一二三四五", True),
        ("", False),
    ],
)
def test_the_human_story_needs_the_minimum_of_words(text: str, kept: bool) -> None:
    table, counts = build(*study(ph=text), minimum=5)
    assert ("i-ph" in set(table["item_id"])) == kept
    assert counts == NONE | {
        "short_human_stories": int(not kept),
        "llm_llm": 1,
        "human_llm": int(kept),
    }


def test_short_models_stories_are_kept() -> None:
    _, counts = build(*study(), minimum=1000)
    assert counts["llm_llm"] == 1


def test_positions_are_a_permutation_in_every_item(corpora) -> None:
    table, counts = build(corpora.premises, corpora.stories)
    assert {tuple(sorted(item["position"])) for _, item in table.groupby("item_id")} == {
        (1, 2, 3, 4)
    }
    assert table["item_id"].nunique() == counts["llm_llm"] + counts["human_llm"] == 20
    premise = corpora.stories.set_index("story_id")["premise_id"]
    assert (table["premise_id"] == table["story_id"].map(premise)).all()


def test_positions_and_draws_are_even() -> None:
    texts = dict.fromkeys((f"p{number:03d}" for number in range(300)), "once upon a time")
    table, _ = build(*study(**texts))
    human = table[table["story_id"].str.endswith("human")]
    assert stats.chisquare(list(Counter(human["position"]).values())).pvalue > 0.001
    drawn = Counter(table.loc[table["origin"] == "human_llm", "story_id"].str[5:])
    assert drawn.pop("human") == 300 and sum(drawn.values()) == 900
    assert stats.chisquare(list(drawn.values())).pvalue > 0.001


def test_the_seed_decides_and_the_order_of_rows_does_not() -> None:
    premises, stories = study(ph="a b", pi="c d", pj="e f")
    table, _ = build(premises, stories)
    shuffled = build(premises.iloc[::-1], stories.sample(frac=1, random_state=1))[0]
    pd.testing.assert_frame_equal(shuffled, table)
    assert not build(premises, stories, seed=2)[0].equals(table)


def without(stories: pd.DataFrame, *gone: str) -> pd.DataFrame:
    return stories[~stories["story_id"].isin(gone)]


def with_further(stories: pd.DataFrame, *rows: tuple[str, str, str, str]) -> pd.DataFrame:
    columns = ["story_id", "premise_id", "author_kind", "text"]
    return pd.concat([stories, pd.DataFrame(rows, columns=columns)], ignore_index=True)


def test_of_more_models_four_are_drawn_evenly() -> None:
    premises, stories = study()
    premises = pd.DataFrame({"premise_id": [f"p{n}" for n in range(250)], "use": "benchmark"})
    rows = [(f"{p}-m{n}", p, "llm", f"by {n}") for p in premises["premise_id"] for n in range(6)]
    table, _ = build(premises, with_further(stories.iloc[:0], *rows))
    assert (table.groupby("item_id")["story_id"].nunique() == 4).all()
    drawn = Counter(table["story_id"].str.partition("-")[2])
    assert len(drawn) == 6 and stats.chisquare(list(drawn.values())).pvalue > 0.001


def test_of_two_human_stories_one_long_enough_is_used() -> None:
    premises, stories = study(ph="one two")
    stories = with_further(stories, ("ph-other", "ph", "human", "one two three four five six"))
    table, counts = build(premises, stories, minimum=5)
    assert "ph-other" in set(table["story_id"]) and "ph-human" not in set(table["story_id"])
    assert counts == NONE | {"llm_llm": 1, "human_llm": 1}


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        (["pl-m2"], "premise pl: expected 4 stories by language models, found 3"),
        (["ph-m1", "ph-m2"], "premise ph: expected 3 .* beside the human one, found 2"),
        ([f"pl-{m}" for m in MODELS], "premise pl: expected 4 stories .* found 0"),
    ],
)
def test_a_premise_without_four_candidates_is_refused_or_dropped_and_counted(
    gone: list[str], message: str
) -> None:
    premises, stories = study(ph="once upon a time", pi="there was a king")
    stories = without(stories, *gone)
    with pytest.raises(InputError, match=message):
        build(premises, stories)
    table, counts = build(premises, stories, incomplete="drop")
    assert f"i-{gone[0][:2]}" not in set(table["item_id"])
    assert counts["incomplete_premises"] == 1 and table["item_id"].nunique() == 2


def test_a_story_under_two_ids_is_refused() -> None:
    premises, stories = study()
    stories.loc[stories["story_id"] == "pl-m2", "text"] = "by  m1\n"
    with pytest.raises(InputError, match="premise pl: the stories pl-m1, pl-m2 do not all differ"):
        build(premises, stories)


def test_no_item_at_all_is_refused() -> None:
    premises, stories = study()
    with pytest.raises(InputError, match="no item could be made of 1 benchmark premises"):
        build(premises, without(stories, "pl-m1"), incomplete="drop")
