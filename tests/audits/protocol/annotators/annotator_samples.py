"""Annotations by several people, made by hand or injected."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from audits.protocol.annotators.annotator_findings import annotator_findings
from storyaudit.findings import Finding, Report, Unchecked

Row = tuple[object, object, object, object, object]
COLUMNS = ["item_id", "annotator", "kind", "story_id", "value"]
STORIES = "abcd"


def order(item: str, annotator: str, stories: Sequence[str]) -> list[Row]:
    """A ranking of an item's stories, best first."""
    return [
        (item, annotator, "ranking", f"{item}-{story}", float(place))
        for place, story in enumerate(stories, start=1)
    ]


def verdict(item: str, annotator: str, answer: str) -> list[Row]:
    """A verdict on story a: 'yes', 'no', 'unsure', or in a Human–LLM item the best story."""
    if answer in STORIES:
        return [(item, annotator, "best", f"{item}-{answer}", 1.0)]
    if answer == "unsure":
        return [(item, annotator, "unsure", f"{item}-a", 1.0)]
    return [(item, annotator, "confirmation", f"{item}-a", float(answer == "yes"))]


def confirmed(answers: Sequence[Mapping[str, str]]) -> list[Row]:
    """Verdicts on items i000, i001, …, by annotator."""
    return [
        row
        for number, given in enumerate(answers)
        for annotator, answer in given.items()
        for row in verdict(f"i{number:03}", annotator, answer)
    ]


def of_table(table: Sequence[Sequence[int]], answers: Sequence[str]) -> list[Row]:
    """The verdicts of anna (rows) and ben (columns) that a confusion table counts."""
    return confirmed(
        [
            {"anna": answers[row], "ben": answers[column]}
            for row, counts in enumerate(table)
            for column, count in enumerate(counts)
            for _ in range(count)
        ]
    )


def table_of(rows: Sequence[Row]) -> pd.DataFrame:
    """The individual_annotations table."""
    return pd.DataFrame(rows, columns=COLUMNS).astype({"value": "float64"})


def candidates_of(items: Sequence[str], origin: str = "llm_llm") -> pd.DataFrame:
    """Four candidates an item; in a Human–LLM item a is human."""
    rows = [(item, n, f"{item}-{s}") for item in items for n, s in enumerate(STORIES, start=1)]
    frame = pd.DataFrame(rows, columns=["item_id", "position", "story_id"])
    return frame.assign(premise_id="p-" + frame["item_id"], origin=origin)


def human(candidates: pd.DataFrame) -> set[str]:
    """The human stories: a of every Human–LLM item."""
    of = candidates[candidates["origin"] == "human_llm"]
    return {story for story in of["story_id"] if story.endswith("-a")}


def found(
    rows: list[Row] | pd.DataFrame | None, candidates: pd.DataFrame | None = None, **options: Any
) -> tuple[dict[str, Finding], dict[str, Unchecked]]:
    """The findings by id, and the reasons of what was not checked; LLM–LLM items by default."""
    table = table_of(rows) if isinstance(rows, list) else rows
    if candidates is None:
        assert table is not None
        candidates = candidates_of(sorted(table["item_id"].dropna().unique()))
    options.setdefault("humans", human(candidates))
    parts = annotator_findings(
        table,
        candidates,
        rng=np.random.default_rng(options.pop("seed", 3)),
        resamples=options.pop("resamples", 300),
        confidence=0.95,
        **options,
    )
    findings = [part for part in parts if isinstance(part, Finding)]
    unchecked = [part for part in parts if isinstance(part, Unchecked)]
    report = Report(study="study", audit="protocol", findings=findings, unchecked=unchecked)
    report.to_json()  # refuses NaN and an id twice
    return {f.id: f for f in findings}, {u.id: u for u in unchecked}
