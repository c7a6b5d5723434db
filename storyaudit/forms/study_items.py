"""Read of a study's folder what sheets need."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from storyaudit.data.table_files import find_table, read_sound_table
from storyaudit.data.tables import (
    ANNOTATIONS,
    CANDIDATES,
    JUDGEMENTS,
    PREMISES,
    STORIES,
    Column,
    Table,
    conform,
    holds,
    human_stories,
    require_sound,
)
from storyaudit.errors import InputError
from storyaudit.io.records import read_records
from storyaudit.protocol.protocol_items import Item, assemble
from storyaudit.protocol.protocol_params import ProtocolParams


def read_study(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables candidates, stories and premises of a folder, and judgements if there.

    Raises:
        InputError: no such folder, a table absent, or one that must not be built upon.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder.", "Check the path.", file=folder)
    wanted = (CANDIDATES, STORIES, PREMISES, JUDGEMENTS)
    paths = {table.name: path for table in wanted if (path := find_table(folder, table))}
    absent = [table.name for table in wanted[:3] if table.name not in paths]
    if absent:
        raise InputError(
            f"expected tables named candidates, stories and premises, found no {absent[0]}.",
            "Name the files after the tables.",
            file=folder,
        )
    return {
        table.name: read_sound_table(paths[table.name], table)
        for table in wanted
        if table.name in paths
    }


def study_items(tables: Mapping[str, pd.DataFrame], params: ProtocolParams) -> list[Item]:
    """Return the items of a study, without regard to what people have decided already."""
    judgements = tables.get("judgements")
    if judgements is None:
        judgements = pd.DataFrame(columns=[column.name for column in JUDGEMENTS.columns])
    nothing = pd.DataFrame(columns=[column.name for column in ANNOTATIONS.columns])
    humans = human_stories(tables["stories"])
    return assemble(tables["candidates"], judgements, nothing, humans, params)


def named_items(items: Sequence[Item], path: Path) -> list[Item]:
    """Return the items that a table names in its column item_id, once or more often.

    Raises:
        InputError: no such column, or an item that the study does not have.
    """
    listed = Table("items", ("item_id",), (Column("item_id"),))
    records = read_records(path, holds(listed))
    frame, _ = conform(records.frame, listed, file=path, rows=records.rows)
    require_sound(frame[["item_id"]].drop_duplicates(), listed, file=path)
    wanted = set(frame["item_id"])
    strays = sorted(wanted - {item.item_id for item in items})
    if strays:
        raise InputError(
            f"item {strays[0]} has no candidates ({len(strays)} such items).",
            "Name items of this study.",
            file=path,
        )
    return [item for item in items if item.item_id in wanted]
