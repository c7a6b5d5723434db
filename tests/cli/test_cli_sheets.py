"""``storyaudit sheets``: out to people, back in, and what neither may do."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import openpyxl
import pandas as pd
import pytest
from cli_samples import write

from storyaudit.cli.main import cli
from storyaudit.cli.sheets import sheets
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import ANNOTATIONS, RATINGS
from storyaudit.protocol.human_decisions import read_decision
from storyaudit.vocabulary import DIMENSIONS

STORIES = [f"{item}-{n}" for item in ("agree", "split", "human") for n in range(4)]
SCORES = {"agree": ("4321", "4321"), "split": ("4321", "1324")}
OUT = ("sheets", "out", "study", "--annotators", "anna,ben", "--to", "sent", "--key", "keys/k.json")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.commands, "sheets", sheets)


@pytest.fixture(autouse=True)
def _study(folder: Path) -> None:
    """Write a study of three items: judges agree, judges do not, and a human story."""
    rows: dict[str, list[dict[str, Any]]] = {"candidates": [], "stories": [], "judgements": []}
    for story in STORIES:
        item, place = story.split("-")
        human = story == "human-2"
        rows["candidates"].append(
            {
                "item_id": item,
                "position": place,
                "story_id": story,
                "premise_id": f"p-{item}",
                "origin": "human_llm" if item == "human" else "llm_llm",
            }
        )
        rows["stories"].append(
            {
                "story_id": story,
                "author_kind": "human" if human else "llm",
                "author": "Ursula" if human else "zorba",
                "language": "en",
                "text": f"The story number {story}.",
                "source": "s",
            }
        )
        for judge, scores in enumerate(SCORES.get(item, ())):
            rows["judgements"] += [
                {
                    "item_id": item,
                    "story_id": story,
                    "judge": f"judge-{judge}",
                    "prompt_variant": "1",
                    "position": place,
                    "dimension": dimension,
                    "score": scores[int(place)],
                }
                for dimension in (*DIMENSIONS, "overall")
            ]
    for name, table in rows.items():
        write(f"study/{name}.csv", table)
    items = ("agree", "split", "human")
    premise = {"text": "A ferry.", "language": "en", "source": "s"}
    write("study/premises.csv", [{"premise_id": f"p-{item}", **premise} for item in items])


def fill(path: str, answers: dict[str, object]) -> str:
    """Fill a workbook by the study's story IDs: answers[story] goes into the last answer column."""
    key = json.loads(Path("keys/k.json").read_text(encoding="utf-8"))
    ids = {row["id"]: row["story_id"] for sheet in key["sheets"] for row in sheet["rows"]}
    book = openpyxl.load_workbook(path)
    cells = book["answers"]
    names = [cell.value for cell in cells[1]]
    column = names.index("premise")  # the last answer stands before it; columns count from 1
    for row in range(2, cells.max_row + 1):
        story = ids[cells.cell(row, names.index("id") + 1).value]
        if story in answers:
            cells.cell(row, column).value = answers[story]
    book.save(path)
    return path


def ranks(order: str) -> dict[str, object]:
    return {f"split-{story}": rank for rank, story in enumerate(order, start=1)}


def test_every_item_gets_the_protocols_task_and_the_key_lies_apart(run) -> None:
    outcome = run(*OUT)
    assert (outcome.code, outcome.err) == (0, "")
    assert sorted(path.name for path in Path("sent").iterdir()) == [
        f"{name}-{task}.xlsx"
        for name in ("anna", "ben")
        for task in ("best", "confirmation", "ranking")
    ]
    assert "The key is keys/k.json: no annotator may see it." in outcome.out
    key = json.loads(Path("keys/k.json").read_text(encoding="utf-8"))
    items = {sheet["task"]: {row["item_id"] for row in sheet["rows"]} for sheet in key["sheets"]}
    assert items == {"best": {"human"}, "confirmation": {"agree"}, "ranking": {"split"}}


def test_the_same_command_writes_the_same_bytes(run) -> None:
    assert run(*OUT).code == 0
    again = [{"sent": "sent2", "keys/k.json": "keys2/k.json"}.get(part, part) for part in OUT]
    assert run(*again).code == 0
    for one in (*Path("sent").iterdir(), Path("keys/k.json")):
        other = Path(str(one).replace("sent/", "sent2/").replace("keys/", "keys2/"))
        assert one.read_bytes() == other.read_bytes()


