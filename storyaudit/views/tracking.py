"""Send run records and findings to MLflow, once each.

A study's records and findings, as they stand, are one build. Its digest names it in MLflow, so
that sending again does nothing, a lost database is refilled, and a changed parameter makes a new
build beside the old one. Under the build's run stand its stages and its variants, and under a
variant its seeds.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.findings import SEVERITIES, Report, read_reports
from storyaudit.readers.records import read_text

DATABASE = Path("mlflow.db")
ARTIFACTS = Path("mlartifacts")
BUILD, KIND, STUDY = "storyaudit.build", "storyaudit.kind", "storyaudit.study"


class TrackingError(Exception):
    """The tracking server did not take the runs; nothing is lost, send them again later."""


@dataclass(frozen=True)
class Build:
    """One study's records, their sidecars, and its findings."""

    study: str
    records: list[dict[str, Any]]
    sidecars: dict[str, dict[str, Any]]
    reports: list[Report]

    @property
    def digest(self) -> str:
        """Names the build: it changes with any record or finding, and with nothing else."""
        parts = [*self.records, *(report.model_dump() for report in self.reports)]
        text = json.dumps(parts, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_builds(runs: Path, findings: Path) -> list[Build]:
    """Read the builds of all studies from the folders of records and of findings.

    Raises:
        InputError: there is neither a record nor a finding, or a file is broken.
    """
    records = [_read_json(path) for path in sorted(runs.glob("*.json"))]
    reports = read_reports([findings]) if findings.is_dir() else []
    if not records and not reports:
        raise InputError("there is no run record.", "Build the study first: dvc repro.", file=runs)
    sidecars = {path.stem: _read_json(path) for path in sorted((runs / "local").glob("*.json"))}
    studies = sorted({r["study"] for r in records} | {report.study for report in reports})
    return [
        Build(
            study,
            [record for record in records if record["study"] == study],
            sidecars,
            [report for report in reports if report.study == study],
        )
        for study in studies
    ]


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"not JSON ({error}).", "Run its stage again.", file=path) from None
    if not isinstance(content, dict):
        raise InputError("not a run record.", "Run its stage again.", file=path)
    return content


def tracking_uri() -> str:
    """Return where runs go: ``MLFLOW_TRACKING_URI``, else a SQLite file in this folder."""
    return os.environ.get("MLFLOW_TRACKING_URI") or f"sqlite:///{DATABASE.resolve()}"


def track(builds: Sequence[Build], artifacts: Iterable[Path] = ()) -> tuple[int, int]:
    """Send builds to MLflow.

    Args:
        builds: of all studies.
        artifacts: further files to keep with each build, where they exist.

    Returns:
        How many builds were sent, and how many MLflow had already.

    Raises:
        TrackingError: the server did not answer, or failed.
        InputError: the embedded database belongs to a folder that has moved.
    """
    # A server that is down must cost seconds: the defaults retry for minutes.
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1")
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_TIMEOUT", "10")
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import logging

    from filelock import FileLock
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.ERROR)
    uri = tracking_uri()
    try:
        # Two processes that create one database crash: the second waits for the first.
        with FileLock(f"{DATABASE.resolve()}.lock"):
            client = MlflowClient(uri)
            sent = [_send(client, build, list(artifacts)) for build in builds]
    except (MlflowException, OSError) as error:
        raise TrackingError(f"{uri}: {' '.join(str(error).split())[:300]}") from None
    return sum(sent), len(sent) - sum(sent)


def _send(client: Any, build: Build, artifacts: list[Path]) -> bool:
    experiment = _experiment(client, build.study)
    digest = build.digest
    runs = client.search_runs([experiment], f"tags.`{BUILD}` = '{digest}'", max_results=1000)
    if any(r.info.status == "FINISHED" and r.data.tags.get(KIND) == "study" for r in runs):
        return False
    for run in runs:  # what a killed process left behind
        client.delete_run(run.info.run_id)
    times = [build.sidecars[r["stage"]] for r in build.records if r["stage"] in build.sidecars]
    started = min((t["started"] for t in times), default=None)
    common = {BUILD: digest, STUDY: build.study}
    root = _start(client, experiment, f"{build.study} {digest[:8]}", "study", common, started)
    _log(client, root, _study_params(build), _finding_counts(build.reports), _surroundings(times))
    for record in build.records:
        sidecar = build.sidecars.get(record["stage"], {})
        run = _start(client, experiment, record["stage"], "stage", common, started, root)
        _log(client, run, _flat(record["params"]), record["metrics"], _surroundings([sidecar]))
        _log_data(client, run, record)
        _end(client, run, sidecar.get("started"), sidecar.get("seconds"))
    for variant, by_seed in _variants(build.records).items():
        parent = _start(
            client, experiment, variant, "variant", {**common, "variant": variant}, started, root
        )
        whole = by_seed.pop(None, {"params": {}, "metrics": {}})
        _log(client, parent, {"variant": variant, **whole["params"]}, whole["metrics"], {})
        for seed, run_record in sorted(by_seed.items()):
            tags = {**common, "variant": variant, "seed": str(seed)}
            run = _start(
                client, experiment, f"{variant} seed {seed}", "seed", tags, started, parent
            )
            params = {"variant": variant, "seed": seed, **run_record["params"]}
            _log(client, run, params, run_record["metrics"], {})
            client.set_terminated(run)
        client.set_terminated(parent)
    for report in build.reports:
        text = json.dumps(report.model_dump(), indent=1, ensure_ascii=False)
        client.log_text(root, text, f"findings/{report.audit}.json")
    for path in artifacts:
        if path.is_file():
            client.log_artifact(root, str(path))
    client.set_terminated(root)
    return True


