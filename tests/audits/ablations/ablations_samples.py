"""Tables of ablations with injected outcomes."""

import numpy as np
import pandas as pd
from finding_samples import by_id

from audits.ablations.ablation_params import FIGURES, ExperimentsParams
from audits.ablations.ablations_report import Tables, ablations_report
from storyaudit.findings import Finding, Report, Unchecked, ordered

PARAMS = ExperimentsParams(resamples=400)
PAPER = {
    "ablation.full": 75.0,
    "ablation.back-generation": 73.9,
    "ablation.continuation": 72.8,
    "ablation.rewriting": 69.9,
    "early-accuracy": 30.0,
    "kurtosis.gold": 0.8999,
    "kurtosis.all": 1.0064,
    "kurtosis.right": 0.9958,
    "kurtosis.wrong": 1.0149,
}
assert set(PAPER) == set(FIGURES)
SCORE_COLUMNS = {
    "variant": "str",
    "model": "str",
    "seed": "int64",
    "item_id": "str",
    "story_id": "str",
    "reward": "float64",
}
CANDIDATE_COLUMNS = {
    "item_id": "str",
    "position": "int64",
    "story_id": "str",
    "premise_id": "str",
    "origin": "str",
}


def empty(columns: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns.items()})


def outcomes(
    variant: str,
    right: str | np.ndarray,
    *,
    seed: int = 1,
    model: str = "linear",
    dimensions: str = "d",
    origins: tuple[str, ...] = ("llm_llm",),
) -> pd.DataFrame:
    """One row a character or value: 1 is right, 0 wrong; items take dimensions and origins in turn.

    The items are i000, i001, …, their stories i000a to i000d, and a is the chosen one.
    """
    values = np.array([int(value) for value in right], dtype=bool)
    count = len(values)
    items = [f"i{number:03d}" for number in range(count)]
    return pd.DataFrame(
        {
            "variant": variant,
            "model": model,
            "seed": seed,
            "item_id": items,
            "dimension": [dimensions[number % len(dimensions)] for number in range(count)],
            "origin": [origins[number % len(origins)] for number in range(count)],
            "correct": values,
            "ties": 0,
            "credit": values.astype("float64"),
            "picked_id": [
                item + ("a" if value else "b") for item, value in zip(items, values, strict=True)
            ],
        }
    )


def several(*parts: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)


def seeds(variant: str, count: int, right: str, **more: object) -> pd.DataFrame:
    """The same outcomes with every seed."""
    return several(*(outcomes(variant, right, seed=n, **more) for n in range(1, count + 1)))


def benchmark(count: int, origins: tuple[str, ...] = ("llm_llm",)) -> pd.DataFrame:
    items = [f"i{number:03d}" for number in range(count)]
    return pd.DataFrame(
        {
            "item_id": items,
            "premise_id": [f"p{item}" for item in items],
            "origin": [origins[number % len(origins)] for number in range(count)],
            "chosen_id": [f"{item}a" for item in items],
            "annotation_route": "ranked",
            "tau_avg": 0.5,
            "dimension": "d",
            "dimension_rule": "gap",
        }
    )


def places(items: list[str], letters: str = "abcd") -> pd.DataFrame:
    rows = [(item, n, item + letter) for item in items for n, letter in enumerate(letters, 1)]
    table = pd.DataFrame(rows, columns=["item_id", "position", "story_id"])
    return table.assign(premise_id="p" + table["item_id"], origin="llm_llm")


def stories(texts: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({"story_id": list(texts), "text": list(texts.values())})


def tables(results: pd.DataFrame, **more: pd.DataFrame) -> Tables:
    count = results["item_id"].nunique()
    gold = benchmark(max(count, 1))
    given = {
        "results": results,
        "benchmark": gold,
        "candidates": places(list(gold["item_id"])),
        "stories": stories({"none": ""}),
        "experiments": outcomes("x", ""),
        "external": empty(SCORE_COLUMNS),
        "pool_candidates": empty(CANDIDATE_COLUMNS),
        "pool_scores": empty(SCORE_COLUMNS),
    }
    return Tables(**{**given, **more})


def report(given: Tables, params: ExperimentsParams = PARAMS) -> Report:
    found = ablations_report(given, params, PAPER, np.random.default_rng(1), study="demo")
    return ordered(found)


def findings(given: Tables, **params: object) -> dict[str, Finding]:
    return by_id(report(given, ExperimentsParams(**{"resamples": 400, **params})))


def unchecked(given: Tables) -> dict[str, Unchecked]:
    return {left.id: left for left in report(given).unchecked}
