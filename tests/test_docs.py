"""What the documentation names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = ("audits", "pipeline", "storyaudit", "tests", "tools", "benchmarks", "expectations")
MODULES = {path.name for name in PACKAGES for path in (ROOT / name).rglob("*.py")}


@pytest.mark.parametrize("doc", DOCS, ids=lambda path: path.name)
def test_modules_that_the_documentation_names_are_there(doc: Path) -> None:
    named = re.findall(r"`([\w/]+\.py)`", doc.read_text(encoding="utf-8"))
    gone = [
        name for name in named if not ((ROOT / name).is_file() if "/" in name else name in MODULES)
    ]
    assert gone == []
