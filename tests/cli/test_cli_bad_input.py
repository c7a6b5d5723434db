"""Bad input: exit 2, one message that names the place and a remedy, and no traceback."""

import re
from pathlib import Path

import pytest
from cli_samples import (
    AUDITS,
    BENCHMARK_TEXTS,
    BY_COMMAND,
    LEDGER,
    RATINGS,
    TEXTS,
    Audit,
    add_column,
    changed,
    csv_bytes,
    jsonl_bytes,
    write,
)

each_audit = pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.command)

ONE_MESSAGE = re.compile(r"Error: [^\n]+[.)] [^\n]+\.\n")
"""One line: what is wrong, as a sentence, and a second sentence that says what to do."""


def refused(outcome, *named: object) -> None:
    """Check that input was refused with one message that names every part given."""
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert ONE_MESSAGE.fullmatch(outcome.err), outcome.err
    for part in named:
        assert str(part) in outcome.err


@each_audit
def test_an_empty_file(audit: Audit, run) -> None:
    table = write(f"{audit.table}.csv", b"")
    refused(run(*audit.call(table)), f"{table}: ", "empty")


@each_audit
@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_header_and_no_row(audit: Audit, suffix: str, run) -> None:
    header = csv_bytes(audit.rows).splitlines()[0]
    header = header.replace(b",", b"\t") if suffix == "tsv" else header
    table = write(f"{audit.table}.{suffix}", header + b"\n")
    if audit.may_be_empty:
        assert run(*audit.call(table)).code == 0
        return
    refused(run(*audit.call(table)), f"{table}: ", "at least one row")


@each_audit
def test_a_missing_column(audit: Audit, run) -> None:
    rows = [{k: v for k, v in row.items() if k != audit.column} for row in audit.rows]
    table = write(f"{audit.table}.csv", rows)
    refused(run(*audit.call(table)), f"{table}: ", audit.column, "found")


@each_audit
def test_half_a_json_line(audit: Audit, run) -> None:
    table = write(f"{audit.table}.jsonl", jsonl_bytes(audit.rows)[:-20])
    refused(run(*audit.call(table)), f"{table}, row {len(audit.rows)}: ")


@each_audit
def test_a_value_of_the_wrong_type(audit: Audit, run) -> None:
    rows = changed(audit.rows, 1, **{audit.column: audit.wrong})
    table = write(f"{audit.table}.jsonl", jsonl_bytes(rows))
    refused(run(*audit.call(table)), f"{table}, row 2, column '{audit.column}': ", "expected")


@pytest.mark.parametrize("command", ["ratings", "compare", "counts", "claims"])
def test_text_in_a_column_of_numbers_is_found_by_its_spreadsheet_row(command: str, run) -> None:
    audit = BY_COMMAND[command]
    rows = changed(audit.rows, 1, **{audit.column: audit.wrong})
    table = write(f"{audit.table}.csv", rows)
    refused(
        run(*audit.call(table)),
        f"{table}, row 3, column '{audit.column}': ",  # the header is row 1
        f"'{audit.wrong}'",
    )


@each_audit
def test_another_encoding(audit: Audit, run) -> None:
    text = csv_bytes(add_column(audit.rows, "mood", "é")).decode()
    table = write(f"{audit.table}.csv", text.encode("latin-1"))
    refused(run(*audit.call(table)), f"{table}, row 2: ", "UTF-8")


@each_audit
def test_rows_with_more_fields_than_the_header(audit: Audit, run) -> None:
    table = write(f"{audit.table}.csv", csv_bytes(audit.rows) + b",".join([b"x"] * 30) + b"\n")
    refused(run(*audit.call(table)), f"{table}, row {len(audit.rows) + 2}: ")


@each_audit
@pytest.mark.parametrize(
    "content",
    [b"PAR1", b"PAR1 garbage PAR1", b"\x00" * 64, b"a,b\n1,2\n"],
    ids=["magic", "garbage", "zeros", "csv"],
)
def test_a_corrupt_parquet_file(audit: Audit, content: bytes, run) -> None:
    table = write(f"{audit.table}.parquet", content)
    refused(run(*audit.call(table)), f"{table}: ", "Parquet")


@each_audit
def test_a_workbook_that_is_none(audit: Audit, run) -> None:
    table = write(f"{audit.table}.xlsx", b"PK\x03\x04 not a workbook")
    refused(run(*audit.call(table)), f"{table}: ", "XLSX")


@pytest.mark.parametrize("command", ["ratings", "compare", "overlap", "claims"])
def test_no_such_file_a_folder_and_an_unknown_ending(command: str, run) -> None:
    audit = BY_COMMAND[command]
    Path("folder").mkdir()
    write("table.docx", audit.rows)
    refused(run(*audit.call(Path("nowhere.csv"))), "nowhere.csv: ", "no such file")
    in_folder = "found none" if command == "overlap" else "found a folder"  # it may hold shards
    refused(run(*audit.call(Path("folder"))), "folder: ", in_folder)
    refused(run(*audit.call(Path("table.docx"))), "table.docx: ", ".docx'", ".csv")


