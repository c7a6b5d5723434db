"""The hooks for commits run this repository's own tools, and nothing from elsewhere."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]


def test_hooks_run_what_the_environment_and_the_makefile_hold() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [source["repo"] for source in config["repos"]] == ["local"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    for hook in config["repos"][0]["hooks"]:
        assert hook["language"] == "system"
        command, *arguments = hook["entry"].split()
        assert command == ".venv/bin/ruff" or (command == "make" and arguments[1] in targets)
