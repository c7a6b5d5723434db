import hashlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from storyaudit.data.tables import PREMISES, Column, Table
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.io.files import parquet_bytes
from storyaudit.runs.params import Params
from storyaudit.runs.stage import Stage, git_state

MINE = Path("data/raw/mine")
PAIRS = Table("pairs", ("id",), (Column("id"), Column("weight", "float")))
FRAME = pd.DataFrame({"id": ["b", "a"], "weight": [2.0, 1.0]})
INPUT = "data/study/pairs.parquet"
PARAMS = """\
study: small
simulated: [judges]
seed: 7
knobs: {size: 3, share: 0.5, names: [a, b]}
"""


class Knobs(Params):
    size: int
    share: float
    names: list[str]


def md5(content):
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def make_study(folder):
    (folder / INPUT).parent.mkdir(parents=True)
    (folder / INPUT).write_bytes(parquet_bytes(FRAME))
    (folder / "params.yaml").write_text(PARAMS, encoding="utf-8")


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study's folder with parameters and a table 'pairs', as working directory."""
    make_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def record(name="small"):
    return json.loads(Path(f"runs/{name}.json").read_bytes())


def run_stage(extra=lambda stage: None):
    with Stage("small") as stage:
        knobs = stage.params("knobs", Knobs)
        pairs = stage.read(PAIRS)
        doubled = pairs.assign(weight=pairs["weight"] * 2, further="x")
        stage.write(PAIRS, doubled, Path("data/out"))
        stage.write_file(Path("models/m.json"), b"{}")
        stage.metrics(pairs=len(pairs))
        stage.run("v", 1, params={"size": knobs.size}, metrics={"accuracy": 0.25})
        stage.run("v", None)
        extra(stage)


def refused(capsys, run):
    """Run what must exit with 2; return its one line on standard error."""
    with pytest.raises(SystemExit) as stop:
        run()
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    return err


# What a stage leaves behind


def test_writes_outs_record_and_sidecar(study):
    run_stage()
    assert files(study) == {
        "params.yaml",
        INPUT,
        "data/out/pairs.parquet",
        "models/m.json",
        "runs/small.json",
        "runs/local/small.json",
        "runs/metrics/small.json",
    }
    out = Path("data/out/pairs.parquet").read_bytes()
    # sorted by key, declared columns only
    assert out == parquet_bytes(pd.DataFrame({"id": ["a", "b"], "weight": [2.0, 4.0]}))
    assert record() == {
        "stage": "small",
        "study": "small",
        "simulated": ["judges"],
        "seed": 7,
        "params": {"knobs": {"size": 3, "share": 0.5, "names": ["a", "b"]}},
        "reads": {INPUT: {"md5": md5(parquet_bytes(FRAME)), "rows": 2}},
        "writes": {
            "data/out/pairs.parquet": {"md5": md5(out), "rows": 2},
            "models/m.json": {"md5": md5(b"{}")},
        },
        "metrics": {"pairs": 2},
        "runs": [
            {"variant": "v", "seed": 1, "params": {"size": 3}, "metrics": {"accuracy": 0.25}},
            {"variant": "v", "seed": None, "params": {}, "metrics": {}},
        ],
    }


def test_the_record_is_the_same_elsewhere_and_later_and_the_sidecar_is_not(
    study, tmp_path_factory, monkeypatch
):
    run_stage()
    before = Path("runs/small.json").read_bytes()
    sidecar = record("local/small")
    for trace in (str(study), platform.node(), platform.python_version()):
        assert trace.encode() not in before

    elsewhere = tmp_path_factory.mktemp("elsewhere")
    make_study(elsewhere)
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(platform, "node", lambda: "another-host")
    monkeypatch.setenv("DVC_STAGE", "small")
    run_stage()
    assert Path("runs/small.json").read_bytes() == before
    other = record("local/small")
    assert (other["host"], other["dvc_stage"]) == ("another-host", "small")
    assert other["started"] > sidecar["started"]
    told = {"started", "seconds", "host", "platform", "python", "dvc_stage", "commit", "dirty"}
    assert set(other) == set(sidecar) == told


