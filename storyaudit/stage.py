"""What every stage of the pipeline needs: typed parameters, tables in and out, a run record.

    with Stage("benchmark") as stage:
        rules = stage.params("protocol", ProtocolParams)
        benchmark = build_benchmark(stage.read(CANDIDATES), ..., rules)
        stage.write(BENCHMARK, benchmark)
        stage.metrics(items=len(benchmark))

Outs are written when the block ends without an error, then the record, ``runs/<stage>.json``. The
record holds nothing that depends on clock, host, path or commit; those go to a sidecar,
``runs/local/<stage>.json``, that neither Git nor DVC keeps.
"""

import os
import platform
import reprlib
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, TypeVar

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from storyaudit import files
from storyaudit.errors import InputError
from storyaudit.findings import Report, first_fault, ordered
from storyaudit.readers.table import read_sound_table, read_table
from storyaudit.readers.yaml_file import read_yaml
from storyaudit.seeds import stream
from storyaudit.tables import Table, conform, require_sound, sort_by_key

PARAMS = Path("params.yaml")
STUDY = Path("data/study")
RUNS = Path("runs")
FINDINGS = Path("findings")


class Params(BaseModel):
    """A section of ``params.yaml``; unknown keys and wrong types are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Deviation = Annotated[float, Field(ge=0)]

P = TypeVar("P", bound=Params)


def read_params(path: Path = PARAMS) -> dict[str, Any]:
    """Read ``params.yaml``.

    Raises:
        InputError: no such file, not YAML, or no mapping at the top.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise InputError("expected sections of parameters.", "See docs/architecture.md.", file=path)
    return content


