"""Every technical term that findings use is defined in the glossary."""

import re
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parent
TERMS = yaml.safe_load((TESTS / "words" / "terms.yaml").read_text(encoding="utf-8"))
ROWS = re.findall(
    r"^\| ([^|]+) \| ([^|]+) \|", (TESTS.parent / "docs" / "glossary.md").read_text("utf-8"), re.M
)
DEFINED = [name for name, meaning in ROWS if name != "term" and meaning.strip("- ")]
PROSE = "\n".join(file.read_text("utf-8") for file in sorted((TESTS / "prose").glob("*.md")))


def contains(text: str, term: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(term)}", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_findings_is_defined(term: str) -> None:
    assert any(contains(name, term) for name in DEFINED)


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_list_stands_in_a_finding(term: str) -> None:
    assert contains(PROSE, term)


def test_no_term_is_defined_twice() -> None:
    names = [name.lower() for name in DEFINED]
    assert sorted({name for name in names if names.count(name) > 1}) == []
