"""Findings on the files that an overlap audit of external files reads and writes."""

from collections.abc import Sequence
from pathlib import Path

from audits.overlap.decontaminated_files import REMOVED, Decontaminated
from audits.overlap.external_files import Benchmark, same_files
from storyaudit.findings import Finding, evidence
from storyaudit.layouts.text_source import Source


def file_findings(sources: Sequence[Source], benchmark: Benchmark) -> list[Finding]:
    """Return what was read from where, and which files stand on both sides."""
    read = "; ".join([*(source.found for source in sources), benchmark.found])
    findings = [Finding(id="columns", severity="note", statement=f"{read}.")]
    files = [file.path for source in sources for file in source.files]
    if same := same_files(files, benchmark.files):
        names = ", ".join(str(left) for left, _ in same[:5])
        more = f" and {len(same) - 5} more" if len(same) > 5 else ""
        findings.append(
            Finding(
                id="same-file",
                severity="fail",
                statement=f"The same file stands on both sides: {names}{more}; its texts overlap "
                "with themselves.",
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
        statement=f"{done.files} training files were written to {folder} without "
        f"{len(done.removed)} of {len(done.removed) + done.kept} rows (a story with a containment "
        f"of {least:g} or more; {REMOVED} lists them).",
        numbers={"removed": len(done.removed), "kept": done.kept, "files": done.files},
        evidence=evidence(done.removed),
    )
