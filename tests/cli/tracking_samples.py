"""A small study's run records, written by hand as ``storyaudit.runs.stage`` writes them."""

import json
from pathlib import Path
from typing import Any

from storyaudit.findings import Finding, Report, write_report

STUDY = "tiny"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def record(stage: str, **changes: Any) -> dict[str, Any]:
    """Return the record of a stage."""
    return {
        "stage": stage,
        "study": STUDY,
        "simulated": ["judges", "annotators"],
        "seed": 7,
        "params": {},
        "reads": {},
        "writes": {},
        "metrics": {},
        "runs": [],
        **changes,
    }


def a_run(variant: str, seed: int | None, **changes: Any) -> dict[str, Any]:
    """Return one run of a record."""
    return {"variant": variant, "seed": seed, "params": {}, "metrics": {}, **changes}


TRAIN = record(
    "train",
    params={"train": {"epochs": 5, "seeds": [1, 2]}},
    reads={"data/pairs.parquet": {"md5": "a" * 32, "rows": 90}},
    writes={"models/linear/seed-1.json": {"md5": "b" * 32}},
    metrics={"pairs": 90},
    runs=[
        a_run("linear", 1, params={"epochs": 5}, metrics={"pair_accuracy.train": 0.75}),
        a_run("linear", 2, params={"epochs": 5}, metrics={"pair_accuracy.train": 0.5}),
    ],
)
RESULTS = record(
    "results",
    reads={"data/scores.parquet": {"md5": "c" * 32, "rows": 8}},
    runs=[
        a_run("linear", 1, metrics={"accuracy.macro": 0.25}),
        a_run("linear", 2, metrics={"accuracy.macro": 0.75}),
        a_run("linear", None, metrics={"accuracy.macro.mean": 0.5, "seeds": 2}),
        a_run("longest", 0, metrics={"accuracy.macro": 0.125}),
    ],
)
RUNS = 1 + 2 + 2 + 3
"""MLflow runs of one build: the study, two stages, two variants, three seeds."""


def write_json(path: Path, content: Any) -> None:
    """Write JSON and make the folders above."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def write_records(*records: dict[str, Any]) -> None:
    """Write records into ``runs``."""
    for entry in records:
        write_json(Path(f"runs/{entry['stage']}.json"), entry)


def write_study() -> None:
    """Write two stages' records, a sidecar each, and one audit's findings."""
    write_records(TRAIN, RESULTS)
    for stage, started, dirty in (("train", 1_700_000_000.0, True), ("results", 1.7e9 + 60, False)):
        sidecar = {
            "started": started,
            "seconds": 30.0,
            "host": "a-host",
            "platform": "an-os",
            "python": "3.11.0",
            "dvc_stage": stage,
            "commit": COMMIT,
            "dirty": dirty,
        }
        write_json(Path(f"runs/local/{stage}.json"), sidecar)
    finding = Finding(id="x", severity="warn", statement="A sentence.")
    write_report(
        Path(f"findings/{STUDY}/counts.json"),
        Report(study=STUDY, audit="counts", findings=[finding]),
    )
    Path("params.yaml").write_text("seed: 7\n", encoding="utf-8")
