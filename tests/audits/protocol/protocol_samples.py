"""Hand-made items of known gold, and simulated judgements with injected biases."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from audits.protocol.protocol_report import protocol_report
from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

Tables = dict[str, pd.DataFrame]
MEASURES = (*DIMENSIONS, "overall")

AGREED = ([9, 7, 5, 3], [8, 6, 4, 2])  # tau 1; a is first
OPPOSED = ([9, 7, 5, 3], [3, 5, 7, 9])  # tau −1
LAST_SWAPPED = ([9, 7, 5, 3], [9, 7, 3, 5])  # one of six pairs swapped: tau 4/6; a is first
TIED = ([9, 9, 5, 3], [8, 8, 4, 2])  # tau 1; a and b are first


def ranking(order: str) -> list[tuple[str, str, float]]:
    """The rows of a ranking, best first."""
    return [("ranking", story, float(rank)) for rank, story in enumerate(order, start=1)]


def item(
    name: str,
    overall: Sequence[Sequence[float]],
    *decisions: tuple[str, str, float],
    origin: str = "llm_llm",
    stands_out: str | None = "fluency",
) -> Tables:
    """An item of the stories a, b, c and d; a is human in a Human–LLM item.

    Judges score every dimension 5, but for the one that stands out, which is scored as overall.
    """
    stories = [f"{name}-{letter}" for letter in "abcd"]
    rows = [
        (name, story, f"judge-{judge}", "1", place, dimension, float(score))
        for judge, scores in enumerate(overall, start=1)
        for place, (story, points) in enumerate(zip(stories, scores, strict=True), start=1)
        for dimension in MEASURES
        for score in [points if dimension in ("overall", stands_out) else 5]
    ]
    columns = ["item_id", "story_id", "judge", "prompt_variant", "position", "dimension", "score"]
    return {
        "candidates": pd.DataFrame(
            {
                "item_id": name,
                "position": [1, 2, 3, 4],
                "story_id": stories,
                "premise_id": f"p-{name}",
                "origin": origin,
            }
        ),
        "judgements": pd.DataFrame(rows, columns=columns),
        "annotations": pd.DataFrame(
            [(name, "person", kind, f"{name}-{story}", value) for kind, story, value in decisions],
            columns=["item_id", "annotator", "kind", "story_id", "value"],
        ),
        "stories": pd.DataFrame(
            {
                "story_id": stories,
                "author_kind": ["human" if origin == "human_llm" else "llm", "llm", "llm", "llm"],
                "author": ["human" if origin == "human_llm" else "wren-1", "heron", "kite", "owl"],
                "language": "en",
                "text": "A short made-up text.",
                "source": "made up",
                "words": [100, 120, 140, 160],
            }
        ),
    }


def gold(
    name: str, chosen: str, protocol: str, tau: float, dimension: str, rule: str, origin: str
) -> dict[str, Any]:
    """A benchmark's row."""
    return {
        "item_id": name,
        "premise_id": f"p-{name}",
        "origin": origin,
        "chosen_id": f"{name}-{chosen}",
        "annotation_route": protocol,
        "tau_avg": tau,
        "dimension": dimension,
        "dimension_rule": rule,
    }


def joined(items: Sequence[Tables]) -> Tables:
    """The items' tables as one study's."""
    return {
        name: pd.concat([tables[name] for tables in items], ignore_index=True) for name in items[0]
    }


def valid_study() -> Tables:
    """A study with an item for each annotation route; the gold is derived by hand.

    In 'ranked' c is chosen, whose two judges' mean scores are all 6 on the dimension that stands
    out, and 5 elsewhere: every gap, margin and variance is 0, so that the priority decides.
    """
    llm, human = "llm_llm", "human_llm"
    items = [
        item("ranked", OPPOSED, *ranking("cdab")),
        item("confirmed", AGREED, ("confirmation", "a", 1)),
        item(
            "rejected", AGREED, ("confirmation", "a", 0), *ranking("badc"), stands_out="relevance"
        ),
        item("undecided", LAST_SWAPPED, ("unsure", "a", 1)),
        item("tied", TIED, *ranking("badc")),
        item("human", AGREED, ("best", "a", 1), origin=human),
        item("removed", AGREED, ("unsure", "a", 1), origin=human),
    ]
    # Rejected: b leads on relevance by 6.5 − (8.5 + 4.5 + 2.5) / 3 = 4/3 points, elsewhere by none.
    # The human item's tau is that of b, c and d: 1.
    benchmark = [
        gold("ranked", "c", "complete_ranking", -1, "creativity", "priority", llm),
        gold("confirmed", "a", "confirmation", 1, "fluency", "mean_gap", llm),
        gold("rejected", "b", "confirmation", 1, "relevance", "mean_gap", llm),
        gold("undecided", "a", "confirmation", 4 / 6, "fluency", "mean_gap", llm),
        gold("tied", "b", "complete_ranking", 1, "fluency", "mean_gap", llm),
        gold("human", "a", "human_first", 1, "fluency", "mean_gap", human),
    ]
    return joined(items) | {"benchmark": pd.DataFrame(benchmark)}


