"""A study whose texts and judges are language models: recorded once, then replayed offline."""

import hashlib
import json
import re
import socket
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from chat_server import KEY, ChatServer, Reply, asked_for, completion
from click.testing import CliRunner

import pipeline.annotations
import pipeline.benchmark
import pipeline.candidates
import pipeline.corpora
import pipeline.judgements
from storyaudit.cli.main import cli
from storyaudit.errors import InputError

CLONE = Path(__file__).parents[2]
WRITERS = ("ink", "quill", "reed", "stylus")
JUDGES = ("alder", "birch")
MEASURES = ("creativity", "coherence", "fluency", "characterization", "relevance", "overall")


def number_of(text: str, below: int) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % below


def author(body: dict[str, Any], _: int) -> Reply:
    """What a model answers: it hangs on nothing but the request."""
    asked = asked_for(body)
    told = f"{body['model']} {body.get('seed')} {asked}"
    if asked.startswith("Invent the seed"):
        return completion(f"<seed>A baker finds loaf {number_of(told, 10**6)}.</seed>")
    if asked.startswith("Expand a seed"):
        return completion(f"<premise>In town {number_of(told, 10**6)} a baker waits.</premise>")
    if asked.startswith("Write a story"):
        return completion(f"<story>It rained {number_of(told, 10**9)} days, said x.</story>")
    assert asked.startswith("Judge")
    stories = re.findall(r"It rained (\d+) days", asked)
    scores = {
        str(place): {measure: 1 + number_of(f"{measure}{story}", 10) for measure in MEASURES}
        for place, story in enumerate(stories, start=1)
    }
    return completion(json.dumps(scores))


@pytest.fixture
def server() -> Any:
    served = ChatServer()
    served.behave = author
    yield served
    served.close()


