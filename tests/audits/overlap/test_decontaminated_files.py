"""Cleaned training files: the rows that overlap are gone, and every other byte is as it was."""

import csv
import errno
import gzip
import io
import json
import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audits.overlap import decontaminated_files as module
from audits.overlap.decontaminated_files import (
    COLUMNS,
    REMOVED,
    Decontaminated,
    check_folder,
    write_decontaminated,
)
from audits.overlap.scan import Side
from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.text.tokens import tokenise

STORY = (
    "The ferryman counted his coins twice before the storm took the far bank, and when the girl "
    "asked for passage he named a price that nobody in the village had ever paid."
)
HALF = STORY[:80]
OTHER = "Rain fell on the observatory all week while two sisters argued about a comet and a will."
CHINESE = "风从北方吹来，老人把最后一盏灯挂在门前，等一个再也不会回来的人。"
SIDE = Side(["b1", "b2"], tokenise([STORY, CHINESE]))
PARAMS = OverlapParams()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compressed(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def decontaminated(*inputs: str, **options: object) -> Decontaminated:
    return write_decontaminated(
        [Path(name) for name in inputs], SIDE, PARAMS, Path("out"), **options
    )


def removed_rows() -> list[dict[str, str]]:
    with Path("out", REMOVED).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def packed(name: str, content: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(content)
    return compressed(content) if name.endswith(".zst") else content


def unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content)
    return (
        pa.input_stream(pa.BufferReader(content), compression="zstd").read()
        if path.suffix == ".zst"
        else content
    )


LINES = [
    b'\xef\xbb\xbf{"text": "one two three four five six", "id":  1, "x": 1.50}\r\n',
    b"\n",
    json.dumps({"id": "a", "text": f"Before. {STORY}"}).encode() + b"\n",
    b'{"id": "b", "text": null}\n',
    json.dumps({"text": CHINESE, "id": "c"}, ensure_ascii=False).encode() + b"\n",
    b'  {"id": "d", "text": "e\\u0301t\\u00e9 \xe4\xb8\xad", "n": [1e400, {"a": {}}]}',
]


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.json", "t.jsonl.gz", "t.jsonl.zst"])
def test_lines_of_json_stay_byte_for_byte(name: str) -> None:
    Path(name).write_bytes(packed(name, b"".join(LINES)))
    done = decontaminated(name)
    assert unpacked(Path("out", name)) == b"".join(LINES[row] for row in (0, 1, 3, 5))
    assert (done.kept, done.files, list(done.removed.columns)) == (3, 1, list(COLUMNS))
    assert removed_rows() == [
        {"file": name, "row": "3", "id": "a", "benchmark_id": "b1", "containment": "1.0"},
        {"file": name, "row": "5", "id": "c", "benchmark_id": "b2", "containment": "1.0"},
    ]
    assert sorted(path.name for path in Path("out").iterdir()) == sorted([REMOVED, name])


RECORDS = [
    'id,text,note\r\n',
    f'1,"{OTHER}","a ""quoted"" note"\r\n',
    '\r\n',
    f'2,"{STORY[:60]}\n{STORY[60:]}",\r\n',
    '3,"a text\nof two lines, quoted",=1+1\n',
    f"4,{CHINESE},x\n",
    '"5","last, without an end",""',
]  # fmt: skip


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "t.tsv.zst"])
def test_records_of_csv_stay_byte_for_byte(name: str) -> None:
    records = RECORDS if ".csv" in name else [r.replace(",", "\t") for r in RECORDS]
    Path(name).write_bytes(packed(name, "".join(records).encode()))
    done = decontaminated(name)
    assert unpacked(Path("out", name)).decode() == "".join(records[n] for n in (0, 1, 2, 4, 6))
    assert done.kept == 3
    assert [(row["row"], row["id"]) for row in removed_rows()] == [("4", "2"), ("6", "4")]


def test_objects_of_a_json_list_stay_as_they_are_written() -> None:
    kept = ['{"text": "one", "n": 1.50}', '{"text" : "two",\n "m": [1, 2, {"]": "}"}]}']
    text = f"\ufeff [{kept[0]} ,\n {json.dumps({'text': STORY})}, {kept[1]}]\n"
    Path("t.json").write_text(text, encoding="utf-8")
    assert decontaminated("t.json").kept == 2
    written = Path("out/t.json").read_text(encoding="utf-8")
    assert all(entry in written for entry in kept)
    assert json.loads(written.removeprefix("\ufeff")) == [json.loads(entry) for entry in kept]
    assert written.startswith("\ufeff")
    assert [(row["row"], row["id"]) for row in removed_rows()] == [("2", "t.json:2")]


