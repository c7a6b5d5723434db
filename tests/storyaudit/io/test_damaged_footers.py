"""Parquet whose footer is damaged anywhere: an error with the file's name, never an abort."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

CLONE = Path(__file__).parents[3]
TRIAL = """
import sys
from pathlib import Path
from storyaudit.errors import InputError
from storyaudit.io.formats.parquet import open_parquet

content = Path(sys.argv[1]).read_bytes()
begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
damaged, out = Path(sys.argv[2]), Path(sys.argv[3])
refused = 0
for place in range(begin, len(content)):
    changed = bytearray(content)
    changed[place] ^= 1 << place % 8
    damaged.write_bytes(changed)
    for act in (
        lambda file: list(file.rows()),
        lambda file: list(file.rows(["id"])),
        lambda file: file.copy({2}, out),
    ):
        print("\\nbit of byte", place - begin, end="", flush=True)
        try:
            act(open_parquet(damaged))
        except InputError as error:
            assert error.file == damaged, error
            refused += 1
print("\\nrefused", refused)
"""


def test_a_footer_with_a_changed_bit_is_read_or_refused(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    columns = {"id": ["a", "b", "c", "c"], "score": [1, 2, 3, None]}
    pq.write_table(pa.table(columns), whole)
    found = subprocess.run(
        [sys.executable, "-c", TRIAL, whole, tmp_path / "damaged.parquet", tmp_path / "out"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
    last = found.stdout.strip().rpartition("\n")[2]
    assert found.returncode == 0, f"{last}: {found.stderr[-2000:]}"
    assert int(last.removeprefix("refused ")) > 100
