"""What all audit commands have in common: exit codes, --json, --out, --study, formats, columns."""

import json
import shlex
from pathlib import Path

import pandas as pd
import prose
import pytest
from cli_samples import (
    AUDITS,
    BENCHMARK,
    BY_COMMAND,
    RATINGS,
    RESULTS,
    Audit,
    add_column,
    jsonl_bytes,
    write,
)

from storyaudit.cli.main import cli
from storyaudit.findings import Report

each_audit = pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.command)


def report_of(outcome) -> Report:
    return Report.model_validate(json.loads(outcome.out))


def options_of(command: str) -> set[str]:
    return {name for param in cli.commands[command].params for name in param.opts}


def judgement(report: Report) -> list[tuple]:
    """Return what a report says, without the command line, which differs from call to call."""
    return [(f.id, f.severity, f.statement, f.numbers) for f in report.findings]


@each_audit
def test_sound_input_exits_with_0_and_says_so(audit: Audit, run) -> None:
    outcome = run(*audit.clean())
    assert (outcome.code, outcome.err) == (0, "")
    assert audit.audit in outcome.out


@each_audit
def test_a_planted_fault_exits_with_1_and_is_named(audit: Audit, run) -> None:
    call = audit.call(write(f"{audit.table}.csv", audit.faulty))
    report = report_of(outcome := run(*call, "--json"))
    assert outcome.code == 1
    assert [finding.id for finding in report.fails()] == [audit.finding]


@each_audit
def test_json_is_the_report_and_nothing_else(audit: Audit, run) -> None:
    outcome = run(*audit.clean(), "--json")
    report = report_of(outcome)
    assert (outcome.code, outcome.err) == (0, "")
    assert report.audit == audit.audit
    assert report.findings
    assert report.command.startswith(f"storyaudit {audit.command} ")


@each_audit
@pytest.mark.parametrize("study", ["../../x", "/etc/x", "..", "\x1b[31m"])
def test_out_holds_findings_and_tables_and_nothing_lands_elsewhere(
    audit: Audit, study: str, run, folder
) -> None:
    call = audit.clean()
    before = set(folder.parent.rglob("*"))
    outcome = run(*call, "--json", "--out", "made/out", "--study", study)
    assert outcome.code == 0
    written = {path for path in set(folder.parent.rglob("*")) - before if path.is_file()}
    names = {f"{audit.audit}.json", f"{audit.audit}-evidence.csv", *audit.tables}
    assert written == {folder / "made/out" / name for name in names}
    assert (folder / f"made/out/{audit.audit}.json").read_text("utf-8") == outcome.out


@each_audit
def test_a_byte_order_mark_makes_no_difference(audit: Audit, run) -> None:
    table = write(f"{audit.table}.csv", audit.rows)
    plain = run(*audit.call(table), "--json")
    table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())
    assert judgement(report_of(run(*audit.call(table), "--json"))) == judgement(report_of(plain))


@each_audit
def test_jsonl_gives_the_findings_of_csv(audit: Audit, run) -> None:
    as_csv = report_of(run(*audit.clean(), "--json"))
    (table := write(f"{audit.table}.csv", audit.rows)).unlink()
    table = write(table.with_suffix(".jsonl"), jsonl_bytes(audit.rows))
    as_jsonl = report_of(run(*audit.call(table), "--json"))
    differ = {"columns"}  # names the file
    assert [f for f in judgement(as_jsonl) if f[0] not in differ] == [
        f for f in judgement(as_csv) if f[0] not in differ
    ]


@each_audit
def test_columns_that_are_not_used_are_named_in_a_note(audit: Audit, run) -> None:
    table = write(f"{audit.table}.csv", add_column(audit.rows, "mood", "calm"))
    report = report_of(outcome := run(*audit.call(table), "--json"))
    assert outcome.code == 0
    if audit.command == "overlap":  # says which columns it took instead
        assert "texts from 'text', IDs from 'id'" in str(report.findings)
    else:
        (note,) = [finding for finding in report.findings if finding.id == "ignored-columns"]
        assert note.severity == "note"
        assert "mood" in note.statement
        prose.check(f"cli/columns that are not used: {audit.command}", note)


@each_audit
def test_a_study_is_named_after_its_file_or_by_the_option(audit: Audit, run) -> None:
    call = [*audit.clean(), "--json"]
    assert report_of(run(*call, "--study", "My Study")).study == "my-study"
    assert report_of(run(*call)).study in {
        "ratings",
        "results",
        "benchmark-texts",
        "study",
        "pools",
        "paper",
    }


def test_a_folder_with_one_table_in_two_formats_is_refused(run) -> None:
    write("study/benchmark.csv", BENCHMARK)
    write("study/benchmark.jsonl", jsonl_bytes(BENCHMARK))
    outcome = run("counts", "study")
    assert (outcome.code, outcome.out) == (2, "")
    assert "study: " in outcome.err
    assert "benchmark.csv, benchmark.jsonl" in outcome.err