def test_a_folder_of_tables_that_is_not_there_or_holds_none(run) -> None:
    refused(run("counts", "nowhere"), "nowhere: ", "no such folder")
    write("file.csv", RATINGS)
    refused(run("counts", "file.csv"), "file.csv: ")
    Path("study/benchmark.csv").mkdir(parents=True)
    write("study/scores.docx", RATINGS)
    refused(
        run("counts", "study"), "study: ", "benchmark, candidates, judgements", "scores, stories"
    )


def test_the_benchmark_of_an_overlap_is_read_as_carefully_as_the_training_texts(run) -> None:
    train = write("train.csv", TEXTS)
    benchmark = write("b.jsonl", jsonl_bytes(BENCHMARK_TEXTS)[:-5])
    refused(run("overlap", train, "--against", benchmark), "b.jsonl, row 1: ")
    refused(run("overlap", train, "--against", "nowhere.csv"), "nowhere.csv: ")
    named = run("overlap", train, "--against", train, "--text-column", "story")
    refused(named, "train.csv: ", "'story'", "'id', 'text'")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "not a ledger"),
        (b"paper: [", "not YAML"),
        (b"- a\n- b\n", "not a ledger"),
        (LEDGER.replace("study: paper\n", "").encode(), "study"),
        (LEDGER.replace('"5.0"', '"five"').encode(), "'human-1'"),
        (LEDGER.replace("where: Table 1", "where: [1]").encode(), "'human-1'"),
        (LEDGER.replace("figures:", "figures: []\nx:").encode(), "figures"),
        ("paper: é\n".encode("latin-1"), "UTF-8"),
        (b"!!python/object/apply:os.system ['touch pwned']\n", "not YAML"),
        (b"[" * 5000, "not YAML"),
    ],
    ids=["empty", "syntax", "list", "key", "number", "where", "none", "encoding", "code", "deep"],
)
@pytest.mark.parametrize("command", ["claims", "counts"])
def test_a_broken_ledger(command: str, content: bytes, named: str, run) -> None:
    ledger = write("ledger.yaml", content)
    data = ["--data", write("data.csv", RATINGS)] if command == "claims" else []
    refused(run(command, ledger, *data), "ledger.yaml", named)
    assert not Path("pwned").exists()


@each_audit
@pytest.mark.parametrize("out", ["file.txt", "file.txt/inside"])
def test_an_out_that_is_no_folder(audit: Audit, out: str, run) -> None:
    write("file.txt", b"mine")
    refused(run(*audit.clean(), "--out", out), f"{out}: ", "choose another --out.")
    assert Path("file.txt").read_bytes() == b"mine"


@each_audit
def test_an_out_in_which_a_folder_stands_in_the_way(audit: Audit, run) -> None:
    Path(f"out/{audit.audit}.json").mkdir(parents=True)
    refused(run(*audit.clean(), "--out", "out"), "out: ")
    assert [path.name for path in Path("out").iterdir()] == [f"{audit.audit}.json"]


@each_audit
def test_a_full_disk(audit: Audit, run, monkeypatch) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    call = audit.clean()
    monkeypatch.setattr("tempfile.mkstemp", no_space)
    refused(run(*call, "--out", "out"), "out: ", "No space left on device")


@pytest.mark.parametrize(
    "arguments",
    [
        ["ratings"],
        ["ratings", "a.csv", "--scale", "1"],
        ["ratings", "a.csv", "--scale", "10", "1"],
        ["ratings", "a.csv", "--scale", "nan", "1"],
        ["ratings", "a.csv", "--scale", "-inf", "inf"],
        ["compare"],
        ["compare", "a.csv", "--resamples", "0"],
        ["compare", "a.csv", "--confidence", "1"],
        ["compare", "a.csv", "--seed", "-1"],
        ["overlap", "a.csv"],
        ["overlap", "a.csv", "--against", "b.csv", "--shingle", "0"],
        ["claims", "ledger.yaml"],
        ["report"],
        ["gate", "--no-such-option"],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], run) -> None:
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("Error: ")
    assert outcome.err.count("Error: ") == 1


@each_audit
def test_a_name_that_is_too_long_for_a_file(audit: Audit, run) -> None:
    table = Path("x" * 300 + ".csv")
    of_folder = Path(audit.table).parent != Path()
    call = [audit.command, table] if of_folder else audit.call(table)
    outcome = run(*call)
    assert (outcome.code, outcome.out) == (2, "")
    assert str(table) in outcome.err and "output" not in outcome.err
    assert "Traceback" not in outcome.err
