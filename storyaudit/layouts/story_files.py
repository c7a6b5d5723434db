"""Read a folder of plain-text stories, and keep what a blind rater could have seen of the files."""

import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from storyaudit.errors import InputError, refusing
from storyaudit.io.files import file_name

COLUMNS = ("story_id", "file_name", "text", "encoding")
_BOM = b"\xef\xbb\xbf"
# Chinese in GB18030 or Russian in Windows-1251 has such runs, no language of Windows-1252 has.
_NOT_WESTERN = re.compile("[¡-ÿ]{8}")


def decode_story(content: bytes, file: Path) -> tuple[str, str]:
    """Return a story's text, its line ends untouched, and its encoding.

    The encoding is ``ascii``, ``utf-8``, ``utf-8-bom``, or ``cp1252`` for what is none of these.

    Raises:
        InputError: bytes that cp1252 does not define either, eight in a row that no text in it has
            (another encoding), or a NUL byte.
    """
    if b"\0" not in content:
        if content.isascii():
            return content.decode("ascii"), "ascii"
        encoding = "utf-8-bom" if content.startswith(_BOM) else "utf-8"
        try:
            return content.removeprefix(_BOM).decode("utf-8"), encoding
        except UnicodeDecodeError:
            pass
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError as error:
            wrong = error.start
        else:
            strange = _NOT_WESTERN.search(text)
            if strange is None:
                return text, "cp1252"
            wrong = strange.start()  # a byte is a character
    else:
        wrong = content.index(b"\0")
    raise InputError(
        f"expected UTF-8 or Windows-1252 text, found the byte 0x{content[wrong]:02x}.",
        "Save the story as UTF-8.",
        file=file,
        row=content[:wrong].count(b"\n") + 1,
    )


def read_story_files(folder: Path, names: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Read the ``.txt`` files of a folder, by name.

    Args:
        folder: holds one story a file.
        names: story IDs by file name, as a map of anonymised stories gives them; a file that it
            does not name is left out. None takes a file's name without its ending as ID.

    Returns:
        Columns story_id, file_name, text (line ends as in the file), encoding.

    Raises:
        InputError: no such folder, no story in it, or a file that cannot be read as text.
    """
    if not folder.is_dir():
        raise InputError("expected a folder of stories.", "Check the path.", file=folder)
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".txt")
    if names is not None:
        files = [path for path in files if path.name in names]
    if not files:
        raise InputError(
            "expected stories as .txt files, found none"
            + (" that the map of file names knows." if names is not None else "."),
            "Check the folder" + (" and the map." if names is not None else "."),
            file=folder,
        )
    rows = []
    for path in files:
        with refusing("cannot be read", "Check the file.", path):
            content = path.read_bytes()
        text, encoding = decode_story(content, path)
        story = file_name(path, ending=False) if names is None else names[path.name]
        rows.append((story, file_name(path), text, encoding))
    return pd.DataFrame(rows, columns=list(COLUMNS))
