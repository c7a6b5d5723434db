import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_samples import answer, request

from storyaudit.errors import InputError
from storyaudit.io.files import write_bytes
from storyaudit.llm.record import read_record
from storyaudit.llm.record_writer import Recording

ASKED = [request("b"), request("a"), request("a", sample=1), request("a", attempt=1)]


def written(path, entries, *, sort=False, say=lambda _: None):
    with Recording(path, say) as recording:
        for asked, given_answer in entries:
            recording.append(asked, given_answer)
        if sort:
            recording.sort()
    return path.read_bytes()


def refused(path):
    with pytest.raises(InputError) as error:
        read_record(path)
    found = error.value
    assert found.file == path
    assert found.problem.endswith(".")
    assert found.remedy.endswith(".")
    assert len(str(found).splitlines()) == 1
    return found


@pytest.fixture
def lines(tmp_path):
    """Four sound lines."""
    content = written(tmp_path / "sound.jsonl", [(asked, answer("…é\n\u2028")) for asked in ASKED])
    return content.splitlines(keepends=True)


def test_what_is_added_is_read_again(tmp_path):
    path = tmp_path / "new folder" / "record.jsonl"
    written(path, [(ASKED[0], answer("one"))])
    written(path, [(ASKED[1], answer("two", refusal="no", input_tokens=None))])
    assert read_record(path) == {
        ASKED[0].key: answer("one"),
        ASKED[1].key: answer("two", refusal="no", input_tokens=None),
    }


def test_a_line_is_json_with_sorted_names_and_nothing_of_the_surroundings(lines):
    assert len(lines) == 4  # U+2028 ends no line
    line = lines[0].decode()
    content = json.loads(line)
    again = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert again + "\n" == line
    assert set(content) == {"version", "key", "request", "answer"}
    assert content["key"] == ASKED[0].key
    assert content["request"] == json.loads(json.dumps(ASKED[0].model_dump()))


def test_no_record_is_an_empty_one(tmp_path):
    assert read_record(tmp_path / "none.jsonl") == {}
    written(tmp_path / "none.jsonl", [])
    assert read_record(tmp_path / "none.jsonl") == {}


