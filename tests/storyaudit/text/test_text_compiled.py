import importlib
import sys

import numba
import pytest

from storyaudit.text import compiled as module
from storyaudit.text.compiled import compiled


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """Return a function that writes two modules, one calling the other's kernel, and runs them."""
    monkeypatch.syspath_prepend(tmp_path)
    head = "from storyaudit.text.compiled import compiled\n"
    (tmp_path / "outer_kernel.py").write_text(
        f"{head}from inner_kernel import inner\n@compiled\ndef outer(x):\n    return inner(x) + 1\n"
    )

    def run(factor):
        (tmp_path / "inner_kernel.py").write_text(
            f"{head}@compiled\ndef inner(x):\n    return x * {factor}\n"
        )
        for name in ("inner_kernel", "outer_kernel"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        module._digest.cache_clear()
        outer = importlib.import_module("outer_kernel").outer
        return outer(10), sum(outer.stats.cache_hits.values())

    yield run
    for name in ("inner_kernel", "outer_kernel"):
        sys.modules.pop(name, None)
    module._digest.cache_clear()


def test_a_kernel_is_kept_until_one_that_it_calls_changes(kernels):
    assert kernels(2) == (21, 0)
    assert kernels(2) == (21, 1)
    assert kernels(30) == (301, 0)


def test_where_no_folder_can_be_written_it_is_compiled_all_the_same(monkeypatch):
    # This one has a folder for notebooks only.
    none = "numba.core.caching.IPythonCacheLocator"
    monkeypatch.setattr(numba.config, "CACHE_LOCATOR_CLASSES", none)

    @compiled
    def double(number: int) -> int:
        return 2 * number

    assert double(4) == 8
    assert not double.stats.cache_path
