"""Who may import whom, and that a change to any code rebuilds what it makes."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from deps import (
    PACKAGES,
    ROOT,
    all_imports,
    closure,
    does_something,
    dotted,
    file_of,
    files,
    imported,
    is_code,
    modules_of,
    parsed,
    rewritten,
)

STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]


GATHERED = ("findings", "runs")


def named(file: Path) -> str:
    return str(file.relative_to(ROOT))


def packages(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("file", files("audits"), ids=named)
def test_audits_never_import_the_pipeline(file: Path) -> None:
    assert "pipeline" not in packages(all_imports(file))


@pytest.mark.parametrize("file", files("pipeline"), ids=named)
def test_the_pipeline_never_imports_audits(file: Path) -> None:
    assert "audits" not in packages(all_imports(file))


@pytest.mark.parametrize("file", files("pipeline/pairing"), ids=named)
def test_how_pairs_are_made_knows_nothing_of_the_simulated_world(file: Path) -> None:
    assert not [name for name in all_imports(file) if name.startswith("pipeline.simulation")]


FLOOR = (
    "errors",
    "vocabulary",
    "former_names",
    "io",
    "text",
    "data",
    "findings",
    "stats",
    "phrasing",
    "report",
    "runs",
    "protocol",
    "overlap",
    "layouts",
    "results",
    "ratings",
    "ledger",
    "llm",
    "forms",
    "tracking",
    "cli",
)
"""The rooms of ``storyaudit``, from the lowest: each imports from those above it in this list."""


SHARED = [file for file in files("storyaudit") if "cli" not in file.parts]


def room_of(name: str) -> str:
    """Return the room of the floor that a dotted name stands in; '' for the package itself."""
    if f"{name}.".startswith("storyaudit.layouts."):
        return "layouts"
    return f"{name}.".split(".")[1]


@pytest.mark.parametrize("file", files("storyaudit"), ids=named)
def test_rooms_of_the_floor_import_only_what_lies_below_them(file: Path) -> None:
    own = room_of(dotted(file))
    names = {name for name in all_imports(file) if name.split(".")[0] == "storyaudit"}
    higher = FLOOR[FLOOR.index(own) + 1 :] if own in FLOOR else FLOOR
    assert {room_of(name) for name in names} & set(higher) == set()


def test_every_room_of_the_floor_is_listed() -> None:
    rooms = {room_of(dotted(f)) for f in files("storyaudit")}
    assert rooms - {"__init__"} == set(FLOOR)


@pytest.mark.parametrize("file", SHARED, ids=named)
def test_what_is_shared_imports_neither_side(file: Path) -> None:
    assert not packages(all_imports(file)) & {"audits", "pipeline"}


@pytest.mark.parametrize("file", files("audits"), ids=named)
def test_no_audit_imports_another(file: Path) -> None:
    own = file.relative_to(ROOT).parts[1]
    audits = {name.split(".")[1] for name in all_imports(file) if name.startswith("audits.")}
    assert audits <= {own}


ALIKE = {
    "__init__",
    "stage",  # of an audit
    *("habits", "kinds", "language", "lexicon", "templates"),  # of a language
}
"""Names of modules that say which part of a set of like things they are."""


def test_modules_say_what_is_inside_without_their_folder() -> None:
    # A command is named like the audit or the stage that it runs.
    named_apart = [f for name in PACKAGES for f in files(name) if f.parent.name != "cli"]
    stems = [file.stem for file in named_apart if file.stem not in ALIKE]
    assert sorted({stem for stem in stems if stems.count(stem) > 1}) == []


@pytest.mark.parametrize("file", files("expectations"), ids=named)
def test_expectations_hold_no_code(file: Path) -> None:
    assert not does_something(file)


def at_import(nodes: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when a module is imported, but for those of type checkers."""
    for node in nodes:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name in ("body", "orelse", "handlers", "finalbody"):
                yield from at_import(getattr(node, name, []))


LIGHT = [
    ROOT / "storyaudit" / name
    for name in (
        "__init__.py", "errors.py", "former_names.py", "vocabulary.py", "forms/__init__.py",
        "forms/questions.py",
    )
]  # fmt: skip
"""What commands may import before they run."""


