"""Small sound tables for each audit command, a fault to plant in each, and ways to write them."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]

STORY = (
    "The ferryman counted his coins twice before the storm took the far bank, and when the girl "
    "asked for passage he named a price that nobody in the village had ever paid."
)
OTHER = "Rain fell on the observatory all week while two sisters argued about a comet and a will."

RATINGS = [
    {"rater": rater, "story_id": story, "author": author, "item": item, "score": score + int(item)}
    for rater, score in (("r1", 3), ("r2", 5))
    for story, author in (("s1", "human"), ("s2", "model"))
    for item in ("1", "2")
]
RESULTS = [
    {
        "variant": variant,
        "model": "m",
        "seed": seed,
        "item_id": f"i{item}",
        "dimension": ("creativity", "fluency")[item % 2],
        "origin": "llm_llm",
        "correct": bool((item + seed) % 3) if variant == "linear" else item < 3,
        "ties": 0,
        "credit": 1.0,
    }
    for variant in ("linear", "longest")
    for seed in (1, 2)
    for item in range(20)
]
TEXTS = [{"id": "a", "text": OTHER}, {"id": "b", "text": OTHER.replace("comet", "planet")}]
BENCHMARK_TEXTS = [{"id": "b1", "text": STORY}]
BENCHMARK = [
    {
        "item_id": item,
        "premise_id": f"p-{item}",
        "origin": origin,
        "chosen_id": f"{item}-0",
        "protocol": protocol,
        "tau_avg": 0.8,
        "dimension": "fluency",
        "dimension_rule": "mean_gap",
    }
    for item, origin, protocol in (
        ("i1", "llm_llm", "confirmation"),
        ("i2", "human_llm", "human_first"),
    )
]
CANDIDATES = [
    {
        "item_id": row["item_id"],
        "position": position,
        "story_id": f"{row['item_id']}-{position}",
        "premise_id": row["premise_id"],
        "origin": row["origin"],
    }
    for row in BENCHMARK
    for position in range(4)
]
# The scores of "human" on item 1 are 4 and 6.
LEDGER = """\
paper: A paper
study: paper
source: a test
hand: first
figures:
- {id: human-1, printed: "5.0", where: Table 1,
   recompute: {computation: mean, item: "1", author: human}}
"""


def csv_bytes(rows: Sequence[Row]) -> bytes:
    """Return rows as CSV with a header, in UTF-8."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def jsonl_bytes(rows: Sequence[Row]) -> bytes:
    """Return rows as one JSON object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def write(path: str | Path, content: bytes | Sequence[Row]) -> Path:
    """Write bytes, or rows as CSV, and make the folders above."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else csv_bytes(content))
    return path


def changed(rows: Sequence[Row], place: int, **values: Any) -> list[Row]:
    """Return the rows with some values of one of them replaced."""
    return [{**row, **values} if index == place else row for index, row in enumerate(rows)]


def add_column(rows: Sequence[Row], name: str, value: Any) -> list[Row]:
    """Return the rows with a further column."""
    return [{**row, name: value} for row in rows]


@dataclass(frozen=True)
class Audit:
    """One audit command over one table.

    Attributes:
        command: its name.
        audit: the audit's name in reports.
        table: the table's path without its suffix.
        rows: a sound table.
        faulty: the same with a planted fault.
        finding: the finding that must then fail.
        column: a required column whose values can be of the wrong type.
        wrong: a value of the wrong type for it.
        tables: what it writes into --out beside the findings.
        arguments: the command's arguments for the table's path; writes what else it needs.
    """

    command: str
    audit: str
    table: str
    rows: list[Row]
    faulty: list[Row]
    finding: str
    column: str
    wrong: Any
    tables: tuple[str, ...]
    arguments: Callable[[Path], list[object]]

    def call(self, table: Path) -> list[object]:
        """Return the command line for a table at ``table``."""
        return [self.command, *self.arguments(table)]

    def clean(self) -> list[object]:
        """Write the sound table as CSV and return the command line."""
        return self.call(write(f"{self.table}.csv", self.rows))


def _counts(table: Path) -> list[object]:
    write(Path("study/candidates.csv"), CANDIDATES)
    return [table.parent]


AUDITS = [
    Audit(
        command="ratings",
        audit="ratings",
        table="ratings",
        rows=RATINGS,
        faulty=changed(RATINGS, 0, score=11),
        finding="off-scale",
        column="score",
        wrong="good",
        tables=(),
        arguments=lambda table: [table, "--scale", 1, 10],
    ),
    Audit(
        command="compare",
        audit="accuracy",
        table="results",
        rows=RESULTS,
        faulty=[*RESULTS, RESULTS[0]],
        finding="results-once",
        column="credit",
        wrong="half",
        tables=(),
        arguments=lambda table: [table, "--resamples", 100],
    ),
    Audit(
        command="overlap",
        audit="overlap",
        table="train",
        rows=TEXTS,
        faulty=changed(TEXTS, 0, text=STORY),
        finding="story-near-duplicate",
        column="text",
        wrong=3,
        tables=("overlaps.csv", "passages.csv"),
        arguments=lambda table: [
            table,
            "--against",
            write("benchmark-texts.csv", BENCHMARK_TEXTS),
        ],
    ),
    Audit(
        command="counts",
        audit="counts",
        table="study/benchmark",
        rows=BENCHMARK,
        faulty=changed(BENCHMARK, 0, chosen_id="i2-0"),
        finding="benchmark-chosen-among-candidates",
        column="tau_avg",
        wrong="high",
        tables=(),
        arguments=_counts,
    ),
    Audit(
        command="claims",
        audit="claims",
        table="data",
        rows=RATINGS,
        faulty=changed(RATINGS, 0, score=10),
        finding="figures-human-1",
        column="score",
        wrong="good",
        tables=("claims.csv",),
        arguments=lambda table: [write("ledger.yaml", LEDGER.encode()), "--data", table],
    ),
]
BY_COMMAND = {audit.command: audit for audit in AUDITS}
