"""``dvc metrics`` and ``dvc exp show`` speak of what the stages measured."""

import json
from typing import Any

import pytest
from clones import Clone

pytestmark = pytest.mark.slow

ACCURACY = "accuracy.macro.mean"


def shown(clone: Clone, *command: str) -> Any:
    """What a command of DVC prints as JSON, read from its first brace or bracket on."""
    printed = clone.run("dvc", *command, "--json")
    return json.loads(printed[min(place for c in "[{" if (place := printed.find(c)) >= 0) :])


def full_accuracy(clone: Clone) -> float:
    """The accuracy of the study's own model, from the run record."""
    record = json.loads((clone.path / "runs/results.json").read_text(encoding="utf-8"))
    [whole] = [r for r in record["runs"] if r["variant"] == "full" and r["seed"] is None]
    return float(whole["metrics"][ACCURACY])


def test_metrics_show_has_a_line_a_stage(built) -> None:
    [files] = [part["data"] for part in shown(built.first, "metrics", "show").values()]
    recorded = [name for name, stage in built.first.stages().items() if "metrics" in stage]
    assert set(files) == {f"runs/metrics/{name}.json" for name in recorded}
    results = files["runs/metrics/results.json"]["data"]
    assert results["variants"]["full"][ACCURACY] == full_accuracy(built.first)


def test_metrics_diff_names_what_moved_and_nothing_else(built, tmp_path) -> None:
    clone = built.first.copy(tmp_path / "clone")
    clone.run("git", "add", "--all")
    who = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    clone.run("git", *who, "commit", "--quiet", "--allow-empty", "--message", "built")
    assert shown(clone, "metrics", "diff") == {}
    path = clone.path / "runs/metrics/corpora.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()  # a link into the cache, maybe
    path.write_text(json.dumps(content | {"stories": content["stories"] + 2}), encoding="utf-8")
    moved = shown(clone, "metrics", "diff")
    assert set(moved) == {"runs/metrics/corpora.json"}
    assert moved["runs/metrics/corpora.json"]["stories"]["diff"] == 2


def test_exp_show_has_the_workspaces_metrics(built) -> None:
    workspace = next(rev for rev in shown(built.first, "exp", "show") if rev["rev"] == "workspace")
    results = workspace["data"]["metrics"]["runs/metrics/results.json"]["data"]
    assert results["variants"]["full"][ACCURACY] == full_accuracy(built.first)
