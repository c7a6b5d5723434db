"""What a study must disclose, and whether it does: in a paper, or in built artefacts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from audits.claims.artefacts import holds
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Number, Report, Unchecked, counted, evidence
from storyaudit.io.checked import Id, first_fault
from storyaudit.io.expectations import expectations_path
from storyaudit.io.yaml_file import read_yaml
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.phrasing import among, listed
from storyaudit.vocabulary import SEVERITIES, Severity

AUDIT = "disclosure"
CHECKLIST = "checklist.yaml"

_REPORTED = {"yes": "reported", "partly": "reported in part", "no": "not reported"}
_NOT_LOOKED_FOR = "not looked for"
_ANSWERED, _NOT_ANSWERED, _ABSENT, _LACKS = (
    "answered",
    "not answered",
    "its artefact is absent",
    "its artefact does not hold it",
)


class Item(BaseModel):
    """An item of the checklist.

    Attributes:
        id: never changes.
        topic: items of one topic make up one finding.
        question: what a reader must be able to find out.
        artefact: in the rebuilt study, the file that answers it; '' if none does.
        at: where in the artefact, as ``audits.claims.artefacts.holds`` reads it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    id: Id
    topic: Id
    question: Annotated[str, Field(min_length=1)]
    artefact: str = ""
    at: str = ""

    @model_validator(mode="after")
    def _in_a_file(self) -> "Item":
        if self.at and not self.artefact:
            raise ValueError("'at' is a place in an 'artefact'")
        if Path(self.artefact).is_absolute() or ".." in Path(self.artefact).parts:
            raise ValueError("an artefact's path starts at the study's folder")
        return self


def read_checklist(path: Path | None = None, study: str = "embedded") -> list[Item]:
    """Return the items of a checklist, ``expectations/checklist.yaml`` if none is named.

    Args:
        path: of the checklist.
        study: stands for ``{study}`` in the artefacts' paths.

    Raises:
        InputError: not a list of items, or an id twice.
    """
    path = expectations_path(CHECKLIST) if path is None else path
    content = read_yaml(path)
    if not isinstance(content, list) or not content:
        raise InputError("expected a list of items.", "Start each with '- id:'.", file=path)
    try:
        items = [Item.model_validate(entry) for entry in content]
    except ValidationError as error:
        raise InputError(
            f"an item is malformed: {first_fault(error)}.",
            "Give each 'id', 'topic' and 'question', and 'artefact' and 'at' where there are some.",
            file=path,
        ) from None
    items = [
        item.model_copy(update={"artefact": item.artefact.replace("{study}", study)})
        for item in items
    ]
    names = [item.id for item in items]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the item '{name}' stands twice.", "Keep one.", file=path)
    return items


def unknown_items(ledger: Ledger) -> list[str]:
    """Return the items of a ledger's section ``disclosure`` that the checklist does not have."""
    if not ledger.disclosure:
        return []
    known = {item.id for item in read_checklist()}
    return [entry.item for entry in ledger.disclosure if entry.item not in known]


def paper_disclosure(ledger: Ledger) -> list[Finding | Unchecked]:
    """Return what a paper discloses, a finding a topic: a warn unless all of it is reported.

    A ledger without the section ``disclosure`` gives nothing. An item that the ledger does not
    mention was not looked for and is listed as not checked: silent notes do not show that a paper
    is silent.
    """
    if not ledger.disclosure:
        return []
    answers = {entry.item: entry for entry in ledger.disclosure}
    checklist = read_checklist()
    silent = [item.id for item in checklist if item.id not in answers]
    topics = {item.topic for item in checklist if item.id in answers}
    rows: dict[str, list[dict[str, Number]]] = {}
    for item in checklist:
        if item.topic not in topics:
            continue
        answer = answers.get(item.id)
        rows.setdefault(item.topic, []).append(
            {
                "item": item.id,
                "question": item.question,
                "answer": _NOT_LOOKED_FOR if answer is None else _REPORTED[answer.reported],
                "where": "" if answer is None else answer.where,
                "note": "" if answer is None else answer.note,
            }
        )
    severities: dict[str, Severity] = {
        _REPORTED["yes"]: "pass",
        _REPORTED["partly"]: "warn",
        _REPORTED["no"]: "warn",
        _NOT_LOOKED_FOR: "pass",
    }
    unchecked = Unchecked(
        id="disclosure-not-looked-for",
        check=f"whether {counted(len(silent), 'further item is', 'further items are')} disclosed "
        f"({among(silent)})",
        reason=f"the ledger does not mention {'it' if len(silent) == 1 else 'them'}",
    )
    return [*_by_topic(rows, severities), *([unchecked] if silent else [])]