def test_a_report_is_written_in_order_and_counted(study):
    def finding(name, severity):
        return Finding(id=name, severity=severity, statement="s")

    report = Report(
        study="paper",
        audit="counts",
        findings=[finding("a", "pass"), finding("b", "fail"), finding("c", "pass")],
        unchecked=[Unchecked(id="u", check="c", reason="r")],
    )
    run_stage(lambda stage: stage.write_report(report))
    written = json.loads(Path("findings/paper/counts.json").read_bytes())
    assert [found["id"] for found in written["findings"]] == ["b", "a", "c"]
    assert record()["metrics"] == {
        "pairs": 2,
        "paper.counts.fail": 1,
        "paper.counts.warn": 0,
        "paper.counts.note": 0,
        "paper.counts.pass": 2,
        "paper.counts.unchecked": 1,
    }


LEFT = Unchecked(id="left", check="a check", reason="no table")


def fail(error):
    def raise_it(stage):
        raise error

    return raise_it


@pytest.mark.parametrize(
    ("extra", "raised"),
    [
        (fail(RuntimeError("no")), RuntimeError),
        (fail(KeyboardInterrupt()), KeyboardInterrupt),
        # JSON has no NaN: the stage is at fault, and says so before it writes.
        (lambda stage: stage.metrics(loss=float("nan")), ValueError),
        (lambda stage: stage.run("v", 2, metrics={"loss": float("inf")}), ValueError),
    ],
)
def test_nothing_is_written_if_the_stage_fails(study, extra, raised):
    with pytest.raises(raised):
        run_stage(extra)
    assert files(study) == {"params.yaml", INPUT}


@pytest.mark.parametrize(
    "change", [lambda path: path.write_bytes(parquet_bytes(FRAME.head(1))), Path.unlink]
)
def test_a_dependency_that_changes_meanwhile_is_refused(study, capsys, change):
    line = refused(capsys, lambda: run_stage(lambda stage: change(Path(INPUT))))
    assert line.startswith(f"Error: {INPUT}: changed while")
    assert files(study) <= {"params.yaml", INPUT}


# Reading and writing tables


def test_a_builder_refuses_what_an_audit_reads(study, capsys):
    Path(INPUT).write_bytes(parquet_bytes(pd.concat([FRAME, FRAME])))
    assert f"{INPUT}: expected one row for each (id)" in refused(capsys, run_stage)
    with Stage("audit") as stage:
        assert len(stage.read_to_audit(PAIRS)) == 4
    assert record("audit")["reads"][INPUT]["rows"] == 4


def test_an_absent_table_names_the_command_that_makes_it(study, capsys):
    def read():
        with Stage("small") as stage:
            stage.read(PREMISES)

    line = refused(capsys, read)
    assert line.startswith("Error: data/study/premises.parquet: there is no such file.")
    assert "dvc repro" in line


@pytest.mark.parametrize(
    "frame",
    [
        FRAME.drop(columns="weight"),
        FRAME.head(0),
        pd.DataFrame(),
        pd.concat([FRAME, FRAME]),
        FRAME.assign(weight=[1.0, None]),
        FRAME.assign(weight=["x", "y"]),
    ],
)
def test_a_stage_does_not_write_an_unsound_table(study, capsys, frame):
    bad = Path("data/bad")
    line = refused(capsys, lambda: run_stage(lambda stage: stage.write(PAIRS, frame, bad)))
    assert line.startswith("Error: data/bad/pairs.parquet")
    assert files(study) == {"params.yaml", INPUT}


def test_the_index_of_a_written_frame_does_not_matter(study):
    moved = FRAME.set_index(pd.Index([1, 0]))
    run_stage(lambda stage: stage.write(PAIRS, moved, Path("data/moved")))
    written = Path("data/moved/pairs.parquet").read_bytes()
    assert written == parquet_bytes(FRAME.sort_values("id"))


# Parameters

