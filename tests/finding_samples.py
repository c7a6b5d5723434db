"""What tests look up in findings."""

from storyaudit.findings import Finding, Report


def by_id(report: Report) -> dict[str, Finding]:
    """A report's findings by id."""
    return {finding.id: finding for finding in report.findings}


def numbers(finding: Finding, *names: str) -> list[object]:
    """Some of a finding's numbers."""
    return [finding.numbers[name] for name in names]