def test_a_killed_writer_leaves_a_last_line_that_replaying_refuses(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    for cut in (1, len(lines[3]) // 2, len(lines[3]) - 2):
        path.write_bytes(b"".join(lines[:3]) + lines[3][:cut])
        assert refused(path).row == 4
    path.write_bytes(b"".join(lines[:3]) + b"\0" * 100)  # what a power cut can leave
    assert refused(path).row == 4


def test_recording_cuts_off_an_unfinished_line_and_says_so(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join(lines[:3]) + lines[3][:50])
    said = []
    written(path, [(ASKED[3], answer("anew"))], say=said.append)
    assert len(said) == 1
    assert str(path) in said[0]
    assert path.read_bytes().startswith(b"".join(lines[:3]))
    assert read_record(path)[ASKED[3].key] == answer("anew")


def test_a_last_line_that_lacks_only_its_end_is_an_answer(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join(lines[:2]).rstrip(b"\n"))
    assert len(read_record(path)) == 2
    said = []
    written(path, [(ASKED[3], answer())], say=said.append)
    assert said == []
    assert len(read_record(path)) == 3


def test_only_the_last_line_may_be_unfinished(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    content = lines[0] + lines[1][:40] + b"\n" + lines[2]
    path.write_bytes(content)
    assert refused(path).row == 2
    with pytest.raises(InputError), Recording(path, print):
        pass
    assert path.read_bytes() == content
    with pytest.raises(InputError), Recording(path, print):  # the lock was given back
        pass


def changed(line, **fields):
    content = json.loads(line)
    for name, value in fields.items():
        part, _, inner = name.partition("__")
        if inner:
            content[part][inner] = value
        else:
            content[part] = value
    return json.dumps(content).encode() + b"\n"


FAULTS = {
    "another version": lambda line: changed(line, version=2),
    "no version": lambda line: line.replace(b',"version":1', b""),
    "an unknown field": lambda line: changed(line, note="x"),
    "an unknown field of the answer": lambda line: changed(line, answer__cost=1),
    "an answer of another type": lambda line: changed(line, answer__text=None),
    "half a surrogate pair": lambda line: changed(line, answer__text="\ud800"),
    "another request": lambda line: changed(line, request__seed=1),
    "another key": lambda line: changed(line, key="0" * 64),
    "a name twice": lambda line: line.replace(b'"version":1', b'"version":1,"version":1'),
    "not a number": lambda line: line.replace(b'"temperature":null', b'"temperature":NaN'),
    "a list": lambda _: b"[]\n",
    "nothing": lambda _: b"\n",
    "deep nesting": lambda _: b"[" * 100_000 + b"\n",
    "another encoding": lambda line: line.replace("é".encode(), b"\xe9"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("row", [1, 3])
def test_a_line_that_the_recorder_did_not_write_is_refused(tmp_path, lines, fault, row):
    spoiled = FAULTS[fault](lines[row - 1])
    assert spoiled != lines[row - 1]
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join([*lines[: row - 1], spoiled, *lines[row:]]))
    assert refused(path).row == row


def test_a_line_twice_is_harmless_and_sorting_drops_it(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join([*lines, lines[1]]))
    assert len(read_record(path)) == 4
    assert len(written(path, [], sort=True).splitlines()) == 4


def test_two_answers_to_one_request_are_refused(tmp_path, lines):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join([*lines, changed(lines[1], answer__text="another")]))
    found = refused(path)
    assert found.row == 5
    assert "line 2" in found.problem


@given(st.permutations(ASKED))
def test_a_sorted_record_does_not_depend_on_the_order_of_answers(tmp_path_factory, order):
    folder = tmp_path_factory.mktemp("sorted")
    entries = [(asked, answer(asked.key[:4])) for asked in order]
    content = written(folder / "r.jsonl", entries, sort=True)
    requests = [json.loads(line)["request"] for line in content.splitlines()]
    places = [(r["messages"][0]["content"], r["sample"], r["attempt"]) for r in requests]
    assert places == [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("b", 0, 0)]
    assert read_record(folder / "r.jsonl") == {asked.key: answer(asked.key[:4]) for asked in ASKED}


def test_answers_can_be_added_after_sorting(tmp_path):
    path = tmp_path / "r.jsonl"
    with Recording(path, print) as recording:
        recording.append(ASKED[0], answer("one"))
        recording.sort()
        recording.append(ASKED[1], answer("two"))
    assert len(read_record(path)) == 2


def test_one_process_records_at_a_time(tmp_path):
    path = tmp_path / "r.jsonl"
    with Recording(path, print) as first:
        first.append(ASKED[0], answer())
        with (
            pytest.raises(InputError, match="another process is recording"),
            Recording(path, print),
        ):
            pass
        first.append(ASKED[1], answer())
    assert len(read_record(path)) == 2
    written(path, [(ASKED[2], answer())])  # the lock was given back
    assert len(read_record(path)) == 3


def test_threads_write_whole_lines(tmp_path):
    path = tmp_path / "r.jsonl"
    with Recording(path, print) as recording:

        def work(worker):
            for number in range(10):
                recording.append(request(f"{worker}-{number}"), answer("x" * 20_000))

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(read_record(path)) == 40


def test_an_answer_is_on_the_disk_when_adding_it_returns(tmp_path, monkeypatch):
    path, sizes = tmp_path / "r.jsonl", []
    with Recording(path, print) as recording:
        monkeypatch.setattr(os, "fsync", lambda file: sizes.append(os.fstat(file).st_size))
        for asked in ASKED:
            recording.append(asked, answer())
            assert sizes[-1] == path.stat().st_size
    assert len(sizes) == 4


def test_nothing_is_added_once_the_record_is_closed(tmp_path):
    with Recording(tmp_path / "r.jsonl", print) as recording:
        recording.append(ASKED[0], answer())
    # The other file has the descriptor that the record had.
    with (tmp_path / "another").open("wb"), pytest.raises(ValueError, match="ended"):
        recording.append(ASKED[1], answer())
    assert (tmp_path / "another").read_bytes() == b""


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_record_that_dvc_linked_to_its_cache_leaves_the_cache_alone(tmp_path, lines, link):
    cached = tmp_path / "cached"
    cached.write_bytes(lines[0])
    cached.chmod(0o444)
    path = tmp_path / "r.jsonl"
    link(cached, path)
    written(path, [(ASKED[1], answer())])
    assert cached.read_bytes() == lines[0]
    assert len(read_record(path)) == 2


def test_a_full_disk_leaves_whole_lines(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    real = os.write

    def full(file, content):
        if len(content) > 200:
            return real(file, content[:200])  # a part still fits
        raise OSError(28, "No space left on device")

    with Recording(path, print) as recording:
        recording.append(ASKED[0], answer("one"))
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(InputError, match="No space left"):
                recording.append(ASKED[1], answer("two"))
        assert ASKED[1].key not in recording.answers
        recording.append(ASKED[2], answer("three"))
    assert set(read_record(path)) == {ASKED[0].key, ASKED[2].key}


def test_a_folder_in_the_records_place_is_refused(tmp_path):
    assert "cannot be read" in refused(tmp_path).problem
    with pytest.raises(InputError, match="cannot be read"), Recording(tmp_path, print):
        pass
    write_bytes(tmp_path / "file", b"")
    with pytest.raises(InputError, match="written"), Recording(tmp_path / "file" / "r", print):
        pass


@pytest.mark.parametrize("name", ["judgements.jsonl", "judgements.jsonl.dvc"])
def test_a_record_in_its_old_place_is_refused(tmp_path: Path, name: str) -> None:
    old = tmp_path / name
    old.write_bytes(b"")
    record = tmp_path / "judgements" / "judgements.jsonl"
    with pytest.raises(InputError) as caught:
        read_record(record)
    assert caught.value.file == old
    assert str(record) in caught.value.problem
    assert caught.value.remedy.startswith("Move it there")
    with pytest.raises(InputError, match="expected the record in"), Recording(record, print):
        pass
    old.unlink()
    assert read_record(record) == {}


def test_another_stage_s_record_is_no_record_in_an_old_place(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"")
    assert read_record(tmp_path / "judgements" / "judgements.jsonl") == {}
