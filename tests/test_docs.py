"""What the documentation names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGES = ("audits", "pipeline", "storyaudit", "tests", "tools", "benchmarks", "expectations")
MODULES = {path.name for name in PACKAGES for path in (ROOT / name).rglob("*.py")}


NAMING = [path for path in DOCS if path.name != "CONTRIBUTING.md"]
"""Those that name modules that are there; recipes name modules to be made."""


@pytest.mark.parametrize("doc", NAMING, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_the_documentation_names_are_there(doc: Path) -> None:
    named = re.findall(r"`([\w/]+\.py)`", doc.read_text(encoding="utf-8"))
    gone = [
        name for name in named if not ((ROOT / name).is_file() if "/" in name else name in MODULES)
    ]
    assert gone == []


@pytest.mark.parametrize("doc", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_within_the_repository_lead_to_files(doc: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", doc.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (doc.parent / link).exists()] == []