def test_filled_sheets_become_annotations_and_decisions(run) -> None:
    run(*OUT, "--task", "ranking")
    files = [
        fill(f"sent/{n}-ranking.xlsx", ranks(o)) for n, o in (("anna", "2013"), ("ben", "2031"))
    ]
    outcome = run(
        *("sheets", "in", *files, "--key", "keys/k.json", "--to", "raw/annotations.csv"),
        *("--decided", "decided.parquet", "--open", "open.csv"),
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert "sent/anna-ranking.xlsx: anna, ranking: 1 of 1 items finished." in outcome.out
    table = read_valid_table(Path("raw/annotations.csv"), ANNOTATIONS)
    assert len(table) == 8
    anna = table.loc[table["annotator"] == "anna"].set_index("story_id")["value"]
    assert anna.to_dict() == {f"split-{s}": float(r) for r, s in enumerate("2013", start=1)}
    # Sums of ranks: 2 has 2, 0 has 4, 3 and 1 have 7 each, parted by ID.
    decided = read_decision(pd.read_parquet("decided.parquet"))
    assert decided.ranking == ("split-2", "split-0", "split-1", "split-3")
    assert pd.read_csv("open.csv").empty  # they agree on the first


def test_what_is_left_goes_to_an_adjudicator(run) -> None:
    run(*OUT, "--task", "ranking")
    files = [
        fill(f"sent/{n}-ranking.xlsx", ranks(o)) for n, o in (("anna", "0123"), ("ben", "1023"))
    ]
    back = ("sheets", "in", *files, "--key", "keys/k.json", "--to", "all.csv")
    stopped = run(*back, "--decided", "decided.csv")
    assert stopped.code == 2
    assert "1 of 1 items are not decided: split (undecided)." in stopped.err
    assert not Path("all.csv").exists()
    left = run(*back, "--open", "open.csv")
    assert left.code == 0
    assert pd.read_csv("open.csv")[["item_id", "reason"]].values.tolist() == [
        ["split", "disagreement"]
    ]
    sent = ("sheets", "out", "study", "--items", "open.csv", "--annotators", "carla")
    assert run(*sent, "--to", "sent3", "--key", "keys/second.json").code == 0
    carla = Path("sent3/carla-ranking.xlsx")
    key = Path("keys/k.json").read_bytes()
    Path("keys/k.json").write_bytes(Path("keys/second.json").read_bytes())  # for fill
    fill(str(carla), ranks("3210"))
    Path("keys/k.json").write_bytes(key)
    done = run(
        *("sheets", "in", *files, carla, "--key", "keys/k.json", "--key", "keys/second.json"),
        *("--to", "all.csv", "--replace", "--decided", "decided.csv", "--adjudicator", "carla"),
    )
    assert (done.code, done.err) == (0, "")
    assert "Decisions: 1 adjudicated." in done.out
    assert len(pd.read_csv("all.csv")) == 12
    assert read_decision(pd.read_csv("decided.csv")).ranking[0] == "split-3"


def test_unfinished_items_are_listed(run) -> None:
    run(*OUT, "--task", "rubric", "--rubric", "wit", "--scale", "1", "5")
    filled = fill("sent/anna-rubric.xlsx", dict.fromkeys(STORIES[:-1], 4))
    outcome = run("sheets", "in", filled, "--key", "keys/k.json", "--to", "ratings.csv")
    assert (outcome.code, outcome.err) == (0, "")
    assert "anna, rubric: 11 of 12 items finished." in outcome.out
    assert "Unfinished: item " in outcome.out
    table = read_valid_table(Path("ratings.csv"), RATINGS)  # as an audit or a stage reads it
    assert len(table) == 11
    assert set(table["score"]) == {4.0}
    assert set(table["item"]) == {"wit"}


@pytest.mark.parametrize("form", ["csv", "label-studio"])
def test_other_formats(form: str, run) -> None:
    assert run(*OUT, "--task", "best", "--format", form).code == 0
    names = sorted(path.name for path in Path("sent").iterdir())
    if form == "csv":
        assert names == ["anna-best.csv", "ben-best.csv", "how-to-best.txt"]
        path = Path("sent/anna-best.csv")
        content = path.read_text(encoding="utf-8-sig").replace("1,A,,", "1,A,B,")
        path.write_text(content, encoding="utf-8")
    else:
        assert names == ["anna-best.json", "ben-best.json", "label-studio-best.xml"]
        path = Path("sent/anna-best.json")
        tasks = json.loads(path.read_text(encoding="utf-8"))
        result = {"from_name": "best", "type": "choices", "value": {"choices": ["B"]}}
        tasks[0] |= {"id": 1, "annotations": [{"result": [result]}]}
        path.write_text(json.dumps(tasks), encoding="utf-8")
    assert run("sheets", "in", path, "--key", "keys/k.json", "--to", "a.parquet").code == 0
    key = json.loads(Path("keys/k.json").read_text(encoding="utf-8"))
    assert pd.read_parquet("a.parquet")["story_id"].tolist() == [
        key["sheets"][0]["rows"][1]["story_id"]
    ]


def refused(outcome, *named: str) -> None:
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert outcome.err.count("Error: ") == 1
    for part in named:
        assert part in outcome.err


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"keys/k.json": "sent/k.json"}, "the key must not lie with the forms"),
        ({"keys/k.json": "sent/keys/k.json"}, "the key must not lie with the forms"),
        ({"study": "nowhere"}, "nowhere: there is no such folder"),
        ({"study": "keys"}, "found no candidates"),
        ({"anna,ben": "anna,Anna"}, "a name stands twice"),
        ({"anna,ben": "=cmd|'/C calc'!A0"}, "expected names of letters"),
        ({"anna,ben": "../anna"}, "expected names of letters"),
        ({"anna,ben": "anna,"}, "expected names of letters"),
    ],
    ids=str,
)
def test_sheets_that_must_not_go_out(change: dict[str, str], named: str, run) -> None:
    Path("keys").mkdir()
    refused(run(*(change.get(part, part) for part in OUT)), named)
    assert not Path("sent").exists()
    assert not list(Path("keys").iterdir())


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--task", "best-of-16"), "no item needs the task best-of-16"),
        (("--scale", "5", "5"), "--scale"),
        (("--rubric", "a,=b"), "--rubric"),
        (("--rubric", "wit,Text"), "columns of every form"),
        (("--tau-threshold", "2"), "--tau-threshold"),
        (("--prompt-variant", "7"), "judgements count: 1"),
        (("--items", "nowhere.csv"), "no such file"),
    ],
)
def test_options_that_cannot_be(options: tuple[str, ...], named: str, run) -> None:
    refused(run(*OUT, *options), named)
    assert not Path("sent").exists()


