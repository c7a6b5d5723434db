"""``storyaudit evaluate``: anybody's rewards on a benchmark, sound or not."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import prose
import pytest
from cli_samples import add_column, changed, csv_bytes, jsonl_bytes, write

from storyaudit.findings import Finding, Report
from storyaudit.layouts.benchmark_file import read_benchmark

ITEMS = [
    {
        "prompt": f"A premise about {number}.",
        "chosen": f"The best story of number {number}.",
        "rejected": [f"Story {place} of number {number}, and it is worse." for place in "abc"],
        "origin": ("llm_llm", "human_llm")[number % 2],
        "dimension": ("fluency", "creativity")[number % 2],
    }
    for number in range(12)
]


@pytest.fixture
def items(folder: Path) -> Path:
    return write("items.jsonl", jsonl_bytes(ITEMS))


@pytest.fixture
def scores(items: Path) -> list[dict]:
    """Rewards that are right on all items but the first two, in the order of their IDs."""
    benchmark = read_benchmark(items)
    wrong = sorted(benchmark.gold["item_id"])[:2]
    chosen = set(benchmark.gold["chosen_id"])
    return [
        {
            "item_id": item,
            "story_id": story,
            "reward": (0.5 if item in wrong else 9.0) if story in chosen else float(position),
        }
        for item, position, story in benchmark.candidates[
            ["item_id", "position", "story_id"]
        ].itertuples(index=False)
    ]


def report_of(outcome) -> Report:
    return Report.model_validate(json.loads(outcome.out))


def findings(outcome) -> dict[str, Finding]:
    return {finding.id: finding for finding in report_of(outcome).findings}


def test_valid_scores_exit_with_0_and_report_the_accuracy(items, scores, run) -> None:
    outcome = run("evaluate", write("mine.csv", scores), "--benchmark", items, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    report, found = report_of(outcome), findings(outcome)
    assert (report.study, report.audit) == ("items", "evaluation")
    # Named after the file, as it does not say what made the scores.
    assert found["model-mine"].numbers["micro"] == round(10 / 12, 6)
    prose.check(
        "accuracy/command: valid scores exit with 0 and report the accuracy", found["columns"]
    )
    assert report.command.startswith("storyaudit evaluate ")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "xlsx"])
def test_every_format_gives_the_same(suffix: str, items, scores, run) -> None:
    import pandas as pd

    plain = findings(run("evaluate", write("x.csv", scores), "--benchmark", items, "--json"))
    Path("x.csv").unlink()
    frame, path = pd.DataFrame(scores), Path(f"x.{suffix}")
    match suffix:
        case "csv" | "tsv":
            frame.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
        case "jsonl":
            path.write_bytes(jsonl_bytes(scores))
        case "parquet":
            frame.to_parquet(path)
        case "xlsx":
            frame.to_excel(path, index=False)
    found = findings(run("evaluate", path, "--benchmark", items, "--json"))
    assert {n: f.numbers for n, f in found.items()} == {n: f.numbers for n, f in plain.items()}


def reward_bench(items: Path, wrong: int) -> dict[str, Any]:
    """RewardBench's file of scores: the first so many items wrong, in the order of their IDs."""
    ids = sorted(read_benchmark(items).gold["item_id"])
    return {
        "id": ids,
        "scores_chosen": [0.0 if n < wrong else 9.0 for n in range(len(ids))],
        "scores_rejected": [[1.0, 2.0, 3.0]] * len(ids),
        "model": "org/rm",
    }


