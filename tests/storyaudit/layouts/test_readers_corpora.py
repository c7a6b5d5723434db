import json

import pytest

from storyaudit.errors import InputError
from storyaudit.layouts.corpus_layouts import READERS, read_corpus

ITEM = {"prompt": "P", "chosen": "a", "rejected": ["b", "c", "d"]}
FILES = {
    "writing_prompts": {"x.wp_source": "P\n", "x.wp_target": "a\n"},
    "hanna": {"h.csv": ",Prompt,Human,Story,Model\n0,P,a,b,M\n"},
    "confederacy": {"bard-1.txt": "a"},
    "mops": {"m.jsonl": json.dumps({"premise": "P", "story": "a"})},
    "platform": {"p.csv": "正文\na\n"},
    "table": {"t.csv": "text,author,author_kind\na,x,llm\n"},
    "preferences": {"p.jsonl": json.dumps({**ITEM, "rejected": "b"})},
    "items": {"i.jsonl": json.dumps(ITEM)},
}


def write(folder, reader):
    for name, text in FILES[reader].items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
    return folder if reader == "confederacy" else path


@pytest.mark.parametrize("reader", READERS)
def test_each_layout_is_read_by_its_name(tmp_path, reader):
    path = write(tmp_path, reader)
    found = read_corpus(path, reader=reader, source="mine", use="training")
    assert "a" in set(found.stories["text"])
    for frame in (found.premises, found.stories):
        assert set(frame["source"]) <= {"mine"} and set(frame["use"]) <= {"training"}
        assert frame["provenance"].str.match(r"[^/]+$").all()  # no folder, so no machine, in it
    counts = found.counts
    assert counts["read"] == counts["empty_texts"] + counts["repeated"] + len(found.stories)
    english = reader in ("writing_prompts", "hanna", "confederacy", "mops")
    assert set(found.stories["language"]) == {"en" if english else "und"}
    german = read_corpus(path, reader=reader, source="mine", use="training", language="de")
    assert set(german.stories["language"]) == {"de"}


def test_every_reader_is_tested():
    assert set(READERS) == set(FILES)


def test_unknown_readers_and_maps_that_are_not_taken_are_refused(tmp_path):
    path = write(tmp_path, "hanna")
    with pytest.raises(InputError, match=r"a reader \(writing_prompts, .*\), found 'x'"):
        read_corpus(path, reader="x", source="s", use="training")
    with pytest.raises(InputError, match="takes no column map"):
        read_corpus(path, reader="hanna", source="s", use="training", columns={"text": "Story"})
    path = write(tmp_path, "table")
    with pytest.raises(InputError, match="the column 'y'"):
        read_corpus(path, reader="table", source="s", use="training", columns={"text": "y"})
