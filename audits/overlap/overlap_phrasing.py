"""How findings on overlaps are named, worded and weighed."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from audits.overlap.study_comparisons import Compared
from storyaudit.findings import counted
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.vocabulary import (
    BENCHMARK_BENCHMARK,
    TRAIN_BENCHMARK,
    TRAIN_TRAIN,
    TRAIN_VALIDATION,
    Severity,
    Sides,
)

Kind = Literal["near-duplicate", "partial"]
"""Of overlaps by their containment; a part of their findings' ids."""

_NOUNS = {"story": "stories", "premise": "premises"}
_SINGULAR = {nouns: noun for noun, nouns in _NOUNS.items()}
_OWNERS: dict[Sides, tuple[str, str]] = {
    TRAIN_BENCHMARK: ("benchmark", "training"),
    BENCHMARK_BENCHMARK: ("benchmark", "other"),
    TRAIN_TRAIN: ("training", "other"),
    TRAIN_VALIDATION: ("validation", "training"),
}
_PREFIXES: dict[Sides, str] = {
    TRAIN_BENCHMARK: "",
    BENCHMARK_BENCHMARK: "benchmark-",
    TRAIN_TRAIN: "training-",
    TRAIN_VALIDATION: "validation-",
}
_SEVERITIES: dict[Sides, Mapping[Kind, Severity]] = {
    TRAIN_BENCHMARK: {"near-duplicate": "fail", "partial": "warn"},
    BENCHMARK_BENCHMARK: {"near-duplicate": "fail", "partial": "warn"},
    TRAIN_TRAIN: {"near-duplicate": "warn"},  # its index is made for these
    TRAIN_VALIDATION: {"near-duplicate": "fail", "partial": "warn"},
}


class Wording(NamedTuple):
    """How the findings on a comparison, or on a part of it, are phrased.

    Attributes:
        prefix: of their ids.
        left: whose the texts on the left are; a column of the evidence.
        right: the same on the right.
        left_noun: what they are.
        right_noun: the same.
        severities: of the kinds that are reported.
        of_item: whether the part is of texts of one item, or of different items; None if all are.
    """

    prefix: str
    left: str
    right: str
    left_noun: str
    right_noun: str
    severities: Mapping[Kind, Severity]
    of_item: bool | None = None


def wordings(result: Compared) -> list[Wording]:
    """Return how a comparison's findings are phrased, those within an item apart."""
    left, right = _OWNERS[result.sides]
    left_noun, right_noun = (
        ("premises", "stories")
        if result.level == "premise_in_story"
        else (_NOUNS[result.level], _NOUNS[result.level])
    )
    name = result.level.replace("_", "-")
    severities = _SEVERITIES[result.sides]
    if result.level == "premise_in_story":  # a stock phrase is a tenth of a premise
        severities = {**severities, "partial": "note"}
    wording = Wording(
        f"{_PREFIXES[result.sides]}{name}", left, right, left_noun, right_noun, severities
    )
    if result.sides != BENCHMARK_BENCHMARK:
        return [wording]
    within: Mapping[Kind, Severity] = {"near-duplicate": "warn", "partial": "note"}
    return [
        wording._replace(of_item=False),
        wording._replace(prefix=f"item-{name}", severities=within, of_item=True),
    ]


def threshold(kind: Kind, params: OverlapParams) -> str:
    """Return which containment makes a kind."""
    containment = (
        f"containment ≥ {params.duplicate_threshold:g}"
        if kind == "near-duplicate"
        else f"{params.min_containment:g} ≤ containment < {params.duplicate_threshold:g}"
    )
    return f"{containment}, {params.shingle}-word shingles"


def statement(
    wording: Wording, result: Compared, kind: Kind, left: int, right: int, params: OverlapParams
) -> str:
    """Return a finding's sentence.

    Args:
        wording: of the finding.
        result: of the comparison.
        kind: of overlap.
        left: how many texts on the left have one.
        right: how many on the right.
        params: thresholds.
    """
    measure = threshold(kind, params)
    texts = _texts(result.left, wording.left, wording.left_noun)
    found = f"{left or 'None'} of {texts} {_predicate(kind, left)}"
    if result.right is not None:
        others = _texts(result.right, wording.right, wording.right_noun)
        return f"{found} {right if left else 'any'} of {others} ({measure})."
    noun = f"{wording.left} {_SINGULAR[wording.left_noun]}"
    other = {
        None: f"another {noun}",
        True: f"another {noun} of the same item",
        False: f"a {noun} of another item",
    }
    return f"{found} {other[wording.of_item]} ({measure})."


def by_origin(found: Mapping[Any, int], sizes: Mapping[Any, int]) -> str:
    """Return how many of each origin there are, of how many."""
    return ", ".join(f"{found.get(name, 0)} of {sizes[name]} {name}" for name in sorted(sizes))


def _predicate(kind: Kind, number: int) -> str:
    """Return what is said of so many texts; of none as of one."""
    if kind == "partial":
        return f"overlap{'s' if number <= 1 else ''} in part with"
    return f"{'has' if number <= 1 else 'have'} a near-duplicate in"


def _texts(number: int, whose: str, nouns: str) -> str:
    """Return a number of texts and whose they are: '1 benchmark story'."""
    return counted(number, f"{whose} {_SINGULAR[nouns]}", f"{whose} {nouns}")
