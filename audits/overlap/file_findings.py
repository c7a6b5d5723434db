"""Findings on the files that an overlap audit of external files reads and writes."""

from collections.abc import Sequence
from pathlib import Path

from audits.overlap.decontaminated_files import REMOVED, Decontaminated
from audits.overlap.external_files import Benchmark, same_files
from storyaudit.findings import Finding, counted, evidence
from storyaudit.layouts.text_source import Source

SHOWN = 3
"""Files that a sentence names; the evidence has more."""


def file_findings(sources: Sequence[Source], benchmark: Benchmark) -> list[Finding]:
    """Return what was read from where, and which files are on both sides."""
    read = "; ".join([*(source.found for source in sources), benchmark.found])
    findings = [Finding(id="columns", severity="note", statement=f"{read}.")]
    files = [file.path for source in sources for file in source.files]
    if same := same_files(files, benchmark.files):
        names = ", ".join(str(left) for left, _ in same[:SHOWN])
        more = f" and {len(same) - SHOWN} more" if len(same) > SHOWN else ""
        findings.append(
            Finding(
                id="same-file",
                severity="fail",
                statement=f"{counted(len(same), 'file is', 'files are')} both training and "
                f"benchmark ({names}{more}). Texts of such a file overlap with themselves.",
                numbers={"files": len(same)},
                evidence=evidence(
                    {"training": str(left), "benchmark": str(right)} for left, right in same
                ),
            )
        )
    return findings


def decontaminated_finding(done: Decontaminated, folder: Path, least: float) -> Finding:
    """Return what was written without the rows that overlap.

    Args:
        done: the files and rows.
        folder: where the files were written.
        least: containment from which a story's row was left out.
    """
    return Finding(
        id="decontaminated",
        severity="note",
        statement=f"{counted(done.files, 'training file was', 'training files were')} written to "
        f"'{folder}' without {len(done.removed)} of {len(done.removed) + done.kept} rows. Each of "
        f"these has a text that contains {least:g} or more of the shingles of a benchmark story "
        f"({REMOVED}).",
        numbers={"removed": len(done.removed), "kept": done.kept, "files": done.files},
        evidence=evidence(done.removed),
    )