def test_without_judgements_only_what_needs_none(run) -> None:
    Path("study/judgements.csv").unlink()
    refused(run(*OUT), "no judge scored its stories")
    assert run(*OUT, "--task", "best").code == 0


def test_sheets_that_are_there_are_not_written_over(run) -> None:
    assert run(*OUT).code == 0
    before = {path: path.read_bytes() for path in Path("sent").iterdir()}
    refused(run(*OUT, "--seed", "2"), "is there already")
    assert {path: path.read_bytes() for path in Path("sent").iterdir()} == before


def test_a_full_disk_leaves_no_half_of_the_sheets(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from storyaudit.forms import form_files as files

    written: list[Path] = []

    def full(path: Path, content: bytes) -> None:
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        written.append(path)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    monkeypatch.setattr(files, "write_bytes", full)
    refused(run(*OUT), "No space left on device")
    assert len(written) == 3
    assert not any(path.exists() for path in written)


def test_what_must_not_come_in(run) -> None:
    run(*OUT)
    best, ranking = "sent/anna-best.xlsx", "sent/anna-ranking.xlsx"
    back = ("--key", "keys/k.json", "--to", "a.csv")
    refused(run("sheets", "in", ranking, *back), "no item is finished")
    fill(ranking, ranks("0123"))
    refused(run("sheets", "in", ranking, "--key", best, "--to", "a.csv"), best)
    refused(
        run("sheets", "in", ranking, "--key", "keys/k.json", "--to", "a.txt"), ".csv or .parquet"
    )
    refused(run("sheets", "in", ranking, "--key", "keys/k.json", "--to", ranking), "ending in .csv")
    write("there.csv", b"mine")
    refused(run("sheets", "in", ranking, "--key", "keys/k.json", "--to", "there.csv"), "already")
    assert Path("there.csv").read_bytes() == b"mine"
    fill(ranking, {"split-0": 2})
    refused(run("sheets", "in", ranking, *back), f"{ranking}, cell C", "occurs twice in item 1")
    other = ("--to", "sent5", "--key", "keys/5.json", "--task", "rubric")
    assert run("sheets", "out", "study", "--annotators", "anna", *other).code == 0
    both = ("sheets", "in", best, "sent5/anna-rubric.xlsx", "--key", "keys/5.json")
    refused(run(*both, *back), "found both")
    assert not Path("a.csv").exists()


def test_an_id_that_a_csv_would_change(run) -> None:
    for name in ("candidates", "judgements"):
        path = Path(f"study/{name}.csv")
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub("^split,", "-split,", text, flags=re.MULTILINE), encoding="utf-8")
    run(*OUT, "--task", "ranking")
    filled = fill("sent/anna-ranking.xlsx", ranks("0123"))
    back = ("sheets", "in", filled, "--key", "keys/k.json", "--to")
    refused(run(*back, "a.csv"), "the item_id -split would be a formula", ".parquet")
    assert run(*back, "a.parquet").code == 0
    assert set(pd.read_parquet("a.parquet")["item_id"]) == {"-split"}


@pytest.mark.parametrize("command", ["out", "in"])
def test_the_help_has_examples_that_parse(command: str, run) -> None:
    outcome = run("sheets", command, "--help")
    assert outcome.code == 0
    text = outcome.out.replace("\\\n", " ")
    calls = re.findall(r"^ +(storyaudit sheets .*)$", text, re.MULTILINE)
    assert calls
    for call in calls:
        arguments = shlex.split(call)[2:]
        assert arguments[0] == command
        sheets.commands[command].make_context(command, arguments[1:])
    options = [o for o in sheets.commands[command].params if isinstance(o, click.Option)]
    assert all(option.help for option in options)
