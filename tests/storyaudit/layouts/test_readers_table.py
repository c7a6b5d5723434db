import pytest

from storyaudit.data.table_files import find_table, read_table, read_valid_table
from storyaudit.data.tables import OVERLAPS, SCORES
from storyaudit.errors import InputError

HEADER = "variant,model,seed,item_id,story_id,reward"


def scores(folder, *lines, header=HEADER):
    path = folder / "scores.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


def test_an_audit_reads_types_and_names_what_it_leaves_out(tmp_path):
    frame, ignored, _ = read_table(
        scores(tmp_path, "glad,v,m,1,9189,s,0.5", header=f"mood,{HEADER}"), SCORES
    )
    row = {"variant": "v", "model": "m", "seed": 1, "item_id": "9189", "story_id": "s"}
    assert frame.to_dict("records") == [row | {"reward": 0.5}]
    assert ignored == ["mood"]


GOOD = "v,m,1,i,t,0.5"


@pytest.mark.parametrize(
    "line", ["v,m,1,i,s,nan", "v,m,1,i,s,", "v,m,1,i,s,inf", "v,m,1,,s,1", "v,m,,i,s,1", GOOD]
)
def test_what_is_a_finding_to_an_audit_is_refused_by_a_builder(tmp_path, line):
    path = scores(tmp_path, GOOD, line)
    assert len(read_table(path, SCORES).frame) == 2
    with pytest.raises(InputError) as error:
        read_valid_table(path, SCORES)
    assert error.value.file == path


def test_a_builder_reads_a_sound_table(tmp_path):
    assert read_valid_table(scores(tmp_path, GOOD), SCORES)["reward"].tolist() == [0.5]


def test_a_fault_of_type_bears_the_row_of_the_file(tmp_path):
    path = scores(tmp_path, GOOD, "", "v,m,1.5,i,t,0.5")
    with pytest.raises(InputError) as error:
        read_table(path, SCORES)
    assert (error.value.row, error.value.column) == (4, "seed")


def test_a_table_of_overlaps_may_be_empty(tmp_path):
    path = tmp_path / "overlaps.csv"
    names = [column.name for column in OVERLAPS.columns]
    path.write_text(",".join(names) + "\n", encoding="utf-8")
    frame = read_valid_table(path, OVERLAPS)
    assert (len(frame), list(frame.columns)) == (0, names)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "ndjson", "parquet", "xlsx"])
def test_finds_a_table_by_its_name(tmp_path, suffix):
    for name in (f"scores.{suffix}", "scores.txt", f"scores2.{suffix}", f"benchmark.{suffix}"):
        (tmp_path / name).touch()
    assert find_table(tmp_path, SCORES) == tmp_path / f"scores.{suffix}"


def test_finds_nothing_where_nothing_is(tmp_path):
    (tmp_path / "scores.parquet").mkdir()
    assert find_table(tmp_path, SCORES) is None
    assert find_table(tmp_path / "absent", SCORES) is None


def test_two_files_of_one_name_are_refused(tmp_path):
    for suffix in ("csv", "parquet"):
        (tmp_path / f"scores.{suffix}").touch()
    with pytest.raises(InputError, match=r"scores\.csv, scores\.parquet") as error:
        find_table(tmp_path, SCORES)
    assert error.value.file == tmp_path
