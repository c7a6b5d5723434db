"""Send run records and findings to MLflow, once each.

A study's records and findings, as they stand, are one build. Its digest names it in MLflow, so
that sending again does nothing, a lost database is refilled, and a changed parameter makes a new
build beside the old one. Under the build's run stand its stages and its variants, and under a
variant its seeds.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from storyaudit.errors import InputError
from storyaudit.findings import Report, read_reports
from storyaudit.io.checked import Id, first_fault
from storyaudit.io.files import read_text
from storyaudit.io.printable import printable
from storyaudit.tracking import model_registry as registry
from storyaudit.vocabulary import SEVERITIES

DATABASE = Path("mlflow.db")
ARTIFACTS = Path("mlartifacts")
BUILD, KIND, STUDY = "storyaudit.build", "storyaudit.kind", "storyaudit.study"
EXPERIMENT = "experiment"
"""A param of runs that only show what a choice does; their models are not registered."""
LONGEST_NAME, LONGEST_VALUE, LARGEST_BATCH = 250, 6000, 100
"""What MLflow takes at most: characters of a name and of a param, params of a batch."""


class TrackingError(Exception):
    """MLflow did not take the runs; nothing is lost, they can be sent again later."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _File(_Strict):
    md5: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    rows: int | None = None


class _Run(_Strict):
    variant: str
    seed: int | None
    params: dict[str, Any]
    metrics: dict[str, float]


class _Record(_Strict):
    """What ``storyaudit.runs.stage`` writes as a run record."""

    stage: str
    study: Id
    simulated: list[str]
    seed: int
    params: dict[str, dict[str, Any]]
    reads: dict[str, _File]
    writes: dict[str, _File]
    metrics: dict[str, float]
    runs: list[_Run]


class _Sidecar(_Strict):
    """What it writes beside the record."""

    started: Annotated[float, Field(ge=0, lt=1e11)]
    seconds: Annotated[float, Field(ge=0, lt=1e9)]
    host: str
    platform: str
    python: str
    dvc_stage: str
    commit: str
    dirty: bool


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
    records = [_read_json(path, _Record) for path in sorted(runs.glob("*.json"))]
    reports = read_reports([findings]) if any(findings.rglob("*.json")) else []
    if not records and not reports:
        raise InputError("there is no run record.", "Build the study first: dvc repro.", file=runs)
    local = sorted((runs / "local").glob("*.json"))
    sidecars = {path.stem: _read_json(path, _Sidecar) for path in local}
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


