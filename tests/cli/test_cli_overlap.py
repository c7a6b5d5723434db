"""``storyaudit overlap`` on injected overlaps, in every layout."""

import csv
import gzip
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import prose
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_samples import OTHER, STORY, Row, jsonl_bytes, write

from storyaudit.cli import watching as module
from storyaudit.cli.watching import pace, watching
from storyaudit.findings import Finding

FRAME = "Long before that, nobody knew. {} And so it went on for years."
HALF = STORY[:90] + " but then it all went another way, which nobody had foreseen or asked for."
PREMISE = "A ferryman names a price that a girl alone can pay on a night of storms."
CHINESE = "风从北方吹来，老人把最后一盏灯挂在门前，等一个再也不会回来的人。"


def report(outcome: Any) -> dict[str, dict[str, Any]]:
    """The findings by id."""
    return {finding["id"]: finding for finding in json.loads(outcome.out)["findings"]}


def table(name: str, folder: str = "out") -> list[dict[str, str]]:
    with Path(folder, name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows(**texts: str) -> list[Row]:
    return [{"id": name, "text": text} for name, text in texts.items()]


@pytest.fixture
def sides() -> tuple[Path, Path]:
    train = rows(t1=OTHER, t2=FRAME.format(STORY), t3=HALF, t4=f"{CHINESE} 完", t5="")
    benchmark = rows(b1=STORY, b2=CHINESE, b3="Nothing of this one stands anywhere else at all.")
    return (
        write("train.jsonl", jsonl_bytes(train)),
        write("bench.csv", benchmark),
    )


def test_embedded_stories_excerpts_and_chinese_are_found_with_their_passages(sides, run) -> None:
    train, benchmark = sides
    outcome = run("overlap", train, "--against", benchmark, "--json", "--out", "out")
    assert outcome.code == 1
    found = report(outcome)
    assert found["story-near-duplicate"]["severity"] == "fail"
    assert found["story-near-duplicate"]["numbers"]["overlapping"] == 2
    assert found["story-partial"]["numbers"]["overlapping"] == 1
    assert found["story-empty"]["numbers"]["empty"] == 1
    pairs = [(r["left_id"], r["right_id"]) for r in table("overlaps.csv")]
    expected = [("b1", "t2"), ("b2", "t4"), ("b1", "t3")]
    assert sorted(pairs) == sorted(expected)
    passages = table("passages.csv")
    assert [(p["left_id"], p["right_id"]) for p in passages] == expected  # by their longest run
    start = int(passages[0]["right_start"])
    assert FRAME.format(STORY)[start : int(passages[0]["right_end"])] == STORY[:-1]
    assert passages[0]["left"] == passages[0]["right"] == STORY[:-1]
    assert passages[1]["left"] == CHINESE[:-1]
    (first,) = [r for r in found["story-near-duplicate"]["evidence"] if r["benchmark"] == "b1"]
    assert first["passage"] == STORY[:-1]
    assert first["in_training"] == f"{start}–{start + len(STORY) - 1}"
    prose.check("overlap/command: texts and their files", Finding(**found["columns"]))


def test_without_text_there_are_places_and_no_word_of_the_stories(sides, run) -> None:
    train, benchmark = sides
    outcome = run("overlap", train, "--against", benchmark, "--no-text", "--json", "--out", "out")
    assert outcome.code == 1
    written = "".join(path.read_text(encoding="utf-8") for path in Path("out").iterdir())
    for word in ("ferryman", "风从北方"):
        assert word not in written + outcome.out
    (first, *_) = table("passages.csv")
    assert (first["left_start"], first["left_end"]) == ("0", str(len(STORY) - 1))
    assert "left" not in first
    assert "in_training" in report(outcome)["story-near-duplicate"]["evidence"][0]


def test_thresholds_decide_what_is_a_near_duplicate_and_what_is_reported(sides, run) -> None:
    train, benchmark = sides
    call = ["overlap", train, "--against", benchmark, "--json"]
    assert report(run(*call, "--min-containment", 0.5))["story-partial"]["severity"] == "pass"
    low = report(run(*call, "--duplicate-threshold", 0.4))
    assert low["story-near-duplicate"]["numbers"]["pairs"] == 3
    longer = report(run(*call, "--shingle", 20))
    assert longer["story-near-duplicate"]["numbers"]["pairs"] == 2
    assert longer["story-partial"]["numbers"]["pairs"] == 0  # of 17 words


def test_sound_sides_exit_with_0_and_write_empty_tables(run) -> None:
    train, benchmark = write("t.csv", rows(t=OTHER)), write("b.csv", rows(b=STORY))
    outcome = run("overlap", train, "--against", benchmark, "--self", "--out", "out")
    assert (outcome.code, outcome.err) == (0, "")
    for name in ("overlaps", "passages", "near_duplicates", "groups"):
        assert table(f"{name}.csv") == []


@pytest.mark.parametrize("threads", [1, 3])
def test_files_folders_patterns_and_formats_make_no_difference(threads: int, run) -> None:
    texts = rows(t1=OTHER, t2=FRAME.format(STORY), t3=HALF)
    write("a/one.jsonl", jsonl_bytes(texts[:1]))
    Path("a/two.jsonl.gz").write_bytes(gzip.compress(jsonl_bytes(texts[1:])))
    pq.write_table(pa.Table.from_pylist(texts), "whole.parquet")
    frame = pd.DataFrame(texts)
    frame.to_excel("whole.xlsx", index=False)
    benchmark = write("b.csv", rows(b1=STORY))
    tables = []
    for train in ("a", "a/*", "whole.parquet", "whole.xlsx", write("whole.csv", texts)):
        outcome = run(
            "overlap", train, "--against", benchmark, "--threads", threads, "--out", "out"
        )
        assert outcome.code == 1
        tables.append((table("overlaps.csv"), table("passages.csv")))
    assert all(other == tables[0] for other in tables)
    assert len(tables[0][0]) == 2


ITEM = {
    "prompt": PREMISE,
    "chosen": STORY,
    "rejected": ["One story that is quite another one.", f"{OTHER} So it was.", OTHER],
}


def test_items_are_read_as_a_benchmark_with_premises(run) -> None:
    benchmark = write("items.jsonl", jsonl_bytes([ITEM]))
    train = write(
        "pairs.jsonl",
        jsonl_bytes([{"prompt": "p", "chosen": f"{PREMISE} {STORY}", "rejected": "else"}]),
    )
    outcome = run("overlap", train, "--against", benchmark, "--self", "--json", "--out", "out")
    found = report(outcome)
    assert outcome.code == 1
    assert found["story-near-duplicate"]["numbers"]["benchmark"] == 4
    assert found["story-near-duplicate"]["numbers"]["items"] == 1
    assert found["premise-in-story-near-duplicate"]["severity"] != "pass"
    assert found["whole-items"]["numbers"]["whole"] == 1
    assert found["item-story-near-duplicate"]["numbers"]["pairs"] == 1  # OTHER twice
    assert found["benchmark-story-near-duplicate"]["severity"] == "pass"
    prose.check("overlap/command: items and what is chosen", Finding(**found["columns"]))
    levels = {row["level"] for row in table("overlaps.csv")}
    assert levels == {"story", "premise_in_story"}


def test_a_folder_of_tables_is_read_as_a_benchmark(run) -> None:
    stories = {f"s{n}": text for n, text in enumerate([STORY, OTHER, "else " * 9, HALF])}
    write(
        "study/stories.csv",
        [
            {"story_id": n, "premise_id": "p", "author_kind": "llm", "author": "m",
             "language": "en", "text": text, "source": "x"}
            for n, text in [*stories.items(), ("unused", FRAME.format(STORY))]
        ],
    )  # fmt: skip
    write(
        "study/premises.csv",
        [{"premise_id": "p", "text": PREMISE, "language": "en", "source": "x"}],
    )
    write(
        "study/candidates.csv",
        [
            {"item_id": "i", "position": n, "story_id": f"s{n}", "premise_id": "p",
             "origin": "llm_llm"}
            for n in range(4)
        ],
    )  # fmt: skip
    train = write("train.csv", rows(t=FRAME.format(STORY)))
    found = report(run("overlap", train, "--against", "study", "--json"))
    assert found["story-near-duplicate"]["numbers"]["benchmark"] == 4
    assert found["story-near-duplicate"]["evidence"][0]["benchmark"] == "s0"
    assert "same-file" not in found
    inside = report(run("overlap", "study/stories.csv", "--against", "study", "--json"))
    assert inside["same-file"]["severity"] == "fail"
    prose.check("overlap/command: a file on both sides", Finding(**inside["same-file"]))


def test_near_duplicates_within_a_side_and_within_a_pair(run) -> None:
    train = [
        {"id": "p1", "chosen": STORY, "rejected": f"{STORY} So it was."},
        {"id": "p2", "chosen": OTHER, "rejected": STORY},
    ]
    benchmark = rows(b1=OTHER.upper(), b2=f"{OTHER} Twice.", b3=CHINESE)
    outcome = run(
        "overlap", write("t.jsonl", jsonl_bytes(train)),
        "--against", write("b.jsonl", jsonl_bytes(benchmark)),
        "--self", "--json", "--out", "out",
    )  # fmt: skip
    found = report(outcome)
    assert found["training-story-near-duplicate"]["numbers"]["training"] == 4
    assert found["training-story-near-duplicate"]["numbers"]["overlapping"] == 3
    assert found["benchmark-story-near-duplicate"]["numbers"]["overlapping"] == 2
    assert "training-recall" in found
    pairs = {
        (row["training"], row["other"]): row["relation"]
        for row in found["training-story-near-duplicate"]["evidence"]
    }
    assert pairs[("p1:chosen", "p1:rejected")] == "pair"
    assert pairs[("p1:chosen", "p2:rejected")] is None
    assert {row["member_id"] for row in table("groups.csv")} == {
        "p1:chosen", "p1:rejected", "p2:rejected"
    }  # fmt: skip
    assert {row["comparison"] for row in table("overlaps.csv")} == {
        "train_benchmark", "benchmark_benchmark"
    }  # fmt: skip


@pytest.mark.parametrize("how", ["same", "link", "copy", "inside"])
def test_one_file_on_both_sides_is_said(how: str, run) -> None:
    train = write("sub/t.csv", rows(t=STORY))
    benchmark: Path = train
    if how == "link":
        (benchmark := Path("link.csv")).symlink_to(train)
    elif how == "copy":
        benchmark = write("b.csv", rows(t=STORY))
    given = "sub" if how == "inside" else train
    found = report(outcome := run("overlap", given, "--against", benchmark, "--json"))
    assert outcome.code == 1
    assert found["same-file"]["severity"] == "fail"
    assert found["same-file"]["evidence"][0]["training"].endswith("t.csv")


def test_other_files_of_one_size_are_not_the_same(run) -> None:
    train, benchmark = write("t.csv", rows(t=STORY)), write("b.csv", rows(t=STORY[::-1]))
    assert "same-file" not in report(run("overlap", train, "--against", benchmark, "--json"))


def test_decontaminated_files_hold_no_overlap_any_more(sides, run) -> None:
    train, benchmark = sides
    before = train.read_bytes().splitlines(keepends=True)
    call = ["overlap", train, "--against", benchmark, "--json"]
    found = report(run(*call, "--decontaminate-to", "clean"))
    prose.check(
        "overlap/command: training files without what overlaps", Finding(**found["decontaminated"])
    )
    assert found["decontaminated"]["numbers"] == {"removed": 2, "kept": 3, "files": 1}
    assert Path("clean/train.jsonl").read_bytes() == before[0] + before[2] + before[4]
    assert [row["id"] for row in table("removed.csv", "clean")] == ["t2", "t4"]
    again = run("overlap", "clean/train.jsonl", "--against", benchmark, "--json")
    assert again.code == 0
    found = report(run(*call, "--decontaminate-to", "cleaner", "--decontaminate-threshold", 0.1))
    assert found["decontaminated"]["numbers"]["removed"] == 3
    assert train.read_bytes() == b"".join(before)


def test_where_decontaminated_files_may_not_lie(sides, run) -> None:
    train, benchmark = sides
    write("full/x.csv", rows(t=OTHER))
    for folder, given in (("full", train), ("full/new", "full"), (train, train)):
        outcome = run("overlap", given, "--against", benchmark, "--decontaminate-to", folder)
        assert (outcome.code, outcome.out) == (2, "")
        assert "--decontaminate-to" in outcome.err
    assert sorted(path.name for path in Path("full").iterdir()) == ["x.csv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--min-containment", "0.6"], "--min-containment must not exceed --duplicate-threshold"),
        (["--min-containment", "0"], "--min-containment"),
        (["--duplicate-threshold", "nan"], "--duplicate-threshold"),
        (["--duplicate-threshold", "1.5"], "--duplicate-threshold"),
        (
            ["--decontaminate-threshold", "0.5"],
            "--decontaminate-threshold needs --decontaminate-to",
        ),
        (["--decontaminate-threshold", "0", "--decontaminate-to", "x"], "decontaminate-threshold"),
        (["--threads", "0"], "threads"),
        (["--shingle", "51"], "shingle"),
        (["t.csv"], "given twice"),
    ],
    ids=str,
)
def test_wrong_usage(arguments: list[str], said: str, run) -> None:
    write("t.csv", rows(t=STORY))
    outcome = run("overlap", "t.csv", "--against", write("b.csv", rows(b=STORY)), *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.csv", b"id,text\n", "at least one row"),
        ("t.jsonl", b'{"id": "a", "text": 3}\n', "row 1, column 'text'"),
        ("t.jsonl", b'{"id": "a", "text": "x"}\n{"id": "a", "te', "row 2"),
        ("t.jsonl", b'{"id": "a", "body": "x"}\n', "--text-column"),
        ("t.csv.gz", b"not compressed", "t.csv.gz"),
        ("t.parquet", b"PAR1", "Parquet"),
        ("t.jsonl", '{"text": "x"}\n'.encode("utf-16"), "UTF-8"),
        ("t.docx", b"x", "'t.docx'"),
        ("empty", None, "expected files ending in"),
        ("*.nothing", None, "no such file"),
    ],
)
def test_bad_files_on_either_side(name: str, content: bytes | None, said: str, run) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    elif name == "empty":
        Path(name).mkdir()
    good = write("good.csv", rows(t=STORY))
    for call in (["overlap", name, "--against", good], ["overlap", good, "--against", name]):
        outcome = run(*call, "--out", "out", "--decontaminate-to", "clean")
        assert (outcome.code, outcome.out) == (2, "")
        assert said in outcome.err
        assert outcome.err.count("\n") == 1
    assert not Path("out").exists()
    assert not Path("clean").exists()


