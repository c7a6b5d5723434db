"""How findings on overlaps are named, worded and weighed."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from audits.overlap.overlap_params import OverlapParams
from audits.overlap.study_comparisons import Compared
from storyaudit.findings import counted
from storyaudit.vocabulary import (
    BENCHMARK_BENCHMARK,
    TRAIN_BENCHMARK,
    TRAIN_TRAIN,
    TRAIN_VALIDATION,
    Severity,
    Sides,
)

Kind = Literal["copy", "partial"]

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
    TRAIN_BENCHMARK: {"copy": "fail", "partial": "warn"},
    BENCHMARK_BENCHMARK: {"copy": "fail", "partial": "warn"},
    TRAIN_TRAIN: {"copy": "warn"},  # its index is made for copies
    TRAIN_VALIDATION: {"copy": "fail", "partial": "warn"},
}


class Wording(NamedTuple):
    """How the findings on a comparison, or on a part of it, are told.

    Attributes:
        prefix: of their ids.
        left: whose the texts on the left are; a column of the evidence.
        right: the same on the right.
        left_noun: what they are.
        right_noun: the same.
        severities: of the kinds that are told.
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
    """Return how a comparison's findings are told: those within an item apart from the others."""
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
    told = Wording(
        f"{_PREFIXES[result.sides]}{name}", left, right, left_noun, right_noun, severities
    )
    if result.sides != BENCHMARK_BENCHMARK:
        return [told]
    within: Mapping[Kind, Severity] = {"copy": "warn", "partial": "note"}
    return [
        told._replace(of_item=False),
        told._replace(prefix=f"item-{name}", severities=within, of_item=True),
    ]


def threshold(kind: Kind, params: OverlapParams) -> str:
    """Return which containment makes a kind."""
    share = (
        f"of {params.duplicate_threshold:g} or more"
        if kind == "copy"
        else f"from {params.min_containment:g} to below {params.duplicate_threshold:g}"
    )
    return f"containment {share} of {params.shingle}-word shingles"


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
    if result.right is not None:
        others = _texts(result.right, wording.right, wording.right_noun)
        if not left:
            return f"None of {texts} has a {measure} in any of {others}."
        return f"{left} of {texts} overlap{_s(left)} with {right} of {others} ({measure})."
    other = {None: "another", True: "another of the same item", False: "one of another item"}
    which = other[wording.of_item]
    if not left:
        looked = "" if result.proposed is None else " that was proposed"
        return f"None of {texts} has a {measure} with {which}{looked}."
    return f"{left} of {texts} overlap{_s(left)} with {which} ({measure})."


def shares(found: Mapping[Any, int], sizes: Mapping[Any, int]) -> str:
    """Return how many of each origin there are, of how many."""
    return ", ".join(f"{found.get(name, 0)} of {sizes[name]} {name}" for name in sorted(sizes))


def _texts(number: int, whose: str, nouns: str) -> str:
    """Return a number of texts and whose they are: '1 benchmark story'."""
    return counted(number, f"{whose} {_SINGULAR[nouns]}", f"{whose} {nouns}")


def _s(number: int) -> str:
    return "s" if number == 1 else ""
