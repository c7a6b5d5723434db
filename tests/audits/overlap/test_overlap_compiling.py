"""That compiling beforehand reaches every kernel."""

import importlib

import pytest
from deps import ROOT, dotted, files
from numba.core.dispatcher import Dispatcher

from audits.overlap.compiling import compile_kernels

MODULES = [
    dotted(file)
    for package in ("storyaudit", "audits")
    for file in files(package)
    if "@compiled" in file.read_text(encoding="utf-8")
]


@pytest.fixture(scope="module", autouse=True)
def called() -> None:
    compile_kernels()


def test_kernels_stand_where_they_are_looked_for() -> None:
    assert {"storyaudit.text.tokens", "audits.overlap.kernels.minhash"} <= set(MODULES)
    assert ROOT.joinpath("audits", "overlap", "compiling.py").is_file()


@pytest.mark.parametrize("module", MODULES)
def test_every_kernel_is_compiled(module: str) -> None:
    inside = vars(importlib.import_module(module)).values()
    kernels = [value for value in inside if isinstance(value, Dispatcher)]
    assert kernels
    assert [kernel.__name__ for kernel in kernels if not kernel.signatures] == []