def audited(tables: Tables, **options: Any) -> Report:
    """The audit's report; protocol settings by name, others as the report takes them."""
    settings = {k: options.pop(k) for k in list(options) if k in ProtocolParams.model_fields}
    report = protocol_report(
        tables,
        study="study",
        params=ProtocolParams(**settings),
        rng=np.random.default_rng(3),
        resamples=options.pop("resamples", 100),
        **options,
    )
    report.to_json()  # refuses NaN and an id twice
    return report


def by_id(report: Report) -> dict[str, Finding]:
    """The findings by id."""
    return {finding.id: finding for finding in report.findings}


def fails(report: Report) -> set[str]:
    """The ids of what failed."""
    return {finding.id for finding in report.findings if finding.severity == "fail"}


def unchecked(report: Report) -> dict[str, Unchecked]:
    """What was not checked, by id."""
    return {left.id: left for left in report.unchecked}


PUBLISHED = Path(__file__).parents[3] / "data/published/hanna"


def write_panel(folder: Path) -> Path:
    """Write the scores of HANNA's first premises in one prompt variant: quick to audit."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("human_scores", "judge_scores"):
        table = pd.read_csv(PUBLISHED / f"{name}.csv")
        table = table[table["premise_id"] <= "p06"]
        if "prompt_variant" in table:
            table = table[table["prompt_variant"] == 1]
        table.to_csv(folder / f"{name}.csv", index=False)
    return folder


MODELS = ("wren-large", "heron-2", "kite", "owl-mini")


def simulated(
    rng: np.random.Generator,
    items: int = 200,
    *,
    position: Sequence[float] = (0, 0, 0, 0),
    length: Sequence[float] = (0, 0, 0, 0),
    family: Sequence[float] = (0, 0, 0, 0),
    noise: float = 1.0,
    shuffled: bool = True,
    scale: float = 1.5,
) -> Tables:
    """Candidates, judgements and stories of four authors and judges, with injected biases.

    A score is the story's quality, an error, and the judge's biases in points: for the first place
    over the last, for a doubling of the words, and for stories of the judge's family.
    """
    names = [f"i{number:04}" for number in range(items)]
    judges = [f"{model.split('-')[0]}-judge" for model in MODELS]
    place = np.array([rng.permutation(4) if shuffled else np.arange(4) for _ in names])
    words = np.round(np.exp(rng.normal(5.5 + 0.2 * np.arange(4), 0.5, (items, 4)))).clip(2)
    quality = 5.5 + 0.4 * np.arange(4) + rng.normal(0, scale, (items, 4))
    frames = []
    for number, judge in enumerate(judges):
        score = quality + rng.normal(0, noise, quality.shape)
        score = score + position[number] * (1 - place / 3)
        score = score + length[number] * np.log2(words)
        score[:, number] += family[number]
        frames.append(
            pd.DataFrame(
                {
                    "item_id": np.repeat(names, 4),
                    "story_id": [f"{name}-{model}" for name in names for model in MODELS],
                    "judge": judge,
                    "prompt_variant": "1",
                    "position": place.ravel() + 1,
                    "score": score.ravel(),
                }
            )
        )
    wide = pd.concat(frames, ignore_index=True)
    judgements = pd.concat(
        [
            wide.assign(
                dimension=name,
                score=wide["score"] + (0 if name == "overall" else rng.normal(0, 1, len(wide))),
            )
            for name in MEASURES
        ],
        ignore_index=True,
    )
    first = frames[0]
    candidates = first[["item_id", "position", "story_id"]].assign(
        premise_id="p-" + first["item_id"], origin="llm_llm"
    )
    stories = pd.DataFrame(
        {
            "story_id": first["story_id"],
            "author_kind": "llm",
            "author": list(MODELS) * items,
            "language": "en",
            "text": "A short made-up text.",
            "source": "made up",
            "words": words.ravel().astype("int64"),
        }
    )
    return {"candidates": candidates, "judgements": judgements, "stories": stories}
