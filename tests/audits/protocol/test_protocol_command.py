"""The command ``storyaudit protocol``: exit codes, formats, options, bad input."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from protocol_samples import Tables, simulated, valid_study, write_panel

from storyaudit.cli.main import cli, main
from storyaudit.cli.protocol import protocol
from storyaudit.findings import Report


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run the command in this process; a traceback fails the test."""
    monkeypatch.setitem(cli.commands, "protocol", protocol)

    def run_main(*arguments: object) -> tuple[int, str, str]:
        typed = ["storyaudit", "protocol", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", typed)
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return run_main


FAST = ("--resamples", 100)


def write(tables: Tables, suffix: str = "parquet", folder: str = "study") -> str:
    Path(folder).mkdir(exist_ok=True)
    for name, table in tables.items():
        path = Path(folder) / f"{name}.{suffix}"
        if suffix == "parquet":
            table.to_parquet(path)
        elif suffix == "csv":
            table.to_csv(path, index=False)
        else:
            table.to_json(path, orient="records", lines=True)
    return folder


def report_of(out: str) -> Report:
    return Report.model_validate(json.loads(out))


def test_a_valid_study_exits_with_0(run) -> None:
    code, out, err = run(write(valid_study()), *FAST)
    assert (code, err) == (0, "")
    assert "gold-chosen" in out


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_swapped_label_exits_with_1_in_any_format(run, suffix: str) -> None:
    tables = valid_study()
    tables["benchmark"].loc[1, "chosen_id"] = "confirmed-c"
    code, out, _ = run(write(tables, suffix), *FAST, "--json")
    assert code == 1
    report = report_of(out)
    assert (report.study, report.audit) == ("study", "protocol")
    assert [finding.id for finding in report.fails()] == ["gold-chosen"]
    typed = "storyaudit protocol study --resamples 100 --json"
    assert report.command == f"{typed} --confidence 0.95 --seed 1"


def test_json_is_what_out_holds(run) -> None:
    _, out, _ = run(write(valid_study()), *FAST, "--json", "--out", "made", "--study", "Mine")
    assert Path("made/protocol.json").read_text("utf-8") == out
    assert report_of(out).study == "mine"


def test_further_columns_are_named(run) -> None:
    tables = valid_study()
    tables["benchmark"]["mood"] = "calm"
    _, out, _ = run(write(tables), *FAST, "--json")
    assert "mood of benchmark" in str(report_of(out).findings)


def test_the_seed_decides_the_intervals(run) -> None:
    tables = simulated(np.random.default_rng(1), 30) | {"benchmark": valid_study()["benchmark"]}
    study = write(tables)

    def points(seed: int) -> list[dict]:
        _, out, _ = run(study, *FAST, "--json", "--seed", seed)
        return [f.numbers for f in report_of(out).findings if f.id.startswith("bias-")]

    assert points(1) == points(1) != points(2)


def test_settings_are_taken(run) -> None:
    study = write(valid_study())
    options = ["--tau-threshold", 0.7, "--tie-tolerance", 0, "--json"]
    order = "relevance,fluency, creativity,coherence,characterization"
    code, out, _ = run(study, *FAST, *options, "--priority", order)
    found = {finding.id: finding for finding in report_of(out).findings}
    assert code == 1
    # The undecided item's tau of 4/6 is below 0.7 and has no ranking; 'ranked' is relevance now.
    assert found["items-replayable"].evidence[0]["item_id"] == "undecided"
    assert found["gold-dimension"].evidence == [
        {"item_id": "ranked", "stated": "creativity", "replayed": "relevance"}
    ]
    assert found["priority-order"].numbers["order_stated"] is True


def test_the_only_prompt_variant_is_taken_and_one_of_several_is_asked_for(run) -> None:
    tables = valid_study()
    tables["judgements"]["prompt_variant"] = "long"
    assert run(write(tables), *FAST)[0] == 0
    other = tables["judgements"].assign(prompt_variant="short")
    tables["judgements"] = pd.concat([tables["judgements"], other], ignore_index=True)
    code, out, err = run(write(tables), *FAST)
    assert (code, out) == (2, "")
    assert "long, short" in err
    assert run(write(tables), *FAST, "--prompt-variant", "long")[0] == 0


def test_judges_who_count_are_named(run) -> None:
    study = write(valid_study())
    code, out, _ = run(study, *FAST, "--judge", "judge-1", "--judge", "judge-2", "--json")
    assert (code, report_of(out).fails()) == (0, [])
    code, _, err = run(study, *FAST, "--judge", "unknown", "--judge", "judge-1")
    assert code == 2
    assert "judge-1, judge-2" in err
    code, _, err = run(study, *FAST, "--judge", "judge-1")
    assert code == 2
    assert "tau needs two judges" in err


def test_whether_scores_of_human_stories_count_can_be_said(run) -> None:
    # The judges scored the human stories, and the benchmark was made without those scores.
    tables = valid_study()
    human = tables["benchmark"]["item_id"] == "human"
    tables["benchmark"].loc[human, ["dimension", "dimension_rule"]] = "unscored"
    study = write(tables)
    assert run(study, *FAST)[0] == 1
    assert run(study, *FAST, "--no-judge-human-story")[0] == 0


def test_unscored_human_stories_are_seen_from_the_tables(run) -> None:
    tables = valid_study()
    tables["judgements"] = tables["judgements"].query("story_id not in ['human-a', 'removed-a']")
    human = tables["benchmark"]["item_id"] == "human"
    tables["benchmark"].loc[human, ["dimension", "dimension_rule"]] = "unscored"
    assert run(write(tables), *FAST)[0] == 0


def test_families_from_a_table(run) -> None:
    tables = simulated(np.random.default_rng(1), 30) | {"benchmark": valid_study()["benchmark"]}
    tables["judgements"]["judge"] = "x" + tables["judgements"]["judge"]
    Path("families.csv").write_text("name,family\nxowl-judge,birds\nowl-mini,birds\n")
    _, out, _ = run(write(tables), *FAST, "--json", "--families", "families.csv")
    (found,) = [finding for finding in report_of(out).findings if finding.id == "bias-family"]
    assert [row["judge"] for row in found.evidence] == ["xowl-judge"]
    Path("families.csv").write_text("name,family\nowl,a\nowl,b\n")
    code, _, err = run(write(tables), *FAST, "--families", "families.csv")
    assert code == 2
    assert "families.csv: " in err


def test_a_panel_of_people_and_judges(run) -> None:
    code, out, _ = run(write_panel(Path("hanna")), *FAST, "--json")
    report = report_of(out)
    assert (code, report.study, report.audit) == (0, "hanna", "protocol")
    assert report.findings


def test_both_kinds_in_one_folder(run) -> None:
    study = write(valid_study())
    write_panel(Path(study))
    code, out, err = run(study, *FAST, "--json")
    assert (code, err) == (0, "")
    ids = {finding.id for finding in report_of(out).findings}
    assert {"gold-chosen", "human-first"} <= ids


@pytest.mark.parametrize(
    ("kept", "named"),
    [
        ((), "none of them"),
        (("benchmark", "candidates"), "candidates"),
        (("stories",), "stories"),
        (("human_scores",), "human_scores"),
        (("benchmark", "candidates", "judgements", "human_scores"), "human_scores"),
    ],
)
def test_a_folder_without_all_tables_of_a_kind(run, kept: tuple[str, ...], named: str) -> None:
    tables = valid_study() | {"human_scores": pd.DataFrame({"premise_id": ["p"]})}
    code, out, err = run(write({name: tables[name] for name in kept}), *FAST)
    assert (code, out) == (2, "")
    assert err.startswith("Error: study: expected the tables")
    assert named in err


def test_no_folder(run) -> None:
    assert run("nowhere")[0] == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--tau-threshold", 1.5),
        ("--tie-tolerance", -1),
        ("--priority", "fluency"),
        ("--resamples", 1),
        ("--prompt-variant", "2"),
    ],
)
def test_settings_that_cannot_be(run, options: tuple[object, ...]) -> None:
    code, out, err = run(write(valid_study()), *options)
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_a_value_of_the_wrong_type_is_bad_input(run) -> None:
    tables = valid_study()
    tables["judgements"]["score"] = tables["judgements"]["score"].astype("object")
    tables["judgements"].loc[4, "score"] = "good"
    code, _, err = run(write(tables, "csv"), *FAST)
    assert code == 2
    assert "judgements.csv, row 6, column 'score'" in err
