"""What every stage of the pipeline needs: typed parameters, tables in and out, a run record.

    with Stage("benchmark") as stage:
        rules = stage.params("protocol", ProtocolParams)
        benchmark = build_benchmark(stage.read(CANDIDATES), ..., rules)
        stage.write(BENCHMARK, benchmark)
        stage.metrics(items=len(benchmark))

Outs are written when the block ends without an error, then the record, ``runs/<stage>.json``, and
its metrics once more for DVC to show, ``runs/metrics/<stage>.json``. The record holds nothing that
depends on clock, host, path or commit; those go to a sidecar, ``runs/local/<stage>.json``, that
neither Git nor DVC keeps.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import numpy as np
import pandas as pd
from pydantic import Field, ValidationError, field_validator

from storyaudit.data.table_files import read_table, read_valid_table
from storyaudit.data.tables import Table, coerce_types, sort_by_key, validate
from storyaudit.errors import InputError, refusing
from storyaudit.io import files
from storyaudit.io.checked import Id, first_fault
from storyaudit.io.yaml_file import read_yaml
from storyaudit.runs.params import Params
from storyaudit.runs.raw import RAW, find_raw
from storyaudit.runs.seeds import stream, stream_name
from storyaudit.vocabulary import Part

if TYPE_CHECKING:
    from storyaudit.findings import Report

PARAMS = Path("params.yaml")
STUDY = Path("data/study")
EXPERIMENTS = Path("data/experiments")
"""Pairs, scores and results of what is trained to see what a choice of pairs does."""
POOL = Path("data/pool")
"""Best-of-16: the tables of a study of its own, with 16 candidates an item."""
EXTERNAL = Path("data/external")
"""Scores by an automatic judge that trains nothing."""
RUNS = Path("runs")
METRICS = RUNS / "metrics"
"""What ``dvc metrics`` and ``dvc exp show`` tell of a stage."""
LOCAL = RUNS / "local"
"""What neither Git nor DVC keeps of a run."""
FINDINGS = Path("findings")

P = TypeVar("P", bound=Params)


def read_params() -> dict[str, Any]:
    """Read ``params.yaml``.

    Raises:
        InputError: no such file, not YAML, or no mapping at the top.
    """
    content = read_yaml(PARAMS)
    if not isinstance(content, dict):
        raise InputError(
            "expected sections of parameters.", "See docs/architecture.md.", file=PARAMS
        )
    return content


PUBLISHED = ("confederacy", "hanna", "storyalign")
"""Names of published studies, whose findings lie beside the study's own."""


class _Study(Params):
    """The top level of ``params.yaml``: the study's name, what of it is simulated, its seed."""

    study: Id
    simulated: list[Part]
    seed: Annotated[int, Field(ge=0)]

    @field_validator("study")
    @classmethod
    def _is_no_published_one(cls, study: str) -> str:
        if study in PUBLISHED:
            raise ValueError(f"'{study}' is a published study audited beside this one: rename it")
        return study


