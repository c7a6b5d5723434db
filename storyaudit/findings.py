"""Findings: what an audit says, with the numbers and rows behind it.

A report is the list of one audit of one study. JSON, terminal, HTML, tracking and the exit code
are five views of it.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from storyaudit.errors import InputError
from storyaudit.former_names import IDS, KEYS, STAGES, current, current_finding, note
from storyaudit.io.checked import Id, first_fault, repeated
from storyaudit.io.files import json_text, read_text, write_text
from storyaudit.io.formats.json_lines import unique
from storyaudit.io.yaml_file import read_yaml
from storyaudit.vocabulary import SEVERITIES, Severity

if TYPE_CHECKING:
    import pandas as pd

SchemaVersion = Literal["1.0"]
"""Of a report's JSON; docs/schema has the JSON Schema of each."""
Number = int | float | str | bool | None
EVIDENCE_ROWS = 20
"""At most so many rows stand behind a finding; its numbers say how many there are."""


def slugs(names: Iterable[str]) -> list[str]:
    """Return names as finding ids allow them, with a number after those that would be equal."""
    ids: dict[str, None] = {}
    for name in names:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-") or "unnamed"
        numbered = (f"{slug}-{number}" for number in count(2))
        ids[next(new for new in chain([slug], numbered) if new not in ids)] = None
    return list(ids)


class _Frozen(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        json_schema_serialization_defaults_required=True,
    )


class Finding(_Frozen):
    """One thing an audit found.

    Attributes:
        id: never changes, so that a waiver and a reader can name it.
        severity: ``fail``, a stated figure, claim or invariant is contradicted by the data at
            hand; ``warn``, a conclusion depends on a choice that was not stated, or the evidence
            is too thin to hold it; ``note``, worth knowing; ``pass``, checked and held.
        statement: one sentence.
        numbers: the figures behind it.
        evidence: rows behind it, at most ``EVIDENCE_ROWS``.
        waived: the reason for which it was accepted; it then no longer fails the gate.
    """

    id: Id
    severity: Severity
    statement: str
    numbers: dict[str, Number] = {}
    evidence: list[dict[str, Number]] = []
    waived: str | None = None


class Unchecked(_Frozen):
    """A check that could not run, and why: silence about a check reads as a pass."""

    id: Id
    check: str
    reason: str


class Report(_Frozen):
    """The findings of one audit of one study.

    Attributes:
        schema_version: of the JSON that it is written as.
        about: what a reader must know of the study first; '' if nothing.
        command: typed where the study lies, it shows the findings again; '' until what ran the
            audit has said so, and in files from before reports had one.
    """

    schema_version: SchemaVersion = "1.0"
    study: Id
    audit: Id
    about: str = ""
    command: str = ""
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    @classmethod
    def of(
        cls, parts: Iterable[Finding | Unchecked], *, study: str, audit: str, about: str = ""
    ) -> Self:
        """Return the report of findings and of checks that could not run, in any mixture."""
        return cls(study=study, audit=audit, about=about).plus(parts)

    @property
    def parts(self) -> tuple[Finding | Unchecked, ...]:
        """The findings, and after them the checks that could not run."""
        return (*self.findings, *self.unchecked)

    def plus(self, parts: Iterable[Finding | Unchecked]) -> Self:
        """Return the report with further findings and checks that could not run."""
        parts = (*self.parts, *parts)
        return self.model_copy(
            update={
                "findings": tuple(part for part in parts if isinstance(part, Finding)),
                "unchecked": tuple(part for part in parts if isinstance(part, Unchecked)),
            }
        )

    def count(self, severity: Severity) -> int:
        """Return how many findings have a severity, accepted ones among them."""
        return sum(finding.severity == severity for finding in self.findings)

    def counts(self) -> dict[str, int]:
        """Return how many findings have each severity, and how many checks could not run."""
        found: dict[str, int] = {severity: self.count(severity) for severity in SEVERITIES}
        return found | {"unchecked": len(self.unchecked)}

    def to_json(self) -> str:
        """Return the report as JSON, its findings from worst to best."""
        return json_text(ordered(self).model_dump())

    def fails(self) -> list[Finding]:
        """Return the failed findings that nobody has accepted."""
        return [f for f in self.findings if f.severity == "fail" and f.waived is None]