TOP = "study: s\nsimulated: []\nseed: 1\n"
KNOBS = "simulated: []\nknobs: {size: 3, share: 0.5, names: [a]}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (TOP + "knobs: {share: 0.5, names: [a]}", "knobs.size: field required"),
        (TOP + "knobs: {size: 3, share: 0.5, names: [a], sise: 4}", "knobs.sise"),
        (TOP + "knobs: {size: '3', share: 0.5, names: [a]}", "knobs.size"),
        (TOP + "knobs: {size: 3.5, share: 0.5, names: [a]}", "knobs.size"),
        (TOP + "knobs: {size: true, share: 0.5, names: [a]}", "knobs.size"),
        (TOP + "knobs: {size: 3, share: .nan, names: [a]}", "knobs.share"),
        (TOP + "knobs: {size: 3, share: 1e-5, names: [a]}", "knobs.share"),  # text to YAML
        (TOP + "knobs: {size: 3, share: 0.5, names: [a, 1]}", "knobs.names.1"),
        (TOP + "knobs: {size: 3, share: 0.5, names: a}", "knobs.names"),
        (TOP, "expected the section 'knobs', found none"),
        (TOP + "knobs:", "knobs."),
        (TOP + "knobs: 5", "knobs."),
        (KNOBS + "seed: 1", "study: "),
        (KNOBS + "seed: 1\nstudy: 5", "study: "),
        (KNOBS + "seed: 1\nstudy: My Study", "study: "),
        (KNOBS + "study: s\nseed: -1", "seed: "),
        (KNOBS + "study: s", "seed: "),
        (KNOBS + "study: s\nseed: 1.5", "seed: "),
        (KNOBS + "study: s\nseed: true", "seed: "),
        (KNOBS + "study: s\nseed: '1'", "seed: "),
        (TOP + "seed: 2", "'seed' stands twice"),
        ("study: s\nseed: 1\nsimulated: judges", "simulated: "),
        ("study: s\nseed: 1\nsimulated: [readers]", "simulated.0: "),
        ("study: s\nseed: 1", "simulated: "),
        ("study: hanna\nsimulated: []\nseed: 1", "a published study audited beside this one"),
        ("", "sections of parameters"),
        ("- study", "sections of parameters"),
        ("study: [", "not YAML"),
        ("study: 2024-99-99", "not YAML"),
    ],
)
def test_bad_parameters_are_named(study, capsys, text, named):
    Path("params.yaml").write_text(text, encoding="utf-8")
    line = refused(capsys, run_stage)
    assert line.startswith("Error: params.yaml: ")
    assert named in line
    assert not Path("runs").exists()


def test_findings_on_the_own_study_say_what_is_simulated(study):
    def reports(stage):
        for name in ("small", "paper"):
            stage.write_report(Report(study=name, audit="counts", unchecked=[LEFT]))

    run_stage(reports)
    about = {
        name: json.loads(Path(f"findings/{name}/counts.json").read_bytes())["about"]
        for name in ("small", "paper")
    }
    assert about == {"small": "Simulated in this study: judges.", "paper": ""}


