import json

import pytest
from real_data import real_path

from storyaudit.errors import InputError
from storyaudit.layouts.mops import read_mops

REAL = real_path("mops/stories")
HOW = {"source": "mops", "use": "benchmark"}


def write(path, *records):
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def test_files_of_a_folder_are_read_by_name(tmp_path):
    write(
        tmp_path / "a.jsonl", {"id": "1", "premise": " P ", "story": "Name: X\n\nOutline: Y\n\nZ"}
    )
    write(tmp_path / "b.jsonl", {"id": "2", "premise": "P", "story": "Plain"})
    found = read_mops(tmp_path, **HOW)
    facts = found.stories.set_index("provenance")
    assert facts["text"].to_dict() == {
        "a.jsonl:1": "Name: X\n\nOutline: Y\n\nZ",
        "b.jsonl:1": "Plain",
    }
    assert set(facts["author_kind"]) == {"llm"}
    assert len(found.premises) == 1
    assert found.counts["with_outline"] == 1


def test_faults_are_refused(tmp_path):
    with pytest.raises(InputError, match="found none"):
        read_mops(tmp_path, **HOW)
    path = write(
        tmp_path / "a.jsonl", {"premise": "P", "story": "S"}, {"premise": "P", "story": 1.5}
    )
    with pytest.raises(InputError) as error:
        read_mops(path, **HOW)
    assert (error.value.row, error.value.column, error.value.file) == (2, "story", path)


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"MoPS is not at {REAL}")
def test_the_500_released_stories() -> None:
    found = read_mops(REAL, **HOW)
    lines = [
        json.loads(line)
        for file in REAL.glob("*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    assert len(found.stories) == len(lines) == 500
    assert set(found.stories["text"]) == {line["story"].strip() for line in lines}
    assert set(found.premises["text"]) == {line["premise"].strip() for line in lines}
    assert set(found.stories["premise_id"]) == set(found.premises["premise_id"])
