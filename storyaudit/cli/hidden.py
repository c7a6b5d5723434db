"""Whether another package of the same name hides one of ours.

``audits`` and ``pipeline`` are names at the top level, which others may use as well.
"""

import importlib.util
from pathlib import Path

import storyaudit
from storyaudit.errors import InputError

BESIDE = ("audits", "pipeline")
"""The packages that come with this one, and lie beside it."""


def hidden_package(error: ImportError) -> InputError | None:
    """Return what to say of an import that failed since another package hides one of ours.

    Args:
        error: of the import.

    Returns:
        None where the packages are our own, and so the error is another one.
    """
    ours = Path(storyaudit.__file__).resolve().parent.parent
    wanted = (error.name or "").partition(".")[0]
    if wanted not in BESIDE:
        return None
    spec = importlib.util.find_spec(wanted)
    if spec is None or spec.origin is None:
        return InputError(
            f"the package '{wanted}', which comes with storyaudit, is not there.",
            "Install storyaudit again.",
            file=ours,
        )
    found = Path(spec.origin).resolve().parent
    if found.parent == ours:
        return None
    return InputError(
        f"another package '{wanted}' hides the one that comes with storyaudit, in {ours}.",
        "Uninstall it, take its folder from PYTHONPATH, or install storyaudit into an environment "
        "of its own.",
        file=found,
    )
