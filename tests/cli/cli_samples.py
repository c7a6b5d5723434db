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
        "annotation_route": protocol,
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
POOLS = [f"pool{number}" for number in range(12)]
POOL_CANDIDATES = [
    {
        "item_id": pool,
        "position": place,
        "story_id": f"{pool}-{place}",
        "premise_id": f"p-{pool}",
        "origin": "llm_llm",
    }
    for pool in POOLS
    for place in range(1, 4)
]


def rankings(annotator: str) -> list[Row]:
    """Return the rankings of all pools, the first position best."""
    return [
        {
            "item_id": row["item_id"],
            "annotator": annotator,
            "kind": "ranking",
            "story_id": row["story_id"],
            "value": float(row["position"]),
        }
        for row in POOL_CANDIDATES
    ]


POOL_SCORES = [
    {
        "variant": variant,
        "model": "m",
        "seed": 1,
        "item_id": row["item_id"],
        "story_id": row["story_id"],
        "reward": -sign * row["position"] if number % 5 else float(row["position"]),
    }
    for variant, sign in (("linear", 1.0), ("other", -1.0))
    for number, row in enumerate(POOL_CANDIDATES)
]
ITEMS = [f"i{item}" for item in range(20)]
ITEM_BENCHMARK = [
    {**BENCHMARK[0], "item_id": item, "premise_id": f"p-{item}", "chosen_id": f"{item}-0"}
    for item in ITEMS
]
ITEM_CANDIDATES = [
    {
        "item_id": item,
        "position": place,
        "story_id": f"{item}-{place}",
        "premise_id": f"p-{item}",
        "origin": "llm_llm",
    }
    for item in ITEMS
    for place in range(4)
]
ITEM_STORIES = [
    {
        "story_id": row["story_id"],
        "author_kind": "llm",
        "author": "m",
        "language": "en",
        "text": " ".join(
            f"So{' it went' * length}." for length in (1, 2, row["position"] + 1, 9, 4)
        ),
        "source": "s",
    }
    for row in ITEM_CANDIDATES
]
ABLATED = [
    {**row, "variant": variant, "model": "m", "picked_id": f"{row['item_id']}-{picked}"}
    for variant in ("full", "removal/rewriting")
    for row in RESULTS
    if row["variant"] == "linear"
    for picked in (0 if row["correct"] else 1,)
]
OVERLAPS = [
    {
        "comparison": "train_benchmark",
        "level": "story",
        "left_id": f"i{item}-0",
        "right_id": f"t{item}",
        "containment": 0.9,
        "jaccard": 0.9,
        "longest_common_substring": 30,
        "verified": True,
    }
    for item in range(8)
]
PAIRS = [
    {
        "pair_id": f"pair{number}",
        "method": "rewriting",
        "source": "s",
        "split": "train",
        "premise_id": f"q{number}",
        "chosen_id": f"t{number}",
        "rejected_id": f"u{number}",
        "language": "en",
    }
    for number in range(12)
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
        may_be_empty: whether a table without rows is one to audit.
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
    may_be_empty: bool = False

    def call(self, table: Path) -> list[object]:
        """Return the command line for a table at ``table``."""
        return [self.command, *self.arguments(table)]

    def clean(self) -> list[object]:
        """Write the sound table as CSV and return the command line."""
        return self.call(write(f"{self.table}.csv", self.rows))


def _counts(table: Path) -> list[object]:
    write(Path("study/candidates.csv"), CANDIDATES)
    return [table.parent]


def _pools(table: Path) -> list[object]:
    write(Path("pools/annotations.csv"), rankings("final"))
    write(Path("pools/individual_annotations.csv"), [*rankings("x"), *rankings("y")])
    write(Path("pools/scores.csv"), POOL_SCORES)
    return [table.parent, "--resamples", 100]


def _study(table: Path) -> list[object]:
    write(Path("study/benchmark.csv"), ITEM_BENCHMARK)
    write(Path("study/candidates.csv"), ITEM_CANDIDATES)
    return [table.parent]


def _ablations(table: Path) -> list[object]:
    write(Path("study/stories.csv"), ITEM_STORIES)
    return [*_study(table), "--resamples", 100]


def _contamination(table: Path) -> list[object]:
    write(Path("study/pairs.csv"), PAIRS)
    write(Path("study/results.csv"), ABLATED)
    return _study(table)


AUDITS = [
    Audit(
        command="accuracy",
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
        command="best-of-n",
        audit="best_of_n",
        table="pools/candidates",
        rows=POOL_CANDIDATES,
        faulty=[*POOL_CANDIDATES, {**POOL_CANDIDATES[0], "position": 9}],
        finding="candidates-once",
        column="position",
        wrong="first",
        tables=(),
        arguments=_pools,
    ),
    Audit(
        command="ablations",
        audit="ablations",
        table="study/results",
        rows=ABLATED,
        faulty=[*ABLATED, ABLATED[0]],
        finding="results-once",
        column="credit",
        wrong="half",
        tables=(),
        arguments=_ablations,
    ),
    Audit(
        command="contamination-effect",
        audit="contamination_effect",
        table="study/overlaps",
        rows=OVERLAPS,
        faulty=changed(OVERLAPS, 0, containment=2.0),
        finding="overlaps-valid",
        column="containment",
        wrong="high",
        tables=(),
        arguments=_contamination,
        may_be_empty=True,
    ),
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
