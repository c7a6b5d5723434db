"""The external judge: simulated, recorded, or none."""

import json
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from chat_server import KEY, ChatServer, asked_for, completion
from pydantic import ValidationError
from scipy import stats

from pipeline.external_check import (
    RECORD,
    ExternalCheckParams,
    Shown,
    asked_rewards,
    main,
    simulated_rewards,
)
from storyaudit.cli.record import recording
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import FURTHER_SCORES
from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import Endpoint, ModelParams
from storyaudit.llm.question import MalformedError, Question, Result
from storyaudit.runs.stage import EXTERNAL
from storyaudit.vocabulary import DIMENSIONS

MODEL = ModelParams(model="critic")
EXACT: dict[str, Any] = {"noise": 0.0, "human_penalty": 0.0, "model": None}
KINDS = {"h": "human"}
"""Of a story, by the last letter of its ID; models wrote the others."""


def part(items: dict[str, str]) -> Shown:
    """Items of stories called by a letter: {'x': 'abh'} has the stories xa, xb and xh."""
    rows = [
        (item, place, item + s, f"p{item}", "human_llm" if "h" in stories else "llm_llm")
        for item, stories in items.items()
        for place, s in enumerate(stories, start=1)
    ]
    names = ["item_id", "position", "story_id", "premise_id", "origin"]
    candidates = pd.DataFrame(rows, columns=names)
    shared = {"language": "en", "source": "s", "use": "benchmark"}
    premises = pd.DataFrame({"premise_id": [f"p{item}" for item in items]})
    premises = premises.assign(text=[f"Premise of {item}." for item in items], **shared)
    stories = candidates[["story_id", "premise_id"]].assign(**shared)
    stories["text"] = [f"It rained on {story}." for story in stories["story_id"]]
    stories["author_kind"] = [KINDS.get(story[-1], "llm") for story in stories["story_id"]]
    return Shown(candidates, premises, stories.assign(author="a", words=4))


def qualities(shown: Shown, **known: float) -> pd.DataFrame:
    """The same quality on every dimension: 0.5, or what is given."""
    ids = shown.stories["story_id"]
    values = ids.map(lambda story: known.get(story, 0.5))
    return pd.DataFrame({"story_id": ids, **dict.fromkeys(DIMENSIONS, values)})


def rewards(
    shown: Shown, known: pd.DataFrame, seed: int = 1, **params: Any
) -> dict[tuple[str, str], float]:
    made = simulated_rewards(
        shown, known, ExternalCheckParams(**EXACT | params), np.random.default_rng(seed)
    )
    keys = zip(made["item_id"], made["story_id"], strict=True)
    return dict(zip(keys, made["reward"], strict=True))


def test_without_error_a_reward_is_the_mean_quality_in_points_less_the_penalty() -> None:
    shown = part({"x": "abh", "y": "ab"})
    known = qualities(shown, xa=0.0, xb=1.0, xh=0.5)
    known.loc[known["story_id"] == "ya", list(DIMENSIONS)] = [0.1, 0.2, 0.3, 0.4, 0.5]
    # Points are 1 + 9 · quality: 1, 10, 5.5; of a mean of 0.3, 3.7.
    expected = {
        ("x", "xa"): 1,
        ("x", "xb"): 10,
        ("x", "xh"): 5.5,
        ("y", "ya"): 3.7,
        ("y", "yb"): 5.5,
    }
    assert rewards(shown, known) == pytest.approx(expected)
    penalised = expected | {("x", "xh"): 5.5 - 1.25}
    assert rewards(shown, known, human_penalty=1.25) == pytest.approx(penalised)


def test_the_error_has_its_deviation_and_is_another_for_every_story() -> None:
    shown = part({f"i{n}": "abcd" for n in range(250)})
    errors = np.array(list(rewards(shown, qualities(shown), noise=0.7).values())) - 5.5
    # (n − 1) s² / σ² is chi-squared with n − 1 degrees of freedom.
    low, high = stats.chi2.ppf([0.0005, 0.9995], 999)
    assert low < errors.var(ddof=1) * 999 / 0.7**2 < high
    assert len(set(errors)) == 1000
    again = np.array(list(rewards(shown, qualities(shown), seed=2, noise=0.7).values()))
    assert (again - 5.5 != errors).all()