def test_a_json_list_of_which_nothing_is_left() -> None:
    Path("t.json").write_text(json.dumps([{"text": STORY}]))
    decontaminated("t.json")
    assert json.loads(Path("out/t.json").read_text()) == []


@pytest.mark.parametrize("compression", ["snappy", "zstd", "none", "gzip"])
def test_parquet_keeps_schema_row_groups_and_compression(compression: str) -> None:
    texts = [STORY if row in (2, 3, 4, 5, 9) else f"text {row}" for row in range(10)]
    table = pa.table(
        {
            "id": pa.array(range(10), pa.int32()),
            "text": pa.array(texts, pa.string()).dictionary_encode(),
            "tags": pa.array([[{"a": row}] for row in range(10)]),
        }
    ).replace_schema_metadata({"huggingface": "kept"})
    pq.write_table(table, "t.parquet", row_group_size=3, compression=compression)
    done = decontaminated("t.parquet")
    kept = [row for row in range(10) if texts[row] != STORY]
    written = pq.ParquetFile("out/t.parquet")
    assert written.schema_arrow.equals(pq.read_schema("t.parquet"), check_metadata=True)
    assert written.read().equals(pq.read_table("t.parquet").take(kept))
    groups = [written.metadata.row_group(n) for n in range(written.num_row_groups)]
    # Rows 0 to 2, 3 to 5 (all gone), 6 to 8, 9 (gone).
    assert [group.num_rows for group in groups] == [2, 3]
    codecs = {group.column(n).compression.lower() for group in groups for n in range(3)}
    assert codecs == {compression.replace("none", "uncompressed")}
    assert done.kept == 5
    assert [row["row"] for row in removed_rows()] == ["3", "4", "5", "6", "10"]
    assert [row["id"] for row in removed_rows()] == ["2", "3", "4", "5", "9"]