@pytest.mark.parametrize("file", files("storyaudit/cli"), ids=named)
def test_commands_import_heavy_things_only_when_they_run(file: Path) -> None:
    light = {dotted(module).removesuffix(".__init__") for module in LIGHT}
    for name in imported(at_import(parsed(file).body), file):
        top = name.split(".")[0]
        assert (
            top == "click"
            or top in sys.stdlib_module_names
            or name in light
            or name.rpartition(".")[0] in light  # what stands in such a module
            or name.startswith("storyaudit.cli")
        ), f"{name} at import"


@pytest.mark.parametrize("file", LIGHT, ids=named)
def test_what_commands_import_is_light_itself(file: Path) -> None:
    names = all_imports(file)
    own = {name for name in names if name.split(".")[0] == "storyaudit"}
    assert packages(names - own) <= sys.stdlib_module_names
    assert {found for name in own if (found := file_of(name))} <= set(LIGHT)


def test_every_audit_is_a_stage() -> None:
    written = {dotted(f) for f in files("audits") if f.stem.split("_")[-1] == "stage"}
    run = {module for stage in STAGES.values() for module in modules_of(stage["cmd"])}
    assert written - run == set()


@pytest.mark.parametrize(("stage", "folders"), [("report", ("findings",)), ("track", GATHERED)])
def test_what_is_gathered_is_gathered_from_every_stage(stage: str, folders: tuple[str]) -> None:
    made = [out for other in STAGES.values() for out in other.get("outs", [])]
    ours = {out for out in made if isinstance(out, str) and out.endswith(".json")}
    ours = {out for out in ours if out.split("/")[0] in folders}
    assert ours - {*STAGES[stage]["deps"], *STAGES[stage]["outs"]} == set()


@pytest.mark.parametrize(
    "file", [f for f in files("pipeline") if "linear" not in f.parts], ids=named
)
def test_a_kind_of_reward_models_is_known_to_its_registry_alone(file: Path) -> None:
    known = any(name.startswith("pipeline.reward.linear") for name in all_imports(file))
    assert known == (file.stem == "reward_kinds")


def test_dvc_yaml_is_what_make_deps_would_write() -> None:
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    assert rewritten(text) == text, "make deps"


@pytest.mark.parametrize("stage", STAGES)
def test_a_change_to_code_rebuilds_what_it_makes(stage: str) -> None:
    declared = [ROOT / name for name in STAGES[stage]["deps"]]
    uncovered = {
        str(file.relative_to(ROOT))
        for file in closure(*modules_of(STAGES[stage]["cmd"]))
        if not any(file.is_relative_to(path) for path in declared) and does_something(file)
    }
    assert uncovered == set()


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_depends_on_no_code_that_it_does_not_load(stage: str) -> None:
    loaded = closure(*modules_of(STAGES[stage]["cmd"]))
    code = [name for name in STAGES[stage]["deps"] if is_code(name)]
    assert [n for n in code if not any(f.is_relative_to(ROOT / n) for f in loaded)] == []


@pytest.mark.parametrize("stage", STAGES)
def test_dependencies_and_outs_stand_once(stage: str) -> None:
    for kind in ("deps", "outs", "params"):
        names = STAGES[stage].get(kind, [])
        assert len(set(names)) == len(names)


def test_the_command_line_is_a_dependency_of_the_stages_that_run_a_command_alone() -> None:
    reached = {
        name
        for name, stage in STAGES.items()
        if any("cli" in file.parts for file in closure(*modules_of(stage["cmd"])))
    }
    assert reached == {"report", "track"}


def test_stages_run_in_the_order_in_which_they_are_written() -> None:
    made: set[str] = set()
    for stage in STAGES.values():
        needed = {dep for dep in stage["deps"] if dep.split("/")[0] in ("runs", "findings")}
        built = {dep for dep in stage["deps"] if dep.startswith(("data/study", "models"))}
        assert needed | built <= made
        made |= set(stage.get("outs", []))


@pytest.mark.parametrize("file", files("storyaudit/cli"), ids=named)
def test_commands_make_no_findings(file: Path) -> None:
    # Audits find; a command parses, calls and prints.
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    assert called.isdisjoint({"Finding", "Unchecked"})
