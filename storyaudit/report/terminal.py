"""Findings as tables on a terminal."""

from collections.abc import Mapping, Sequence
from textwrap import shorten

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from storyaudit.findings import Finding, Number, Report
from storyaudit.io.printable import printable
from storyaudit.vocabulary import SEVERITIES

EVIDENCE_SHOWN = {"fail": 5, "warn": 2}
"""Rows of evidence shown; a page and the JSON have them all."""
STYLES = {"fail": "bold red", "warn": "yellow", "note": "cyan", "pass": "green"}


def print_reports(reports: Sequence[Report], console: Console, *, whole: bool = False) -> None:
    """Print every report: its findings, what stands behind them, and what was not checked.

    Args:
        reports: to print, in order.
        console: to print on.
        whole: print all that stands behind a finding, its numbers and every row of evidence.
    """
    for report in reports:
        console.print(f"\n[bold]{escape(report.study)} · {escape(report.audit)}[/bold]")
        if report.about:
            console.print(Text(printable(report.about), "dim"))
        if report.command:
            shown = printable(f"Shown again by: {report.command}")
            console.print(Text(shown, "dim"), soft_wrap=True)  # whole where it is copied
        table = Table(box=None, padding=(0, 1), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        for finding in report.findings:
            table.add_row(_label(finding), _body(finding, whole))
        for gap in report.unchecked:
            table.add_row(
                "[dim]not checked[/dim]", Text(printable(f"{gap.check}: {gap.reason}."), "dim")
            )
        console.print(table)


def print_summary(reports: Sequence[Report], console: Console) -> None:
    """Print one row a study and audit: how many findings of each severity."""
    table = Table(title="Findings", title_justify="left")
    table.add_column("study")
    table.add_column("audit")
    for severity in SEVERITIES:
        table.add_column(severity, justify="right")
    table.add_column("waived", justify="right")
    table.add_column("not checked", justify="right")
    for report in reports:
        open_findings = [f for f in report.findings if f.waived is None]
        counts = [sum(f.severity == severity for f in open_findings) for severity in SEVERITIES]
        table.add_row(
            escape(report.study),
            escape(report.audit),
            *(
                f"[{STYLES[severity]}]{count}[/]" if count else "·"
                for severity, count in zip(SEVERITIES, counts, strict=True)
            ),
            str(len(report.findings) - len(open_findings)),
            str(len(report.unchecked)),
        )
    console.print(table)


def print_verdict(reports: Sequence[Report], console: Console) -> None:
    """Print the open fails, one line each."""
    fails = [(report, finding) for report in reports for finding in report.fails()]
    for report, finding in fails:
        statement = f" {report.study}/{report.audit}: {printable(finding.statement)}"
        console.print(Text.assemble(("fail", STYLES["fail"]), statement))
    plural = "" if len(fails) == 1 else "s"
    console.print(f"Verdict: {len(fails)} open fail{plural} in {len(reports)} audits.")


def _label(finding: Finding) -> str:
    label = f"[{STYLES[finding.severity]}]{finding.severity}[/]"
    return label if finding.waived is None else f"{label} [dim]waived[/dim]"


def _body(finding: Finding, whole: bool) -> Text:
    lines = [finding.id]
    if finding.waived is not None:
        lines.append(f"accepted: {finding.waived}")
    if whole and finding.numbers:
        lines.append(_row(finding.numbers))
    most = len(finding.evidence) if whole else EVIDENCE_SHOWN.get(finding.severity, 0)
    rows = [_row(row) for row in finding.evidence[:most]]
    lines += [f"  {row if whole else shorten(row, 160, placeholder=' …')}" for row in rows]
    if most and len(finding.evidence) > most:
        lines.append(f"  … {len(finding.evidence) - most} more rows in the JSON")
    # Text, not markup: brackets and emoji codes in a story mean nothing here.
    body = Text(printable(finding.statement))
    return body.append("\n" + "\n".join(map(printable, lines)), style="dim")


def _row(values: Mapping[str, Number]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
