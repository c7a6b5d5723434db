"""Where data lies that is not simulated: a folder a purpose, which the stage depends on."""

from collections.abc import Callable
from pathlib import Path

from storyaudit.data.table_files import find_table
from storyaudit.data.tables import Table
from storyaudit.errors import InputError

RAW = Path("data/raw")
RAW_CORPORA = RAW / "corpora"
RAW_JUDGEMENTS = RAW / "judgements"
RAW_ANNOTATIONS = RAW / "annotations"
RAW_PREFERENCES = RAW / "preferences"
RAW_SCORES = RAW / "scores"
RAW_POOL = RAW / "pool"
RAW_POOL_CORPORA = RAW_POOL / "corpora"


def lies_in(folder: Path) -> Callable[[str], str]:
    """Return what lets paths in a folder pass, to check a parameter that names a file or folder.

    What it returns raises ``ValueError`` for a path that lies elsewhere.
    """

    def checked(path: str) -> str:
        if not Path(path).is_relative_to(folder) or ".." in Path(path).parts:
            raise ValueError(f"'{path}' must lie in {folder}, which DVC watches")
        return path

    return checked


def find_raw(folder: Path, table: Table) -> Path | None:
    """Return the file in a folder of ``data/raw`` that holds the table by its name, or None.

    Raises:
        InputError: more than one file bears the name, or one beside the folder, where no stage
            watches it.
    """
    beside = find_table(RAW, table)
    if beside is not None:
        raise InputError(
            f"expected the table '{table.name}' in {folder}, which DVC watches.",
            "Move it there.",
            file=beside,
        )
    return find_table(folder, table)
