"""A killed stage, and a killed DVC whose stage lives on: nothing half-written, all is mended."""

import os
import signal
from pathlib import Path

import pytest
import yaml
from clones import Clone, ended, stages_run, until

pytestmark = pytest.mark.slow

HOLD = '''
"""Stops a process before it renames a file into one place, until it is told to go on."""

import os
import time

place, sign = os.environ.get("HOLD_AT"), os.environ.get("HOLD_SIGN")
if place:
    replace = os.replace

    def held(source, target, **named):
        if os.fspath(target).endswith(place):
            with open(sign + ".new", "w") as file:
                file.write(str(os.getpid()))
            replace(sign + ".new", sign)
            for _ in range(6000):
                if os.path.exists(sign + ".go"):
                    break
                time.sleep(0.05)
        return replace(source, target, **named)

    os.replace = held
'''


class Held:
    """``dvc repro --force`` of one stage, held just before it renames an out into place."""

    def __init__(self, clone: Clone, stage: str, place: str) -> None:
        folder = clone.path.parent / "hold"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(HOLD, encoding="utf-8")
        self.sign = folder / "sign"
        self.dvc = clone.start(
            *("dvc", "repro", "--force", "--single-item", "--no-run-cache", stage),
            PYTHONPATH=f"{folder}{os.pathsep}{clone.path}",
            HOLD_AT=place,
            HOLD_SIGN=str(self.sign),
        )
        until(lambda: self.sign.exists() or self.dvc.poll() is not None, f"{stage} at {place}")
        assert self.dvc.poll() is None, ended(self.dvc)
        self.pid = int(self.sign.read_text())

    def go_on(self) -> None:
        """Let the stage go on, and wait for its end."""
        self.sign.with_suffix(".go").touch()
        until(lambda: not alive(self.pid), "the stage's end")


def copy_without_cached_outs(clone: Clone, stage: str, path: Path) -> Clone:
    """Copy a clone, and drop a stage's outs from its cache, so that the stage must run again."""
    copy = clone.copy(path)
    for out in yaml.safe_load(copy.lock())["stages"][stage]["outs"]:
        (copy.path / ".dvc/cache/files/md5" / out["md5"][:2] / out["md5"][2:]).unlink()
    return copy


def alive(pid: int) -> bool:
    """Return whether a process runs; a dead one that nobody has waited for does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def whole_or_absent(clone: Clone, like: Clone) -> dict[str, bytes]:
    """Check that every out that is under its name is complete, and return them."""
    there, complete = clone.contents(), like.contents()
    there = {name: content for name, content in there.items() if not name.endswith(".tmp")}
    assert [name for name, content in there.items() if content != complete[name]] == []
    return there


def test_a_killed_stage_leaves_no_half_written_out_and_is_run_again(built, tmp_path) -> None:
    clone = copy_without_cached_outs(built.first, "corpora", tmp_path / "clone")
    held = Held(clone, "corpora", "data/study/stories.parquet")
    os.kill(held.pid, signal.SIGKILL)
    assert "failed to reproduce" in ended(held.dvc, code=255)

    there = whole_or_absent(clone, built.first)
    assert "data/study/premises.parquet" in there  # written before
    assert "data/study/stories.parquet" not in there
    assert "runs/corpora.json" not in there  # the record comes last
    assert clone.lock() == built.first.lock()

    printed = clone.run("dvc", "repro", "--no-run-cache")
    assert stages_run(printed) == ["corpora"]
    assert clone.contents() == built.first.contents()
    assert clone.lock() == built.first.lock()


def test_a_killed_dvc_whose_stage_lives_on_spoils_nothing(built, tmp_path) -> None:
    clone = copy_without_cached_outs(built.first, "train", tmp_path / "clone")
    held = Held(clone, "train", "models/full/seed-1")
    held.dvc.kill()
    held.dvc.wait()  # not for its output: the stage holds the pipe, too
    assert alive(held.pid)
    whole_or_absent(clone, built.first)

    assert stages_run(clone.run("dvc", "repro", "--no-run-cache")) == ["train"]
    held.go_on()
    assert clone.contents() == built.first.contents()
    assert clone.lock() == built.first.lock()
    assert stages_run(clone.run("dvc", "repro")) == []
