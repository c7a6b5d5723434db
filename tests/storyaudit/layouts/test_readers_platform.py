import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from storyaudit.errors import InputError
from storyaudit.layouts.story_platform import parse_readership, read_platform

HOW = {"source": "douban", "use": "training"}
HEADER = ("标题", "正文", "类型", "专栏", "阅读")


def csv_bytes(rows, header=HEADER, encoding="utf-8"):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([header, *rows])
    return out.getvalue().encode(encoding)


def write(folder, content, name="stories.csv"):
    path = folder / name
    path.write_bytes(content)
    return path


ROWS = [
    ("雨", "雨下了一夜。", "悬疑", "c1", "1.2万"),
    ("Rain", "It rained all night.", "mystery", "c2", "3,456"),
    ("雪", "雪停了。", "悬疑", "c1", ""),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_chinese_export_is_read_by_its_names(tmp_path, encoding):
    found = read_platform(write(tmp_path, csv_bytes(ROWS, encoding=encoding)), **HOW)
    facts = found.stories.set_index("text").to_dict("index")
    rain = facts["雨下了一夜。"]
    assert (rain["genre"], rain["column_id"], rain["readership"]) == ("悬疑", "c1", 12_000)
    assert (rain["language"], rain["words"], rain["provenance"]) == ("zh", 5, "stories.csv:2")
    assert (rain["author"], rain["author_kind"]) == ("human", "human")
    assert facts["It rained all night."]["readership"] == 3_456
    assert facts["It rained all night."]["language"] == "und"
    assert found.stories["readership"].isna().sum() == 1
    assert found.counts["no_premise"] == 3
    assert (found.counts["rounded_readership"], found.counts["no_readership"]) == (1, 1)
    assert found.premises.empty


def test_all_counts_known_are_whole_numbers(tmp_path):
    found = read_platform(write(tmp_path, csv_bytes(ROWS[:2])), **HOW)
    assert found.stories["readership"].dtype == "int64"


def test_a_map_goes_before_guesses_and_names_the_author(tmp_path):
    path = write(tmp_path, csv_bytes([("a", "b", "7", "Li")], ("body", "text", "n", "作者")))
    columns = {"text": "body", "readership": "n"}
    (story,) = read_platform(path, columns=columns, **HOW).stories.to_dict("records")
    assert (story["text"], story["readership"], story["author"]) == ("a", 7, "human")
    (story,) = read_platform(path, columns=columns | {"author": "作者"}, **HOW).stories.to_dict(
        "records"
    )
    assert story["author"] == "Li"


def test_a_workbook_has_numbers(tmp_path):
    book = openpyxl.Workbook()
    for row in (HEADER, ("t", "雨。", "g", 17, 3456), ("t", "雪。", "g", 17, 1.5e4)):
        book.active.append(row)
    path = tmp_path / "stories.xlsx"
    book.save(path)
    found = read_platform(path, **HOW).stories.set_index("text")
    assert found["readership"].to_dict() == {"雨。": 3456, "雪。": 15000}
    assert set(found["column_id"]) == {"17"}


@pytest.mark.parametrize(
    ("value", "count", "rounded"),
    [
        ("3456", 3456, False),
        ("3,456", 3456, False),
        ("1,234,567", 1234567, False),
        ("3，456", 3456, False),
        ("1.2万", 12000, True),
        ("1.2 万", 12000, True),
        ("10万", 100000, True),
        ("1.5w", 15000, True),
        ("2K", 2000, True),
        ("1.25亿", 125000000, True),
        ("0.3万", 3000, True),
        ("0", 0, False),
        (" 7 ", 7, False),
        (12, 12, False),
        (12.0, 12, False),
        ("12.0", 12, False),
        ("", None, False),
        (None, None, False),
        (float("nan"), None, False),
    ],
)
def test_readership_as_platforms_write_it(value, count, rounded):
    found = parse_readership(value, file=Path("f.csv"), row=2, column="阅读")
    assert found == (count, rounded)


@pytest.mark.parametrize(
    "value",
    [
        *("10万+", "约1万", "1.2万次", "1.23456万", "万", "1.2.3万"),
        *("1,23", "12,34,567", "-3", "1e3", "1.5", "１２", "0x10", "1_000", "many", "inf"),
        *(True, 1.5, float("inf")),
    ],
)
def test_any_other_readership_is_refused_at_its_row(value):
    with pytest.raises(InputError, match="a number of readers") as error:
        parse_readership(value, file=Path("f.csv"), row=7, column="阅读")
    assert (error.value.row, error.value.column) == (7, "阅读")


def test_a_wrong_readership_is_found_in_the_file(tmp_path):
    rows = [*ROWS, ("t", "风。", "g", "c", "10万+")]
    with pytest.raises(InputError, match=r"10万\+") as error:
        read_platform(write(tmp_path, csv_bytes(rows)), **HOW)
    assert (error.value.row, error.value.column) == (5, "阅读")


def test_a_number_beyond_all_readers_is_refused(tmp_path):
    for number in ("9" * 19, "9" * 60):
        with pytest.raises(InputError) as error:
            read_platform(write(tmp_path, csv_bytes([("t", "风。", "g", "c", number)])), **HOW)
        assert error.value.row == 2


def test_gb18030_is_refused_with_a_remedy(tmp_path):
    with pytest.raises(InputError, match="expected UTF-8") as error:
        read_platform(write(tmp_path, csv_bytes(ROWS, encoding="gb18030")), **HOW)
    assert "CSV UTF-8" in error.value.remedy and error.value.row == 1


@pytest.mark.parametrize(
    ("header", "columns", "message"),
    [
        (("标题", "类型"), None, "expected a column for text .*正文.* found '标题', '类型'"),
        (("正文", "内容"), None, "one column for text, found '正文', '内容'"),
        (("正文", "x"), {"genre": "y"}, "the column 'y' for genre, found '正文', 'x'"),
        (("正文", "x"), {"title": "x"}, "names 'title', which is not among text"),
    ],
)
def test_columns_that_cannot_be_told_are_refused(tmp_path, header, columns, message):
    path = write(tmp_path, csv_bytes([("a", "b")], header))
    with pytest.raises(InputError, match=message) as error:
        read_platform(path, columns=columns, **HOW)
    assert error.value.file == path


def test_one_row_and_one_long_row(tmp_path):
    found = read_platform(write(tmp_path, csv_bytes([("a", "x")], ("正文", "标题"))), **HOW)
    assert found.stories["text"].tolist() == ["a"] and found.counts["no_readership"] == 1
    long = json.dumps({"正文": "雨下了。" * 250_000}, ensure_ascii=False).encode()  # 3 MB
    found = read_platform(write(tmp_path, long, "one.jsonl"), **HOW)
    assert found.stories["words"].tolist() == [750_000]
    assert found.stories["language"].tolist() == ["zh"]
