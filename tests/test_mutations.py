"""The changes of ``tools/mutations.yaml`` fit the code; ``make mutations`` makes them."""

import ast
import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "mutations.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutations_tool", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TOOLS = loaded()
MUTATIONS = TOOLS.mutations()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_change_can_be_made_in_one_place_and_is_python(mutation) -> None:
    text = TOOLS.file_of(mutation).read_text(encoding="utf-8")
    made = TOOLS.changed(mutation, text)
    assert ast.dump(ast.parse(made)) != ast.dump(ast.parse(text))
    assert TOOLS.tests_of(mutation)


def test_no_change_names_what_is_not_there(tmp_path: Path) -> None:
    """Such a change would be noticed by any test that comes across it."""
    for mutation in MUTATIONS:
        text = TOOLS.file_of(mutation).read_text(encoding="utf-8")
        (tmp_path / f"{mutation.name}.py").write_text(TOOLS.changed(mutation, text), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", str(tmp_path)]
    assert subprocess.run(ruff, capture_output=True, text=True).stdout == "All checks passed!\n"


def test_no_change_is_listed_twice() -> None:
    for of in ("name", "find"):
        counts = Counter((getattr(m, of), m.room if of == "find" else "") for m in MUTATIONS)
        assert [key for key, count in counts.items() if count > 1] == []


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A work tree of one function and its test."""
    (tmp_path / "room").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "room" / "sign.py").write_text("def positive(x):\n    return x > 0\n")
    (tmp_path / "tests" / "test_sign.py").write_text(
        "from room.sign import positive\n\n\n"
        "def test_it():\n    assert positive(2) and not positive(-2)\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("find", "replace", "tests", "said"),
    [
        ("x > 0", "x < 0", ["test_sign.py"], "killed"),
        ("x > 0", "x >= 0", ["test_sign.py"], "survived"),  # no test asks for 0
        ("x > 0", "x >", ["test_sign.py"], "killed"),  # cannot be imported
        ("x > 1", "x < 1", ["test_sign.py"], "stale: the snippet stands 0 times"),
        ("x", "y", ["test_sign.py"], "stale: the snippet stands 2 times"),
        ("x > 0", "x < 0", ["test_else.py"], "stale: 0 test files"),
    ],
)
def test_what_becomes_of_a_change(small, find, replace, tests, said) -> None:
    mutation = TOOLS.Mutation("one", "room", find, replace, tuple(tests))
    before = (small / "room" / "sign.py").read_text()
    assert TOOLS.verdict(mutation, small).startswith(said)
    assert (small / "room" / "sign.py").read_text() == before


def test_tests_that_fail_anyway_kill_nothing(small) -> None:
    (small / "tests" / "test_sign.py").write_text("def test_it():\n    assert False\n")
    mutation = TOOLS.Mutation("one", "room", "x > 0", "x < 0", ("test_sign.py",))
    assert TOOLS.verdict(mutation, small) == "stale: without the change, test_sign.py fails"
