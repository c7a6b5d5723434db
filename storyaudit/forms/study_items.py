"""Read of a study's folder what annotation forms need."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from storyaudit.data.table_files import find_tables, read_table, read_valid_table
from storyaudit.data.tables import (
    ANNOTATIONS,
    CANDIDATES,
    JUDGEMENTS,
    PREMISES,
    STORIES,
    Column,
    Table,
    human_stories,
    validate,
)
from storyaudit.errors import InputError
from storyaudit.protocol.protocol_items import Item, assemble
from storyaudit.protocol.protocol_params import ProtocolParams


def read_study(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables candidates, stories and premises of a folder, and judgements if there.

    Raises:
        InputError: no such folder, a table absent, or one that must not be built upon.
    """
    wanted = (CANDIDATES, STORIES, PREMISES, JUDGEMENTS)
    paths = find_tables(folder, wanted)
    absent = [table.name for table in wanted[:3] if table.name not in paths]
    if absent:
        raise InputError(
            f"expected tables named candidates, stories and premises, found no {absent[0]}.",
            "Name the files after the tables.",
            file=folder,
        )
    return {
        table.name: read_valid_table(paths[table.name], table)
        for table in wanted
        if table.name in paths
    }


def study_items(tables: Mapping[str, pd.DataFrame], params: ProtocolParams) -> list[Item]:
    """Return the items of a study, without regard to existing annotations."""
    judgements = tables.get("judgements")
    if judgements is None:
        judgements = pd.DataFrame(columns=JUDGEMENTS.names)
    nothing = pd.DataFrame(columns=ANNOTATIONS.names)
    humans = human_stories(tables["stories"])
    return assemble(tables["candidates"], judgements, nothing, humans, params)


def named_items(items: Sequence[Item], path: Path) -> list[Item]:
    """Return the items that a table names in its column item_id, once or more often.

    Raises:
        InputError: no such column, or an item that the study does not have.
    """
    listed = Table("items", ("item_id",), (Column("item_id"),))
    frame = read_table(path, listed).frame
    validate(frame[["item_id"]].drop_duplicates(), listed, file=path)
    wanted = set(frame["item_id"])
    orphans = sorted(wanted - {item.item_id for item in items})
    if orphans:
        raise InputError(
            f"item {orphans[0]} has no candidates ({len(orphans)} such items).",
            "Name items of this study.",
            file=path,
        )
    return [item for item in items if item.item_id in wanted]
