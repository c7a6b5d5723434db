"""Hold a build against the numbers of an earlier one, while code moves that should move no number.

    python tools/golden.py record BUILT     # keep what a built clone holds, in tests/golden
    python tools/golden.py compare BUILT    # name every difference from what is kept

Kept are every table (texts as digests), every stage's metrics, every finding's severity, numbers
and evidence, and exit status and findings of the commands of ``commands.yaml``. Prose is not kept.
``renames.yaml`` says which old names have new ones, and which differences are meant, each with its
reason; one that no longer occurs is named as well.
"""

import argparse
import fnmatch
import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
CASES = "tests/golden/cases"
"""In the built clone too: the files' paths stand in what commands find."""
PROSE = 60
"""Longer text is kept as a digest."""
SECONDS = 1200
CLOSE = 1e-9
"""Relative difference of two floats up to which they are the same."""


def tables(built: Path) -> dict[str, pd.DataFrame]:
    """Return every table of a built clone by its path, long texts as digests, sorted."""
    found = {}
    for path in sorted((built / "data").rglob("*.parquet")):
        frame = pd.read_parquet(path)
        for name in frame.columns:
            if frame[name].map(lambda value: isinstance(value, str) and len(value) > PROSE).any():
                frame[name] = frame[name].map(_digest)
        found[path.relative_to(built).as_posix()] = frame
    return found


def _digest(text: Any) -> Any:
    """Return text as a short digest; anything else as it is."""
    if not isinstance(text, str):
        return text
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:12]


def findings(built: Path) -> dict[str, Any]:
    """Return every report's findings without their prose, by study and audit."""
    paths = sorted((built / "findings").rglob("*.json"))
    return {
        path.relative_to(built).as_posix(): _without_prose(json.loads(path.read_text("utf-8")))
        for path in paths
    }


def _without_prose(report: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "findings": {
            finding["id"]: {
                "severity": finding["severity"],
                "numbers": {name: _short(v) for name, v in finding["numbers"].items()},
                "evidence": [
                    {name: _short(v) for name, v in row.items()} for row in finding["evidence"]
                ],
            }
            for finding in report["findings"]
        },
        "unchecked": sorted(check["id"] for check in report["unchecked"]),
    }


def _short(value: Any) -> Any:
    """Return a value, of prose only that it is some: sentences are none of the numbers."""
    return "…" if isinstance(value, str) and len(value) > PROSE else value


def metrics(built: Path) -> dict[str, Any]:
    """Return every stage's metrics, and those of each run inside it."""
    found = {}
    for path in sorted((built / "runs").glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        runs = {f"{run['variant']}/{run['seed']}": run["metrics"] for run in record["runs"]}
        found[path.stem] = {"metrics": record["metrics"], "runs": runs}
    return found


def commands(built: Path) -> dict[str, Any]:
    """Return exit status and findings of every command, run in the built clone in one process."""
    # ``-P`` and PYTHONPATH: the clone's code, and nothing of this folder.
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).resolve()), "run-commands"],
        cwd=built,
        env={**os.environ, "PYTHONPATH": str(built)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def run_commands() -> str:
    """Run the commands here, and return as JSON what they said; what they write goes again."""
    import tempfile

    from click.testing import CliRunner

    from storyaudit.cli.main import cli
    from storyaudit.errors import InputError

    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as out:
        for name, line in yaml.safe_load((GOLDEN / "commands.yaml").read_text("utf-8")).items():
            words = [word.format(cases=CASES, out=out) for word in line.split()]
            result = CliRunner().invoke(cli, words)
            if isinstance(result.exception, InputError):
                found[name] = {"exit": 2}
                continue
            if result.exception and not isinstance(result.exception, SystemExit):
                raise result.exception
            found[name] = {"exit": result.exit_code}
            if result.exit_code < 2 and "--json" in words:
                found[name] |= _printed(json.loads(result.stdout))
        return json.dumps(found, sort_keys=True).replace(out, "OUT")


def _printed(content: Any) -> dict[str, Any]:
    """Return what a command printed as JSON: one report, several, or figures of its own."""
    if isinstance(content, dict) and "findings" in content:
        return _without_prose(content)
    if isinstance(content, list):
        return {str(number): _printed(part) for number, part in enumerate(content)}
    return {name: _short(value) for name, value in content.items()}


KINDS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "findings": findings,
    "metrics": metrics,
    "commands": commands,
}


def record(built: Path) -> None:
    """Keep what a built clone holds."""
    for name, frame in tables(built).items():
        path = GOLDEN / "tables" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(path, index=False, compression="zstd")
    for kind, observed in KINDS.items():
        text = json.dumps(observed(built), ensure_ascii=False, sort_keys=True, indent=0)
        (GOLDEN / f"{kind}.json").write_text(text + "\n", "utf-8")