def test_large_row_groups_are_parted_and_columns_keep_their_own_compression(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = pa.table({"text": [OTHER * 20] * 4000, "n": range(4000)})
    pq.write_table(table, "t.parquet", compression={"text": "gzip", "n": "zstd"})
    monkeypatch.setattr(bounds, "ROW_GROUP", 1 << 20)
    decontaminated("t.parquet")
    written = pq.ParquetFile("out/t.parquet")
    assert written.num_row_groups > 1
    assert written.read().equals(table)
    assert [written.metadata.row_group(1).column(n).compression for n in (0, 1)] == ["GZIP", "ZSTD"]


def test_texts_of_bytes_in_parquet() -> None:
    table = pa.table({"text": pa.array([STORY.encode(), b"x", None], pa.binary())})
    pq.write_table(table, "t.parquet")
    decontaminated("t.parquet")
    assert pq.read_table("out/t.parquet").equals(table.slice(1))


def test_all_rows_gone_and_none_gone() -> None:
    pq.write_table(pa.table({"text": [STORY, STORY]}), "all.parquet")
    Path("all.jsonl").write_text(json.dumps({"text": STORY}) + "\n")
    Path("none.csv").write_text(f"text\n{OTHER}\n")
    done = decontaminated("all.parquet", "all.jsonl", "none.csv")
    assert (done.kept, done.files, len(done.removed)) == (1, 3, 3)
    assert pq.read_table("out/all.parquet").num_rows == 0
    assert pq.read_schema("out/all.parquet").names == ["text"]
    assert Path("out/all.jsonl").read_bytes() == b""
    assert Path("out/none.csv").read_bytes() == Path("none.csv").read_bytes()


PAIRS: list[dict[str, Any]] = [
    {"id": "p1", "prompt": "p", "chosen": OTHER, "rejected": "else"},
    {"id": "p2", "prompt": "p", "chosen": STORY, "rejected": "else"},
    {"id": "p3", "prompt": "p", "chosen": "else", "rejected": f"{HALF} and on. {STORY}"},
    {"id": "p4", "prompt": STORY, "chosen": "only its prompt", "rejected": "overlaps"},
    {"id": "p5", "chosen": [{"role": "user", "content": STORY},
                            {"role": "assistant", "content": "x"}], "rejected": "y"},
    {"id": "p6", "chosen": "a", "rejected": ["b", STORY, "c"]},
]  # fmt: skip


@pytest.mark.parametrize("own", [True, False])
def test_a_pair_goes_whole_where_either_story_overlaps(own: bool) -> None:
    rows = [row if own else {k: v for k, v in row.items() if k != "id"} for row in PAIRS]
    lines = [json.dumps(row) + "\n" for row in rows]
    Path("t.jsonl").write_text("".join(lines))
    decontaminated("t.jsonl")
    assert Path("out/t.jsonl").read_text() == "".join(lines[n] for n in (0, 3, 4))
    ids = [row["id"] for row in removed_rows()]
    expected = ["p2:chosen", "p3:rejected", "p6:rejected:2"]
    if not own:
        expected = ["t.jsonl:2:chosen", "t.jsonl:3:rejected", "t.jsonl:6:rejected:2"]
    assert ids == expected


def test_of_an_id_of_several_rows_only_the_right_one_goes() -> None:
    rows = [{"id": "same", "text": text} for text in (OTHER, STORY, "else")]
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert decontaminated("t.jsonl").kept == 2
    assert [(row["row"], row["id"]) for row in removed_rows()] == [("2", "same")]


def test_the_duplicate_threshold_is_the_default_and_may_be_another() -> None:
    Path("t.jsonl").write_text(json.dumps({"text": f"{HALF} and nothing else of it"}) + "\n")
    assert len(decontaminated("t.jsonl").removed) == 0
    Path("out").rename("first")
    assert len(decontaminated("t.jsonl", threshold=0.3).removed) == 1
    Path("out").rename("second")
    assert len(decontaminated("t.jsonl", threshold=0.05).removed) == 1  # below min_containment


def test_premises_of_writing_prompts_go_with_their_stories() -> None:
    Path("wp").mkdir()
    Path("wp/train.wp_target").write_text(f"{OTHER}\n{STORY} <newline> End .\nelse\n")
    Path("wp/train.wp_source").write_text("[WP] one\n[WP] two\n[WP] three\n")
    decontaminated("wp")
    assert Path("out/train.wp_target").read_text() == f"{OTHER}\nelse\n"
    assert Path("out/train.wp_source").read_text() == "[WP] one\n[WP] three\n"


def test_documents_go_whole_and_a_folder_keeps_its_layout() -> None:
    Path("docs/deep").mkdir(parents=True)
    Path("docs/a.txt").write_bytes(f"\ufeff{OTHER}\r\n".encode())
    Path("docs/deep/b.txt").write_text(f"{OTHER} {STORY}")
    Path("docs/deep/a.txt").write_text("x")
    assert decontaminated("docs").kept == 2
    assert Path("out/a.txt").read_bytes() == Path("docs/a.txt").read_bytes()
    assert Path("out/deep/a.txt").exists()
    assert not Path("out/deep/b.txt").exists()
    assert removed_rows()[0]["file"] == "docs/deep/b.txt"


def test_several_inputs_lie_side_by_side() -> None:
    for name in ("one/t.jsonl", "two/t.jsonl", "three.jsonl"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text('{"text": "x"}\n')
    decontaminated("one", "two", "three.jsonl")
    found = [p.relative_to("out").as_posix() for p in sorted(Path("out").rglob("*.jsonl"))]
    assert found == ["one/t.jsonl", "three.jsonl", "two/t.jsonl"]
    Path("out").rename("first")
    decontaminated("*/t.jsonl")
    found = [p.relative_to("out").as_posix() for p in sorted(Path("out").rglob("*.jsonl"))]
    assert found == ["one/t.jsonl", "two/t.jsonl"]


def test_two_files_of_one_name_are_refused() -> None:
    for name in ("one/t.jsonl", "two/t.jsonl", REMOVED):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text('{"text": "x"}\n' if name != REMOVED else "text\nx\n")
    with pytest.raises(InputError, match=r"two/t\.jsonl.*t\.jsonl again: one/t\.jsonl"):
        decontaminated("one/t.jsonl", "two/t.jsonl")
    with pytest.raises(InputError, match=r"removed\.csv again"):
        decontaminated(REMOVED)
    assert not Path("out").exists()


def test_files_are_the_same_bytes_on_any_threads_and_at_any_time() -> None:
    random.seed(1)
    rows = [{"id": n, "text": STORY if n % 7 == 0 else f"{OTHER} {n}"} for n in range(500)]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    for name in ("t.jsonl.gz", "t.jsonl.zst"):
        Path(name).write_bytes(packed(name, content))
    digests = []
    for threads in (1, 2):
        decontaminated("t.jsonl.gz", "t.jsonl.zst", threads=threads)
        digests.append({path.name: path.read_bytes() for path in Path("out").iterdir()})
        Path("out").rename(f"out-{threads}")
    assert digests[0] == digests[1]
    assert digests[0]["t.jsonl.gz"][4:8] == bytes(4)  # no time of writing


def test_hostile_ids_and_texts() -> None:
    rows = [{"id": f"=cmd|'{n}'\n\r\t 1:2", "text": f"{STORY} \u202e \x1b[31m"} for n in (1, 2)]
    Path("=1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    decontaminated("=1.jsonl")
    content = Path("out", REMOVED).read_text()
    cells = [cell for row in csv.reader(io.StringIO(content)) for cell in row]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    assert len(list(csv.DictReader(io.StringIO(content)))) == 2


@pytest.mark.parametrize("target", ["docs", "docs/new", "docs/a/b"])
def test_a_folder_in_the_input_is_refused(target: str) -> None:
    Path("docs").mkdir()
    with pytest.raises(InputError, match="docs"):
        check_folder(Path(target), [Path("docs/../docs")])
    with pytest.raises(InputError, match="docs"):
        check_folder(Path(target), [Path("docs/**/*.jsonl")])
    Path("link").symlink_to("docs")
    with pytest.raises(InputError, match="docs"):
        check_folder(Path("link") / "new", [Path("docs")])


def test_folders_that_hold_something_and_files_are_refused_and_left() -> None:
    Path("full").mkdir()
    Path("full/x").write_text("x")
    for name in ("full", "full/x"):
        with pytest.raises(InputError, match="new or an empty folder"):
            check_folder(Path(name), [])
    Path("t.jsonl").write_text('{"text": "x"}\n')
    with pytest.raises(InputError, match="new or an empty folder"):
        check_folder(Path("t.jsonl"), [Path("t.jsonl")])
    Path("empty").mkdir()
    for name in ("empty", "beside/new"):
        check_folder(Path(name), [Path("t.jsonl"), Path("*.jsonl"), Path("nowhere/t.jsonl")])


def test_an_empty_folder_is_filled_with_ordinary_permissions() -> None:
    Path("out").mkdir()
    Path("t.jsonl").write_text('{"text": "x"}\n')
    decontaminated("t.jsonl")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o777 & ~umask
    assert stat.S_IMODE(Path("out/t.jsonl").stat().st_mode) == 0o666 & ~umask


def left_behind() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.csv", "t.parquet"])
def test_a_full_disk_is_said_and_nothing_is_left(name: str, monkeypatch) -> None:
    if name == "t.parquet":
        pq.write_table(pa.table({"text": ["x"]}), name)
    else:
        Path(name).write_bytes(packed(name, b"text\nx\n" if "csv" in name else b'{"text": "x"}\n'))

    def full(*_: object, **__: object) -> Iterator[None]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pa, "output_stream", full)
    monkeypatch.setattr(pq, "ParquetWriter", full)
    with pytest.raises(InputError, match=r"out: the files cannot be written \(No space left"):
        decontaminated(name)
    assert left_behind() == [name]


def test_a_disk_that_fills_up_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    Path("t.jsonl").write_text(json.dumps({"text": OTHER}) + "\n")
    with Path("t.jsonl").open("a") as file:
        for n in range(3000):
            file.write(json.dumps({"text": f"{OTHER} {n}"}) + "\n")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(InputError, match="cannot be written"):
            decontaminated("t.jsonl")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert left_behind() == ["t.jsonl"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_nothing(stop: type[BaseException], monkeypatch) -> None:
    Path("t.jsonl").write_text('{"text": "x"}\n')

    def interrupt(*_: object) -> str:
        raise stop

    monkeypatch.setattr(module, "csv_text", interrupt)
    with pytest.raises(stop):
        decontaminated("t.jsonl")
    assert left_behind() == ["t.jsonl"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.jsonl", b'{"text": "x"}\n{"text": ', "row 2"),
        ("t.jsonl", b'{"text": "x"}\n[1]\n', "row 2"),
        ("t.jsonl", b'{"text": "x"}\n{"text": "\xff"}\n', "row 2"),
        ("t.jsonl", b'{"text": "x"}\n{"text": 3}\n', "row 2"),
        ("t.json", b'[{"text": "x"}, 3]', "list of JSON objects"),
        ("t.json", b'[{"text": "x"}', "parse"),
        ("t.csv", b'text\n"x', "row 2"),
        ("t.csv", b"other\nx\n", "column of texts"),
        ("t.csv.gz", gzip.compress(b"text\n" + os.urandom(1000).hex().encode())[:300], "complete"),
        ("t.parquet", b"PAR1", "Parquet"),
        ("t.xlsx", b"PK", "XLSX"),
        ("t.docx", b"PK", "ending"),
    ],
)
def test_bad_files_are_refused_and_nothing_is_written(name: str, content: bytes, said: str) -> None:
    Path(name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        decontaminated(name)
    assert left_behind() == [name]


def test_workbooks_are_refused_before_anything_is_read() -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["text"])
    book.active.append([OTHER])
    book.save("t.xlsx")
    with pytest.raises(InputError, match=r"t\.xlsx.*workbook.*Save it as CSV"):
        decontaminated("t.xlsx")


def test_columns_that_are_named() -> None:
    Path("t.csv").write_text(
        f"text,body,key\n{STORY},x,k1\nx,{STORY},k2\n".replace(", and", " and")
    )
    decontaminated("t.csv", columns={"text": "body", "id": "key"})
    assert [row["id"] for row in removed_rows()] == ["k2"]
