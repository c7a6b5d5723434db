"""Former names of options, commands, stages, findings, columns: accepted once more, and noted."""

from pathlib import Path

import click
import pytest
from cli_samples import BENCHMARK_TEXTS, RATINGS, TEXTS, write

from storyaudit import former_names
from storyaudit.cli.common import Command, Group
from storyaudit.cli.main import cli
from storyaudit.findings import Finding, Report, write_report
from storyaudit.former_names import OPTIONS

FOUND = Finding(id="net-win-rate-a", severity="fail", statement="Said.")


def note(old: str, new: str) -> str:
    return f"'{old}' is called '{new}' now; the old name goes in the next version.\n"


def every_command() -> list[click.Command]:
    found: list[click.Command] = []
    for command in cli.commands.values():
        found += command.commands.values() if isinstance(command, click.Group) else [command]
    return found


def test_every_command_takes_former_names() -> None:
    assert isinstance(cli, Group)
    assert all(isinstance(command, Command) for command in every_command())


@pytest.mark.parametrize("old", OPTIONS)
def test_a_former_option_stands_for_one_that_is_there(old: str) -> None:
    names = {name for command in every_command() for p in command.params for name in p.opts}
    assert OPTIONS[old] in names and old not in names


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["--report-from", "0.3"], ["--report-from"]),
        (["--report-from=0.3", "--copy-from", "0.4"], ["--report-from", "--copy-from"]),
        (["--within"], ["--within"]),
        (["--write-clean", "clean", "--clean-from", "0.2"], ["--write-clean", "--clean-from"]),
    ],
)
def test_a_former_option_does_what_the_present_one_does(
    given: list[str], names: list[str], run
) -> None:
    write("train.csv", TEXTS)
    call = ["overlap", "train.csv", "--against", write("b.csv", BENCHMARK_TEXTS), "--json"]
    former = run(*call, *given)
    assert former.code == 0
    assert former.err == "".join(note(old, OPTIONS[old]) for old in names)
    new = [word for old in given for word in [old]]
    for old, present in OPTIONS.items():
        new = [word.replace(old, present) for word in new]
    new = ["other" if word == "clean" else word for word in new]
    present_run = run(*call, *new)
    assert present_run.err == ""
    findings = [part.split('"findings"')[1] for part in (former.out, present_run.out)]
    assert findings[0].replace("clean", "other") == findings[1].replace("clean", "other")


def test_the_printed_command_has_the_present_names(run) -> None:
    write("train.csv", TEXTS)
    call = ["overlap", "train.csv", "--against", write("b.csv", BENCHMARK_TEXTS), "--json"]
    assert "--min-containment=0.3" in run(*call, "--report-from=0.3").out


def test_a_note_comes_once_a_command_and_again_with_the_next(run) -> None:
    for _ in range(2):
        outcome = run("overlap", "--within", "--within", "t.csv", "--against", "none.csv")
        assert outcome.err.count("is called") == 1


def test_help_shows_no_former_name(run) -> None:
    for name in cli.commands:
        shown = run(name, "--help")
        assert shown.err == "" and not set(OPTIONS) & set(shown.out.split())


def test_a_value_may_look_like_a_former_option(run) -> None:
    write("train.csv", TEXTS)
    call = ["overlap", "train.csv", "--against", write("b.csv", BENCHMARK_TEXTS), "--json"]
    outcome = run(*call, "--study", "--within")
    assert (outcome.code, outcome.err) == (0, "")
    assert '"study": "within"' in outcome.out


def test_a_former_command_is_run(run, monkeypatch) -> None:
    monkeypatch.setitem(former_names.COMMANDS, "rates", "ratings")
    outcome = run("rates", write("r.csv", RATINGS), "--scale", 1, 10, "--json")
    assert (outcome.code, outcome.err) == (0, note("rates", "ratings"))
    assert "storyaudit ratings " in outcome.out
    assert run("rate", "r.csv").code == 2


def test_a_former_stage_is_recorded(run, monkeypatch) -> None:
    monkeypatch.setitem(former_names.STAGES, "judging", "judgements")
    assert note("judging", "judgements") in run("record", "judging").err
    assert "is not one of" in run("record", "judged").err


@pytest.fixture
def renamed(monkeypatch) -> None:
    monkeypatch.setitem(former_names.IDS, "head-to-head-*", "net-win-rate-*")
    monkeypatch.setitem(former_names.STAGES, "best_of", "best-of-n")
    report = Report.of([FOUND], study="s", audit="best-of-n")
    write_report(Path("findings/s/best-of-n.json"), report)


