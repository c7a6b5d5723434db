import csv
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.io import files

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_writes_into_folders_that_it_makes(tmp_path):
    path = tmp_path / "a" / "b" / "out.txt"
    files.write_text(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert [found.name for found in path.parent.iterdir()] == ["out.txt"]


@pytest.mark.parametrize("step", ["chmod", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def fail(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, step, fail)
    with pytest.raises(KeyboardInterrupt):
        files.write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["out"]


KILLED_WHILE_WRITING = """
real = os.fdopen
class Half:
    def __init__(self, *arguments): self.file = real(*arguments)
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def write(self, content):
        self.file.write(content[: len(content) // 2]); self.file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
os.fdopen = Half
"""
KILLED_BEFORE_THE_RENAME = """
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("kill", [KILLED_WHILE_WRITING, KILLED_BEFORE_THE_RENAME])
@pytest.mark.parametrize("old", [b"old", None])
def test_a_kill_in_the_middle_leaves_the_old_file_or_none(tmp_path, kill, old):
    path = tmp_path / "out"
    if old is not None:
        path.write_bytes(old)
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        f"from storyaudit.io.files import write_bytes\n{kill}\n"
        "write_bytes(Path(sys.argv[1]), b'new' * 100_000)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (path.read_bytes() if path.exists() else None) == old


def test_does_not_write_through_a_hard_link_such_as_dvcs_cache_has(tmp_path):
    cached, path = tmp_path / "cached", tmp_path / "out"
    cached.write_bytes(b"old")
    path.hardlink_to(cached)
    files.write_bytes(path, b"new")
    assert (cached.read_bytes(), path.read_bytes()) == (b"old", b"new")


def test_a_written_file_has_the_permissions_of_an_ordinary_one(tmp_path):
    (tmp_path / "ordinary").touch()
    files.write_bytes(tmp_path / "out", b"")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [1.0, -float("inf")]}])
def test_json_refuses_what_json_does_not_have(tmp_path, value):
    with pytest.raises(ValueError, match="JSON compliant"):
        files.write_json(tmp_path / "out.json", value)
    assert list(tmp_path.iterdir()) == []


@given(st.dictionaries(TEXT, st.floats(allow_nan=False, allow_infinity=False) | TEXT), st.randoms())
def test_json_does_not_depend_on_the_order_of_a_dictionary(value, random):
    items = list(value.items())
    random.shuffle(items)
    text = files.json_text(dict(items))
    assert text == files.json_text(value)
    assert json.loads(text) == value


COLUMNS = {
    "text": ["b", "é", None],
    "n": [3, 1, 2],
    "x": [0.1, None, 2.5],
    "yes": [True, False, True],
}


@pytest.fixture
def frame():
    return pd.DataFrame(COLUMNS)


def test_parquet_bytes_do_not_depend_on_the_hash_seed(frame):
    script = (
        "import hashlib, pandas as pd\nfrom storyaudit.io.files import parquet_bytes\n"
        f"print(hashlib.md5(parquet_bytes(pd.DataFrame({COLUMNS}))).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("0", "4242")
    }
    here = files.parquet_bytes(frame)
    assert digests == {hashlib.md5(here, usedforsecurity=False).hexdigest()}


def test_parquet_holds_the_frame_and_no_library_metadata(tmp_path, frame):
    (tmp_path / "x.parquet").write_bytes(files.parquet_bytes(frame))
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "x.parquet"), frame)
    assert pq.read_metadata(tmp_path / "x.parquet").metadata is None


def test_parquet_bytes_do_not_depend_on_the_index(frame):
    moved = frame.set_index(pd.Index([9, 4, 9]))
    assert files.parquet_bytes(moved) == files.parquet_bytes(frame)


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1])
def test_md5_is_that_of_the_whole_content(tmp_path, size):
    content = np.random.default_rng(1).bytes(size)
    (tmp_path / "x").write_bytes(content)
    expected = hashlib.md5(content, usedforsecurity=False).hexdigest()
    assert files.md5(tmp_path / "x") == files.md5_of(content) == expected


CELL = TEXT | st.builds(str.__add__, st.sampled_from([*FORMULA_STARTS, "a\r"]), TEXT)


@given(
    st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5),
    st.lists(CELL, min_size=2, max_size=2, unique=True),
)
def test_no_cell_of_a_csv_is_a_formula(rows, names):
    text = files.csv_text(pd.DataFrame(rows, columns=names))
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert [len(row) for row in read] == [2] * (len(rows) + 1)
    for cell, original in zip(
        (cell for row in read for cell in row),
        (cell for row in [names, *rows] for cell in row),
        strict=True,
    ):
        assert not cell.startswith(FORMULA_STARTS) or is_number(cell)
        kept = original.replace("\r\n", "\n").replace("\r", "\n")
        assert cell in (kept, "'" + kept)


@pytest.mark.parametrize(
    ("value", "cell"),
    [("=1+1", "'=1+1"), ("-5", "-5"), ("+5.5e3", "+5.5e3"), ("-5+1", "'-5+1"), ("@a", "'@a")],
)
def test_a_number_is_left_alone(value, cell):
    assert files.csv_text(pd.DataFrame({"a": [value]})) == f"a\n{cell}\n"


def test_numbers_and_missing_values_are_written_as_they_are():
    frame = pd.DataFrame({"a": [-1.5, None], "=b": ["x", None], 3: [-1, 2]})
    assert files.csv_text(frame) == "a,'=b,3\n-1.5,x,-1\n,,2\n"


def a_folder(path: Path, **contents: str) -> Path:
    path.mkdir(parents=True)
    for name, text in contents.items():
        (path / name).write_text(text)
    return path


def texts_in(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_folder_is_moved_into_a_free_place_and_into_that_of_another(tmp_path: Path) -> None:
    place = tmp_path / "deep/place"
    files.move_folder(a_folder(tmp_path / "made/1", a="1", b="2"), place)
    assert texts_in(place) == {"a": "1", "b": "2"}
    files.move_folder(a_folder(tmp_path / "made/2", a="3"), place)
    assert texts_in(place) == {"a": "3"}
    assert texts_in(tmp_path / "made/2.old") == {"a": "1", "b": "2"}


def test_a_folder_that_comes_meanwhile_gives_way(tmp_path: Path, monkeypatch) -> None:
    made, place = a_folder(tmp_path / "made/1", a="1"), tmp_path / "place"
    replace, meanwhile = Path.replace, ["another process's"]

    def late(path: Path, target: Path) -> Path:
        if meanwhile:
            a_folder(place, b=meanwhile.pop())
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", late)
    files.move_folder(made, place)
    assert texts_in(place) == {"a": "1"}


def test_a_folder_does_not_take_the_place_of_a_file(tmp_path: Path) -> None:
    made = a_folder(tmp_path / "made/1", a="1")
    (tmp_path / "place").write_text("a file")
    with pytest.raises(OSError):
        files.move_folder(made, tmp_path / "place")
    assert (tmp_path / "place").read_text() == "a file"
