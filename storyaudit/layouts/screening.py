"""Read the verdicts of a content screening."""

from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import SCREENING
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import Column, Table, refuse_values, validate

VERDICTS = Table("screening", ("story_id",), (Column("story_id"), Column("screening")))


def read_screening(path: Path) -> pd.DataFrame:
    """Return story_id and screening ('clear' or 'flagged') of a file that a person filled in.

    Raises:
        InputError: a column absent, a verdict missing or another one, or a story twice.
    """
    verdicts, _, rows = read_table(path, VERDICTS)
    validate(verdicts, VERDICTS, file=path)
    given = verdicts["screening"]
    expected = " or ".join(SCREENING)
    refuse_values(~given.isin(SCREENING), given, expected, file=path, rows=rows)
    return verdicts
