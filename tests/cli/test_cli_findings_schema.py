"""What commands print and write is what the published JSON Schema of findings says."""

import json
from copy import deepcopy
from pathlib import Path

import findings_schema
import jsonschema
import pytest
import yaml
from cli_samples import AUDITS, Audit, write

from storyaudit.findings import Finding, Report, Unchecked

GOLDEN = Path(__file__).parents[1] / "golden"
COMMANDS = yaml.safe_load((GOLDEN / "commands.yaml").read_text(encoding="utf-8"))
SAMPLES = ["ratings ws", "claims z", "read texts t.csv", "compare two dimensions"]

each_audit = pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.command)


@pytest.fixture(scope="module")
def validator() -> jsonschema.Validator:
    schema = json.loads(findings_schema.SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_published_schema_is_that_of_the_models() -> None:
    assert findings_schema.SCHEMA.read_text(encoding="utf-8") == findings_schema.text(), (
        "make schema"
    )


@each_audit
def test_what_is_printed_and_written_is_valid(audit: Audit, validator, run) -> None:
    call = audit.call(write(f"{audit.table}.csv", audit.faulty))
    outcome = run(*call, "--json", "--out", "out")
    assert outcome.code == 1
    written = Path(f"out/{audit.audit}.json").read_text(encoding="utf-8")
    shown = run("show", "--findings", "out", "--json", name(outcome.out)).out
    for text in (outcome.out, written, shown):
        validator.validate(json.loads(text))


def name(printed: str) -> str:
    report = json.loads(printed)
    return f"{report['study']}/{report['audit']}"


@pytest.mark.parametrize("sample", SAMPLES)
def test_reports_of_the_golden_samples_are_valid(sample: str, validator, run) -> None:
    words = COMMANDS[sample].format(cases=GOLDEN / "cases").split()
    validator.validate(json.loads(run(*words).out))


GAP = Unchecked(id="u", check="c", reason="r")
FOUND = Finding(
    id="a", severity="note", statement="Said.", numbers={"n": 1}, evidence=[{"t": None}]
)
VALID = Report.of([FOUND, GAP], study="s", audit="a")


@pytest.mark.parametrize(
    "path",
    [
        ["schema_version"], ["study"], ["audit"],
        ["findings", 0, "id"], ["findings", 0, "severity"],
        ["findings", 0, "numbers", "n"], ["findings", 0, "evidence", 0], ["unchecked", 0, "reason"],
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_report_is_not_valid(path: list[str | int], validator) -> None:
    content = json.loads(VALID.to_json())
    validator.validate(content)
    broken = deepcopy(content)
    inner = broken
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = ["no such value"]
    assert not validator.is_valid(broken)
