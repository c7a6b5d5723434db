"""Look at a filled form before anything of it is parsed: it comes from outside."""

from pathlib import Path

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.formats.xlsx import SAVE_AGAIN, check_archive
from storyaudit.io.streams import check_file

_FOREIGN = ("xl/externallinks/", "xl/connections", "xl/querytables/", "xl/embeddings/")


def check_size(path: Path) -> None:
    """Refuse what is no file, is empty, or is larger than any filled form.

    Raises:
        InputError: see above.
    """
    check_file(path)
    size = path.stat().st_size
    if size > bounds.WORKBOOK_BYTES:
        raise InputError(
            f"expected at most {bounds.WORKBOOK_BYTES // 1_000_000} MB, found "
            f"{size // 1_000_000} MB.",
            "Give the filled annotation form itself.",
            file=path,
        )


def check_workbook(path: Path) -> None:
    """Refuse a workbook that is no harmless annotation form.

    Raises:
        InputError: see ``xlsx.check_archive``; macros; links to other files or data.
    """
    for part in check_archive(path):
        name = part.lower()
        if name.endswith("vbaproject.bin") or "macrosheets/" in name:
            raise InputError(f"the workbook holds macros ({part}).", SAVE_AGAIN, file=path)
        if name.startswith(_FOREIGN):
            raise InputError(
                f"the workbook links to other files or data ({part}).", SAVE_AGAIN, file=path
            )
