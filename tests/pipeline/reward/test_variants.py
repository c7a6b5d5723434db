import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pipeline.reward.variants import Variants, variants
from storyaudit.errors import InputError

ALL = Variants(removal=True, learning_curve=[0.5, 0.1])
NONE = Variants(removal=False, learning_curve=[])
COUNTS = {
    ("back_generation", "train", False): 3,
    ("back_generation", "validation", False): 2,
    ("continuation", "train", False): 4,
    ("llm_llm_size", "train", False): 5,
    ("rewriting", "train", False): 8,
    ("human_chosen", "train", True): 3,
    ("human_chosen", "validation", True): 2,
    ("replacement", "train", True): 10,
    ("replacement", "validation", True): 5,
}


def table(counts: dict[tuple[str, str, bool], int]) -> pd.DataFrame:
    rows = [key for key, count in counts.items() for _ in range(count)]
    frame = pd.DataFrame(rows, columns=["method", "split", "further"])
    return frame.sample(frac=1, random_state=1, ignore_index=True)


def draw(counts=COUNTS, params: Variants = ALL, seeds=(1, 2), seed: int = 0):
    pairs = table(counts)
    found = variants(
        pairs,
        params,
        orders={s: np.random.default_rng([seed, s]) for s in seeds},
        draw=np.random.default_rng(seed),
    )
    return pairs, found


def methods(pairs: pd.DataFrame, rows: np.ndarray) -> dict[str, int]:
    assert len(set(rows.tolist())) == len(rows)
    assert (pairs["split"].iloc[rows] == "train").all()
    return pairs["method"].iloc[rows].value_counts().to_dict()


STUDY = {"back_generation": 3, "continuation": 4, "llm_llm_size": 5, "rewriting": 8}


def without(name: str, **others: int) -> dict[str, int]:
    return {method: n for method, n in STUDY.items() if method != name} | others


EXPECTED = {
    "full": STUDY,
    **{f"removal/{name}": without(name) for name in STUDY},
    "replacement/back_generation": without("back_generation", replacement=3),
    "replacement/continuation": without("continuation", replacement=4),
    "replacement/rewriting": without("rewriting", replacement=8),
    "human_chosen/continuation": without("continuation", human_chosen=3),
}


def test_every_variant_holds_what_it_says() -> None:
    pairs, found = draw()
    assert set(found) == {*EXPECTED, "learning_curve/0.5", "learning_curve/0.1"}
    for name, expected in EXPECTED.items():
        for rows in found[name].values():
            assert methods(pairs, rows) == expected


def test_shares_of_the_learning_curve_are_nested_and_each_seed_draws_its_own() -> None:
    pairs, found = draw()
    full = set(found["full"][1].tolist())
    tenth, half = found["learning_curve/0.1"], found["learning_curve/0.5"]
    for seed in (1, 2):
        assert (len(tenth[seed]), len(half[seed])) == (2, 10)
        assert set(tenth[seed].tolist()) < set(half[seed].tolist()) < full
        methods(pairs, half[seed])
    assert half[1].tolist() != half[2].tolist()
    _, alone = draw(seeds=(2,))
    assert alone["learning_curve/0.5"][2].tolist() == half[2].tolist()


def test_the_learning_curve_is_a_fair_draw() -> None:
    counts = {("rewriting", "train", False): 20}
    params = NONE.model_copy(update={"learning_curve": [0.25]})
    _, found = draw(counts, params, seeds=range(4000))
    drawn = np.bincount(np.concatenate(list(found["learning_curve/0.25"].values())), minlength=20)
    # Each pair is drawn 1,000 times in 4,000, with a standard deviation of 27.
    assert abs(drawn - 1000).max() < 4 * np.sqrt(4000 * 0.25 * 0.75)


def test_replacements_of_a_larger_method_hold_those_of_a_smaller() -> None:
    pairs, found = draw()

    def new(name: str) -> set[int]:
        rows = found[f"replacement/{name}"][1]
        return set(rows[pairs["method"].iloc[rows] == "replacement"].tolist())

    assert new("back_generation") < new("continuation") < new("rewriting")
    _, other = draw(seed=1)
    assert other["replacement/rewriting"][1].tolist() != found["replacement/rewriting"][1].tolist()


def test_a_single_method_is_not_removed() -> None:
    params = ALL.model_copy(update={"learning_curve": []})
    _, found = draw({("rewriting", "train", False): 4, ("replacement", "train", True): 4}, params)
    assert set(found) == {"full", "replacement/rewriting"}


def test_variants_are_left_out_on_demand() -> None:
    own = {key: count for key, count in COUNTS.items() if not key[2]}
    pairs, found = draw(own, NONE)
    assert set(found) == {"full"}
    assert methods(pairs, found["full"][1]) == STUDY


@pytest.mark.parametrize(("method", "variants"), [("replacement", 3), ("human_chosen", 1)])
def test_variants_with_further_pairs_are_there_where_such_pairs_are(
    method: str, variants: int
) -> None:
    only = {key: count for key, count in COUNTS.items() if not key[2] or key[0] == method}
    _, found = draw(only, NONE)
    assert len(found) == 1 + variants
    assert all(name == "full" or name.startswith(f"{method}/") for name in found)


def test_preference_files_are_a_method_like_others() -> None:
    counts = COUNTS | {("preference_file", "train", False): 6}
    pairs, found = draw(counts)
    assert "preference_file" not in methods(pairs, found["removal/preference_file"][1])
    assert methods(pairs, found["replacement/preference_file"][1])["replacement"] == 6


def test_too_few_replacements_are_bad_input() -> None:
    counts = COUNTS | {("replacement", "train", True): 7}
    with pytest.raises(InputError, match=r"expected 8 .* 'rewriting' .* found 7") as error:
        draw(counts)
    assert "Raise pairs.replacements, or set it to 0" in str(error.value)
    draw(COUNTS | {("replacement", "train", True): 8})


def test_people_are_chosen_in_the_place_of_continuations_alone() -> None:
    without_continuations = COUNTS | {("continuation", "train", False): 0}
    assert "human_chosen/continuation" not in draw(without_continuations)[1]


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_training_pairs_are_bad_input(count: int) -> None:
    with pytest.raises(InputError, match=f"'full', found {count}"):
        draw({("rewriting", "train", False): count, ("rewriting", "validation", False): 9}, NONE)


def test_a_share_of_too_few_is_bad_input() -> None:
    with pytest.raises(InputError, match=r"'learning_curve/0\.01', found 0"):
        draw(params=NONE.model_copy(update={"learning_curve": [0.01]}))


@pytest.mark.parametrize("shares", [[0.0], [1.0], [-0.1], [float("nan")], [0.1, 0.1], ["0.1"]])
def test_shares_that_are_none_are_refused(shares: list) -> None:
    with pytest.raises(ValidationError, match="learning_curve"):
        Variants(removal=True, learning_curve=shares)


@given(st.lists(st.integers(2, 9), min_size=3, max_size=3), st.integers(0, 5))
def test_replacing_keeps_the_number_of_pairs(sizes: list[int], seed: int) -> None:
    names = ("back_generation", "continuation", "rewriting")
    counts = {(name, "train", False): n for name, n in zip(names, sizes, strict=True)}
    counts |= {("replacement", "train", True): 9}
    _, found = draw(counts, NONE, seed=seed)
    assert {len(rows[1]) for rows in found.values()} == {sum(sizes)}