def disclosure_of_paper(ledger: Ledger, *, file: Path) -> Report:
    """Return what a paper discloses as a report of its own.

    Args:
        ledger: with the section ``disclosure``.
        file: named in errors.

    Raises:
        InputError: it has no such section.
    """
    if not ledger.disclosure:
        raise InputError(
            "expected the section 'disclosure', found none.",
            "Add it: docs/ledgers.md shows what it holds.",
            file=file,
        )
    return Report.of(paper_disclosure(ledger), study=ledger.study, audit=AUDIT)


def embedded_disclosure(
    checklist: Sequence[Item], root: Path, *, study: str = "embedded"
) -> Report:
    """Return which artefact of a built study answers each item, a finding a topic.

    An item without an artefact is not answered: a warn. One whose artefact is absent, or does not
    hold what it is said to, is a fail, because the checklist states that it does.

    Args:
        checklist: items, in the order of the report.
        root: the study's folder.
        study: its name.

    Raises:
        InputError: an artefact that is not what its name says.
    """
    rows: dict[str, list[dict[str, Number]]] = {}
    for item in checklist:
        rows.setdefault(item.topic, []).append(
            {
                "item": item.id,
                "question": item.question,
                "answer": _answer(item, root),
                "artefact": item.artefact,
                "at": item.at,
            }
        )
    severities: dict[str, Severity] = {
        _ANSWERED: "pass",
        _NOT_ANSWERED: "warn",
        _LACKS: "fail",
        _ABSENT: "fail",
    }
    return Report.of(_by_topic(rows, severities), study=study, audit=AUDIT)


def artefacts(checklist: Sequence[Item]) -> list[Path]:
    """Return the files that a checklist names, each once."""
    return [Path(name) for name in sorted({item.artefact for item in checklist} - {""})]


def _answer(item: Item, root: Path) -> str:
    if not item.artefact:
        return _NOT_ANSWERED
    path = root / item.artefact
    if not path.is_file():
        return _ABSENT
    return _ANSWERED if not item.at or holds(path, item.at) else _LACKS


def _by_topic(
    rows: Mapping[str, list[dict[str, Number]]], severities: Mapping[str, Severity]
) -> list[Finding]:
    """Return a finding a topic, as bad as its worst answer."""
    findings = []
    for topic, asked in rows.items():
        parts: list[str] = []
        for answer in severities:
            with_it = [str(row["item"]) for row in asked if row["answer"] == answer]
            if not parts:
                parts.append(f"{len(with_it)} of {len(asked)} items {answer}.")
            elif with_it:
                parts.append(f"{answer.capitalize()}: {listed(with_it, 'items (evidence)')}.")
        findings.append(
            Finding(
                id=f"disclosure-{topic}",
                severity=min(
                    (severities[str(row["answer"])] for row in asked), key=SEVERITIES.index
                ),
                statement=f"Disclosure, {topic.replace('-', ' ')}: {' '.join(parts)}",
                numbers={
                    "items": len(asked),
                    **{
                        answer.replace(" ", "_"): sum(row["answer"] == answer for row in asked)
                        for answer in severities
                    },
                },
                evidence=evidence(asked),
            )
        )
    return findings