def test_a_ledger_in_place_of_the_folder_has_its_printed_counts_checked(run) -> None:
    figures = {"items": "1,133", "llm_llm_items": "624", "human_llm_items": "508"}
    entries = "".join(f'- {{id: {i}, printed: "{p}", where: p. 4}}\n' for i, p in figures.items())
    head = "paper: P\nstudy: p\nsource: s\nhand: first\nfigures:\n"
    write("ledger.yaml", f"{head}{entries}".encode())
    report = report_of(outcome := run("counts", "ledger.yaml", "--json", "--study", "other"))
    assert (outcome.code, report.study) == (1, "other")
    # 624 + 508 is not 1,133.
    assert [finding.id for finding in report.fails()] == ["identity-benchmark-total"]


def test_several_files_of_results_are_compared_together(run) -> None:
    for variant in ("linear", "longest"):
        write(f"{variant}.csv", [row for row in RESULTS if row["variant"] == variant])
    outcome = run("compare", "linear.csv", "longest.csv", "--resamples", 100, "--json")
    assert {f.id for f in report_of(outcome).findings} >= {"model-linear", "model-longest"}


def test_the_comparison_follows_its_seed(run) -> None:
    call = [*BY_COMMAND["compare"].clean(), "--json", "--seed"]
    first, again, other = (judgement(report_of(run(*call, seed))) for seed in (1, 1, 2))
    assert first == again != other


def test_without_a_scale_the_scores_range_is_listed_as_not_checked(run) -> None:
    report = report_of(run("ratings", write("ratings.csv", RATINGS), "--json"))
    assert "off-scale" in {gap.id for gap in report.unchecked}
    assert "off-scale" not in {finding.id for finding in report.findings}


DRAWING = [audit for audit in AUDITS if "--seed" in options_of(audit.command)]


def test_every_command_that_draws_takes_all_three_options() -> None:
    assert {audit.command for audit in DRAWING} >= {"compare", "ratings"}
    three = {"--seed", "--resamples", "--confidence"}
    for name in cli.commands.keys() - {"sheets"}:  # whose seed is that of orders
        given = three & options_of(name)
        assert given in (set(), {"--confidence"}, three), name


@pytest.mark.parametrize("audit", DRAWING, ids=lambda audit: audit.command)
def test_the_printed_command_gives_the_same_digits_again(audit: Audit, run) -> None:
    first = run(*audit.clean(), "--json")
    command = report_of(first).command
    for option in ("--seed 1", "--confidence 0.95", "--resamples "):
        assert option in command
    assert judgement(report_of(run(*shlex.split(command)[1:]))) == judgement(report_of(first))


@pytest.mark.parametrize("audit", DRAWING, ids=lambda audit: audit.command)
def test_confidence_and_resamples_reach_the_computation(audit: Audit, run) -> None:
    call = [word for word in audit.clean() if word not in ("--resamples", 100)]
    report = report_of(run(*call, "--json", "--confidence", 0.8, "--resamples", 123))
    assert "--confidence 0.8 --resamples 123" in report.command
    numbers = [finding.numbers for finding in report.findings]
    assert {n["confidence"] for n in numbers if "confidence" in n} == {0.8}
    # The numbers of ablations do not say it.
    expected = {123} if audit.command != "ablations" else set()
    assert {n["resamples"] for n in numbers if "resamples" in n} == expected


def test_a_seed_may_be_a_stream_of_the_pipeline(run) -> None:
    call = [*BY_COMMAND["compare"].clean(), "--json", "--seed"]
    first, again, other = (
        judgement(report_of(run(*call, seed))) for seed in ("1/a/b", "1/a/b", "1/a/c")
    )
    assert first == again != other


@pytest.mark.parametrize("seed", ["-1", "a", "1/a", "1/a/b/c", "1/a/", "/a/b", "1.5", "", "²"])
def test_a_seed_is_a_number_or_a_stream(seed: str, run) -> None:
    outcome = run(*BY_COMMAND["compare"].clean(), "--seed", seed)
    assert outcome.code == 2 and "SEED/STAGE/PURPOSE" in outcome.err


def test_defaults_stand_before_the_end_of_options(run) -> None:
    write("-r.csv", RESULTS)
    outcome = run("compare", "--json", "--", "-r.csv")
    assert report_of(outcome).command.endswith("--seed 1 -- -r.csv")


@each_audit
def test_out_has_all_evidence_as_one_table(audit: Audit, run) -> None:
    call = audit.call(write(f"{audit.table}.csv", audit.faulty))
    report = report_of(run(*call, "--json", "--out", "made"))
    table = pd.read_csv(f"made/{audit.audit}-evidence.csv", keep_default_na=False, dtype=str)
    assert list(table.columns) == ["finding", "severity", "row", "name", "value"]
    cells = [
        (finding.id, finding.severity, str(number), name)
        for finding in report.findings
        for number, row in enumerate(finding.evidence, 1)
        for name in row
    ]
    written = table.drop(columns="value").itertuples(index=False, name=None)
    assert sorted(written) == sorted(cells)


@each_audit
def test_out_is_no_folder_that_is_read(audit: Audit, run) -> None:
    call = audit.clean()
    read = [word for word in call if Path(str(word)).is_dir() or Path(str(word)).is_file()]
    assert read
    for path in read:
        outcome = run(*call, "--out", path)
        assert (outcome.code, outcome.out) == (2, "")
        assert "Choose another --out." in outcome.err