def _read_json(path: Path, kind: type[BaseModel]) -> dict[str, Any]:
    try:
        content = kind.model_validate_json(read_text(path)).model_dump(exclude_none=False)
    except ValidationError as error:
        raise InputError(
            f"not a run record: {first_fault(error)}.", "Run its stage again.", file=path
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON ({error}).", "Run its stage again.", file=path) from None
    return content


def tracking_uri() -> str:
    """Return where runs go: ``MLFLOW_TRACKING_URI``, else a SQLite file in this folder."""
    return os.environ.get("MLFLOW_TRACKING_URI") or f"sqlite:///{DATABASE.resolve()}"


def without_secrets(text: str) -> str:
    """Return a text without the user names, passwords and queries of the addresses in it."""
    return re.sub(r"\?\S*", "?…", re.sub(r"(\w+://)?\S*@", r"\1…@", text))


def track(builds: Sequence[Build], artifacts: Iterable[Path] = ()) -> tuple[int, int]:
    """Send builds to MLflow.

    Args:
        builds: of all studies.
        artifacts: further files to keep with each build, where they exist.

    Returns:
        How many builds were sent, and how many MLflow had already.

    Raises:
        TrackingError: the server did not answer, or failed, or the embedded database belongs to a
            folder that has moved.
    """
    # A server that is down must cost seconds: the defaults retry for minutes.
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1")
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_TIMEOUT", "10")
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import logging

    from filelock import FileLock

    uri = tracking_uri()
    try:
        from mlflow import MlflowClient
        from mlflow.store.db import utils

        utils.MAX_RETRY_COUNT = 3
        for name in ("mlflow", "alembic", "urllib3"):
            logging.getLogger(name).setLevel(logging.ERROR)
        # Two processes that create one database crash: the second waits for the first.
        with FileLock(f"{DATABASE.resolve()}.lock", timeout=300):
            client = MlflowClient(uri)
            sent = [_send(client, build, list(artifacts)) for build in builds]
    except TrackingError:
        raise
    except Exception as error:  # MLflow's, the database's, the network's, a missing driver
        message = printable(without_secrets(f"{uri}: {' '.join(str(error).split())}"))
        raise TrackingError(
            f"{message[:400]}\nNothing is lost: run 'storyaudit track' when it is back."
        ) from None
    return sum(sent), len(sent) - sum(sent)


def _send(client: Any, build: Build, artifacts: list[Path]) -> bool:
    experiment = _experiment(client, build.study)
    digest = build.digest
    of_build = f"tags.`{BUILD}` = '{digest}'"
    finished = f"{of_build} AND tags.`{KIND}` = 'study' AND attributes.status = 'FINISHED'"
    if client.search_runs([experiment], finished, max_results=1):
        return False
    while left := client.search_runs([experiment], of_build):  # by a process that was killed
        for run in left:
            registry.remove_versions(client, run.info.run_id)
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
            if seed is not None and EXPERIMENT not in params:
                for record in build.records:
                    registry.register(client, run, record, variant, seed, common)
            client.set_terminated(run)
        client.set_terminated(parent)
    for report in build.reports:
        client.log_text(root, report.to_json(), f"findings/{report.audit}.json")
    for path in artifacts:
        if path.is_file():
            client.log_artifact(root, str(path))
    client.set_terminated(root)
    return True


def _experiment(client: Any, study: str) -> str:
    found = client.get_experiment_by_name(study)
    embedded = not os.environ.get("MLFLOW_TRACKING_URI")
    location = ARTIFACTS.resolve().as_uri() if embedded else None
    if found is None:
        return str(client.create_experiment(study, artifact_location=location))
    if embedded and found.artifact_location != location:
        raise TrackingError(
            f"{DATABASE} keeps its artifacts in {found.artifact_location}, not here.\n"
            f"The folder was moved: remove {DATABASE} and run 'storyaudit track', which fills it "
            f"again from the records."
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
        tags={
            **{tag: _value(value) for tag, value in tags.items()},
            KIND: kind,
            **({"mlflow.parentRunId": parent} if parent else {}),
        },
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
    entities: dict[str, list[Any]] = {
        "metrics": [Metric(_key(name), float(value), now, 0) for name, value in metrics.items()],
        "params": [Param(_key(name), _value(value)) for name, value in params.items()],
        "tags": [RunTag(name, _value(value)) for name, value in tags.items()],
    }
    for start in range(0, max(map(len, entities.values())), LARGEST_BATCH):
        stop = start + LARGEST_BATCH
        client.log_batch(run, **{kind: values[start:stop] for kind, values in entities.items()})


def _key(name: str) -> str:
    """Return a name as MLflow takes it, with a digest in it where characters were changed."""
    key = re.sub(r"[^\w.\- ]", "_", name).lstrip(".")
    if key == name != "" and len(key) <= LONGEST_NAME:
        return key
    return f"{key[: LONGEST_NAME - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _value(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


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
        simulated = ", ".join(record["simulated"])
        merged |= {"seed": record["seed"], "simulated": simulated, **_flat(record["params"])}
    return merged


def _flat(sections: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        f"{section}.{name}": value
        for section, params in sections.items()
        for name, value in params.items()
    }


def _finding_counts(reports: Sequence[Report]) -> dict[str, float]:
    return {
        f"findings.{report.audit}.{severity}": report.count(severity)
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