@pytest.fixture
def study(tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    params = yaml.safe_load((CLONE / "params.yaml").read_text(encoding="utf-8"))
    params["simulated"] = ["training texts", "annotators"]
    params["corpora"] |= {
        "scale": 0.002,
        "written_premises": {
            "model": {"model": "muse", "seed": 1},
            "themes": ["bread", "rain"],
            "per_theme": 2,
        },
        "writers": {"models": [{"model": name, "seed": 1} for name in WRITERS], "words": 50},
    }
    params["judgements"]["recorded"] |= {
        "models": [{"model": name} for name in JUDGES],
        "reverse": True,
    }
    params["protocol"]["minimum_judges"] = 2
    params["faults"] |= {"copies": 0, "light_edits": 0, "embedded": 0}
    params["endpoints"] = [
        {"base_url": server.url, "models": ["alder"]},
        {"base_url": server.url, "concurrency": 3},
    ]
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return tmp_path


def record(stage: str) -> None:
    result = CliRunner().invoke(cli, ["record", stage], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert KEY not in result.output


def build() -> None:
    for stage in (
        pipeline.corpora,
        pipeline.candidates,
        pipeline.judgements,
        pipeline.annotations,
        pipeline.benchmark,
    ):
        stage.main()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "local" not in path.parts
    }


def test_a_study_is_recorded_then_replayed_offline_to_the_same_bytes(
    study: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    record("corpora")
    pipeline.candidates.main()
    record("judgements")
    # Two themes, two kinds of seeds, two each: 8 seeds, 8 premises, four stories for each.
    asked = [asked_for(body).split()[0] for body in server.seen]
    assert {first: asked.count(first) for first in set(asked)} == {
        "Invent": 8,
        "Expand": 8,
        "Write": 32,
        "Judge": 32,  # 8 items, 2 judges, 2 orders
    }
    build()
    before = contents(study)
    server.close()

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.delenv("OPENAI_API_KEY")
    build()
    assert contents(study) == before
    assert not any(KEY.encode() in content for content in before.values())

    judgements = pd.read_parquet("data/study/judgements.parquet")
    stories = pd.read_parquet("data/study/stories.parquet").set_index("story_id")
    assert set(judgements["judge"]) == set(JUDGES)
    assert judgements.groupby(["prompt_variant", "judge"]).size().to_dict() == {
        (variant, judge): 8 * 4 * 6 for variant in ("1", "1-reversed") for judge in JUDGES
    }
    # Every score is the one that the server gives the story's number, whatever its place.
    for row in judgements.sample(50, random_state=1).itertuples():
        (rained,) = re.findall(r"It rained (\d+) days", stories["text"][row.story_id])
        assert row.score == 1 + number_of(f"{row.dimension}{rained}", 10)
    places = judgements.pivot_table(
        index=["item_id", "story_id"], columns="prompt_variant", values="position"
    )
    assert (places.sum(axis=1) == 5).all()
    candidates = pd.read_parquet("data/study/candidates.parquet")
    shown = candidates.set_index(["item_id", "story_id"])["position"].sort_index()
    assert places["1"].sort_index().tolist() == shown.tolist()
    benchmark = pd.read_parquet("data/study/benchmark.parquet")
    assert len(benchmark) == 8 and set(benchmark["origin"]) == {"llm_llm"}
    authors = stories.loc[candidates["story_id"], "author"]
    assert set(authors) == set(WRITERS)


def test_what_is_not_recorded_is_named_with_the_command_that_records_it(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        pipeline.corpora.main()
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert "8 of 8 answers are not recorded" in error
    assert "storyaudit record corpora" in error
    assert not Path("runs").exists() and not Path("data/study").exists()


def test_a_recording_that_stops_goes_on_where_it_stopped(
    study: Path, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(body: dict[str, Any], number: int) -> Reply:
        if body["model"] == "reed":
            return Reply(401, {"error": {"message": f"wrong key {KEY}"}})
        return author(body, number)

    server.behave = fails
    result = CliRunner().invoke(cli, ["record", "corpora"])
    assert result.exit_code == 2
    assert not Path("data/study").exists()
    served = len(server.seen)
    server.behave = author
    record("corpora")
    # 16 for the premises, and 8 a writer; nothing that was answered is asked for again.
    refused = sum(body["model"] == "reed" for body in server.seen[:served])
    assert len(server.seen) == 16 + 4 * 8 + refused


def test_an_answer_that_stays_malformed_leaves_the_judge_out(
    study: Path, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    record("corpora")
    pipeline.candidates.main()

    def off_scale(body: dict[str, Any], number: int) -> Reply:
        if body["model"] == "birch":
            return completion('{"1": {"creativity": -1}}')
        return author(body, number)

    server.behave = off_scale
    record("judgements")
    run = json.loads(Path("runs/judgements.json").read_text())
    assert run["metrics"]["birch.malformed"] == 16
    assert run["metrics"]["alder.answered"] == 16
    with pytest.raises(SystemExit):
        pipeline.annotations.main()
    assert "expected complete scores by 2 judges" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("endpoints", "problem"),
    [
        ([], "expected a list of endpoints"),
        ([{"base_url": "http://x/v1", "models": ["alder"]}], "no endpoint serves the model 'muse'"),
        ([{"base_url": "http://x/v1"}, {"base_url": "http://y/v1"}], "two endpoints serve every"),
        ([{"url": "http://x/v1"}], "endpoints.0"),
        ([{"base_url": "http://me:secret@x/v1"}], "without a password"),
    ],
)
def test_endpoints_that_do_not_do_are_refused(
    study: Path, endpoints: Any, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    params = yaml.safe_load(Path("params.yaml").read_text())
    Path("params.yaml").write_text(yaml.safe_dump(params | {"endpoints": endpoints}))
    result = CliRunner().invoke(cli, ["record", "corpora"])
    if isinstance(result.exception, InputError):
        assert problem in str(result.exception)
    else:
        assert result.exit_code == 2
        assert problem in result.output + capsys.readouterr().err


def test_a_model_that_stands_twice_is_refused_before_anything_is_asked(
    study: Path, server: ChatServer
) -> None:
    params = yaml.safe_load(Path("params.yaml").read_text())
    params["corpora"]["writers"]["models"] *= 2
    Path("params.yaml").write_text(yaml.safe_dump(params))
    result = CliRunner().invoke(cli, ["record", "corpora"])
    assert result.exit_code == 2
    assert "the model 'ink' stands twice" in result.output
    assert server.seen == []


def test_a_text_of_two_writers_is_one_story_and_counted(study: Path, server: ChatServer) -> None:
    def alike(body: dict[str, Any], number: int) -> Reply:
        if asked_for(body).startswith("Write a story"):
            return completion(f"<story>{number_of(asked_for(body), 10**9)} days of rain.</story>")
        return author(body, number)

    server.behave = alike
    record("corpora")
    metrics = json.loads(Path("runs/corpora.json").read_text())["metrics"]
    # 8 premises, 4 writers: of each premise's four equal stories one is left.
    assert metrics["stories.repeated_by_another_writer"] == 24
    stories = pd.read_parquet("data/study/stories.parquet")
    assert (stories["author_kind"] == "llm").sum() >= 8


def test_a_nul_in_a_story_is_asked_for_again(study: Path, server: ChatServer) -> None:
    seen: set[str] = set()

    def broken(body: dict[str, Any], number: int) -> Reply:
        asked = asked_for(body)
        if body["model"] == "reed" and asked not in seen:
            seen.add(asked)
            return completion("<story>A\0B</story>")
        return author(body, number)

    server.behave = broken
    record("corpora")
    metrics = json.loads(Path("runs/corpora.json").read_text())["metrics"]
    assert (metrics["stories.reed.answered"], metrics["stories.reed.retried"]) == (8, 8)


def test_judges_who_refuse_everything_are_named(study: Path, server: ChatServer) -> None:
    record("corpora")
    pipeline.candidates.main()
    server.behave = lambda *_: completion(None, refusal="no")
    result = CliRunner().invoke(cli, ["record", "judgements"])
    assert result.exit_code == 2
    assert "not one answer holds scores" in result.output