def test_reward_benchs_file_of_scores_is_read(items, scores, run) -> None:
    bench = write("rm.json", json.dumps(reward_bench(items, 2)).encode())
    outcome = run("evaluate", bench, write("one.csv", scores), "--benchmark", items, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = findings(outcome)
    # The same two items are wrong in both files.
    assert found["model-rm"].numbers["micro"] == found["model-one"].numbers["micro"]
    assert found["model-rm"].numbers["micro"] == round(10 / 12, 6)
    prose.check("accuracy/command: reward benchs file of scores is read", found["columns"])


def test_reward_benchs_file_of_another_benchmark_is_refused(items, run) -> None:
    content = reward_bench(items, 0)
    other = {**content, "id": [f"z{name}" for name in content["id"]]}
    bench = write("rm.json", json.dumps(other).encode())
    refused(run("evaluate", bench, "--benchmark", items), "rm.json, row 1: ", "of this benchmark")
    bench = write("rm.json", b'{"accuracy": 0.5}')
    refused(run("evaluate", bench, "--benchmark", items), "rm.json: ", "scores_chosen")
    write("a/rm.json", json.dumps(content).encode())
    bench = write("rm.json", json.dumps(content).encode())
    refused(run("evaluate", bench, "a/rm.json", "--benchmark", items), "a/rm.json: ", "variant")


def test_a_benchmark_with_another_column_is_told_what_to_rename(folder, run) -> None:
    rows = [{"best" if k == "chosen" else k: v for k, v in row.items()} for row in ITEMS]
    bench = write("other.jsonl", jsonl_bytes(rows))
    outcome = run("evaluate", write("x.csv", by_story()), "--benchmark", bench)
    refused(outcome, "other.jsonl: ", "Rename the column to 'chosen'")


def test_several_files_and_runs_are_compared(items, scores, run) -> None:
    one = write("one.csv", scores)
    named = [
        {**row, "variant": "two", "model": "m", "seed": seed} for seed in (1, 2) for row in scores
    ]
    two = write("two.jsonl", jsonl_bytes(named))
    found = findings(run("evaluate", one, two, "--benchmark", items, "--json"))
    assert {"model-one", "model-two", "difference-one-two"} <= set(found)
    assert found["model-two"].numbers["seeds"] == 2


def test_out_holds_the_findings_and_every_items_outcome(items, scores, run, folder) -> None:
    outcome = run("evaluate", write("x.csv", scores), "--benchmark", items, "--out", "o", "--json")
    assert sorted(path.name for path in Path("o").iterdir()) == [
        "evaluation-evidence.csv",
        "evaluation.json",
        "groups.csv",
        "results.csv",
    ]
    assert Path("o/evaluation.json").read_text("utf-8") == outcome.out
    results = list(csv.DictReader(io.StringIO(Path("o/results.csv").read_text("utf-8"))))
    assert len(results) == 12
    assert [row["correct"] for row in results].count("True") == 10
    groups = list(csv.DictReader(io.StringIO(Path("o/groups.csv").read_text("utf-8"))))
    assert {row["items"] for row in groups if row["kind"] == "origin"} == {"6"}
    # What it wrote can be compared with others.
    assert run("compare", "o/results.csv", "--resamples", 100).code == 0


def test_the_bootstrap_follows_its_seed(items, scores, run) -> None:
    rows = [{**row, "reward": row["reward"] * (-1) ** i} for i, row in enumerate(scores)]
    call = ["evaluate", write("x.csv", rows), "--benchmark", items, "--resamples", 100, "--json"]
    first, again, other = (
        {n: f.numbers for n, f in findings(run(*call, "--seed", seed)).items()}
        for seed in (1, 1, 2)
    )
    assert first == again != other


FAULTS = {
    "scores-known": lambda rows: changed(rows, 3, item_id="another"),
    "scores-once": lambda rows: [*rows, rows[0]],
    "scores-present": lambda rows: changed(rows, 3, reward=None),
    "scores-finite": lambda rows: changed(rows, 3, reward="inf"),
    "scores-complete": lambda rows: rows[:-1],
    "scores-named": lambda rows: changed(rows, 3, story_id=""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_exits_with_1_and_is_named(fault: str, items, scores, run) -> None:
    outcome = run("evaluate", write("x.csv", FAULTS[fault](scores)), "--benchmark", items, "--json")
    assert (outcome.code, outcome.err) == (1, "")
    assert fault in {finding.id for finding in report_of(outcome).fails()}
    assert "model-x" in findings(outcome)  # what is sound is evaluated all the same


def test_scores_of_another_benchmark_fail(items, scores, run) -> None:
    rows = [{**row, "item_id": f"z{row['item_id']}"} for row in scores]
    outcome = run("evaluate", write("x.csv", rows), "--benchmark", items, "--json")
    assert outcome.code == 1
    assert [left.id for left in report_of(outcome).unchecked] == ["accuracy"]


def test_rewards_all_alike_are_a_warning(items, scores, run) -> None:
    rows = [{**row, "reward": 1} for row in scores]
    outcome = run("evaluate", write("x.csv", rows), "--benchmark", items, "--json")
    assert outcome.code == 0
    assert findings(outcome)["rewards-vary"].severity == "warn"
    assert findings(outcome)["model-x"].numbers["credit_macro"] == 0.25


def test_items_that_do_not_tell_their_dimension(folder, run) -> None:
    plain = [{n: row[n] for n in ("prompt", "chosen", "rejected")} for row in ITEMS]
    items = write("plain.jsonl", jsonl_bytes(plain))
    places = read_benchmark(items).candidates[["item_id", "story_id"]]
    rows = [{**row, "reward": n} for n, row in enumerate(places.to_dict("records"))]
    found = findings(run("evaluate", write("x.csv", rows), "--benchmark", items, "--json"))
    numbers = found["model-x"].numbers
    assert numbers["macro"] == numbers["micro"]
    prose.check(
        "accuracy/command: items that do not tell their dimension", found["items-without-dimension"]
    )


TABLES: dict[str, Any] = {
    "benchmark": [{"item_id": f"i{n}", "chosen_id": f"i{n}-2"} for n in range(6)],
    "candidates": [
        {
            "item_id": f"i{n}",
            "position": place,
            "story_id": f"i{n}-{place}",
            "premise_id": "p",
            "origin": "llm_llm",
        }
        for n in range(6)
        for place in range(4)
    ],
    "premises": [{"premise_id": "p", "text": "A premise.", "language": "en", "source": "s"}],
    "stories": [
        {
            "story_id": f"i{n}-{place}",
            "author_kind": "llm",
            "author": "m",
            "language": "en",
            "text": f"Story {place} of {n}.",
            "source": "s",
        }
        for n in range(6)
        for place in range(4)
    ],
}


def write_folder(**without: None) -> Path:
    for name, rows in TABLES.items():
        if name not in without:
            write(f"study/{name}.csv", rows)
    return Path("study")


def by_story() -> list[dict]:
    return [
        {"item_id": row["item_id"], "story_id": row["story_id"], "reward": row["position"]}
        for row in TABLES["candidates"]
    ]


def test_a_folder_of_tables_is_a_benchmark(folder, run) -> None:
    outcome = run("evaluate", write("x.csv", by_story()), "--benchmark", write_folder(), "--json")
    assert outcome.code == 0
    assert report_of(outcome).study == "study"
    assert findings(outcome)["model-x"].numbers["micro"] == 0  # the highest is always story 3


def refused(outcome, *named: object) -> None:
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert "Traceback" not in outcome.err
    for part in named:
        assert str(part) in outcome.err


def test_a_benchmark_without_gold_is_refused(folder, run) -> None:
    call = ["evaluate", write("x.csv", by_story()), "--benchmark", write_folder(benchmark=None)]
    refused(run(*call), "study: ", "benchmark", "chosen_id")


@pytest.mark.parametrize("name", ["item_id", "story_id", "reward"])
def test_a_missing_column(name: str, items, scores, run) -> None:
    rows = [{k: v for k, v in row.items() if k != name} for row in scores]
    refused(run("evaluate", write("x.csv", rows), "--benchmark", items), "x.csv: ", name)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "empty"),
        (b"item_id,story_id,reward\n", "at least one row"),
        (b"item_id,story_id,reward\na,b,good\n", "row 2, column 'reward'"),
        (b"item_id,story_id,reward,seed\na,b,1,1.5\n", "row 2, column 'seed'"),
        ("item_id,story_id,reward\né,b,1\n".encode("latin-1"), "UTF-8"),
    ],
)
def test_scores_that_cannot_be_read(content: bytes, named: str, items, run) -> None:
    refused(run("evaluate", write("x.csv", content), "--benchmark", items), "x.csv", named)