def test_a_story_has_one_reward_in_every_item_and_rows_have_no_order() -> None:
    shown = part({"x": "abcd", "y": "abcd"})
    twice = shown.candidates[shown.candidates["item_id"] == "x"].assign(item_id="x-again")
    both = shown._replace(candidates=pd.concat([shown.candidates, twice]))
    made = rewards(both, qualities(shown), noise=1.0)
    assert all(made["x", f"x{s}"] == made["x-again", f"x{s}"] for s in "abcd")
    mixed = Shown(*(table.sample(frac=1, random_state=4) for table in both))
    known = qualities(shown).sample(frac=1, random_state=5)
    assert rewards(mixed, known, noise=1.0) == made


@pytest.mark.parametrize(
    ("lost", "problem"),
    [
        ("stories", "item_id x: expected one text of the story_id xb, found none"),
        ("premises", "item_id x: expected one text of the premise_id px, found none"),
        ("qualities", "candidate xb of item x has no qualities"),
    ],
)
def test_what_is_lacking_is_refused_by_name(lost: str, problem: str) -> None:
    shown = part({"w": "ab", "x": "abc"})
    known = qualities(shown)
    if lost == "qualities":
        known = known[known["story_id"] != "xb"]
    else:
        table = getattr(shown, lost)
        shown = shown._replace(**{lost: table[~table.iloc[:, 0].isin(["xb", "px"])]})
    with pytest.raises(InputError, match=problem):
        rewards(shown, known)
    if lost != "qualities":  # nor is anything asked

        def never(*_: object, **__: object) -> list[Any]:
            raise AssertionError("something was asked")

        with pytest.raises(InputError, match=problem):
            asked_rewards(shown, MODEL, never)


@pytest.mark.parametrize(
    "wrong",
    [
        {"noise": -1.0},
        {"human_penalty": float("nan")},
        {"noise": "1"},
        {"model": "critic"},
        {"x": 1},
    ],
)
def test_parameters_that_make_no_judge_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ExternalCheckParams(**EXACT | wrong)
    ExternalCheckParams(**EXACT)


def answering(said: Callable[[str], str | None]) -> Any:
    """An ``ask`` that answers by the story's text; None is a refusal."""

    def ask(questions: Sequence[Question[Any]], *, attempts: int) -> list[Result[Any]]:
        assert attempts == MODEL.attempts
        results = []
        for question in questions:
            text = said(question.request.messages[0].content)
            answer = Answer(
                text=text or "",
                finish_reason="stop",
                refusal="" if text else "no",
                model="",
                input_tokens=None,
                output_tokens=None,
            )
            if text is None:
                results.append(Result(question.request, answer, "refused"))
                continue
            try:
                results.append(Result(question.request, answer, "answered", question.parse(text)))
            except MalformedError:
                results.append(Result(question.request, answer, "malformed"))
        return results

    return ask


def letter_of(asked: str) -> str:
    (letter,) = re.findall(r"rained on \w(\w)", asked)
    return letter


def by_letter(asked: str) -> str | None:
    letter = letter_of(asked)
    return {"a": '{"score": 3}', "b": '{"score": 10}', "c": '{"score": 11}', "d": None}[letter]


def test_a_model_gives_each_story_a_score_and_what_is_none_is_no_reward() -> None:
    made, counted = asked_rewards(part({"x": "abcd", "y": "ba"}), MODEL, answering(by_letter))
    rewarded = made[["item_id", "story_id", "reward"]]
    assert sorted(rewarded.itertuples(index=False, name=None)) == [
        ("x", "xa", 3.0),
        ("x", "xb", 10.0),
        ("y", "ya", 3.0),
        ("y", "yb", 10.0),
    ]
    assert [counted[f"critic.{name}"] for name in ("answered", "malformed", "refused")] == [4, 1, 1]


