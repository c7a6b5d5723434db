"""Texts and IDs that try to steer the reader's terminal, browser or spreadsheet program."""

import csv
import html
import json
from pathlib import Path

import pytest
from cli_samples import BY_COMMAND, LEDGER, RATINGS, RESULTS, STORY, Audit, changed, write

from storyaudit.io.printable import printable

ANSI = "\x1b]0;owned\x07\x1b[31mred\x1b[2J"
MARKUP = "[bold red]loud[/bold red] [/] [link=http://x]x[/link] \\"
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
FORMULA = "=cmd|' /C calc'!A0"
HOSTILE = [ANSI, MARKUP, SCRIPT, FORMULA]
each_hostile = pytest.mark.parametrize(
    "hostile", HOSTILE, ids=["ansi", "markup", "script", "formula"]
)

CONTROLS = {chr(code) for code in (*range(32), *range(127, 160))} - {"\n"}


def printed_safely(text: str) -> bool:
    return not CONTROLS & set(text)


def hostile_tables(hostile: str) -> list[list[object]]:
    """Return a command line for each audit, over a faulty table that holds the text as an ID."""
    benchmark = BY_COMMAND["counts"]
    calls = []
    for command, rows in {
        "ratings": [
            {**row, "score": 11, "rater": hostile, "item": hostile + row["item"]} for row in RATINGS
        ],
        "compare": [
            {**row, "item_id": f"{hostile} {row['item_id']}", "dimension": hostile}
            for row in [*RESULTS, RESULTS[0]]
        ],
        "overlap": [{"id": hostile, "text": f"{STORY} {hostile}"}],
        "counts": changed(benchmark.rows, 0, item_id=hostile, chosen_id=hostile, origin=hostile),
    }.items():
        audit: Audit = BY_COMMAND[command]
        calls.append(audit.call(write(f"{audit.table}.csv", rows)))
    return calls


@each_hostile
def test_the_terminal_gets_no_control_characters_and_the_text_as_it_stands(
    hostile: str, run
) -> None:
    for call in hostile_tables(hostile):
        outcome = run(*call)
        assert outcome.code == 1, outcome
        assert printed_safely(outcome.out + outcome.err)
        if hostile == MARKUP:
            assert "[bold red]loud[/bold" in outcome.out.replace("\n", "")


@each_hostile
def test_names_of_models_are_printed_safely(hostile: str, run) -> None:
    rows = [{**row, "variant": hostile} for row in RESULTS[:8]]
    rows += [{**row, "variant": "another"} for row in RESULTS[:8]]
    outcome = run("compare", write("results.csv", rows), "--resamples", 100)
    assert outcome.code == 0
    assert "not checked" in outcome.out  # one seed; the models are named there, too
    assert printed_safely(outcome.out)


@each_hostile
def test_a_ledger_is_printed_safely(hostile: str, run) -> None:
    where = json.dumps(hostile)  # a JSON string is a YAML string
    ledger = LEDGER.replace("where: Table 1", f"where: {where}").replace('"5.0"', '"4.0"')
    ledger += f'- {{id: x, printed: "1", where: {where}, recompute: '
    ledger += f"{{computation: mean, item: {where}, author: {where}}}}}\n"
    write("ledger.yaml", ledger.encode())
    outcome = run("claims", "ledger.yaml", "--data", write("data.csv", RATINGS))
    assert outcome.code == 1
    assert printed_safely(outcome.out)


@each_hostile
def test_messages_on_bad_input_are_printed_safely_and_on_one_line(hostile: str, run) -> None:
    for audit in BY_COMMAND.values():
        table = write(f"{audit.table}.csv", [{f"{hostile}\ncolumn": 1}])
        outcome = run(*audit.call(table))
        assert outcome.code == 2
        assert printed_safely(outcome.err)
        assert outcome.err.count("\n") == 1


@each_hostile
def test_the_page_shows_the_text_and_runs_nothing(hostile: str, run) -> None:
    for call in hostile_tables(hostile):
        run(*call, "--out", "findings")
    assert run("report", "findings", "--out", "page").code == 0
    page = Path("page/index.html").read_text(encoding="utf-8")
    assert html.escape(printable(hostile), quote=False).split("'")[0] in page
    assert "\x1b" not in page
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page


@each_hostile
def test_the_tables_hold_no_formulas(hostile: str, run) -> None:
    overlap = BY_COMMAND["overlap"].call(write("train.csv", [{"id": hostile, "text": STORY}]))
    assert run(*overlap, "--out", "out").code == 1
    ledger = LEDGER.replace("where: Table 1", f"where: {json.dumps(hostile)}")
    write("ledger.yaml", ledger.encode())
    claims = run("claims", "ledger.yaml", "--data", write("data.csv", RATINGS), "--out", "out")
    assert claims.code == 0
    for name in ("overlaps.csv", "claims.csv"):
        with Path("out", name).open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert any(hostile in cell for cell in cells)
        assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell != ""]


@each_hostile
def test_json_carries_the_text_unchanged(hostile: str, run) -> None:
    (call, *_) = hostile_tables(hostile)
    report = json.loads(run(*call, "--json").out)
    (off_scale,) = [finding for finding in report["findings"] if finding["id"] == "off-scale"]
    assert {row["rater"] for row in off_scale["evidence"]} == {hostile}


@pytest.mark.parametrize(
    "names",
    [("a b", "a-b"), ("模型一", "模型二"), ("x" * 300, "y" * 300)],
    ids=["punctuation", "chinese", "long"],
)
def test_names_that_look_alike_as_ids_or_are_long_stay_apart(names: tuple[str, str], run) -> None:
    rows = [{**row, "variant": name} for name in names for row in RESULTS[:8]]
    outcome = run("compare", write("results.csv", rows), "--resamples", 100, "--json")
    findings = json.loads(outcome.out)["findings"]
    models = [finding for finding in findings if finding["id"].startswith("model-")]
    said = [finding["statement"] for finding in models]
    assert all(sum(text.startswith(f"{name}:") for text in said) == 1 for name in names)
