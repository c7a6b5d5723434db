"""A small study with injected overlaps and outcomes.

Item h0, h1, … are Human–LLM, m0, m1, … LLM–LLM; item x has the stories xa to xd, of which xa is
chosen, and the premise px.
"""

from collections.abc import Iterable, Mapping

import pandas as pd

from audits.contamination_effect.effect_report import AUDIT, EffectParams, Tables, effect_report
from storyaudit.findings import Finding, Report, Unchecked, ordered
from storyaudit.overlap.overlap_params import OverlapParams

ORIGINS = {"h": "human_llm", "m": "llm_llm"}
OVERLAPS = ("level", "left_id", "right_id", "containment")
PAIRS = ("split", "premise_id", "chosen_id", "rejected_id")
RESULTS = (
    "variant",
    "model",
    "seed",
    "item_id",
    "dimension",
    "origin",
    "correct",
    "ties",
    "credit",
    "picked_id",
)


def items(humans: int, models: int) -> list[str]:
    return [f"h{n:03d}" for n in range(humans)] + [f"m{n:03d}" for n in range(models)]


def candidates(names: Iterable[str]) -> pd.DataFrame:
    rows = [
        (item, n, item + letter, f"p{item}", ORIGINS[item[0]])
        for item in names
        for n, letter in enumerate("abcd", 1)
    ]
    columns = ["item_id", "position", "story_id", "premise_id", "origin"]
    return pd.DataFrame(rows, columns=columns)


def benchmark(names: Iterable[str]) -> pd.DataFrame:
    rows = [(item, f"p{item}", ORIGINS[item[0]], f"{item}a") for item in names]
    return pd.DataFrame(rows, columns=["item_id", "premise_id", "origin", "chosen_id"])


def overlaps(*rows: tuple[str, str, str, float | None]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[*OVERLAPS])


def near_duplicates(stories: Iterable[str], containment: float = 1.0) -> pd.DataFrame:
    """Story xa overlaps with the training story Txa."""
    return overlaps(*(("story", story, f"T{story}", containment) for story in stories))


def pairs(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[*PAIRS])


def taught(stories: Iterable[str], role: str = "chosen", split: str = "train") -> pd.DataFrame:
    """A pair for each training story, against a story that overlaps with nothing."""
    return pairs(
        *(
            (split, "tp", f"T{story}", "other")
            if role == "chosen"
            else (split, "tp", "other", f"T{story}")
            for story in stories
        )
    )


def outcomes(
    variant: str,
    right: Mapping[str, int | str],
    *,
    seed: int = 1,
    model: str = "linear",
    dimensions: str = "d",
) -> pd.DataFrame:
    """Item to 1 (right), 0 (wrong, b picked), a letter (wrong, that one picked) or t (a tie)."""
    rows = []
    for number, (item, value) in enumerate(right.items()):
        won = value in (1, "1")
        letter = {"1": "a", "0": "b", "t": None}.get(str(value), str(value))
        picked = None if letter is None else item + letter
        dimension = dimensions[number % len(dimensions)]
        origin = ORIGINS[item[0]]
        ties = int(value == "t")
        row = (variant, model, seed, item, dimension, origin, won, ties, float(won), picked)
        rows.append(row)
    return pd.DataFrame(rows, columns=[*RESULTS])


def several(*parts: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)


def tables(names: list[str], results: pd.DataFrame, **more: pd.DataFrame) -> Tables:
    given = {
        "overlaps": overlaps(),
        "pairs": taught([]),
        "candidates": candidates(names),
        "benchmark": benchmark(names),
        "results": results,
    }
    made = {**given, **more}
    # Something is trained on in every study.
    made["pairs"] = several(made["pairs"], pairs(("train", "tp", "t1", "t2")))
    return Tables(**made)


def report(given: Tables, trained: Iterable[str] = ("full",), **params: float) -> Report:
    found = effect_report(
        given, OverlapParams(**params), EffectParams(), trained=set(trained), study="demo"
    )
    assert found.audit == AUDIT
    return ordered(found)


def findings(
    given: Tables, trained: Iterable[str] = ("full",), **params: float
) -> dict[str, Finding]:
    return {finding.id: finding for finding in report(given, trained, **params).findings}


def unchecked(given: Tables, trained: Iterable[str] = ("full",)) -> dict[str, Unchecked]:
    return {left.id: left for left in report(given, trained).unchecked}


def numbers(finding: Finding, *names: str) -> list[object]:
    return [finding.numbers[name] for name in names]
