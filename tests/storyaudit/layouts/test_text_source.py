import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.layouts.text_source import Source, open_source

Texts = list[tuple[str, str | None]]


def opened(
    path: str | Path,
    text: str | None = None,
    name: str | None = None,
    columns: dict[str, str] | None = None,
) -> Source:
    given = {"text": text, "id": name, **(columns or {})}
    return open_source(Path(path), {ours: column for ours, column in given.items() if column})


def read(path: str | Path, *args: str | None, **options: Any) -> Texts:
    found: Texts = []
    for batch in opened(path, *args, **options).batches():
        assert pa.types.is_large_string(batch.texts.type)
        found += zip(batch.ids, batch.texts.to_pylist(), strict=True)
    return found


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


def jsonl(records: list[Any]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def write_parquet(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


STORIES = [{"story_id": f"s{n}", "text": f"Story {n}: naïve, 故事"} for n in range(7)]
AS_TEXTS = [(story["story_id"], story["text"]) for story in STORIES]
CSV = "story_id,text\n" + "".join(f'{s["story_id"]},"{s["text"]}"\n' for s in STORIES)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jsonl", jsonl(STORIES)),
        ("x.jsonl", b"\xef\xbb\xbf" + jsonl(STORIES)[:-1]),
        ("x.jsonl", jsonl(STORIES).replace(b"\n", b"\r\n\r\n \n")),
        ("x.ndjson", jsonl(STORIES)),
        ("x.json", jsonl(STORIES)),
        ("x.json", json.dumps(STORIES, indent=2).encode()),
        ("x.json", b"\n " + json.dumps(STORIES, ensure_ascii=False).encode()),
        ("x.csv", CSV.encode()),
        ("x.csv", b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode()),
        ("X.CSV", (CSV + "\n\n").encode()),
        ("x.tsv", CSV.replace('"', "").replace(",text", "\ttext").replace(",S", "\tS").encode()),
    ],
)
@pytest.mark.parametrize("compression", ["", ".gz", ".zst", ".gz in two"])
def test_text_of_every_format_is_read(
    tmp_path: Path, name: str, content: bytes, compression: str
) -> None:
    half = len(content) // 2
    compressed = {
        "": content,
        ".gz": gzip.compress(content),
        ".zst": zstd(content[:half]) + zstd(content[half:]),
        ".gz in two": gzip.compress(content[:half]) + gzip.compress(content[half:]),
    }
    path = tmp_path / (name + compression.split(" ")[0])
    path.write_bytes(compressed[compression])
    source = open_source(path)
    assert read(path) == AS_TEXTS
    assert source.found == f"{path.name}: texts from 'text', IDs from 'story_id'"
    assert source.rows in (None, 7)
    again = [name for batch in [*source.batches(), *source.batches()] for name in batch.ids]
    assert again == [name for name, _ in AS_TEXTS] * 2


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_text_of_every_parquet_type_is_read(tmp_path: Path, kind: pa.DataType) -> None:
    texts = ["eins", None, "故事", "", "eins"]
    path = write_parquet(tmp_path / "x.parquet", other=[1] * 5, story=pa.array(texts).cast(kind))
    source = open_source(path)
    assert read(path) == [(f"{path}:{row}", text) for row, text in enumerate(texts, start=1)]
    assert source.rows == 5
    assert source.found == "x.parquet: texts from 'story', IDs from the rows"


def test_a_workbook_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [("text", "id"), ("one", 7), (None, "b"), ("three", None)]:
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    assert read(tmp_path / "x.xlsx") == [
        ("7", "one"),
        ("b", None),
        (f"{tmp_path / 'x.xlsx'}:4", "three"),
    ]


