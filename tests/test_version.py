"""The version stands in one place, and what states it elsewhere agrees."""

import tomllib
from pathlib import Path

from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from storyaudit import __version__

ROOT = Path(__file__).parents[1]


def test_the_package_built_has_the_version_of_the_code() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert ProjectMetadata(str(ROOT), PluginManager()).version == __version__