def test_every_file_of_a_folder_is_read_in_order(study):
    for name in ("b.txt", "sub/a.txt"):
        path = Path("data/raw/mine", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    run_stage(lambda stage: stage.reads_all(Path("data/raw/mine")))
    assert {name: facts for name, facts in record()["reads"].items() if "mine" in name} == {
        f"data/raw/mine/{name}": {"md5": md5(name.encode())} for name in ("b.txt", "sub/a.txt")
    }


def test_a_folder_that_is_not_there_is_bad_input(study, capsys):
    line = refused(capsys, lambda: run_stage(lambda stage: stage.reads_all(Path("data/raw/none"))))
    assert "data/raw/none: there is no such file" in line


def test_a_folder_that_cannot_be_read_is_bad_input(study, capsys, monkeypatch):
    def forbidden(path, pattern):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rglob", forbidden)
    line = refused(capsys, lambda: run_stage(lambda stage: stage.reads_all(Path("data"))))
    assert "Error: data: cannot be read (Permission denied). Check the path." in line


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_what_is_not_simulated_is_read_from_raw_data(study, ending):
    raw = Path("data/raw/mine") / f"pairs.{ending}"
    raw.parent.mkdir(parents=True)
    content = {
        "csv": b"id,weight\nz,1\n",
        "jsonl": b'{"id": "z", "weight": 1}\n',
        "parquet": parquet_bytes(pd.DataFrame({"id": ["z"], "weight": [1.0]})),
    }[ending]
    raw.write_bytes(content)
    run_stage(
        lambda stage: stage.write(
            PAIRS, stage.read_raw(PAIRS, "judges", raw.parent), Path("data/new")
        )
    )
    assert pd.read_parquet("data/new/pairs.parquet").to_dict("list") == {"id": ["z"], "weight": [1]}
    assert record()["reads"][str(raw)] == {"md5": md5(content), "rows": 1}


def test_raw_data_that_is_not_there_is_named_with_the_remedy(study, capsys):
    line = refused(capsys, lambda: run_stage(lambda stage: stage.read_raw(PAIRS, "judges", MINE)))
    assert "data/raw/mine: expected the table 'pairs'" in line
    assert "list 'judges' under 'simulated' in params.yaml" in line


@pytest.mark.parametrize(
    ("name", "remedy"), [("pairs.csv.dvc", "dvc pull"), ("Pairs.CSV", "Put it there")]
)
def test_raw_data_that_is_nearly_there_is_named(study, capsys, name, remedy):
    MINE.mkdir(parents=True)
    Path(MINE, name).write_text("outs: []")
    line = refused(capsys, lambda: run_stage(lambda stage: stage.read_raw(PAIRS, "judges", MINE)))
    assert f"found {name}" in line and remedy in line


def test_raw_data_beside_its_folder_is_named_with_the_remedy(study, capsys):
    MINE.mkdir(parents=True)
    Path("data/raw/pairs.csv").write_text("id,weight\nz,1\n")
    line = refused(capsys, lambda: run_stage(lambda stage: stage.read_raw(PAIRS, "judges", MINE)))
    assert "data/raw/pairs.csv: expected the table 'pairs' in data/raw/mine" in line
    assert "Move it there." in line


def test_metrics_are_written_once_more_for_dvc_to_show(study):
    def run(stage):
        stage.metrics(items=3)
        stage.run("full", 1, metrics={"accuracy": 0.25})
        stage.run("full", 2, metrics={"accuracy": 0.75})
        stage.run("full", None, metrics={"accuracy.mean": 0.5})

    run_stage(run)
    shown = json.loads(Path("runs/metrics/small.json").read_text())
    assert shown == {"pairs": 2, "items": 3, "variants": {"full": {"accuracy.mean": 0.5}}}


def test_an_error_holds_no_control_characters_of_its_input(study, capsys):
    error = InputError("found \x1b[31mred.", "Correct it.")
    assert "\x1b" not in refused(capsys, lambda: run_stage(fail(error)))


def test_absent_parameters_are_bad_input(study, capsys):
    Path("params.yaml").unlink()
    assert "params.yaml: cannot be read" in refused(capsys, run_stage)


def test_a_process_ends_with_2_and_one_line_without_a_traceback(study):
    script = (
        "from storyaudit.runs.stage import Params, Stage\n"
        "class Knobs(Params):\n    depth: int\n"
        "with Stage('small') as stage:\n    stage.params('knobs', Knobs)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: params.yaml: knobs.depth: field required.")
    assert len(done.stderr.splitlines()) == 1


# Streams


def draws(stage_name, purpose):
    with Stage(stage_name) as stage:
        return stage.stream(purpose).random(5).tolist()


def test_a_stream_does_not_move_when_another_purpose_or_stage_draws_more(study):
    alone = draws("pairs", "noise")
    with Stage("pairs") as stage, Stage("other") as other:
        stage.stream("more").random(1000)
        other.stream("noise").random(1000)
        assert stage.stream("noise").random(5).tolist() == alone
    assert draws("other", "noise") != alone
    assert draws("pairs", "more") != alone


def test_streams_follow_the_one_seed(study):
    first = draws("pairs", "noise")
    Path("params.yaml").write_text(PARAMS.replace("seed: 7", "seed: 8"), encoding="utf-8")
    assert draws("pairs", "noise") != first


# The commit in the sidecar


def git(*arguments):
    names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    someone = {f"GIT_{name}": "a@b" for name in names}
    return subprocess.run(
        ["git", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | someone | {"GIT_CONFIG_GLOBAL": os.devnull},
    ).stdout.strip()


def test_the_sidecar_tells_the_commit_and_whether_the_tree_differs_from_it(study):
    assert git_state() == {"commit": "", "dirty": False}  # no repository yet
    git("init", "--quiet")
    git("add", "params.yaml")
    git("commit", "--quiet", "--message", "x")
    assert git_state() == {"commit": git("rev-parse", "HEAD"), "dirty": False}
    Path("params.yaml").write_text("changed", encoding="utf-8")
    assert git_state()["dirty"] is True


def test_what_an_earlier_run_left_in_an_own_folder_is_removed(study: Path) -> None:
    (study / "models/old").mkdir(parents=True)
    (study / "models/old/model.json").write_text("stale")
    (study / "models/kept.json").write_text("to be written again")
    with Stage("train") as stage:
        stage.owns(Path("models"))
        stage.write_file(Path("models/kept.json"), b"new")
        assert (study / "models/old/model.json").exists()
    assert not (study / "models/old/model.json").exists()
    assert (study / "models/kept.json").read_bytes() == b"new"


@pytest.mark.parametrize("blocked", ["out.txt", "deep/out.txt"])
def test_an_out_without_room_is_one_message_and_nothing_is_replaced(
    blocked: str, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("first.txt").write_text("old")
    if blocked == "out.txt":
        Path("out.txt").mkdir()
    else:
        Path("deep").write_text("a file in a folder's place")
    with pytest.raises(SystemExit) as stop, Stage("train") as stage:
        stage.write_file(Path("first.txt"), b"new")
        stage.write_file(Path(blocked), b"new")
    assert stop.value.code == 2
    assert "expected room" in capsys.readouterr().err
    assert Path("first.txt").read_text() == "old"


def test_a_full_disk_is_one_message(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("storyaudit.io.files.write_bytes", full)
    with pytest.raises(SystemExit) as stop, Stage("train") as stage:
        stage.write_file(Path("first.txt"), b"new")
    assert stop.value.code == 2
    assert "first.txt: cannot be written (No space left on device)" in capsys.readouterr().err


def written(folder: Path, **contents: str) -> None:
    (folder / "more").mkdir()
    for name, text in contents.items():
        (folder / "more" / name).write_text(text)
    (folder / "top").write_text("t")


def test_a_folder_comes_whole_into_the_place_of_an_older_one(study: Path) -> None:
    run_stage(lambda s: s.write_folder(Path("models/m"), lambda f: written(f, a="1", b="2")))
    first = record()["writes"]
    assert first["models/m/more/a"] == {"md5": md5(b"1")}
    assert (study / "models/m/more/b").read_text() == "2"
    run_stage(lambda s: s.write_folder(Path("models/m"), lambda f: written(f, a="3")))
    assert files(study / "models/m") == {"more/a", "top"}
    assert (study / "models/m/more/a").read_text() == "3"
    assert not list(study.glob(".*.tmp"))


def test_a_folder_is_not_touched_where_the_stage_fails(study: Path, capsys) -> None:
    run_stage(lambda s: s.write_folder(Path("models/m"), lambda f: written(f, a="1")))

    def fails(stage) -> None:
        stage.write_folder(Path("models/m"), lambda f: written(f, a="2"))
        raise InputError("no.", "Correct it.")

    refused(capsys, lambda: run_stage(fails))
    assert (study / "models/m/more/a").read_text() == "1"
    assert not list(study.glob(".*.tmp"))


def test_a_folder_without_room_is_one_message(study: Path, capsys) -> None:
    (study / "models").write_text("a file")
    said = refused(
        capsys,
        lambda: run_stage(lambda s: s.write_folder(Path("models/m"), lambda f: written(f, a="1"))),
    )
    assert "models" in said
    assert not list(study.glob(".*.tmp"))