def test_rows_are_counted_as_a_person_counts_them(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('\n{"text": "a"}\n\n{"text": null}\n')
    assert read(tmp_path / "x.jsonl") == [
        (f"{tmp_path}/x.jsonl:2", "a"),
        (f"{tmp_path}/x.jsonl:4", None),
    ]
    (tmp_path / "x.csv").write_text('text\n"two\nlines"\nb\n')
    assert read(tmp_path / "x.csv") == [
        (f"{tmp_path}/x.csv:2", "two\nlines"),
        (f"{tmp_path}/x.csv:3", "b"),
    ]


def chat(*turns: str) -> list[dict[str, str]]:
    return [
        {"role": ("user", "assistant")[number % 2], "content": turn}
        for number, turn in enumerate(turns)
    ]


PREFERENCES = [
    {"prompt": "p", "chosen": "good", "rejected": "bad"},
    {"prompt": "q", "chosen": "good", "rejected": "worse"},
]


@pytest.mark.parametrize("form", [str, lambda text: chat("p", text), lambda text: [text]])
@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".json"])
def test_preferences_are_two_texts_a_row(
    tmp_path: Path, form: Callable[[str], Any], ending: str
) -> None:
    records = [
        {**record, "chosen": form(record["chosen"]), "rejected": form(record["rejected"])}
        for record in PREFERENCES
    ]
    path = tmp_path / f"x{ending}"
    if ending == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    else:
        path.write_bytes(jsonl(records) if ending == ".jsonl" else json.dumps(records).encode())
    first = 1
    assert sorted(read(path)) == [
        (f"{path}:{first}:chosen", "good"),
        (f"{path}:{first}:rejected", "bad"),
        (f"{path}:{first + 1}:chosen", "good"),
        (f"{path}:{first + 1}:rejected", "worse"),
    ]
    found = "texts from 'chosen' and 'rejected', IDs from the rows"
    assert open_source(path).found.endswith(found)
    assert read(path, "prompt") == [(f"{path}:1", "p"), (f"{path}:2", "q")]


def test_preferences_with_ids_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(jsonl([{"pair_id": 9, "chosen": "a", "rejected": "b"}]))
    assert read(path) == [("9:chosen", "a"), ("9:rejected", "b")]
    path.write_bytes(
        jsonl([{"chosen_id": "c", "rejected_id": "r", "chosen": "a", "rejected": "b", "id": 1}])
    )
    assert read(path) == [("c", "a"), ("r", "b")]
    path.write_bytes(jsonl([{"win": "a", "lose": "b", "key": "k"}]))
    columns = {"chosen": "win", "rejected": "lose", "id": "key"}
    assert read(path, columns=columns) == [("k:chosen", "a"), ("k:rejected", "b")]


def test_a_list_is_several_texts(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    record = {"id": "i", "chosen": "a", "rejected": ["b", None, "d"]}
    path.write_bytes(jsonl([record, {"id": "j", "chosen": ["e"], "rejected": []}]))
    assert sorted(read(path)) == [
        ("i:chosen", "a"),
        ("i:rejected:1", "b"),
        ("i:rejected:2", None),
        ("i:rejected:3", "d"),
        ("j:chosen", "e"),
        ("j:rejected", None),
    ]


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        (chat("ask", "answer"), "answer"),
        (chat("ask", "answer", "more", "again"), "answer\nagain"),
        (chat("ask"), "ask"),
        ([{"role": "system", "content": "s"}, *chat("ask", "answer")], "answer"),
        ([{"from": "human", "value": "ask"}, {"from": "gpt", "value": "answer"}], "answer"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "part"}]}], "part"),
        ([{"role": "assistant", "content": None}], ""),
        ([], None),
        ("[{ is how this story begins", "[{ is how this story begins"),
        (json.dumps(chat("ask", "answer")), "answer"),
        ("  " + json.dumps(chat("ask", "answer")), "answer"),
    ],
)
def test_messages_are_read_for_what_the_assistant_says(
    tmp_path: Path, messages: Any, text: str | None
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(jsonl([{"id": 1, "messages": messages}]))
    assert read(path) == [("1", text)]
    if isinstance(messages, str):
        assert read(write_parquet(tmp_path / "x.parquet", id=[1], text=[messages])) == [("1", text)]


@pytest.mark.parametrize("text_column", [None, "content"])
def test_a_column_of_texts_goes_before_pairs(tmp_path: Path, text_column: str | None) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(jsonl([{"content": "c", "story": "s", "chosen": "x", "rejected": "y"}]))
    expected = "c" if text_column else "s"
    assert read(path, text_column) == [(f"{path}:1", expected)]


def test_writing_prompts_are_put_right(tmp_path: Path) -> None:
    (tmp_path / "train.wp_target").write_text("I do n't know . <newline> Go\u2028on\n\nLast\n")
    (tmp_path / "train.wp_source").write_text("[ WP ] A king\n[ EU ] A queen\nx\n")
    stories = tmp_path / "train.wp_target"
    expected = [
        (f"{stories}:{n}", text) for n, text in enumerate(["I don't know.\nGo on", "", "Last"], 1)
    ]
    assert read(stories) == expected
    assert read(tmp_path) == expected
    assert open_source(tmp_path).found == (
        f"train.wp_target: stories, one a line, IDs from the lines; "
        f"left out of {tmp_path.name}: train.wp_source"
    )
    premises = tmp_path / "train.wp_source"
    assert read(premises)[:2] == [(f"{premises}:1", "A king"), (f"{premises}:2", "A queen")]


def test_a_folder_is_read_in_order_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    inner = tmp_path / "part"
    inner.mkdir()
    (tmp_path / "b.jsonl").write_bytes(jsonl([{"text": "two"}]))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(jsonl([{"text": "one"}])))
    write_parquet(inner / "c.parquet", story=["three"])
    for name in ("README.md", "dataset_info.json", "LICENSE.txt", "x.jsonl.xz", "_SUCCESS"):
        (tmp_path / name).write_text("{}")
    (tmp_path / ".hidden.jsonl").write_text("?")
    assert [text for _, text in read(tmp_path)] == ["one", "two", "three"]
    assert open_source(tmp_path).found == (
        "a.jsonl.gz to b.jsonl (2 files): texts from 'text', IDs from the rows; "
        "c.parquet: texts from 'story', IDs from the rows; "
        f"left out of {tmp_path.name}: LICENSE.txt, README.md, _SUCCESS, dataset_info.json, "
        "x.jsonl.xz"
    )
    assert open_source(tmp_path).rows is None
    assert open_source(inner).rows == 1


