import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.pairs import PairsParams, build_pairs
from pipeline.world.authors import MODELS
from storyaudit.tables import DIMENSIONS, PAIRS, require_sound

DEFAULTS = {
    "judged_per_premise": 1,
    "sized_per_premise": 1,
    "judge_noise": 0.9,
    "validation_share": 0.1,
}
BILLIONS = {model.name: model.billions for model in MODELS}


def build(corpora, *, seeds: tuple[int, int, int] = (1, 2, 3), **params: float) -> pd.DataFrame:
    pairs, judge, split = map(np.random.default_rng, seeds)
    return build_pairs(
        corpora.premises,
        corpora.stories,
        corpora.qualities,
        PairsParams(**{**DEFAULTS, **params}),
        pairs_rng=pairs,
        judge_rng=judge,
        split_rng=split,
    )


def stories_of(corpora, column: pd.Series, name: str) -> list:
    return corpora.stories.set_index("story_id")[name][column].tolist()


@pytest.mark.parametrize(("judged", "sized"), [(1, 1), (2, 3), (6, 0), (1, 5)])
def test_each_premise_gives_so_many_pairs(corpora, judged: int, sized: int) -> None:
    table = build(corpora, judged_per_premise=judged, sized_per_premise=sized)
    require_sound(table, PAIRS, file="pairs")
    assert len(table) == 40 * (judged + sized)
    by_method = table.groupby(["premise_id", "method"]).size().unstack(fill_value=0)
    assert (by_method["llm_llm_judged"] == judged).all()
    assert sized == 0 or (by_method["llm_llm_size"] == sized).all()
    training = corpora.premises["source"] == "simulated-training"
    assert set(table["premise_id"]) == set(corpora.premises.loc[training, "premise_id"])


def test_a_couple_stands_in_one_pair_and_never_against_itself(corpora) -> None:
    # Four models make six couples: all of them are used, each once.
    table = build(corpora, judged_per_premise=3, sized_per_premise=3)
    couples = [frozenset(c) for c in table[["chosen_id", "rejected_id"]].values.tolist()]
    assert {len(couple) for couple in couples} == {2}
    assert len(set(couples)) == len(couples) == 240
    for column in ("chosen_id", "rejected_id"):
        assert stories_of(corpora, table[column], "premise_id") == table["premise_id"].tolist()


def test_by_size_the_larger_model_is_chosen(corpora) -> None:
    table = build(corpora, sized_per_premise=5)
    sized = table[table["method"] == "llm_llm_size"]
    chosen = [BILLIONS[name] for name in stories_of(corpora, sized["chosen_id"], "author")]
    rejected = [BILLIONS[name] for name in stories_of(corpora, sized["rejected_id"], "author")]
    assert len(sized) == 200 and all(np.greater(chosen, rejected))


@pytest.mark.parametrize(("noise", "least", "most"), [(0.0, 1.0, 1.0), (1000.0, 0.35, 0.65)])
def test_the_judge_chooses_the_better_story_as_well_as_it_sees(
    corpora, noise: float, least: float, most: float
) -> None:
    table = build(corpora, judged_per_premise=6, sized_per_premise=0, judge_noise=noise)
    worth = corpora.qualities.set_index("story_id")[list(DIMENSIONS)].mean(axis=1)
    better = worth[table["chosen_id"]].to_numpy() > worth[table["rejected_id"]].to_numpy()
    # 240 pairs: a judge who sees nothing is right on half, with a standard error of 3.2 %.
    assert least <= better.mean() <= most


@pytest.mark.parametrize(("share", "held_out"), [(0.1, 4), (0.5, 20), (0.01, 0), (0.99, 40)])
def test_premises_are_split(corpora, share: float, held_out: int) -> None:
    table = build(corpora, validation_share=share)
    assert (table.groupby("premise_id")["split"].nunique() == 1).all()
    validation = table.loc[table["split"] == "validation", "premise_id"]
    assert validation.nunique() == held_out
    assert set(table["split"]) <= {"train", "validation"}


def test_each_stream_moves_only_its_own(corpora) -> None:
    table = build(corpora)
    pd.testing.assert_frame_equal(build(corpora), table)

    def couples(of: pd.DataFrame) -> list[frozenset[str]]:
        return [frozenset(couple) for couple in of[["chosen_id", "rejected_id"]].values.tolist()]

    other_pairs, other_judge, other_split = (
        build(corpora, seeds=seeds) for seeds in ((9, 2, 3), (1, 9, 3), (1, 2, 9))
    )
    assert couples(other_pairs) != couples(table)
    assert couples(other_judge) == couples(table) and not other_judge.equals(table)
    assert other_split.drop(columns="split").equals(table.drop(columns="split"))
    assert not other_split.equals(table)


@pytest.mark.parametrize(
    "wrong",
    [{"judged_per_premise": 7}, {"validation_share": 1.0}, {"judge_noise": -1.0}],
)
def test_parameters_that_make_no_pairs_are_refused(corpora, wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        build(corpora, **wrong)
