"""The version stands in one place, and what states it elsewhere agrees."""

import tomllib
from pathlib import Path

import yaml
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from storyaudit import __version__

ROOT = Path(__file__).parents[1]


def test_the_package_built_has_the_version_of_the_code() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert ProjectMetadata(str(ROOT), PluginManager()).version == __version__


def test_the_citation_has_what_its_format_wants_and_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == __version__
    assert [author["name"] for author in citation["authors"]] == ["The StoryAudit developers"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["license"] == project["license"]
    assert citation["abstract"].strip() == project["description"] + "."


def test_the_changelog_begins_with_what_is_unreleased_in_the_kinds_of_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads[0] == "## [Unreleased]"
    kinds = {line for line in text.splitlines() if line.startswith("### ")}
    known = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
    assert kinds <= {f"### {kind}" for kind in known}