@pytest.mark.parametrize("audit", ["best_of", "best-of-n"])
def test_a_waiver_by_a_former_id_accepts_the_finding(audit: str, renamed, run) -> None:
    old = f"s/{audit}/head-to-head-a"
    Path("w.yaml").write_text(f"- finding: {old}\n  reason: known and harmless\n")
    outcome = run("gate", "--waivers", "w.yaml")
    assert (outcome.code, outcome.err) == (0, note(old, "s/best-of-n/net-win-rate-a"))
    assert "meets no finding" not in outcome.out


def test_waivers_are_found_under_their_usual_path_too(renamed, run) -> None:
    write(
        "expectations/waivers.yaml", b"- finding: s/best_of/head-to-head-a\n  reason: known well\n"
    )
    outcome = run("gate")
    assert outcome.code == 0 and "is called" in outcome.err


def test_a_waiver_that_meets_nothing_under_any_name_is_named_as_it_is_written(renamed, run) -> None:
    Path("w.yaml").write_text("- finding: s/best_of/head-to-head-b\n  reason: known and harmless\n")
    outcome = run("gate", "--waivers", "w.yaml")
    assert (outcome.code, outcome.err) == (1, "")
    assert "The waiver of s/best_of/head-to-head-b meets no finding." in outcome.out


def test_show_takes_former_audits_and_ids(renamed, run) -> None:
    outcome = run("show", "s/best_of/head-to-head-a")
    assert outcome.code == 0 and "Said." in outcome.out
    assert outcome.err == note("best_of", "best-of-n") + note("head-to-head-a", "net-win-rate-a")
    assert run("show", "s/best-of-n/net-win-rate-a").err == ""
    assert run("show", "s/best-of-n/head-to-head-b").code == 2


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_column_may_bear_its_former_name(ending: str, run, monkeypatch) -> None:
    import pandas as pd

    monkeypatch.setitem(former_names.COLUMNS, "annotator", "rater")
    frame = pd.DataFrame(RATINGS).rename(columns={"rater": "annotator"})
    write("former.csv", frame.to_csv(index=False).encode())
    frame.to_json("former.jsonl", orient="records", lines=True)
    frame.to_parquet("former.parquet")
    outcome = run("ratings", f"former.{ending}", "--scale", 1, 10, "--json")
    assert (outcome.code, outcome.err) == (0, note("annotator", "rater"))
    assert "ignored-columns" not in outcome.out


def test_a_column_under_both_names_is_taken_by_the_present_one(run, monkeypatch) -> None:
    monkeypatch.setitem(former_names.COLUMNS, "annotator", "rater")
    rows = [{**row, "annotator": "nobody"} for row in RATINGS]
    outcome = run("ratings", write("r.csv", rows), "--scale", 1, 10, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert "annotator of" in outcome.out  # a column that was left out


def test_a_guessed_column_may_bear_its_former_name(run, monkeypatch) -> None:
    monkeypatch.setitem(former_names.COLUMNS, "preferred", "chosen")
    rows = [{"preferred": row["text"], "rejected": "No."} for row in TEXTS]
    call = ["overlap", write("t.csv", rows), "--against", write("b.csv", BENCHMARK_TEXTS), "--json"]
    outcome = run(*call)
    assert (outcome.code, outcome.err) == (0, note("preferred", "chosen"))


def test_scores_of_people_and_judges_may_have_former_columns(run, monkeypatch) -> None:
    monkeypatch.setitem(former_names.COLUMNS, "assessor", "judge")
    people = [
        {"premise_id": f"p{n}", "author": a, "rater": r, "overall": (n + len(a)) % 5 + 1}
        for n in range(12) for a in ("a", "bb", "ccc") for r in ("x", "y")
    ]  # fmt: skip
    judges = [
        {"premise_id": f"p{n}", "author": a, "assessor": j, "prompt_variant": "1", "overall": n % 5}
        for n in range(12) for a in ("a", "bb", "ccc") for j in ("j", "k")
    ]  # fmt: skip
    write("panel/human_scores.csv", people)
    write("panel/judge_scores.csv", judges)
    outcome = run("protocol", "panel", "--resamples", 100, "--scale", 0, 5, "--json")
    assert outcome.code in (0, 1), outcome.err
    assert outcome.err == note("assessor", "judge")
