"""Files whose names are not UTF-8 are written anew like others."""

import os
from pathlib import Path

import pandas as pd
import pytest

from storyaudit.io.records import read_records
from storyaudit.io.row_files import TABLES, open_rows

TEXT = {".csv": "a\n1\n2\n", ".jsonl": '{"a": 1}\n{"a": 2}\n', ".json": '[{"a": 1}, {"a": 2}]'}


@pytest.mark.parametrize("ending", [*TEXT, ".parquet"])
def test_a_name_that_is_not_utf8(tmp_path: Path, ending: str) -> None:
    file = tmp_path / (os.fsdecode(b"b\xff") + ending)
    if ending in TEXT:
        file.write_text(TEXT[ending])
    else:
        with file.open("wb") as out:
            pd.DataFrame({"a": [1, 2]}).to_parquet(out)
    copy = tmp_path / (os.fsdecode(b"c\xfe") + ending)
    assert open_rows(file, formats=TABLES).copy(set(), copy) == 2
    assert [int(cell) for cell in read_records(copy).frame["a"]] == [1, 2]