class Waiver(_Frozen):
    """A finding accepted with a reason; ``finding`` is written study/audit/id."""

    finding: str
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=10)]


def ignored_columns(ignored: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Return a note on columns that were left out, by file; none where there are none."""
    rows = [{"file": file, "columns": ", ".join(names)} for file, names in ignored.items() if names]
    if not rows:
        return []
    return [
        Finding(
            id="ignored-columns",
            severity="note",
            statement="Columns that this audit does not know were left out: "
            + "; ".join(f"{row['columns']} of {row['file']}" for row in rows)
            + ".",
            evidence=evidence(rows),
        )
    ]


def evidence(rows: "pd.DataFrame | Iterable[Mapping[Any, Any]]") -> list[dict[str, Number]]:
    """Return the first ``EVIDENCE_ROWS`` rows with plain Python values, missing ones as None."""
    records = rows.head(EVIDENCE_ROWS).to_dict("records") if hasattr(rows, "head") else rows
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in islice(records, EVIDENCE_ROWS)
    ]


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and what is counted, as a sentence has it: '1 item', '2 items'.

    Args:
        number: how many.
        one: what a single one is called.
        several: what more are called, or none at all; by default with an 's'.
    """
    return f"{number} {one if number == 1 else several or one + 's'}"


def left_out(
    name: str, problem: str, rows: "pd.DataFrame", of: int, severity: Severity = "fail"
) -> list[Finding]:
    """Return a finding on what cannot be used; none where all can.

    Args:
        name: the finding's id.
        problem: goes on after 'k of n', as 'rows repeat an earlier row and are left out'.
        rows: what cannot be used.
        of: from how many.
        severity: of the finding.
    """
    if rows.empty:
        return []
    return [
        Finding(
            id=name,
            severity=severity,
            statement=f"{len(rows)} of {of} {problem}.",
            numbers={"left_out": len(rows), "of": of},
            evidence=evidence(rows),
        )
    ]


def _plain(value: Any) -> Number:
    if getattr(value, "ndim", None) == 0:  # a NumPy scalar
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    shown = str(value)
    return None if shown in ("<NA>", "NaT") else shown  # pandas has three ways to say missing


def write_report(path: Path, report: Report) -> None:
    """Write a report as JSON, atomically."""
    write_text(path, report.to_json())


def ordered(report: Report) -> Report:
    """Return the report with its findings from worst to best, then by id.

    Raises:
        ValueError: two findings bear one id.
    """
    ids = [finding.id for finding in report.findings]
    if len(set(ids)) != len(ids):
        raise ValueError(f"two findings bear the id {max(ids, key=ids.count)}")
    return report.model_copy(
        update={
            "findings": tuple(
                sorted(report.findings, key=lambda f: (SEVERITIES.index(f.severity), f.id))
            ),
            "unchecked": tuple(sorted(report.unchecked, key=lambda u: u.id)),
        }
    )


def read_report(path: Path) -> Report:
    """Read one report.

    Raises:
        InputError: not a file, not JSON, another version of the layout than this one's or none of a
            report, two findings with one id, one that says of itself that it is accepted, or
            nothing at all.
    """
    text = read_text(path)
    try:
        content = _of_version(json.loads(text, object_pairs_hook=unique), path)
        report = ordered(Report.model_validate(content))
        report.to_json().encode()  # half a surrogate pair is text to Python and to no encoding
        if any(finding.waived is not None for finding in report.findings):
            raise ValueError("only a file of waivers can accept a finding")
        if not report.findings and not report.unchecked:
            raise ValueError("it holds neither a finding nor a check that could not run")
        return report
    except (ValueError, RecursionError) as error:
        fault = first_fault(error) if isinstance(error, ValidationError) else error
        raise InputError(
            f"not a file of findings: {fault}.",
            "Give the findings that an audit wrote.",
            file=path,
        ) from None


def _of_version(content: Any, path: Path) -> Any:
    """Return a report's content in the present layout.

    Raises:
        InputError: it says that it is of a version which is not known here.
    """
    if not isinstance(content, dict):
        return content
    if "schema_version" not in content:
        return _before_versions(content)
    known = get_args(SchemaVersion)
    if content["schema_version"] not in known:
        raise InputError(
            f"expected findings with schema_version {' or '.join(known)}, found "
            f"{content['schema_version']!r}.",
            "Run the audit again, or read the file with the storyaudit that wrote it.",
            file=path,
        )
    return content


def _before_versions(content: dict[str, Any]) -> dict[str, Any]:
    """Return what was written before reports had a version, by present names.

    Single findings had commands then.
    """
    renamed = dict(content)
    if isinstance(content.get("audit"), str):
        renamed["audit"] = current(content["audit"], STAGES)
    for kind in ("findings", "unchecked"):
        if isinstance(content.get(kind), list):
            renamed[kind] = [_renamed(part) for part in content[kind]]
    return renamed


def _renamed(part: Any) -> Any:
    """Return a finding of a file before versions, by present names; anything else as it is."""
    if not isinstance(part, dict):
        return part
    renamed = {name: value for name, value in part.items() if name != "command"}
    if isinstance(part.get("id"), str):
        renamed["id"] = current(part["id"], IDS)
    if isinstance(part.get("numbers"), dict):
        renamed["numbers"] = _present_keys(part["numbers"])
    if isinstance(part.get("evidence"), list):
        rows = part["evidence"]
        renamed["evidence"] = [_present_keys(row) if isinstance(row, dict) else row for row in rows]
    return renamed


def _present_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    return {current(name, KEYS): value for name, value in values.items()}


def read_reports(paths: Sequence[Path]) -> list[Report]:
    """Read reports from files and from folders, in which every ``.json`` below counts.

    Raises:
        InputError: a folder without any, or one study's audit given twice with different content.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.json"))
            if not inside:
                raise InputError("holds no findings.", "Run an audit first.", file=path)
            files += inside
        else:
            files.append(path)
    reports: dict[tuple[str, str], Report] = {}
    for file in files:
        report = read_report(file)
        name = (report.study, report.audit)
        if reports.setdefault(name, report) != report:
            raise InputError(
                f"holds other findings of audit '{report.audit}' of study '{report.study}' "
                f"than an earlier file.",
                "Give each audit of a study once.",
                file=file,
            )
    return [reports[name] for name in sorted(reports)]


def read_waivers(path: Path) -> list[Waiver]:
    """Read the accepted findings: a YAML list of ``finding`` (study/audit/id) and ``reason``.

    Raises:
        InputError: not YAML, an entry without a reason, or one finding twice.
    """
    entries = read_yaml(path) or []
    if not isinstance(entries, list):
        raise InputError("expected a list of waivers.", "Start each with '- finding:'.", file=path)
    try:
        waivers = [Waiver.model_validate(entry) for entry in entries]
    except ValidationError as error:
        raise InputError(
            f"a waiver is malformed: {first_fault(error)}.",
            "Give each 'finding: study/audit/id' and a 'reason' of ten characters or more.",
            file=path,
        ) from None
    if twice := repeated(current_finding(waiver.finding) for waiver in waivers):
        raise InputError(f"'{twice}' is waived twice.", "Keep one reason.", file=path)
    return waivers


def apply_waivers(
    reports: Sequence[Report], waivers: Sequence[Waiver]
) -> tuple[list[Report], list[Waiver]]:
    """Mark the accepted findings; a waiver may call one by a former name.

    Returns:
        The reports, and the waivers that meet no finding: they have outlived their cause.
    """
    there = {f"{r.study}/{r.audit}/{finding.id}" for r in reports for finding in r.findings}
    named = [_present_name(waiver.finding, there) for waiver in waivers]
    reasons = {name: waiver.reason for name, waiver in zip(named, waivers, strict=True)}
    used: set[str] = set()

    def mark(report: Report, finding: Finding) -> Finding:
        name = f"{report.study}/{report.audit}/{finding.id}"
        if name not in reasons:
            return finding
        used.add(name)
        return finding.model_copy(update={"waived": reasons[name]})

    marked = [
        report.model_copy(update={"findings": tuple(mark(report, f) for f in report.findings)})
        for report in reports
    ]
    return marked, [w for name, w in zip(named, waivers, strict=True) if name not in used]


def _present_name(finding: str, there: Collection[str]) -> str:
    """Return what a waived finding is called now, where it is there under that name alone."""
    new = current_finding(finding)
    if finding in there or new not in there:
        return finding
    note(finding, new)
    return new
