"""Whether another package of the same name hides one of ours.

``audits`` and ``pipeline`` are names at the top level, which others may use as well.
"""

import importlib.util
import sys
import traceback
from pathlib import Path

import storyaudit
from storyaudit.errors import InputError

BESIDE = ("audits", "pipeline")
"""The packages that come with this one, and lie beside it."""


def hidden_package(error: Exception) -> InputError | None:
    """Return what to say of an error that came of another package's hiding one of ours.

    Args:
        error: of an import, or from within the other package, which may fail in any way.

    Returns:
        None where the packages are our own, and so the error is another one.
    """
    ours = Path(storyaudit.__file__).resolve().parent.parent
    wanted = _imported(error) if isinstance(error, ImportError) else None
    wanted = wanted or _run_into(error)
    if wanted is None:
        return None
    found = _place(wanted)
    if found is None:
        return InputError(
            f"the package '{wanted}', which comes with storyaudit, is not there.",
            "Install storyaudit again.",
            file=ours,
        )
    if found.parent == ours:
        return None
    return InputError(
        f"another package '{wanted}' hides the one that comes with storyaudit, in {ours}.",
        "Uninstall it, take its folder from PYTHONPATH, or install storyaudit into an environment "
        "of its own.",
        file=found,
    )


def _imported(error: ImportError) -> str | None:
    """Return which of our packages an import sought in vain."""
    wanted = (error.name or "").partition(".")[0]
    return wanted if wanted in BESIDE else None


def _run_into(error: Exception) -> str | None:
    """Return the name of ours under which code was loaded, or not understood, that failed."""
    names = [frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)]
    tops = {str(name).partition(".")[0] for name in names}
    if isinstance(error, SyntaxError):  # in code that did not come to run
        tops |= set(Path(error.filename or "").with_suffix("").parts)
    return next((name for name in BESIDE if name in tops), None)


def _place(name: str) -> Path | None:
    """Return the folder of a package, or of the module that bears its name; None for neither."""
    module = sys.modules.get(name)
    spec = importlib.util.find_spec(name) if module is None else module.__spec__
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent
