"""Counts, keys and references of a study's tables, and of the figures that a paper prints."""

from pathlib import Path
from typing import Any

import pandas as pd

from audits.counts.columns.key_columns import Tables
from audits.counts.derive import count, with_references
from audits.counts.identities import check_identities, read_identities
from audits.counts.suites import Outcome, read_suite, run_suite
from storyaudit.data import tables as schema
from storyaudit.data.tables import Table
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger

AUDIT = "counts"
WITH_SUITE = (
    schema.ANNOTATIONS,
    schema.BENCHMARK,
    schema.CANDIDATES,
    schema.JUDGEMENTS,
    schema.OVERLAPS,
    schema.PAIR_PREMISES,
    schema.PAIR_STORIES,
    schema.PAIRS,
    schema.PREMISES,
    schema.RESULTS,
    schema.SCORES,
    schema.STORIES,
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
            parts += _check_table(table, tables, folder)
            continue
        absent = f"there is no table '{table.name}'"
        parts.append(
            Unchecked(
                id=f"{table.name}-suite",
                check=f"the suite of the table '{table.name}'",
                reason="the table has no rows" if table.name in tables else absent,
            )
        )
    parts += check_identities(count(tables), read_identities(folder), subject="the tables")
    return Report.of(parts, study=study, audit=AUDIT)


def paper_counts_report(ledger: Ledger, *, folder: Path | None = None) -> Report:
    """Return the findings on the counts that a paper prints."""
    identities = read_identities(folder or expectations_path())
    parts = check_identities(ledger.counts(), identities, subject="the printed figures")
    return Report.of(parts, study=ledger.study, audit=AUDIT)


def _check_table(table: Table, tables: Tables, folder: Path) -> list[Finding | Unchecked]:
    frame = with_references(table.name, tables)
    parts: list[Finding | Unchecked] = []
    runnable = []
    for expectation in read_suite(folder, table.name):
        reason = _hindrance(expectation, tables, frame)
        if reason:
            parts.append(_unchecked(table, expectation["meta"], reason))
        else:
            runnable.append(expectation)
    outcomes = run_suite(frame, runnable, name=table.name, key=list(table.key))
    for expectation, outcome in zip(runnable, outcomes, strict=True):
        meta = expectation["meta"]
        if outcome.error:
            reason = f"it could not be evaluated: {outcome.error.removesuffix('.')}"
            parts.append(_unchecked(table, meta, reason))
        else:
            parts.append(_finding(table, frame, meta, outcome))
    return parts


def _unchecked(table: Table, meta: dict[str, Any], reason: str) -> Unchecked:
    return Unchecked(
        id=f"{table.name}-{meta['id']}", check=f'the rule "{_rule(meta)}"', reason=reason
    )


def _rule(meta: dict[str, Any]) -> str:
    """Return what an expectation checks, without the full stop."""
    return str(meta["statement"]).removesuffix(".")


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
    statement = f"{_rule(meta)} ({counted(len(frame), 'row')} of '{table.name}')."
    if not outcome.success:
        statement = (
            f"{outcome.unexpected} of {counted(len(frame), 'row')} of '{table.name}' "
            f'{"violates" if outcome.unexpected == 1 else "violate"} the rule "{_rule(meta)}".'
        )
    return Finding(
        id=f"{table.name}-{outcome.id}",
        severity="pass" if outcome.success else meta.get("severity", "fail"),
        statement=statement,
        numbers={"rows": len(frame), "against": outcome.unexpected},
        evidence=evidence(outcome.rows),
    )
