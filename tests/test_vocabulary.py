"""What both sides of the wall say stands in one place: no module types such a word again."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from storyaudit import vocabulary
from storyaudit.data import tables

ROOT = Path(__file__).parents[1]
MODULES = [file for name in ("pipeline", "audits") for file in sorted((ROOT / name).rglob("*.py"))]
METHODS = {
    vocabulary.BACK_GENERATION,
    vocabulary.REWRITING,
    vocabulary.CONTINUATION,
    vocabulary.JUDGED,
    vocabulary.BY_SIZE,
    vocabulary.PREFERENCE_FILE,
    vocabulary.REPLACEMENT,
    vocabulary.HUMAN_CHOSEN,
}
VALUES: dict[str, set[str]] = {
    "use": set(vocabulary.USES),
    "author_kind": set(vocabulary.AUTHOR_KINDS),
    "origin": set(vocabulary.ORIGINS),
    "kind": set(vocabulary.ANNOTATION_KINDS),
    "annotation_route": set(vocabulary.ROUTES),
    "dimension": {*vocabulary.MEASURES, vocabulary.UNSCORED},
    "method": METHODS,
    "split": set(vocabulary.SPLITS),
    "variant": {vocabulary.FULL, *vocabulary.UNTRAINED},
    "sides": set(vocabulary.SIDES),
}
"""The words by the columns and attributes that take them."""
OTHERS = {*vocabulary.FAMILIES, *vocabulary.PARTS}
# Severities are left out: mypy refuses a finding with any other word.

ALSO = {
    "a table, a stage, a folder or a param": {"benchmark", "pool", "train", "learning_curve"},
    "a number of a report": {"best", "unsure", "validation", "human_first"},
    "something that is counted": {"annotators", "judges", "pools", "benchmark texts"},
    "one of two sides that a sentence names": {"training"},
    "a way of asking a language model": {"ranking"},
    "a role or an encoding": {"unknown"},
    "an author's name": {"human"},
    "a type": {"llm"},
    "a feature, and a finding": {"burstiness"},
    "a quality of a simulated story": {"coherence", "creativity", "relevance"},
    "the purpose of a random stream": {"continuation"},
}
"""Words that are also something else; they are looked for beside their columns alone."""


def beside_columns(tree: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    """Yield constants that are compared with, or given to, a column or attribute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for name in filter(None, map(named, sides)):
                yield from ((name, part) for side in sides for part in constants(side))
        elif isinstance(node, ast.keyword) and node.arg:
            yield from ((node.arg, part) for part in constants(node.value))
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield from ((str(key.value), part) for part in constants(value))


def named(node: ast.expr) -> str | None:
    """Return the name of a column, ``rows["use"]``, or of an attribute, ``file.use``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.attr if isinstance(node, ast.Attribute) else None


def constants(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield a text, or the texts of a tuple, list or set."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    yield from (part for part in parts if isinstance(part, ast.Constant))


def typed(source: str) -> list[tuple[int, str]]:
    """Return lines and words that a module types although the vocabulary has them."""
    tree = ast.parse(source)
    also = set().union(*ALSO.values())
    only = set().union(*VALUES.values(), OTHERS) - also
    anywhere = [
        (node.lineno, str(node.value))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (node.value in only or node.value.partition("/")[0] in set(vocabulary.FAMILIES) - also)
    ]
    beside = [
        (part.lineno, str(part.value))
        for name, part in beside_columns(tree)
        if part.value in VALUES.get(name, ())
    ]
    return anywhere + beside


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_module_types_a_word_of_the_vocabulary(file: Path) -> None:
    assert typed(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'x = "llm_llm"',
        'x = rows["use"] == "training"',
        'x = file.use != "pool"',
        'x = rows["kind"] == "best" or 1',
        'f(use="training")',
        'x = {"use": "pool"}',
        'x = "removal/rewriting"',
        'x = {"llm_llm_judged": 1}',
        'x = rows.use in ("benchmark", "pool")',
    ],
)
def test_a_word_that_is_typed_again_is_found(source: str) -> None:
    assert typed(source)


@pytest.mark.parametrize("source", ['x = tables["benchmark"]', 'x = {"unit": "pool"}', "x = 1"])
def test_the_same_word_for_something_else_is_not(source: str) -> None:
    assert not typed(source)


def test_the_columns_are_those_of_tables() -> None:
    declared = [value for value in vars(tables).values() if isinstance(value, tables.Table)]
    names = {name for table in declared for name in table.names}
    assert set(VALUES) - {"sides"} <= names
