"""Functions compiled to machine code, in one way for every kernel."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(function: Kernel) -> Kernel:
    """Return the function compiled when it is first called; it runs without the GIL.

    The machine code is kept on disk where some folder for it can be written. Numba compiles it
    anew when the function's own file has changed, but not when a kernel that it calls, and takes
    in, has: here it does for any file of this package or of the function's own.
    """
    kernel: Any = numba.njit(nogil=True)(function)
    with suppress(RuntimeError):  # no folder can be written: compiled anew by every process
        kernel.enable_caching()
    return cast(Kernel, kernel)


class _OfFolders:
    """How numba dates the machine code of a function: by two folders, not by the file alone."""

    def __init__(self, *function_and_file: Any) -> None:
        super().__init__(*function_and_file)
        self.folder = Path(function_and_file[1]).parent

    def get_source_stamp(self) -> str:
        """Return what changes whenever the machine code has to be made anew."""
        return _digest(Path(__file__).parent) + _digest(self.folder)


class InGivenFolder(_OfFolders, caching.UserProvidedCacheLocator):
    """Keeps machine code in the folder that NUMBA_CACHE_DIR names, if it names one."""


class InTree(_OfFolders, caching.InTreeCacheLocator):
    """Keeps machine code in ``__pycache__`` beside the module."""


class InUsersFolder(_OfFolders, caching.UserWideCacheLocator):
    """Keeps machine code in the user's folder for caches."""


_config: Any = numba.config
_config.CACHE_LOCATOR_CLASSES = ",".join(
    f"{place.__module__}.{place.__name__}" for place in (InGivenFolder, InTree, InUsersFolder)
)


@cache
def _digest(folder: Path) -> str:
    """Return the digest of a folder's modules."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
