"""The numbers of an earlier build, while code moves that should move no number."""

import sys

import pytest
from clones import ROOT

pytestmark = pytest.mark.slow


def test_no_number_moves_but_those_meant(built) -> None:
    printed = built.first.run(sys.executable, str(ROOT / "tools/golden.py"), "compare", ".")
    assert printed.splitlines()[-1] == "no difference", printed
