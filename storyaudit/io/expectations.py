"""Where the data of ``expectations/`` lies: in the clone, or in the installed package."""

from importlib.resources import files
from pathlib import Path

from storyaudit.errors import InputError


def expectations_path(name: str = "") -> Path:
    """Return the path of a file or folder of ``expectations/``, or of itself.

    Raises:
        InputError: there is none of that name.
    """
    path = Path(str(files("expectations"))) / name
    if not path.exists():
        raise InputError(
            "there is no such file.", "Reinstall storyaudit.", file=f"expectations/{name}"
        )
    return path
