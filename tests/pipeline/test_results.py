from math import sqrt

import pandas as pd
import pytest

from pipeline.results import summarise


def results(variant: str, seed: int, correct: str) -> list[dict[str, object]]:
    """Items of dimensions creativity, creativity, fluency; the last is Human–LLM."""
    return [
        {
            "variant": variant,
            "model": "m",
            "seed": seed,
            "item_id": f"i{number}",
            "dimension": dimension,
            "origin": origin,
            "correct": right == "1",
            "ties": int(right == "t"),
            "credit": float(right == "1"),
        }
        for number, (right, dimension, origin) in enumerate(
            zip(
                correct,
                ("creativity", "creativity", "fluency"),
                ("llm_llm", "llm_llm", "human_llm"),
                strict=True,
            )
        )
    ]


TABLE = pd.DataFrame(results("b", 2, "110") + results("b", 1, "101") + results("a", 0, "1t0"))


def test_each_run_and_each_variant_are_summarised() -> None:
    summary = {(variant, seed): metrics for variant, seed, metrics in summarise(TABLE)}
    assert list(summary) == [("a", 0), ("a", None), ("b", 1), ("b", 2), ("b", None)]
    # Seed 1: creativity 1/2 and fluency 1/1, so macro 3/4; seed 2: 1 and 0, so 1/2.
    assert summary["b", 1]["accuracy.macro"] == pytest.approx(3 / 4)
    assert summary["b", 2]["accuracy.macro"] == pytest.approx(1 / 2)
    assert summary["b", 1]["accuracy.micro"] == pytest.approx(2 / 3)
    assert summary["b", 1]["accuracy.human_llm"] == 1
    assert summary["a", 0]["ties"] == 1


def test_the_spread_over_seeds_is_that_of_a_sample() -> None:
    whole = summarise(TABLE)[-1][2]
    assert whole["seeds"] == 2
    assert whole["accuracy.macro.mean"] == pytest.approx(5 / 8)
    # Sample SD of 3/4 and 1/2: (1/4) / √2.
    assert whole["accuracy.macro.sd"] == pytest.approx(1 / 4 / sqrt(2))
    assert whole["accuracy.fluency.sd"] == pytest.approx(1 / sqrt(2))


def test_one_seed_has_no_spread() -> None:
    whole = summarise(TABLE)[1][2]
    assert whole["seeds"] == 1 and whole["accuracy.macro.mean"] == pytest.approx(1 / 4)
    assert not [name for name in whole if name.endswith(".sd")]