@pytest.mark.parametrize("pattern", ["*.jsonl", "**/?.jsonl", "[ab].jsonl"])
def test_a_pattern_is_read_in_order(tmp_path: Path, pattern: str) -> None:
    for name in "ba":
        (tmp_path / f"{name}.jsonl").write_bytes(jsonl([{"text": name}]))
    (tmp_path / "c.txt").write_text("no")
    assert [text for _, text in read(tmp_path / pattern)] == ["a", "b"]


def test_a_file_of_text_is_a_document(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    (tmp_path / "a.txt").write_text("\n")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"three"))
    assert read(tmp_path) == [
        (f"{tmp_path}/a.txt", "\n"),
        (f"{tmp_path}/b.txt", "one\r\ntwo"),
        (f"{tmp_path}/c.txt.gz", "three"),
    ]


anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.none() | anything, min_size=1, max_size=8))
def test_every_text_comes_out_as_it_went_in(tmp_path: Path, texts: list[str | None]) -> None:
    path = tmp_path / "x.jsonl"
    for ascii_only in (True, False):
        lines = [json.dumps({"text": text}, ensure_ascii=ascii_only) for text in texts]
        path.write_text("\n".join(lines), encoding="utf-8", newline="")
        assert [text for _, text in read(path)] == texts
    column = pa.array(texts, pa.string())
    assert [t for _, t in read(write_parquet(tmp_path / "x.parquet", text=column))] == texts


def test_batches_are_even_and_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LEAST_BATCH", 4000)
    monkeypatch.setattr(bounds, "MOST_BATCH", 16_000)
    rng = np.random.default_rng(3)
    texts = ["x" * n for n in [*rng.integers(0, 300, 900).tolist(), 40_000, *[2] * 500]]
    write_parquet(tmp_path / "a.parquet", text=texts)
    (tmp_path / "b.jsonl").write_bytes(jsonl([{"text": text} for text in texts]))
    for number in range(50):
        (tmp_path / f"c{number:02}.csv").write_text(f"text\n{number}\n")
    batches = list(open_source(tmp_path).batches())
    sizes = [batch.texts.nbytes for batch in batches]
    # The last one, and those before the text of 40,000 bytes, may be small.
    assert sum(size < 4000 for size in sizes) <= 3
    assert all(s <= 16_000 or len(b.ids) == 1 for s, b in zip(sizes, batches, strict=True))
    found = [text for batch in batches for text in batch.texts.to_pylist()]
    assert found == texts + texts + [str(number) for number in range(50)]