class Stage:
    """One run of one stage, in the working directory of the study.

    Attributes:
        name: the stage's name in ``dvc.yaml``.
        study: the study it builds.
        seed: the study's one seed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._started = time.time()
        self._record: dict[str, Any] = {}
        self._outs: list[tuple[Path, bytes, int | None]] = []

    def __enter__(self) -> "Stage":
        with _exit_on_bad_input():
            self._all_params = read_params()
            self.study = self._top("study", str)
            self.seed = self._top("seed", int)
        self._record = {
            "stage": self.name,
            "study": self.study,
            "seed": self.seed,
            "params": {},
            "reads": {},
            "writes": {},
            "metrics": {},
            "runs": [],
        }
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, InputError):
            _exit(error)
        if error is None:
            with _exit_on_bad_input():
                self._finish()

    def params(self, section: str, kind: type[P]) -> P:
        """Return a section of ``params.yaml``, checked against its type.

        Raises:
            InputError: the section or a key is absent, unknown, or of the wrong type.
        """
        try:
            params = kind.model_validate(self._all_params.get(section, {}))
        except ValidationError as error:
            raise InputError(
                f"{section}.{first_fault(error)}.",
                f"The section's keys are {', '.join(kind.model_fields)}.",
                file=PARAMS,
            ) from None
        self._record["params"][section] = params.model_dump()
        return params

    def stream(self, purpose: str) -> np.random.Generator:
        """Return this stage's random stream for one purpose."""
        return stream(self.seed, self.name, purpose)

    def read(self, table: Table, folder: Path = STUDY) -> pd.DataFrame:
        """Read a table to build upon it; what is unsound is refused."""
        path = self.reads(folder / f"{table.name}.parquet")
        frame = read_sound_table(path, table)
        self._record["reads"][path.as_posix()]["rows"] = len(frame)
        return frame

    def read_to_audit(self, table: Table, folder: Path = STUDY) -> pd.DataFrame:
        """Read a table to judge it: types are checked, content is not."""
        path = self.reads(folder / f"{table.name}.parquet")
        frame = read_table(path, table).frame
        self._record["reads"][path.as_posix()]["rows"] = len(frame)
        return frame

    def reads(self, path: Path) -> Path:
        """Note that the stage reads a file, with its digest, and return its path."""
        if not path.is_file():
            raise InputError(
                "there is no such file.", "Run the stage that makes it: dvc repro.", file=path
            )
        self._record["reads"][path.as_posix()] = {"md5": files.md5(path)}
        return path

    def write(self, table: Table, frame: pd.DataFrame, folder: Path = STUDY) -> None:
        """Write a table when the stage ends, sorted by its key.

        Raises:
            InputError: the table is incomplete or unsound; a stage that writes such a one is at
                fault itself.
        """
        path = folder / f"{table.name}.parquet"
        frame = sort_by_key(conform(frame, table, file=path)[0], table)
        require_sound(frame, table, file=path)
        self._outs.append((path, files.parquet_bytes(frame), len(frame)))

    def write_file(self, path: Path, content: bytes) -> None:
        """Write a file of another kind when the stage ends."""
        self._outs.append((path, content, None))

    def write_report(self, report: Report) -> None:
        """Write an audit's findings, and count them among the metrics."""
        content = files.json_text(ordered(report).model_dump()).encode()
        self.write_file(FINDINGS / report.study / f"{report.audit}.json", content)
        prefix = f"{report.study}.{report.audit}"
        for severity in ("fail", "warn", "note", "pass"):
            count = sum(finding.severity == severity for finding in report.findings)
            self.metrics(**{f"{prefix}.{severity}": count})
        self.metrics(**{f"{prefix}.unchecked": len(report.unchecked)})

    def metrics(self, **values: float) -> None:
        """Note metrics of the stage as a whole."""
        self._record["metrics"].update(values)

    def run(
        self,
        variant: str,
        seed: int | None,
        *,
        params: dict[str, Any] | None = None,
        metrics: dict[str, float] | None = None,
    ) -> None:
        """Note one run inside the stage: a variant as a whole (no seed) or with one seed."""
        self._record["runs"].append(
            {"variant": variant, "seed": seed, "params": params or {}, "metrics": metrics or {}}
        )

    def _top(self, name: str, kind: type) -> Any:
        value = self._all_params.get(name)
        if type(value) is not kind:
            raise InputError(
                f"expected '{name}: ' with {'text' if kind is str else 'a whole number'}, "
                f"found {reprlib.repr(value)}.",
                "Give it at the top level.",
                file=PARAMS,
            )
        return value

    def _finish(self) -> None:
        for path, facts in self._record["reads"].items():
            if not Path(path).is_file() or files.md5(Path(path)) != facts["md5"]:
                raise InputError(
                    "changed while the stage was reading it.", "Run the stage again.", file=path
                )
        for out, content, rows in self._outs:
            facts = {"md5": files.md5_of(content)} | ({} if rows is None else {"rows": rows})
            self._record["writes"][out.as_posix()] = facts
        record = files.json_text(self._record)  # refuses NaN before anything is written
        for out, content, _ in self._outs:
            files.write_bytes(out, content)
        files.write_text(RUNS / f"{self.name}.json", record)
        files.write_json(RUNS / "local" / f"{self.name}.json", _surroundings(self._started))


def _surroundings(started: float) -> dict[str, Any]:
    """Return what a record must not hold: time, host, versions, commit and its dirtiness."""
    return {
        "started": started,
        "seconds": round(time.time() - started, 3),
        "host": platform.node(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "dvc_stage": os.environ.get("DVC_STAGE", ""),
        **git_state(),
    }


def git_state() -> dict[str, Any]:
    """Return the commit and whether the work tree differs from it; empty outside Git."""
    try:
        commit = _git("rev-parse", "HEAD").strip()
        dirty = bool(_git("status", "--porcelain", "--untracked-files=no").strip())
    except (OSError, subprocess.CalledProcessError):
        return {"commit": "", "dirty": False}
    return {"commit": commit, "dirty": dirty}


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], check=True, capture_output=True, text=True, timeout=20
    ).stdout


class _exit_on_bad_input:  # noqa: N801 - reads as a statement
    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, InputError):
            _exit(error)


def _exit(error: InputError) -> None:
    sys.stderr.write(f"Error: {error}\n")
    raise SystemExit(2) from None