class Stage:
    """One run of one stage, in the working directory of the study.

    Attributes:
        name: the stage's name in ``dvc.yaml``.
        study: the study it builds.
        simulated: what the pipeline simulates; the rest is read from ``data/raw``.
        seed: the study's one seed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._started = time.time()
        self._record: dict[str, Any] = {}
        self._outs: list[tuple[Path, bytes, int | None]] = []
        self._owned: list[Path] = []
        self._folders: dict[Path, Path] = {}
        self._made: Path | None = None

    def __enter__(self) -> "Stage":
        with _exit_on_bad_input():
            self._all_params = read_params()
            top = {name: self._all_params.get(name) for name in _Study.model_fields}
            study = self._checked(top, _Study)
            self.study, self.simulated, self.seed = study.study, study.simulated, study.seed
        self._record = {
            "stage": self.name,
            "study": self.study,
            "simulated": self.simulated,
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
        try:
            if isinstance(error, InputError):
                _exit(error)
            if error is None:
                with _exit_on_bad_input():
                    self._finish()
        finally:
            if self._made is not None:
                shutil.rmtree(self._made, ignore_errors=True)

    def params(self, section: str, kind: type[P]) -> P:
        """Return a section of ``params.yaml``, checked against its type.

        Raises:
            InputError: the section or a key is absent, unknown, or of the wrong type.
        """
        if section not in self._all_params:
            raise InputError(
                f"expected the section '{section}', found none.",
                f"Its keys are {', '.join(kind.model_fields)}.",
                file=PARAMS,
            )
        params = self._checked(self._all_params[section], kind, f"{section}.")
        self._record["params"][section] = params.model_dump()
        return params

    def _checked(self, content: Any, kind: type[P], prefix: str = "") -> P:
        try:
            return kind.model_validate(content)
        except ValidationError as error:
            raise InputError(
                f"{prefix}{first_fault(error)}.",
                f"The keys are {', '.join(kind.model_fields)}.",
                file=PARAMS,
            ) from None

    def stream(self, purpose: str) -> np.random.Generator:
        """Return this stage's random stream for one purpose."""
        return stream(self.seed, self.name, purpose)

    def stream_name(self, purpose: str) -> str:
        """Return the name of that stream, for a command's --seed."""
        return stream_name(self.seed, self.name, purpose)

    def read(self, table: Table, folder: Path = STUDY) -> pd.DataFrame:
        """Read a table to build upon it; what is unsound is refused."""
        return self._read(folder / f"{table.name}.parquet", table, read_valid_table)

    def read_to_audit(self, table: Table, folder: Path = STUDY) -> pd.DataFrame:
        """Read a table to judge it: types are checked, content is not."""
        path = folder / f"{table.name}.parquet"
        return self._read(path, table, lambda *given: read_table(*given).frame)

    def _read(
        self, path: Path, table: Table, read: Callable[[Path, Table], pd.DataFrame]
    ) -> pd.DataFrame:
        frame = read(self.reads(path), table)
        self._record["reads"][path.as_posix()]["rows"] = len(frame)
        return frame

    def read_raw(self, table: Table, part: Part, folder: Path) -> pd.DataFrame:
        """Read a table that is not simulated, to build upon it.

        Raises:
            InputError: the folder does not hold it, or it is unsound.
        """
        path = find_raw(folder, table)
        if path is None:
            there = sorted(
                p.name for p in folder.glob("*") if p.name.lower().startswith(table.name)
            )
            missing = f"{table.name}." in "".join(n for n in there if n.endswith(".dvc"))
            raise InputError(
                f"expected the table '{table.name}' ({table.name}.csv, .jsonl, .parquet, …), "
                f"found {', '.join(there) or 'none'}.",
                "Fetch it: dvc pull."
                if missing
                else f"Put it there, or list '{part}' under 'simulated' in {PARAMS}.",
                file=folder,
            )
        return self._read(path, table, read_valid_table)

    def reads(self, path: Path) -> Path:
        """Note that the stage reads a file, with its digest, and return its path."""
        if not path.is_file():
            raise InputError(
                "there is no such file.",
                "Put it there, or fetch it: dvc pull."
                if path.is_relative_to(RAW)
                else "Run the stage that makes it: dvc repro.",
                file=path,
            )
        self._record["reads"][path.as_posix()] = {"md5": files.md5(path)}
        return path

    def reads_all(self, path: Path) -> None:
        """Note that the stage reads a file, or every file in a folder.

        Raises:
            InputError: no such file, or one that cannot be read.
        """
        with refusing("cannot be read", "Check the path.", path):
            for file in [path / name for name in _files_in(path)] if path.is_dir() else [path]:
                self.reads(file)

    def write(self, table: Table, frame: pd.DataFrame, folder: Path = STUDY) -> None:
        """Write a table when the stage ends, sorted by its key.

        Raises:
            InputError: the table is incomplete or unsound; a stage that writes such a one is at
                fault itself.
        """
        path = folder / f"{table.name}.parquet"
        frame = sort_by_key(coerce_types(frame, table, file=path)[0], table)
        validate(frame, table, file=path)
        self._outs.append((path, files.parquet_bytes(frame), len(frame)))

    def write_file(self, path: Path, content: bytes) -> None:
        """Write a file of another kind when the stage ends."""
        self._outs.append((path, content, None))

    def write_folder(self, path: Path, save: Callable[[Path], None]) -> None:
        """Write a folder of files of any kind when the stage ends, in the place of an older one.

        Args:
            path: the folder.
            save: writes its files into an empty folder, elsewhere, at once; the same bytes every
                time.

        Raises:
            InputError: there is no room for them.
        """
        with refusing("cannot be written", "Make room, and run the stage again."):
            if self._made is None:
                # Beside the outs, so that a folder is moved into place by its name alone.
                self._made = Path(tempfile.mkdtemp(dir=".", prefix=f".{self.name}.", suffix=".tmp"))
            made = self._made / str(len(self._folders))
            made.mkdir()
            save(made)
        self._folders[path] = made

    def owns(self, folder: Path) -> None:
        """Remove from a folder, when the stage ends, the files that this run does not write.

        DVC removes outs before it runs a stage; a stage that is run by hand does it itself.
        """
        self._owned.append(folder)

    def write_report(self, report: "Report", command: str | None = None) -> None:
        """Write an audit's findings, and count them among the metrics.

        The findings on the pipeline's own study say what of it is simulated.

        Args:
            report: the findings.
            command: finds them again; by default the one that shows what this stage writes.
        """
        command = command or f"storyaudit show {report.study}/{report.audit}"
        report = report.model_copy(update={"command": command})
        if report.study == self.study and self.simulated:
            about = f"Simulated in this study: {', '.join(self.simulated)}."
            report = report.model_copy(update={"about": about})
        self.write_file(FINDINGS / report.study / f"{report.audit}.json", report.to_json().encode())
        prefix = f"{report.study}.{report.audit}"
        self.metrics(**{f"{prefix}.{kind}": number for kind, number in report.counts().items()})

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

    def _finish(self) -> None:
        for path, facts in self._record["reads"].items():
            if not Path(path).is_file() or files.md5(Path(path)) != facts["md5"]:
                raise InputError(
                    "changed while the stage was reading it.", "Run the stage again.", file=path
                )
        for out, content, rows in self._outs:
            facts = {"md5": files.md5_of(content)} | ({} if rows is None else {"rows": rows})
            self._record["writes"][out.as_posix()] = facts
        moved = {path: _files_in(made) for path, made in self._folders.items()}
        for path, made in self._folders.items():
            for name in moved[path]:
                self._record["writes"][(path / name).as_posix()] = {"md5": files.md5(made / name)}
        record = files.json_text(self._record)  # refuses NaN before anything is written
        own, shown, beside = (folder / f"{self.name}.json" for folder in (RUNS, METRICS, LOCAL))
        for out in (*(out for out, _, _ in self._outs), own, shown, beside):
            _require_room(out)
        for path in self._folders:
            _require_room(path / "any")
        written = {out for out, _, _ in self._outs}
        written |= {path / name for path, names in moved.items() for name in names}
        remedy = "Make room, and run the stage again: some of its outs are new, some may be old."
        with refusing("cannot be written", remedy):
            for folder in self._owned:
                for stale in {path for path in folder.rglob("*") if path.is_file()} - written:
                    stale.unlink()
            for out, content, _ in self._outs:
                files.write_bytes(out, content)
            for path, made in self._folders.items():
                files.move_folder(made, path)
            files.write_text(own, record)
            files.write_json(shown, shown_metrics(self._record))
            files.write_json(beside, _surroundings(self._started))


def _files_in(folder: Path) -> list[Path]:
    """Return the files in a folder and its folders, relative to it, sorted."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def shown_metrics(record: dict[str, Any]) -> dict[str, Any]:
    """Return the metrics of a stage as a whole, and of each variant as a whole, over its seeds."""
    wholes = [run for run in record["runs"] if run["seed"] is None and run["metrics"]]
    variants = {run["variant"]: run["metrics"] for run in wholes}
    return {**record["metrics"], **({"variants": variants} if variants else {})}


def _require_room(out: Path) -> None:
    """Refuse to begin writing where an out cannot come to lie.

    Raises:
        InputError: a folder in its place, or a file in the place of a folder above it.
    """
    above = [path for path in out.parents if path.exists() and not path.is_dir()]
    if out.is_dir() or above:
        raise InputError(
            f"expected room for the stage's out {out}, found a {'file' if above else 'folder'}.",
            "Move it away.",
            file=above[0] if above else out,
        )


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


@contextmanager
def _exit_on_bad_input() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        _exit(error)


def _exit(error: InputError) -> None:
    from storyaudit.io.printable import printable

    sys.stderr.write(printable(f"Error: {error}") + "\n")
    raise SystemExit(2) from None