@pytest.mark.parametrize("ending", [".parquet", ".jsonl.gz"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, ending: str) -> None:
    story = "".join(chr(97 + n) for n in np.random.default_rng(1).integers(0, 26, 10_000))
    path = tmp_path / f"x{ending}"
    if ending == ".parquet":
        stories = pa.array([f"{n}{story}" for n in range(6000)])
        pq.write_table(pa.table({"text": stories}), path, use_dictionary=False)
        del stories
    else:
        path.write_bytes(gzip.compress(jsonl([{"text": story}]) * 6000, 1))
    before, most = pa.total_allocated_bytes(), 0
    for _ in open_source(path).batches():
        most = max(most, pa.total_allocated_bytes() - before)
    assert most < 45e6  # of 60 MB of text, of which Parquet reads a page of a column at once


# Bad input


def refused(path: str | Path, *args: str | None, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(path, *args, **options)
    assert str(caught.value.file).endswith(Path(path).name) or Path(path).is_dir()
    return caught.value


GOOD = jsonl([{"text": f"story {n} " + "word " * 50} for n in range(3000)])


@pytest.mark.parametrize("cut", [1, 4, 8, 9, 500])
@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_compressed_file_that_is_cut_short_is_refused(
    tmp_path: Path, cut: int, ending: str
) -> None:
    path = tmp_path / f"x.jsonl{ending}"
    content = gzip.compress(GOOD) if ending == ".gz" else zstd(GOOD)
    path.write_bytes(content[:-cut])
    error = refused(path)
    assert error.row is not None
    assert "to its end" in error.problem
    path.write_bytes(content + content[:-cut])  # its first part is whole
    assert refused(path).row is not None


@pytest.mark.parametrize("ending", [".jsonl.gz", ".csv.gz", ".txt.gz", ".jsonl.zst", ".json.gz"])
@pytest.mark.parametrize("content", [b"not compressed at all", b"\x1f\x8b\x08", b"\x28\xb5\x2f"])
def test_what_is_not_compressed_as_it_says_is_refused(
    tmp_path: Path, ending: str, content: bytes
) -> None:
    path = tmp_path / f"x{ending}"
    path.write_bytes(content)
    assert "to its end" in refused(path).problem


def test_a_damaged_checksum_is_refused(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(GOOD))
    content[-6] ^= 1
    (tmp_path / "x.jsonl.gz").write_bytes(content)
    refused(tmp_path / "x.jsonl.gz")


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.9, 0.999])
def test_a_parquet_file_that_is_cut_short_is_refused(tmp_path: Path, kept: float) -> None:
    path = write_parquet(tmp_path / "x.parquet", text=[f"story {n}" for n in range(1000)])
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    refused(path)


def test_damaged_pages_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    table = pa.table({"text": [f"story {n * n}" for n in range(20_000)]})
    pq.write_table(table, path, compression="zstd", use_dictionary=False)
    content = bytearray(path.read_bytes())
    content[100:2000] = bytes(1900)
    path.write_bytes(content)
    assert "Parquet" in refused(path).problem


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.list_(pa.string())])
def test_parquet_text_that_is_not_utf8_is_refused_with_its_row(
    tmp_path: Path, kind: pa.DataType
) -> None:
    cells = pa.array([b"a", None, b"\xff\xfe", b"c"], pa.binary())
    if pa.types.is_list(kind):
        strings = pa.Array.from_buffers(pa.string(), 4, cells.buffers())
        column = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int32()), strings)
    elif pa.types.is_string(kind):
        column = pa.Array.from_buffers(pa.string(), 4, cells.buffers())
    else:
        column = cells
    error = refused(write_parquet(tmp_path / "x.parquet", text=column))
    assert (error.row, error.column) == (3, "text")
    assert "UTF-8" in error.problem


@pytest.mark.parametrize(
    "column",
    [pa.nulls(3), pa.array([1, 2, 3]), pa.array([1.5, 2, 3]), pa.array([{"a": 1}] * 3)],
)
def test_a_parquet_column_that_is_no_text_is_refused(tmp_path: Path, column: pa.Array) -> None:
    error = refused(write_parquet(tmp_path / "x.parquet", text=column))
    assert error.column == "text"
    assert "expected text or messages" in error.problem


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"text": "cut sho', "does not parse"),
        (b'{"text": "a", "text": "b"}', "twice"),
        (b'["text"]', "JSON object"),
        (b"1", "JSON object"),
        (b'{"story": "a"}', "expected 'text'"),
        (b"{}", "found nothing"),
        (b'{"text": 1}', "found int"),
        (b'{"text": {"a": 1}}', "found dict"),
        (b'{"text": [1]}', "found a list with int"),
        (b'{"text": [["a"]]}', "found messages with str"),
        (b'{"text": [{"role": "user"}, 3]}', "found messages with int"),
        (b'{"text": [{"content": "a"}]}', "role"),
        (b'{"text": "\\ud83d"}', "half a surrogate pair"),
        (b'{"text": ["a", "\\udc00"]}', "half a surrogate pair"),
        (b'{"text": "a", "id": "\\ud800"}', "half a surrogate pair"),
        (b'{"text": "a", "id": [1]}', "expected an ID"),
        (b'{"text": "a", "id": 1.5}', "expected an ID"),
        (b'{"text": "a", "id": true}', "expected an ID"),
        (b'{"text": "a", "id": Infinity}', "expected an ID"),
        (b'{"text": "\xff"}', "0xff"),
        (b'{"text": "\xc3', "0xc3"),
        (b'{"text": "a\x00"}', "0x00"),
        (b"[" * 100_000, "does not parse"),
    ],
)
def test_a_bad_line_is_refused_with_its_row(tmp_path: Path, line: bytes, problem: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"id": 7, "text": "good"}\n\n' + line + b'\n{"text": "good"}\n')
    error = refused(path)
    assert error.row == 3
    assert problem in error.problem