def test_no_such_file_and_no_such_benchmark(items, scores, run) -> None:
    refused(run("evaluate", "nowhere.csv", "--benchmark", items), "nowhere.csv: ")
    table = write("x.csv", scores)
    refused(run("evaluate", table, "--benchmark", "nowhere.jsonl"), "nowhere.jsonl: ")
    refused(run("evaluate", table), "--benchmark")
    refused(run("evaluate", "--benchmark", items), "SCORES")


def test_scores_that_cannot_be_told_apart_are_refused(items, scores, run) -> None:
    one, two = write("a/x.csv", scores), write("b/x.csv", scores)
    refused(run("evaluate", one, two, "--benchmark", items), "b/x.csv: ", "variant", "a/x.csv")
    refused(run("evaluate", one, "a/../a/x.csv", "--benchmark", items), "given twice")


def test_further_columns_are_named(items, scores, run) -> None:
    table = write("x.csv", add_column(scores, "mood", "calm"))
    found = findings(run("evaluate", table, "--benchmark", items, "--json"))
    prose.check("accuracy/command: further columns are named", found["ignored-columns"])


@pytest.mark.parametrize(
    "variant", ["\x1b[31m\x07", "=cmd|' /C calc'!A0", "[bold]x[/bold]", "🙂" * 9]
)
def test_hostile_names_stay_text(variant: str, items, scores, run) -> None:
    table = write("x.jsonl", jsonl_bytes(add_column(scores, "variant", variant)))
    outcome = run("evaluate", table, "--benchmark", items, "--out", "o")
    assert outcome.code == 0
    assert not {"\x1b", "\x07"} & set(outcome.out)
    written = Path("o/results.csv").read_text("utf-8")
    assert not any(line.startswith("=") for line in written.splitlines())
    assert run("evaluate", table, "--benchmark", items, "--json").code == 0


def test_a_byte_order_mark_makes_no_difference(items, scores, run) -> None:
    table = write("x.csv", csv_bytes(scores))
    plain = findings(run("evaluate", table, "--benchmark", items, "--json"))
    table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())
    assert findings(run("evaluate", table, "--benchmark", items, "--json")) == plain
