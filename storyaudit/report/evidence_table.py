"""The evidence of a report as one table."""

from typing import TYPE_CHECKING

from storyaudit.findings import Report

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("finding", "severity", "row", "name", "value")


def evidence_table(report: Report) -> "pd.DataFrame":
    """Return one row a value of evidence: its finding, the row of evidence from 1, its name."""
    import pandas as pd

    cells = [
        (finding.id, finding.severity, number, name, value)
        for finding in report.findings
        for number, row in enumerate(finding.evidence, 1)
        for name, value in row.items()
    ]
    return pd.DataFrame(cells, columns=list(COLUMNS), dtype="object")
