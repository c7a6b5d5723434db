"""Counts, keys and references of a study's tables, and of the figures that a paper prints."""

from pathlib import Path
from typing import Any

import pandas as pd

from audits.counts.columns.key_columns import Tables
from audits.counts.derive import count, with_references
from audits.counts.identities import check_identities, read_identities
from audits.counts.suites import Outcome, read_suite, run_suite
from storyaudit.data.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    JUDGEMENTS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    RESULTS,
    SCORES,
    STORIES,
    Table,
)
from storyaudit.findings import Finding, Report, Unchecked, evidence
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger

AUDIT = "counts"
WITH_SUITE = (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    JUDGEMENTS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    RESULTS,
    SCORES,
    STORIES,
)
"""The tables that have a suite in ``expectations/tables/``."""


def counts_report(tables: Tables, *, study: str, folder: Path | None = None) -> Report:
    """Return the findings on a study's tables: suites first, then identities.

    Args:
        tables: by name.
        study: the study's name.
        folder: of suites and identities; those of the package if None.
    """
    folder = folder or expectations_path()
    parts: list[Finding | Unchecked] = []
    for table in WITH_SUITE:
        if table.name in tables and len(tables[table.name]):
            found, left = _check_table(table, tables, folder)
            parts += [*found, *left]
            continue
        absent = f"there is no table '{table.name}'"
        parts.append(
            Unchecked(
                id=f"{table.name}-suite",
                check=f"the suite of the table '{table.name}'",
                reason="the table has no rows" if table.name in tables else absent,
            )
        )
    found, left = check_identities(count(tables), read_identities(folder), subject="the tables")
    return Report.of([*parts, *found, *left], study=study, audit=AUDIT)


def paper_counts_report(ledger: Ledger, *, folder: Path | None = None) -> Report:
    """Return the findings on the counts that a paper prints."""
    findings, unchecked = check_identities(
        ledger.counts(),
        read_identities(folder or expectations_path()),
        subject="the printed figures",
    )
    return Report.of([*findings, *unchecked], study=ledger.study, audit=AUDIT)


def _check_table(
    table: Table, tables: Tables, folder: Path
) -> tuple[list[Finding], list[Unchecked]]:
    frame = with_references(table.name, tables)
    unchecked = []
    runnable = []
    for expectation in read_suite(folder, table.name):
        reason = _hindrance(expectation, tables, frame)
        if reason:
            unchecked.append(
                Unchecked(
                    id=f"{table.name}-{expectation['meta']['id']}",
                    check=expectation["meta"]["statement"],
                    reason=reason,
                )
            )
        else:
            runnable.append(expectation)
    outcomes = run_suite(frame, runnable, name=table.name, key=list(table.key))
    findings = []
    for expectation, outcome in zip(runnable, outcomes, strict=True):
        if outcome.error:
            unchecked.append(
                Unchecked(
                    id=f"{table.name}-{outcome.id}",
                    check=expectation["meta"]["statement"],
                    reason=f"it could not be evaluated: {outcome.error}",
                )
            )
            continue
        findings.append(_finding(table, frame, expectation["meta"], outcome))
    return findings, unchecked


def _hindrance(expectation: dict[str, Any], tables: Tables, frame: pd.DataFrame) -> str | None:
    """Return why an expectation cannot be checked, or None if it can."""
    meta = expectation["meta"]
    absent = [name for name in meta.get("needs", []) if name not in tables]
    if absent:
        return f"there is no table '{absent[0]}'"
    if "otherwise" in meta and expectation["kwargs"]["column"] not in frame.columns:
        return str(meta["otherwise"])
    return None


def _finding(table: Table, frame: pd.DataFrame, meta: dict[str, Any], outcome: Outcome) -> Finding:
    statement = meta["statement"]
    if not outcome.success:
        rows = f"{outcome.unexpected} of {len(frame)} rows of '{table.name}' do not"
        statement = f"Violated: {statement.removesuffix('.')}; {rows}."
    return Finding(
        id=f"{table.name}-{outcome.id}",
        severity="pass" if outcome.success else meta.get("severity", "fail"),
        statement=statement,
        numbers={"rows": len(frame), "against": outcome.unexpected},
        evidence=evidence(outcome.rows),
    )
