import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.pairs import PairsParams, build_pairs
from pipeline.reward.linear import features
from pipeline.train import TrainParams, train
from storyaudit.errors import InputError

PARAMS = {"seeds": [1, 2], "buckets_log2": 10, "ngrams": 1, "epochs": 5, "l2": 1e-3}


@pytest.fixture(scope="module")
def pairs(corpora) -> pd.DataFrame:
    params = PairsParams(
        judged_per_premise=2, sized_per_premise=2, judge_noise=0.9, validation_share=0.25
    )
    rngs = (np.random.default_rng(n) for n in range(3))
    names = ("pairs_rng", "judge_rng", "split_rng")
    tables = (corpora.premises, corpora.stories, corpora.qualities)
    return build_pairs(*tables, params, **dict(zip(names, rngs, strict=True)))


def run(corpora, pairs: pd.DataFrame, **changes: object) -> dict:
    params = TrainParams(**{**PARAMS, **changes})
    return train(pairs, corpora.premises, corpora.stories, params)


def test_a_model_a_seed(corpora, pairs) -> None:
    models = run(corpora, pairs)
    assert list(models) == [1, 2]
    (first, _), (second, _) = models.values()
    assert first.weights.shape == (2**10,) and first.weights.any()
    assert first.to_json() != second.to_json()
    again, _ = run(corpora, pairs, seeds=[2])[2]
    assert again.to_json() == second.to_json()  # a seed does not hang on the others


def test_accuracies_are_shares_of_pairs(corpora, pairs) -> None:
    model, metrics = run(corpora, pairs)[1]
    text = corpora.stories.set_index("story_id")["text"]
    premise = corpora.premises.set_index("premise_id")["text"]
    right: dict[str, list[bool]] = {"train": [], "validation": []}
    for pair in pairs.to_dict("records"):
        chosen, rejected = model.score(
            features(
                [premise[pair["premise_id"]]] * 2,
                [text[pair["chosen_id"]], text[pair["rejected_id"]]],
                buckets_log2=10,
                ngrams=1,
            )
        )
        right[pair["split"]].append(chosen > rejected)
    assert (len(right["train"]), len(right["validation"])) == (120, 40)
    assert metrics == {
        f"pair_accuracy.{split}": pytest.approx(sum(of) / len(of)) for split, of in right.items()
    }


def test_validation_pairs_are_not_learned_from(corpora, pairs) -> None:
    turned = pairs.copy()
    held_out = turned["split"] == "validation"
    turned.loc[held_out, ["chosen_id", "rejected_id"]] = pairs.loc[
        held_out, ["rejected_id", "chosen_id"]
    ].to_numpy()
    model, metrics = run(corpora, pairs)[1]
    other, turned_metrics = run(corpora, turned)[1]
    assert other.to_json() == model.to_json()
    assert turned_metrics["pair_accuracy.validation"] == pytest.approx(
        1 - metrics["pair_accuracy.validation"]
    )


def test_without_validation_pairs_no_accuracy_is_claimed(corpora, pairs) -> None:
    _, metrics = run(corpora, pairs.assign(split="train"))[1]
    assert list(metrics) == ["pair_accuracy.train"]


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_training_pairs_are_bad_input(corpora, pairs, count: int) -> None:
    few = pairs.assign(split=["train"] * count + ["validation"] * (len(pairs) - count))
    with pytest.raises(InputError, match=f"found {count}"):
        run(corpora, few)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seeds": []},
        {"seeds": [1, 1]},
        {"seeds": [-1]},
        {"buckets_log2": 0},
        {"buckets_log2": 27},
        {"ngrams": 0},
        {"epochs": 0},
        {"l2": 0.0},
        {"l2": float("nan")},
    ],
)
def test_parameters_that_train_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        TrainParams(**{**PARAMS, **wrong})
