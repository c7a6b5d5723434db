"""What a report's command prints, typed where the study was built, are the report's findings."""

import json
import shlex

import pytest
from clones import SECONDS

pytestmark = pytest.mark.slow

JUDGED = (0, 1)
"""Exit statuses: nothing failed, or something did."""


def test_every_command_of_a_report_prints_its_findings(built) -> None:
    clone = built.first
    reports = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((clone.path / "findings").rglob("*.json"))
    ]
    assert reports and all(report["command"] for report in reports)
    for report in reports:
        process = clone.start(*shlex.split(report["command"]), "--json")
        printed, _ = process.communicate(timeout=SECONDS)
        assert process.returncode in JUDGED, f"{report['command']}: {printed[-1500:]}"
        shown = json.loads(printed[printed.index("{") :])
        printed_findings = {finding["id"]: finding for finding in shown["findings"]}
        for finding in report["findings"]:
            again = printed_findings[finding["id"]]
            # To the last digit: the command draws what the stage drew.
            for part in ("severity", "numbers", "evidence"):
                assert again[part] == finding[part], f"{report['command']}: {finding['id']}"
        assert (shown["study"], shown["audit"]) == (report["study"], report["audit"])