@pytest.mark.parametrize(
    ("content", "row", "problem"),
    [
        (b"text\na,b\n", 2, "expected 1 fields"),
        (b'text\na\n"b\nc', 3, "not well-formed"),
        (b'text\n"a"b\n', 2, "not well-formed"),
        (b"text,text\na,b\n", 1, "again"),
        (b" ,\na,b\n", 1, "blank row"),
        (b"\n", 1, "blank row"),
        (b"text\n\xff\n", 2, "UTF-8"),
        (b"body;id\na;b\n", None, "found body, id"),
        ("text\na\n".encode("utf-16"), 1, "UTF-8"),
        ("text\na\n".encode("utf-16-le"), 1, "UTF-8"),
    ],
)
def test_a_bad_table_is_refused_with_its_row(
    tmp_path: Path, content: bytes, row: int | None, problem: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    error = refused(path)
    assert (error.row, problem in error.problem) == (row, True)


@pytest.mark.parametrize("content", [b"", b"\n\n \n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.jsonl.gz"])
def test_a_file_of_nothing_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert "empty" in refused(path).problem


@pytest.mark.parametrize("content", [b"[]", b'["a"]', b"[1, 2]", b'[{"text": "a"}', b'{"a": 1}'])
def test_a_list_without_records_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    refused(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("args", "options", "problem"),
    [
        (["nope"], {}, "expected the column 'nope'"),
        ([None, "nope"], {}, "expected the column 'nope'"),
        ([], {"columns": {"chosen": "nope"}}, "expected the column 'nope'"),
        ([], {"columns": {"nope": "text"}}, "the column map names 'nope'"),
        ([], {"columns": {"chosen": "text"}}, "expected a column for rejected"),
    ],
)
@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.parquet"])
def test_a_column_that_is_not_there_is_refused(
    tmp_path: Path, name: str, args: list[str | None], options: dict[str, Any], problem: str
) -> None:
    path = tmp_path / name
    if name == "x.parquet":
        write_parquet(path, text=["a"])
    else:
        path.write_bytes(b'{"text": "a"}' if name == "x.jsonl" else b"text\na\n")
    with pytest.raises(InputError) as caught:
        opened(path, *args, **options)
    assert problem in caught.value.problem


def test_no_column_of_texts_is_refused_when_opened(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl([{"text": "a"}]))
    (tmp_path / "b.jsonl").write_bytes(jsonl([{"body": "b"}]))
    with pytest.raises(InputError, match=r"b\.jsonl.*chosen and rejected ones, found body"):
        open_source(tmp_path)


@pytest.mark.parametrize("name", ["x.pdf", "x", "x.parquet.gz", "x.xlsx.zst", "x.jsonl.xz", "x.gz"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert "expected a file ending in" in refused(tmp_path / name).problem


def test_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "README.md").write_text("x")
    assert "found none" in refused(tmp_path / "folder").problem
    assert "no such file" in refused(tmp_path / "x.jsonl").problem
    assert "no such file" in refused(tmp_path / "*.jsonl").problem


def test_columns_of_a_file_without_any_are_refused(tmp_path: Path) -> None:
    for name in ("x.txt", "x.wp_target"):
        (tmp_path / name).write_text("a")
        assert "'story' was named" in refused(tmp_path / name, "story").problem


def test_documents_that_are_not_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"one\ntwo \xff\n")
    assert refused(tmp_path / "x.txt").row == 2
