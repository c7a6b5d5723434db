"""Read the verdicts of a content screening."""

from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import SCREENING
from storyaudit.data.tables import Column, Table, conform, holds, require_sound
from storyaudit.errors import InputError
from storyaudit.io.records import read_records

VERDICTS = Table("screening", ("story_id",), (Column("story_id"), Column("screening")))


def read_screening(path: Path) -> pd.DataFrame:
    """Return story_id and screening ('clear' or 'flagged') of a file that a person filled in.

    Raises:
        InputError: a column absent, a verdict missing or another one, or a story twice.
    """
    records = read_records(path, holds(VERDICTS))
    verdicts, _ = conform(records.frame, VERDICTS, file=path, rows=records.rows)
    require_sound(verdicts, VERDICTS, file=path)
    other = ~verdicts["screening"].isin(SCREENING)
    if other.any():
        first = int(other.to_numpy().argmax())
        raise InputError(
            f"expected {' or '.join(SCREENING)}, found '{verdicts['screening'].iloc[first]}'.",
            "Correct the verdict.",
            file=path,
            row=int(records.rows[first]),
            column="screening",
        )
    return verdicts
