"""A changed parameter rebuilds what depends on it and only that; changed back, all is as it was."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from clones import Clone, stages_run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clone(built, tmp_path_factory) -> Clone:
    return built.first.copy(tmp_path_factory.mktemp("params") / "clone")


def depend_on(clone: Clone, section: str) -> set[str]:
    """Return the stages that obey a section of params.yaml, and all that follow from them."""
    stages = clone.stages()
    found = {name for name, stage in stages.items() if section in stage["params"]}
    assert found
    while True:
        outs = {out for name in found for out in stages[name]["outs"]}
        further = {
            name
            for name, stage in stages.items()
            if any(Path(out).is_relative_to(dep) for dep in stage["deps"] for out in outs)
        }
        if further <= found:
            return found
        found |= further


def set_params(clone: Clone, changes: dict[str, dict[str, Any]]) -> None:
    path = clone.path / "params.yaml"
    params = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section, values in changes.items():
        assert all(params[section][name] != value for name, value in values.items())
        params[section] |= values
    path.write_text(yaml.safe_dump(params, allow_unicode=True), encoding="utf-8")


@pytest.mark.parametrize(
    ("section", "values", "untouched"),
    [
        ("accuracy", {"resamples": 1000}, {"corpora", "train", "score", "results", "counts"}),
        ("train", {"seeds": [1, 2, 4]}, {"corpora", "benchmark", "pairs", "overlap", "claims"}),
    ],
    ids=["resamples", "seeds"],
)
def test_only_what_depends_on_it_is_built_again_and_the_way_back_is_the_old_bytes(
    section: str, values: dict[str, Any], untouched: set[str], clone: Clone, built
) -> None:
    original = (clone.path / "params.yaml").read_bytes()
    expected = depend_on(clone, section)
    assert not expected & untouched
    set_params(clone, {section: values})
    assert set(stages_run(clone.run("dvc", "repro"))) == expected
    changed = {
        name for name, old in built.first.contents().items() if clone.contents().get(name) != old
    }
    outs = {out for name in expected for out in clone.stages()[name]["outs"]}
    assert changed
    assert all(any(Path(name).is_relative_to(out) for out in outs) for name in changed)

    (clone.path / "params.yaml").write_bytes(original)
    clone.run("dvc", "repro")
    assert clone.lock() == built.first.lock()
    assert clone.contents() == built.first.contents()


def test_an_unknown_or_impossible_parameter_stops_the_build_with_one_message(clone: Clone) -> None:
    path = clone.path / "params.yaml"
    original = path.read_bytes()
    try:
        set_params(clone, {"accuracy": {"resamples": "many"}})
        printed = clone.run("python", "-m", "audits.accuracy.stage", code=2)
    finally:
        path.write_bytes(original)
    assert printed.startswith("Error: params.yaml: accuracy.resamples")
    assert printed.count("\n") == 1
