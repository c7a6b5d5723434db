"""Write the code that each stage depends on into ``dvc.yaml``, from what its module imports.

    python tools/deps.py            # or make deps
    python tools/deps.py --check    # name the stages whose code differs, and write nothing

A stage depends on the files that running it may load: its module, and whatever that imports, inside
functions as well. A folder stands in place of its files where the stage loads half or more of
the code in it, or where data (a template, prompts) lies beside the code.
"""

import argparse
import ast
import io
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq

ROOT = Path(__file__).resolve().parents[1]
CODE = ("audits", "pipeline", "storyaudit")
PACKAGES = (*CODE, "expectations")
MOST = 1 / 2
"""Share of a folder's code from which the folder stands for it."""
APART = Path("storyaudit/stats")
"""One file a statistic: the folder would hand every statistic to whoever uses many."""
NO_RESULT = Path("storyaudit/__init__.py")
"""Holds the version and switches telemetry off: a release must not rebuild every study."""
ROOF = "storyaudit.cli.main"
"""Imports every command, of which one runs."""


def files(package: str) -> list[Path]:
    """Return a package's modules."""
    return sorted((ROOT / package).rglob("*.py"))


def dotted(file: Path) -> str:
    """Return a module's dotted name."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


@cache
def parsed(file: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def imported(nodes: Iterable[ast.AST], file: Path) -> Iterator[str]:
    """Yield the dotted names of what import statements may load, names in modules among them."""
    here = file.relative_to(ROOT).with_suffix("").parts
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def all_imports(file: Path) -> set[str]:
    """Return what a module imports anywhere, for type checkers too."""
    return set(imported(ast.walk(parsed(file)), file))


def loaded_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree's nodes, but for what only type checkers read."""
    yield node
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        children = iter(node.orelse)
    for child in children:
        yield from loaded_nodes(child)


@cache
def loaded(file: Path) -> frozenset[Path]:
    """Return the first-party files that a module's own imports load, packages among them."""
    found = {file_of(name) for name in imported(loaded_nodes(parsed(file)), file)}
    found |= {folder / "__init__.py" for folder in file.parents if folder.is_relative_to(ROOT)}
    return frozenset(path for path in found if path is not None and path.is_file())


@cache
def file_of(name: str) -> Path | None:
    """Return the first-party file behind a dotted name, if it names a module or a package."""
    if name.split(".")[0] not in PACKAGES:
        return None
    path = ROOT.joinpath(*name.split("."))
    return next(
        (file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None
    )


def closure(*modules: str) -> set[Path]:
    """Return every first-party file that running modules may load.

    Of the commands, which ``ROOF`` imports, only those among the modules count.

    Raises:
        ValueError: there is no such module.
    """
    left = [file for module in modules if (file := file_of(module))]
    if len(left) < len(modules):
        raise ValueError(f"no module among {', '.join(modules)}")
    roof, seen = file_of(ROOF), set[Path]()
    while left:
        file = left.pop()
        if file in seen:
            continue
        seen.add(file)
        left += [found for found in loaded(file) if file != roof or not _is_command(found)]
    return seen


def _is_command(file: Path) -> bool:
    return file.parent == ROOT / "storyaudit" / "cli" and file.stem != "__init__"


def modules_of(command: str) -> tuple[str, ...]:
    """Return the modules that a stage's command starts.

    Raises:
        ValueError: it is neither ``python -m MODULE`` nor ``storyaudit COMMAND``.
    """
    words = command.split()
    if words[:2] == ["python", "-m"]:
        return (words[2],)
    if words[0] == "storyaudit":
        return (ROOF, f"storyaudit.cli.{words[1]}")
    raise ValueError(f"expected python -m MODULE or storyaudit COMMAND, found {command}")


@cache
def does_something(file: Path) -> bool:
    """Return whether a file can change a result: an __init__.py with a docstring alone cannot."""
    return file != ROOT / NO_RESULT and any(
        not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in parsed(file).body
    )


def named(paths: Iterable[Path]) -> list[str]:
    """Return files as dependencies: sorted, folders in place of most of their files."""
    working = {path for path in paths if does_something(path)}
    by_folder = defaultdict(set)
    for path in working:
        for folder in path.parents:
            if folder.is_relative_to(ROOT) and folder.parent != ROOT and folder != ROOT:
                by_folder[folder].add(path)
    whole = {folder for folder, inside in by_folder.items() if _stands_for(folder, inside)}
    listed = whole | {path for path in working if not whole & set(path.parents)}
    return sorted(
        path.relative_to(ROOT).as_posix() for path in listed if not whole & set(path.parents)
    )


def _stands_for(folder: Path, inside: set[Path]) -> bool:
    """Return whether a folder stands for the files in it that are loaded."""
    if folder == ROOT / APART:
        return False
    code = [path for path in folder.rglob("*.py") if does_something(path)]
    return len(inside) >= MOST * len(code) or (_holds_data(folder) and _own(inside, folder))


def _own(inside: set[Path], folder: Path) -> bool:
    return any(path.parent == folder for path in inside)


def _holds_data(folder: Path) -> bool:
    return any(path.is_file() and path.suffix not in (".py", ".pyc") for path in folder.iterdir())


def code_of(command: str) -> list[str]:
    """Return the code that a stage with this command depends on, as ``dvc.yaml`` lists it."""
    return named(
        path for path in closure(*modules_of(command)) if path.relative_to(ROOT).parts[0] in CODE
    )


def is_code(dependency: str) -> bool:
    """Return whether a dependency is code, and not data."""
    return dependency.split("/")[0] in CODE


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 100
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def rewritten(text: str) -> str:
    """Return ``dvc.yaml`` with the code of every stage put right, and all else as it was."""
    yaml = _yaml()
    content = yaml.load(text)
    for stage in content["stages"].values():
        kept = [name for name in stage["deps"] if not is_code(name)]
        stage["deps"] = _with_comments([*code_of(stage["cmd"]), *kept], stage["deps"])
    written = io.StringIO()
    yaml.dump(content, written)
    return written.getvalue()


def _with_comments(names: list[str], old: CommentedSeq) -> CommentedSeq:
    """Return a list with the comments that stood at those of its names that were there."""
    comments: dict[str, Any] = {old[place]: comment for place, comment in old.ca.items.items()}
    new = CommentedSeq(names)
    new.ca.items.update(
        {place: comments[name] for place, name in enumerate(names) if name in comments}
    )
    return new


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    path = ROOT / "dvc.yaml"
    old = path.read_text("utf-8")
    new = rewritten(old)
    if old == new:
        print("dvc.yaml lists the code that its stages load.")
    elif check:
        sys.exit("dvc.yaml does not list the code that its stages load: make deps")
    else:
        path.write_text(new, "utf-8")
        print("dvc.yaml: written. Next: dvc repro.")


if __name__ == "__main__":
    main()