def test_columns_are_guessed_or_named(run) -> None:
    train = write("t.csv", [{"key": "k", "body": STORY, "story": OTHER}])
    benchmark = write("b.csv", [{"key": "c", "body": STORY}])
    call = ["overlap", train, "--against", benchmark, "--text-column", "body", "--id-column", "key"]
    found = report(run(*call, "--json"))
    prose.check("overlap/command: columns that were named", Finding(**found["columns"]))
    assert found["story-near-duplicate"]["evidence"][0]["training"] == "k"


def test_hostile_texts_and_ids_are_shown_and_run_nothing(run) -> None:
    hostile = "=cmd|' /C calc'!A0 <script>alert(1)</script> \x1b[31m \u202e [bold]x[/bold]"
    train = write("t.csv", [{"id": hostile, "text": f"{hostile} {STORY}"}])
    benchmark = write("b.csv", [{"id": hostile, "text": f"{hostile} {STORY}"}])
    shown = run("overlap", train, "--against", benchmark, "--out", "out")
    assert shown.code == 1
    assert "\x1b" not in shown.out
    cells = [
        c for row in csv.reader(io.StringIO(Path("out/passages.csv").read_text())) for c in row
    ]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    assert run("report", "out", "--out", "page").code == 0
    page = Path("page/index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "\x1b" not in page


def test_pace_tells_rate_and_time_left() -> None:
    half = pace(50_000_000, 500, 10.0, texts=1000, size=None)
    assert half == "50 MB, 5 MB/s, about 0:10 left"
    quarter = pace(25_000_000, 7, 30.0, texts=None, size=100_000_000)
    assert quarter == "25 MB, 1 MB/s, at most 1:30 left"
    assert pace(25_000_000, 7, 30.0, texts=None, size=None) == "25 MB, 1 MB/s"
    assert pace(0, 0, 0.0, texts=10, size=10) == "0 MB, 0 MB/s"
    assert pace(10, 10, 1.0, texts=10, size=10) == "0 MB, 0 MB/s"  # nothing is left
    assert pace(0, 1, 1.0, texts=0, size=0) == "0 MB, 0 MB/s"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    for patience, shown in ((1000.0, False), (0.0, True)):
        monkeypatch.setattr(sys, "stderr", terminal := Terminal())
        monkeypatch.setattr(module, "PATIENCE", patience)
        with watching("Searching", texts=10) as watch:
            watch(5_000_000, 5)
            time.sleep(0.2)
        assert ("Searching: 5 MB" in terminal.getvalue()) == shown
    monkeypatch.setattr(sys, "stderr", plain := io.StringIO())
    with watching("Searching") as watch:
        watch(1, 1)
    assert plain.getvalue() == ""


@pytest.mark.parametrize(
    "where",
    [
        "external_files.scan",
        "passages.passages",
        "decontaminated_files.scan",
        "decontaminated_files.csv_text",
    ],
)
def test_an_interruption_leaves_nothing_half_written(
    where: str, sides, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, benchmark = sides

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"audits.overlap.{where}", interrupt)
    outcome = run(
        "overlap", train, "--against", benchmark, "--out", "out", "--decontaminate-to", "new"
    )
    assert (outcome.code, outcome.out) == (130, "")
    assert "Interrupted" in outcome.err
    assert sorted(path.name for path in Path().iterdir()) == sorted([train.name, benchmark.name])


@pytest.mark.parametrize("out", ["shards", "shards/inside", "clean"])
def test_findings_go_neither_into_what_is_read_nor_into_the_decontaminated_files(
    out: str, run
) -> None:
    write("shards/train.jsonl", jsonl_bytes(rows(t1=OTHER)))
    benchmark = write("bench.csv", rows(b1=STORY))
    before = set(Path().rglob("*"))
    arguments = ["shards", "--against", benchmark, "--decontaminate-to", "clean", "--out", out]
    outcome = run("overlap", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "another place" in outcome.err
    assert set(Path().rglob("*")) == before


def test_a_file_is_not_read_twice_by_its_name_and_its_folders(run) -> None:
    train = write("shards/train.jsonl", jsonl_bytes(rows(t1=OTHER)))
    benchmark = write("bench.csv", rows(b1=STORY))
    outcome = run("overlap", "shards", train, "--against", benchmark)
    assert outcome.code == 2 and "twice" in outcome.err


def test_decontaminated_files_can_be_read_again_as_a_folder(run) -> None:
    train = write("train.jsonl", jsonl_bytes(rows(t1=OTHER, t2=STORY)))
    benchmark = write("bench.csv", rows(b1=STORY))
    assert run("overlap", train, "--against", benchmark, "--decontaminate-to", "clean").code == 1
    assert Path("clean/removed.csv").is_file()
    assert run("overlap", "clean", "--against", benchmark).code == 0


def test_a_passage_beside_a_word_of_megabytes_is_shown(run) -> None:
    sentence = "Hello there my good old friend, and more of it"
    train = write("train.jsonl", jsonl_bytes(rows(t1=f"{sentence} {'a' * 3_000_000}")))
    benchmark = write("bench.csv", rows(b1=sentence))
    outcome = run("overlap", train, "--against", benchmark, "--out", "out")
    assert outcome.code == 1
    assert table("passages.csv")


def test_too_little_memory_is_no_finding(sides, run, monkeypatch: pytest.MonkeyPatch) -> None:
    def starve(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("audits.overlap.external_files.compare_with", starve)
    train, benchmark = sides
    outcome = run("overlap", train, "--against", benchmark)
    assert (outcome.code, outcome.out) == (2, "") and "not enough memory" in outcome.err


@pytest.mark.parametrize("threads", [1, 3])
def test_texts_are_fetched_again_by_id_from_many_files_at_once(threads: int) -> None:
    from audits.overlap.external_files import wanted_texts
    from storyaudit.layouts.text_source import open_source

    for shard in range(4):
        write(f"shards/{shard}.jsonl", jsonl_bytes(rows(**{f"t{shard}": STORY, f"u{shard}": "x"})))
    seen: list[tuple[int, int]] = []
    found = wanted_texts(
        [open_source(Path("shards"))],
        {"t0", "u2", "t3", "absent"},
        threads=threads,
        watch=lambda size, texts: seen.append((size, texts)),
    )
    fetched = [(name, text.as_py()) for batch in found for name, text in zip(*batch, strict=True)]
    assert fetched == [("t0", STORY), ("u2", "x"), ("t3", STORY)]
    assert seen == [(len(STORY.encode()) + 1, 2)] * 4
    assert list(wanted_texts([open_source(Path("shards"))], set())) == []