def test_a_model_that_scores_nothing_is_named() -> None:
    with pytest.raises(InputError, match="not one answer of critic holds rewards") as error:
        asked_rewards(part({"x": "cd"}), MODEL, answering(by_letter))
    assert error.value.file == RECORD


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two items, one of which the benchmark left out, and a pool."""
    monkeypatch.chdir(tmp_path)
    items, pools = part({"x": "abh", "z": "ab"}), part({"b": "abc"})
    for place, shown in (("study", items), ("pool", pools)):
        (tmp_path / f"data/{place}").mkdir(parents=True)
        for name, frame in shown._asdict().items():
            frame.to_parquet(tmp_path / f"data/{place}/{name}.parquet")
    columns = [
        "item_id",
        "premise_id",
        "origin",
        "chosen_id",
        "annotation_route",
        "tau_avg",
        "dimension",
    ]
    gold = pd.DataFrame(
        [("x", "px", "human_llm", "xh", "human_first", 1.0, "fluency")], columns=columns
    )
    gold.assign(dimension_rule="1").to_parquet(tmp_path / "data/study/benchmark.parquet")
    (tmp_path / "data/world/pool").mkdir(parents=True)
    qualities(items, xa=1.0).to_parquet(tmp_path / "data/world/qualities.parquet")
    qualities(pools, bb=0.0).to_parquet(tmp_path / "data/world/pool/qualities.parquet")
    return tmp_path


def run(simulated: list[str], ask: Any = None, **check: Any) -> pd.DataFrame:
    params = {"study": "mine", "simulated": simulated, "seed": 1, "external_check": EXACT | check}
    Path("params.yaml").write_text(yaml.safe_dump(params))
    main(ask)
    return read_valid_table(EXTERNAL / "scores.parquet", FURTHER_SCORES)


def scores_by_story(scores: pd.DataFrame) -> dict[str, float]:
    assert set(scores["variant"]) == {"external_check"} and set(scores["seed"]) == {0}
    return dict(zip(scores["story_id"], scores["reward"], strict=True))


def test_the_stage_scores_the_benchmarks_items_and_the_pools(study: Path) -> None:
    scores = run(["judges"], human_penalty=2.0)
    assert scores_by_story(scores) == {
        "xa": 10.0,
        "xb": 5.5,
        "xh": 3.5,
        "ba": 5.5,
        "bb": 1.0,
        "bc": 5.5,
    }
    assert set(scores["model"]) == {"simulated"}


def test_the_pools_errors_do_not_depend_on_the_benchmark(study: Path) -> None:
    before = scores_by_story(run(["judges"], noise=1.0))
    candidates = pd.read_parquet("data/study/candidates.parquet")
    candidates[candidates["story_id"] != "xb"].to_parquet("data/study/candidates.parquet")
    after = scores_by_story(run(["judges"], noise=1.0))
    assert {name: after[name] for name in ("ba", "bb", "bc")} == {
        name: before[name] for name in ("ba", "bb", "bc")
    }


def test_a_study_without_pools_has_its_items_scored(study: Path) -> None:
    for name in ("candidates", "premises", "stories"):
        path = Path(f"data/pool/{name}.parquet")
        pd.read_parquet(path)[:0].to_parquet(path)
    path = Path("data/world/pool/qualities.parquet")
    pd.read_parquet(path)[:0].to_parquet(path)
    assert set(scores_by_story(run(["judges"]))) == {"xa", "xb", "xh"}


def test_where_nothing_is_simulated_and_no_model_is_named_nothing_is_scored(study: Path) -> None:
    assert run([]).empty
    record = json.loads(Path("runs/external_check.json").read_text())
    assert record["metrics"] == {"scores": 0} and record["reads"] == {}


def test_a_named_model_is_recorded_and_replayed_offline(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = {"model": "critic"}
    with pytest.raises(SystemExit):
        run(["judges"], model=model)
    error = capsys.readouterr().err
    assert "6 of 6 answers are not recorded" in error
    assert "storyaudit record external_check" in error
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = ChatServer()
    server.behave = lambda body, _: completion(
        json.dumps({"score": 1 + "abch".index(letter_of(asked_for(body)))})
    )
    ask = recording([Endpoint(base_url=server.url)], RECORD)
    scores = run(["judges"], ask, model=model)
    server.close()
    assert scores_by_story(scores) == {"xa": 1, "xb": 2, "xh": 4, "ba": 1, "bb": 2, "bc": 3}
    assert set(scores["model"]) == {"critic"}
    before = (EXTERNAL / "scores.parquet").read_bytes()

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    run(["judges"], model=model)
    assert (EXTERNAL / "scores.parquet").read_bytes() == before


def test_the_same_story_in_the_benchmark_and_in_a_pool_is_asked_for_once(study: Path) -> None:
    # As where one corpus serves both sides: the same IDs and texts.
    premises = pd.read_parquet("data/study/premises.parquet")
    stories = pd.read_parquet("data/study/stories.parquet")
    candidates = pd.read_parquet("data/study/candidates.parquet")
    premises.to_parquet("data/pool/premises.parquet")
    stories.to_parquet("data/pool/stories.parquet")
    own = candidates[candidates["item_id"] == "x"].assign(item_id="b-px")
    own.to_parquet("data/pool/candidates.parquet")
    server = ChatServer()
    server.behave = lambda *_: completion('{"score": 7}')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        scores = run([], recording([Endpoint(base_url=server.url)], RECORD), model={"model": "c"})
    server.close()
    assert len(server.seen) == 3 and len(scores) == 6