def _experiment(client: Any, study: str) -> str:
    found = client.get_experiment_by_name(study)
    embedded = "MLFLOW_TRACKING_URI" not in os.environ
    location = ARTIFACTS.resolve().as_uri() if embedded else None
    if found is None:
        return str(client.create_experiment(study, artifact_location=location))
    if embedded and found.artifact_location != location:
        raise InputError(
            f"the database keeps its artifacts in {found.artifact_location}, not here.",
            "The folder was moved: remove mlflow.db, and it is filled again from the records.",
            file=DATABASE,
        )
    return str(found.experiment_id)


def _start(
    client: Any,
    experiment: str,
    name: str,
    kind: str,
    tags: dict[str, str],
    started: float | None,
    parent: str | None = None,
) -> str:
    run = client.create_run(
        experiment,
        start_time=None if started is None else int(1000 * started),
        run_name=name,
        tags={**tags, KIND: kind, **({"mlflow.parentRunId": parent} if parent else {})},
    )
    return str(run.info.run_id)


def _end(client: Any, run: str, started: float | None, seconds: float | None) -> None:
    end = None if started is None or seconds is None else int(1000 * (started + seconds))
    client.set_terminated(run, end_time=end)


def _log(
    client: Any,
    run: str,
    params: dict[str, Any],
    metrics: dict[str, float],
    tags: dict[str, str],
) -> None:
    import time

    from mlflow.entities import Metric, Param, RunTag

    now = int(1000 * time.time())
    client.log_batch(
        run,
        metrics=[Metric(name, float(value), now, 0) for name, value in metrics.items()],
        params=[Param(name, str(value)) for name, value in params.items()],
        tags=[RunTag(name, value) for name, value in tags.items()],
    )


def _log_data(client: Any, run: str, record: dict[str, Any]) -> None:
    """Log the digests of the files that a stage read and wrote, as DVC records them."""
    from mlflow.entities import Dataset, DatasetInput, InputTag

    client.log_inputs(
        run,
        datasets=[
            DatasetInput(
                Dataset(name=path, digest=facts["md5"], source_type="local", source=path),
                [InputTag("mlflow.data.context", context)],
            )
            for context in ("reads", "writes")
            for path, facts in record[context].items()
        ],
    )


def _study_params(build: Build) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for record in build.records:
        merged |= {"seed": record["seed"], **_flat(record["params"])}
    return merged


def _flat(sections: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        f"{section}.{name}": value
        for section, params in sections.items()
        for name, value in params.items()
    }


def _finding_counts(reports: Sequence[Report]) -> dict[str, float]:
    return {
        f"findings.{report.audit}.{severity}": sum(
            finding.severity == severity for finding in report.findings
        )
        for report in reports
        for severity in SEVERITIES
    }


def _surroundings(sidecars: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return tags of what the records leave out, taken from the newest of the sidecars."""
    known = [sidecar for sidecar in sidecars if sidecar]
    if not known:
        return {}
    last = max(known, key=lambda sidecar: sidecar["started"])
    return {
        "git.commit": last["commit"],
        "git.dirty": str(any(sidecar["dirty"] for sidecar in known)),
        "dvc.stage": last["dvc_stage"],
        "host": last["host"],
        "platform": last["platform"],
        "python": last["python"],
    }


def _variants(records: Sequence[dict[str, Any]]) -> dict[str, dict[int | None, dict[str, Any]]]:
    """Return params and metrics of every variant and seed, gathered over the stages."""
    variants: dict[str, dict[int | None, dict[str, Any]]] = {}
    for record in records:
        for run in record["runs"]:
            entry = variants.setdefault(run["variant"], {}).setdefault(
                run["seed"], {"params": {}, "metrics": {}}
            )
            entry["params"] |= run["params"]
            entry["metrics"] |= run["metrics"]
    return variants
