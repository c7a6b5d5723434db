"""Functions compiled to machine code, in one way for every kernel."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(function: Kernel) -> Kernel:
    """Return the function compiled when it is first called; it runs without the GIL.

    The machine code is kept on disk where some folder for it can be written. Numba compiles it
    anew when the function's own file has changed, but not when a kernel that it calls, and takes
    in, has: here it does for any file of this package or of the function's own.
    """
    kernel: Any = numba.njit(nogil=True)(function)
    try:
        kernel.enable_caching()
    except RuntimeError:  # no folder can be written: compiled anew by every process
        return cast(Kernel, kernel)
    here, there = Path(__file__).parent, Path(function.__code__.co_filename).parent
    kernel._cache._cache_file._source_stamp = _digest(here) + _digest(there)
    return cast(Kernel, kernel)


@cache
def _digest(folder: Path) -> str:
    """Return the digest of a folder's modules."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
