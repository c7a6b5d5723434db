"""Where the public data lies that tests marked ``real`` read; it is not part of the repository."""

import os
from pathlib import Path

FOLDER = Path(os.environ.get("STORYAUDIT_REAL", Path(__file__).parents[2] / "shared/real"))


def real_path(name: str = "") -> Path:
    """Return the path of a file or folder of the public data, which may not be there."""
    return FOLDER / name
