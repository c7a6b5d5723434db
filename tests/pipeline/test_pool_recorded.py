"""Pools that a language model writes, with every kind of answer that it may give."""

import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from chat_server import KEY, ChatServer, asked_for, completion

import pipeline.pool
from pipeline.recorded_pools import RECORD, write_pools
from storyaudit.cli.record import recording
from storyaudit.data.corpus import content_id
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import POOL_CANDIDATES, POOL_STORIES, STORIES, validate
from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import Endpoint, ModelParams
from storyaudit.llm.question import Question, Result

WRITER = ModelParams(model="ink", temperature=1.0)
Said = Callable[[str, int], str | None]
"""What the model says on a premise, by its number of the sample; None where it refuses."""


class Asked:
    """Answers questions as ``said`` does, and keeps what was asked: (premise, sample)."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.seen: list[tuple[str, int]] = []

    def __call__(self, questions: Sequence[Question[Any]], *, attempts: int) -> list[Any]:
        assert attempts == WRITER.attempts
        results = []
        for question in questions:
            (premise,) = (
                word
                for word in ("one", "two", "three")
                if f"\n{word} town" in question.request.messages[0].content
            )
            sample = question.request.sample
            self.seen.append((premise, sample))
            text = self.said(premise, sample)
            answer = Answer(
                text=text or "",
                finish_reason="stop",
                refusal="" if text else "no",
                model="",
                input_tokens=None,
                output_tokens=None,
            )
            kind: Any = "refused" if text is None else "answered"
            results.append(Result(question.request, answer, kind, text))
        return results


def premises(*names: str) -> pd.DataFrame:
    texts = [f"{name} town" for name in names]
    ids = [content_id("p", text, "mine") for text in texts]
    return pd.DataFrame({"premise_id": ids, "text": texts}).assign(
        language="en", source="mine", use="pool"
    )


def write(said: Said, *names: str, wanted: int = 1) -> tuple[pd.DataFrame, dict[str, int], Asked]:
    ask = Asked(said)
    stories, counts = write_pools(
        premises(*names), WRITER, ask, wanted=wanted, stories=3, words_each=50
    )
    validate(stories, STORIES, file=Path("stories"))
    return stories, counts, ask


def test_each_premise_gets_its_stories_by_one_model() -> None:
    stories, counts, ask = write(lambda p, n: f"Story {n} of {p}.", "one", "two", wanted=2)
    assert ask.seen == [(p, n) for p in ("one", "two") for n in range(3)]
    assert sorted(stories["text"]) == [
        f"Story {n} of {p}." for n in range(3) for p in ("one", "two")
    ]
    of = premises("one", "two").set_index("premise_id")["text"]
    assert all(
        of[premise].split()[0] in text
        for premise, text in zip(stories["premise_id"], stories["text"], strict=True)
    )
    assert set(stories["author"]) == {"ink"} and set(stories["use"]) == {"pool"}
    assert counts["stories.answered"] == 6
    assert sum(counts.values()) == 6


@pytest.mark.parametrize(
    ("bad", "counted"),
    [
        ("Story 0\nof  one.", "repeated"),  # but for white space
        ("… — !", "empty"),
        (None, "refused"),
    ],
)
def test_an_answer_that_is_no_story_of_its_own_is_asked_for_again(
    bad: str | None, counted: str
) -> None:
    stories, counts, ask = write(lambda p, n: bad if n == 1 else f"Story {n} of {p}.", "one")
    assert ask.seen == [("one", 0), ("one", 1), ("one", 2), ("one", 3)]
    assert sorted(stories["text"]) == [f"Story {n} of one." for n in (0, 2, 3)]
    assert counts[f"stories.{counted}"] == 1
    assert counts["stories.answered"] == 4 - (bad is None)


def test_a_text_of_another_pool_counts_once() -> None:
    stories, counts, _ = write(
        lambda p, n: "Same." if n == 0 else f"Story {n} of {p}.", "one", "two", wanted=2
    )
    assert len(stories) == stories["text"].nunique() == 6
    assert counts["stories.repeated"] == 1


def test_a_premise_that_stays_short_gives_way_to_the_next() -> None:
    def said(premise: str, sample: int) -> str | None:
        return None if premise == "one" and sample > 1 else f"Story {sample} of {premise}."

    stories, counts, ask = write(said, "one", "two", "three")
    # Twice as many as a pool holds, and not more: 3, then one at a time to 6.
    assert ask.seen == [("one", n) for n in range(6)] + [("two", n) for n in range(3)]
    assert set(stories["premise_id"]) == set(premises("two")["premise_id"])
    assert counts["stories.short_premises"] == 1
    assert counts["stories.refused"] == 4


def test_too_few_full_pools_are_refused_with_what_became_of_the_answers() -> None:
    with pytest.raises(InputError) as refused:
        write(lambda p, n: f"Always of {p}.", "one", "two", wanted=2)
    message = str(refused.value)
    assert "expected 2 premises with 3 different stories by ink, found 0 among 2" in message
    # A first story each, and five times the same.
    assert "12 answered" in message and "10 repeated" in message
    assert "temperature" in message and str(RECORD) in message


def author(body: dict[str, Any], _: int) -> Any:
    town = re.findall(r"In town (\d)", asked_for(body))[0]
    return completion(f"<story>{body['seed']} days of rain fell upon town {town}.</story>")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    server = ChatServer()
    server.behave = author
    (tmp_path / "data/raw/pool/corpora").mkdir(parents=True)
    rows = [(f"In town {n} </story> a $baker waits.", f"Told {n}.") for n in range(5)]
    frame = pd.DataFrame(rows, columns=["premise", "text"])
    frame.assign(author="x", author_kind="llm").to_csv(
        tmp_path / "data/raw/pool/corpora/mops.csv", index=False
    )
    pool = {
        "premises": 3,
        "stories": 4,
        "files": [
            {
                "path": "data/raw/pool/corpora/mops.csv",
                "reader": "table",
                "source": "mops",
                "use": "pool",
            }
        ],
        "writer": {"model": "ink", "temperature": 1.0, "seed": 7},
        "words": 40,
    }
    params = {"study": "mine", "simulated": [], "seed": 1, "pool": pool}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield server
    server.close()


def outs() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path("data").rglob("*.parquet")}


def test_recorded_pools_are_replayed_offline_to_the_same_bytes(
    study: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline.pool.main(ask=recording([Endpoint(base_url=study.url)], RECORD))
    assert len(study.seen) == 12
    assert {body["temperature"] for body in study.seen} == {1.0}
    assert sorted({body["seed"] for body in study.seen}) == [7, 8, 9, 10]
    before = outs()
    study.close()

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    pipeline.pool.main()
    assert outs() == before
    stories = read_valid_table(Path("data/pool/stories.parquet"), POOL_STORIES)
    assert set(stories["author"]) == {"ink"}  # and not the file's
    candidates = read_valid_table(Path("data/pool/candidates.parquet"), POOL_CANDIDATES)
    assert candidates.groupby("item_id").size().tolist() == [4, 4, 4]


def test_what_is_not_recorded_is_named_with_the_command_that_records_it(
    study: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        pipeline.pool.main()
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert "12 of 12 answers are not recorded" in error
    assert "storyaudit record pool" in error
    assert not Path("data/pool").exists()
