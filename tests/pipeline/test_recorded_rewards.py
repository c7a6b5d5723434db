import re
from collections.abc import Callable, Sequence

import pandas as pd
import pytest
from asked_samples import Asked, Behave, honest
from pydantic import ValidationError

from pipeline.recorded_rewards import RecordedRewards, recorded_rewards
from storyaudit.data.tables import SCORES, validate
from storyaudit.errors import InputError

# Shown by position: i1: a3 b1 c2 d0, i2: e h g f; a story's text states its worth.
CANDIDATES = pd.DataFrame(
    {
        "item_id": ["i1"] * 4 + ["i2"] * 4,
        "position": [1, 2, 3, 4, 1, 4, 3, 2],
        "story_id": list("abcdefgh"),
        "premise_id": ["p1"] * 4 + ["p2"] * 4,
    }
)
WORTH = dict(zip("abcdefgh", [3, 1, 2, 0, 1, 2, 0, 3], strict=True))
STORIES = {story: f"worth {worth} of {story}" for story, worth in WORTH.items()}
PREMISES = {"p1": "the lamp", "p2": "the sea"}


def params(method: str, models: Sequence[str] = ("m",), *, both_orders: bool = True):
    return RecordedRewards.model_validate(
        {
            "models": [{"model": name} for name in models],
            "method": method,
            "both_orders": both_orders,
        }
    )


def rewards(method: str, behave: Behave = honest, **named) -> dict[str, float]:
    table, _ = recorded_rewards(
        CANDIDATES, PREMISES, STORIES, params(method, **named), Asked(behave)
    )
    return dict(zip(table["story_id"], table["reward"], strict=True))


@pytest.mark.parametrize(
    ("method", "both_orders", "expected"),
    [
        ("ranking", True, WORTH),  # worths are 0 to 3: the stories ranked below
        ("scores", True, {story: 1 + 2 * worth for story, worth in WORTH.items()}),
        ("comparisons", False, WORTH),  # each is better than those of less worth
        ("comparisons", True, {story: 2 * worth for story, worth in WORTH.items()}),
    ],
)
def test_a_reward_is_what_the_answers_say(method: str, both_orders: bool, expected) -> None:
    assert rewards(method, both_orders=both_orders) == expected


@pytest.mark.parametrize(
    ("method", "both_orders", "questions"),
    # 2 items: one ranking each; 4 scores each; 4·3/2 story pairs each, in one order or in both.
    [("ranking", True, 2), ("scores", True, 8), ("comparisons", False, 12), ("comparisons", 1, 24)],
)
def test_the_number_of_questions(method: str, both_orders: bool, questions: int) -> None:
    asked = Asked(honest)
    given = params(method, both_orders=bool(both_orders))
    recorded_rewards(CANDIDATES, PREMISES, STORIES, given, asked)
    assert len(asked.prompts) == questions
    assert all(("the lamp" in prompt) != ("the sea" in prompt) for prompt in asked.prompts)


def test_stories_are_shown_in_their_positions_whatever_the_order_of_rows() -> None:
    asked = Asked(honest)
    shuffled = CANDIDATES.sample(frac=1, random_state=3)
    table, _ = recorded_rewards(shuffled, PREMISES, STORIES, params("ranking"), asked)
    shown = ["".join(re.findall(r"worth \d of (\w)", prompt)) for prompt in asked.prompts]
    assert shown == ["abcd", "ehgf"]
    assert dict(zip(table["story_id"], table["reward"], strict=True)) == WORTH


def test_the_table_names_each_model_as_its_variant() -> None:
    table, counts = recorded_rewards(
        CANDIDATES, PREMISES, STORIES, params("ranking", ["n", "m"]), Asked(honest)
    )
    validate(table, SCORES, file="scores")
    runs = table.groupby(["variant", "model", "seed"]).size().to_dict()
    assert runs == {("n", "n", 0): 8, ("m", "m", 0): 8}
    assert (counts["n.answered"], counts["m.answered"], counts["m.malformed"]) == (2, 2, 0)


def spoiled(when: Callable[[str], bool], text: str) -> Behave:
    return lambda prompt, worths: text if when(prompt) else honest(prompt, worths)


@pytest.mark.parametrize("text", ["REFUSED", "TRUNCATED", "no idea", '{"ranking": [1, 1, 2, 3]}'])
def test_an_item_whose_ranking_failed_has_no_rewards(text: str) -> None:
    found = rewards("ranking", spoiled(lambda prompt: "the sea" in prompt, text))
    assert found == {story: WORTH[story] for story in "abcd"}


def test_a_story_whose_score_failed_has_no_reward() -> None:
    found = rewards("scores", spoiled(lambda prompt: "of c" in prompt, "REFUSED"))
    assert set(found) == set(WORTH) - {"c"}


def test_stories_of_a_comparison_that_failed_have_no_rewards() -> None:
    # Without a and d compared, a would have won 5 of 6, as if it had lost one.
    failed = spoiled(
        lambda prompt: re.findall(r"worth \d of (\w)", prompt) == ["d", "a"], "TRUNCATED"
    )
    found = rewards("comparisons", failed)
    assert found == {story: 2 * WORTH[story] for story in "bcefgh"}


def test_what_became_of_the_requests_is_counted() -> None:
    behave = spoiled(lambda prompt: "the sea" in prompt, "no idea")
    asked = Asked(behave)
    _, counts = recorded_rewards(CANDIDATES, PREMISES, STORIES, params("ranking"), asked)
    assert counts == {
        "m.answered": 1,
        "m.malformed": 1,
        "m.retried": 1,
        "m.refused": 0,
        "m.truncated": 0,
    }
    assert asked.attempts == [3]


def test_a_model_without_any_reward_is_refused() -> None:
    with pytest.raises(InputError, match="not one answer of m holds rewards"):
        rewards("ranking", lambda *_: "REFUSED")


@pytest.mark.parametrize(
    "given",
    [
        {"models": [{"model": "m"}, {"model": "m"}], "method": "ranking", "both_orders": True},
        {"models": [], "method": "votes", "both_orders": True},
        {"models": [], "method": "ranking"},
    ],
)
def test_parameters_that_make_no_sense_are_refused(given) -> None:
    with pytest.raises(ValidationError):
        RecordedRewards.model_validate(given)
