"""Forms as files: their names and content by format, and writing them without half of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from storyaudit.errors import InputError, refusing
from storyaudit.forms.draw import Form
from storyaudit.forms.label_studio import config_xml, tasks_json
from storyaudit.forms.questions import instructions
from storyaudit.forms.workbook import csv_bytes, xlsx_bytes
from storyaudit.io.files import csv_text, json_text, parquet_bytes, write_bytes

FORMATS = ("xlsx", "csv", "label-studio")


def rendered_forms(forms: Iterable[Form], kind: str) -> dict[str, bytes]:
    """Return the files of forms by name: one an annotator and task, and what explains a task.

    Args:
        forms: of any annotators and tasks.
        kind: one of ``FORMATS``. A CSV comes with a text that says what to do, tasks for Label
            Studio with the labeling configuration.
    """
    files: dict[str, bytes] = {}
    for form in forms:
        key = form.key
        name = f"{key.annotator}-{key.task}"
        if kind == "xlsx":
            files[f"{name}.xlsx"] = xlsx_bytes(form)
        elif kind == "csv":
            files[f"{name}.csv"] = csv_bytes(form)
            lines = instructions(key.task, key.scale)
            files[f"how-to-{key.task}.txt"] = "".join(f"{line}\n" for line in lines).encode()
        else:
            files[f"{name}.json"] = json_text(tasks_json(form)).encode()
            files[f"label-studio-{key.task}.xml"] = config_xml(form).encode()
    return files


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, all of them or, where one cannot be written, none that was not there before.

    Raises:
        InputError: they cannot be written.
    """
    new = [path for path in contents if not path.exists()]
    try:
        for path, content in contents.items():
            with refusing("cannot be written", "Choose another place.", path):
                write_bytes(path, content)
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise


def table_bytes(table: pd.DataFrame, path: Path) -> bytes:
    """Return a table in the format of the file's ending, .csv or .parquet.

    Raises:
        InputError: an ID that would not stay itself in a CSV.
    """
    if path.suffix.lower() == ".parquet":
        return parquet_bytes(table)
    for column in ("item_id", "story_id"):
        ids: list[object] = list(table[column]) if column in table.columns else []
        formula = [name for name in ids if str(name).startswith(("=", "+", "-", "@", "\t"))]
        if formula:
            raise InputError(
                f"the {column} {formula[0]} would be a formula to a spreadsheet program.",
                "Give a name ending in .parquet.",
                file=path,
            )
    return csv_text(table).encode()