def compare(built: Path) -> list[str]:
    """Return every difference that is not meant, and every meant one that does not occur."""
    renames = yaml.safe_load((GOLDEN / "renames.yaml").read_text("utf-8"))
    names = _Names(renames["names"])
    found = list(_table_differences(names, _Names(renames["columns"]), tables(built)))
    for kind, observed in KINDS.items():
        golden = json.loads((GOLDEN / f"{kind}.json").read_text("utf-8"))
        found += _differences(kind, names.new(golden), observed(built))
    meant = {entry["at"]: 0 for entry in renames["meant"]}
    unmeant = []
    for difference in found:
        place = difference.partition(": ")[0]
        fitting = [pattern for pattern in meant if fnmatch.fnmatchcase(place, pattern)]
        for pattern in fitting:
            meant[pattern] += 1
        if not fitting:
            unmeant.append(difference)
    return unmeant + [f"{at}: meant to differ, and does not" for at, n in meant.items() if not n]


class _Names:
    """Old names and their new ones: of findings, keys, columns, values, paths.

    A name that ends in ``*`` is that of all that begin so.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {old: new for old, new in names.items() if not old.endswith("*")}
        self._prefixes = {old[:-1]: new[:-1] for old, new in names.items() if old.endswith("*")}

    def new(self, value: Any) -> Any:
        """Return a value in which every old name is the new one."""
        if isinstance(value, dict):
            return {self.new(name): self.new(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.new(inner) for inner in value]
        return self._renamed(value) if isinstance(value, str) else value

    def _renamed(self, name: str) -> str:
        if name in self._names:
            return self._names[name]
        fitting = [prefix for prefix in self._prefixes if name.startswith(prefix)]
        return self._prefixes[fitting[0]] + name[len(fitting[0]) :] if fitting else name


def _table_differences(
    names: _Names, columns: _Names, observed: Mapping[str, pd.DataFrame]
) -> Iterator[str]:
    folder = GOLDEN / "tables"
    golden = {
        names.new(path.relative_to(folder).as_posix()): path
        for path in sorted(folder.rglob("*.parquet"))
    }
    for name in sorted(golden.keys() | observed.keys()):
        if name not in golden or name not in observed:
            yield f"tables/{name}: {'new' if name in observed else 'gone'}"
            continue
        old = pd.read_parquet(golden[name]).rename(columns=names.new).rename(columns=columns.new)
        texts: pd.DataFrame = old.select_dtypes("str")
        old[texts.columns] = texts.map(names.new, na_action="ignore").astype("str")
        new = observed[name]
        if list(old.columns) != list(new.columns):
            yield f"tables/{name}: columns {list(old.columns)} became {list(new.columns)}"
        elif len(old) != len(new):
            yield f"tables/{name}: {len(old)} rows became {len(new)}"
        else:
            for column in old.columns:
                unlike = [
                    (row, one, other)
                    for row, (one, other) in enumerate(zip(old[column], new[column], strict=True))
                    if not _same(one, other)
                ]
                kinds = (str(old[column].dtype), str(new[column].dtype))
                if kinds[0] != kinds[1]:
                    yield f"tables/{name}/{column}: the type {kinds[0]} became {kinds[1]}"
                if unlike:
                    row, one, other = unlike[0]
                    yield (
                        f"tables/{name}/{column}: {len(unlike)} of {len(old)} rows, the first "
                        f"{row}: {one!r} became {other!r}"
                    )


def _differences(place: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            here = f"{place}/{name}"
            if name not in new:
                yield f"{here}: gone"
            elif name not in old:
                yield f"{here}: new"
            else:
                yield from _differences(here, old[name], new[name])
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}: {len(old)} entries became {len(new)}"
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from _differences(f"{place}/{number}", one, other)
    elif not _same(old, new):
        yield f"{place}: {old!r} became {new!r}"


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        if math.isnan(old) or math.isnan(new):
            return math.isnan(old) and math.isnan(new)
        return math.isclose(old, new, rel_tol=CLOSE, abs_tol=CLOSE)
    if pd.api.types.is_scalar(old) and pd.isna(old):
        return bool(pd.api.types.is_scalar(new) and pd.isna(new))
    return bool(old == new) and isinstance(old, bool) == isinstance(new, bool)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=("record", "compare", "run-commands"))
    parser.add_argument("built", type=Path, nargs="?", default=Path())
    arguments = parser.parse_args()
    built = arguments.built.resolve()
    if arguments.do == "record":
        record(built)
    elif arguments.do == "run-commands":
        print(run_commands())
    else:
        differences = compare(built)
        print("\n".join(differences) or "no difference")
        sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
