from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pipeline.candidates import CandidatesParams, build_candidates

MODELS = ("m1", "m2", "m3", "m4")


def study(**human_stories: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A models' premise pl, a training premise pt, and those with the human stories given."""
    sources = {"pl": "llm", "pt": "simulated-training"} | dict.fromkeys(human_stories, "human")
    premises = pd.DataFrame({"premise_id": list(sources), "source": list(sources.values())})
    stories = [
        {"story_id": f"{premise}-{model}", "premise_id": premise, "author_kind": "llm", "text": "x"}
        for premise in sources
        for model in MODELS
    ]
    stories += [
        {"story_id": f"{p}-human", "premise_id": p, "author_kind": "human", "text": text}
        for p, text in human_stories.items()
    ]
    return premises, pd.DataFrame(stories)


def build(
    premises: pd.DataFrame, stories: pd.DataFrame, *, minimum: int = 1, seed: int = 1
) -> tuple[pd.DataFrame, dict[str, int]]:
    rng = np.random.default_rng(seed)
    return build_candidates(premises, stories, CandidatesParams(minimum_words=minimum), rng)


def test_a_models_premise_makes_an_item_of_four_models() -> None:
    table, counts = build(*study())
    assert set(table["item_id"]) == {"i-pl"}  # none for the training premise
    assert set(table["origin"]) == {"llm_llm"}
    assert set(table["story_id"]) == {f"pl-{model}" for model in MODELS}
    assert counts == {"short_human_stories": 0, "llm_llm": 1, "human_llm": 0}


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
    assert counts == {
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
    assert table["item_id"].nunique() == counts["llm_llm"] + counts["human_llm"] == 24
    premise = corpora.stories.set_index("story_id")["premise_id"]
    assert (table["premise_id"] == table["story_id"].map(premise)).all()


def test_positions_and_draws_are_even() -> None:
    texts = dict.fromkeys((f"p{number:03d}" for number in range(600)), "once upon a time")
    table, _ = build(*study(**texts))
    human = table[table["story_id"].str.endswith("human")]
    assert stats.chisquare(list(Counter(human["position"]).values())).pvalue > 0.001
    drawn = Counter(table.loc[table["origin"] == "human_llm", "story_id"].str[5:])
    assert drawn.pop("human") == 600 and sum(drawn.values()) == 1800
    assert stats.chisquare(list(drawn.values())).pvalue > 0.001


def test_the_seed_decides_and_the_order_of_rows_does_not() -> None:
    premises, stories = study(ph="a b", pi="c d", pj="e f")
    table, _ = build(premises, stories)
    shuffled = build(premises.iloc[::-1], stories.sample(frac=1, random_state=1))[0]
    pd.testing.assert_frame_equal(shuffled, table)
    assert not build(premises, stories, seed=2)[0].equals(table)
