"""The stage 'pairs': all methods together, in a simulated study and in a recorded one."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from pydantic import ValidationError

from audits.counts.columns import training_columns as training
from pipeline.pairing.build import TrainingPairs, build_pairs
from pipeline.pairing.pair_method import Generators
from pipeline.pairing.pair_params import PairsParams
from pipeline.pairs import RECORD, main
from pipeline.simulation.authors import MODELS
from pipeline.simulation.pair_judge import simulated_judge
from pipeline.simulation.simulated_writers import SimulatedWriters
from pipeline.simulation.truth_tables import BRIEFS, QUALITIES
from storyaudit.data.tables import (
    FURTHER_PAIRS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    coerce_types,
    validate,
)
from storyaudit.errors import InputError
from storyaudit.io import files
from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.recorder import record
from storyaudit.runs.seeds import stream
from storyaudit.text.words import words

CLONE = Path(__file__).parents[2]
BILLIONS = {model.name: model.billions for model in MODELS}
SECTION = yaml.safe_load((CLONE / "params.yaml").read_text(encoding="utf-8"))["pairs"]
SIZES = {
    "back_generation": 12,
    "rewriting": 60,
    "continuation": 20,
    "llm_llm_judged": 50,
    "llm_llm_size": 40,
}
SMALL = {**SECTION, "sizes": SIZES, "replacements": 60}


def streams(purpose: str) -> np.random.Generator:
    return stream(1, "pairs", purpose)


def build(corpora, *, turn=lambda frame: frame, **changed) -> TrainingPairs:
    params = PairsParams(**{**SMALL, **changed})
    writers = SimulatedWriters(turn(corpora.briefs), turn(corpora.qualities), streams("writers"))
    judge = simulated_judge(turn(corpora.qualities), params.judge_noise, streams("judge"))
    tables = turn(corpora.premises), turn(corpora.stories)
    return build_pairs(*tables, [], Generators(writers, judge), params, streams, billions=BILLIONS)


@pytest.fixture(scope="module")
def built(corpora) -> TrainingPairs:
    return build(corpora)


@pytest.fixture(scope="module")
def texts(corpora, built) -> dict[str, str]:
    every = pd.concat([corpora.stories, built.stories])
    assert every["story_id"].is_unique
    return dict(zip(every["story_id"], every["text"], strict=True))


def test_the_tables_are_sound_and_every_method_has_its_size(built):
    for table, frame in (
        (PAIRS, built.pairs),
        (FURTHER_PAIRS, built.further),
        (PAIR_PREMISES, built.premises),
        (PAIR_STORIES, built.stories),
    ):
        validate(coerce_types(frame, table, file=Path("x"))[0], table, file=Path("x"))
    assert built.pairs["method"].value_counts().to_dict() == SIZES
    assert built.further["method"].value_counts().to_dict() == {
        "replacement": 60,
        "human_chosen": 20,
    }
    assert not set(built.pairs["pair_id"]) & set(built.further["pair_id"])
    assert list(built.pairs["pair_id"]) == [f"t{n:06d}" for n in range(1, 183)]


def test_the_metrics_add_up(built):
    metrics = built.metrics
    assert metrics["pairs"] == sum(SIZES.values()) == len(built.pairs)
    for kind in ("language", "source"):
        values = [n for name, n in metrics.items() if name.startswith(f"pairs.{kind}.")]
        assert sum(values) == metrics["pairs"]
    assert {name: metrics[f"pairs.{name}"] for name in SIZES} == SIZES
    assert metrics["pairs.train"] + metrics["pairs.validation"] == metrics["pairs"]
    assert metrics["experiments.replacement"] == 60
    assert not [name for name in metrics if name.startswith("short.")]
    # A story pair that one method has is no loss of the next one.
    assert not [name for name in metrics if name.endswith(".used_before")]
    assert all(isinstance(value, int) for value in metrics.values())


def test_what_the_audit_of_the_counts_expects_holds(corpora, built):
    # As expectations/tables/pairs.json says, over both tables at once.
    every = pd.concat([built.pairs, built.further], ignore_index=True)
    assert not every.duplicated(["premise_id", "chosen_id", "rejected_id"]).any()
    tables = {
        "stories": pd.concat([corpora.stories, built.stories]),
        "premises": pd.concat([corpora.premises, built.premises]),
    }
    seen = training.pairs(every.copy(), tables)
    assert not seen[["chosen_is_rejected", "stated_in_reverse", "story_in_two_splits"]].any().any()
    assert (seen["splits_of_premise"] == 1).all()
    assert seen[["chosen_known", "rejected_known", "premise_known"]].all().all()
    benchmark = corpora.stories.loc[corpora.stories["use"] == "benchmark", "story_id"]
    assert not every[["chosen_id", "rejected_id"]].isin(list(benchmark)).any().any()


def test_no_words_stand_in_two_splits(built, texts):
    every = pd.concat([built.pairs, built.further])
    splits: dict[str, set[str]] = {}
    for row in every.itertuples():
        for story in (row.chosen_id, row.rejected_id):
            splits.setdefault(" ".join(words(texts[story])), set()).add(row.split)
    assert max(map(len, splits.values())) == 1
    shares = every.groupby("method")["split"].agg(lambda split: (split == "validation").mean())
    assert (shares <= 0.1).all() and shares.max() > 0


def test_only_what_pairs_use_was_kept_and_nothing_of_the_corpora_stands_twice(corpora, built):
    every = pd.concat([built.pairs, built.further])
    used = {*every["chosen_id"], *every["rejected_id"]}
    assert set(built.stories["story_id"]) == used - set(corpora.stories["story_id"])
    inferred = set(every["premise_id"]) - set(corpora.premises["premise_id"])
    assert set(built.premises["premise_id"]) == inferred
    assert set(built.stories["source"]) == {"rewriting", "continuation"}
    # A rewriting of its own, two continuations a pair of which human_chosen has one as well.
    assert len(built.stories) == 60 + 2 * 20
    assert built.stories["words"].tolist() == [len(words(t)) for t in built.stories["text"]]


def test_each_method_chooses_by_its_rule(corpora, built):
    every = pd.concat([built.pairs, built.further])
    stories = pd.concat([corpora.stories, built.stories]).set_index("story_id")
    chosen = stories.loc[every["chosen_id"]].reset_index(drop=True)
    rejected = stories.loc[every["rejected_id"]].reset_index(drop=True)
    method = every["method"].reset_index(drop=True)

    def sides(*names):
        return chosen[method.isin(names)], rejected[method.isin(names)]

    more, fewer = sides("back_generation")
    assert (more["readership"].to_numpy() > fewer["readership"].to_numpy()).all()
    assert (fewer["readership"] >= 10).all()
    original, worse = sides("rewriting")
    assert (original["author_kind"] == "human").all() and (worse["source"] == "rewriting").all()
    guided, unguided = sides("continuation")
    assert (guided["source"] == "continuation").all()
    for one, other in zip(guided["text"], unguided["text"], strict=True):
        assert one.split("\n\n")[0] == other.split("\n\n")[0]
    own, same = sides("human_chosen")
    assert (own["author_kind"] == "human").all()
    assert set(same["text"]) == set(unguided["text"])
    large, small = sides("llm_llm_size", "replacement")
    larger, smaller = (side["author"].map(BILLIONS).to_numpy() for side in (large, small))
    assert (larger > smaller).all()


def test_nothing_depends_on_the_order_of_rows(corpora, built):
    def shuffled(frame):
        return frame.sample(frac=1, random_state=np.random.RandomState(len(frame)))

    again = build(corpora, turn=shuffled)
    for one, other in zip(built, again, strict=True):
        if isinstance(one, pd.DataFrame):
            pd.testing.assert_frame_equal(one, other)
        else:
            assert one == other


def preferences(of: TrainingPairs, *methods: str) -> set[tuple[str, ...]]:
    rows = of.pairs[of.pairs["method"].isin(methods)]
    return set(rows[["premise_id", "chosen_id", "rejected_id"]].itertuples(index=False, name=None))


def test_a_methods_size_moves_no_other_kind_of_pairs(corpora, built):
    without = build(corpora, replacements=0, human_chosen=False)
    pd.testing.assert_frame_equal(
        without.pairs.drop(columns="split"), built.pairs.drop(columns="split")
    )
    assert without.further.empty
    fewer = build(corpora, sizes={**SIZES, "rewriting": 30, "llm_llm_judged": 0})
    unmoved = ("back_generation", "continuation", "llm_llm_size")
    assert preferences(fewer, *unmoved) == preferences(built, *unmoved)
    assert preferences(fewer, "rewriting") < preferences(built, "rewriting")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        *(({"sizes": {**SIZES, name: 50_000}}, f"pairs.sizes.{name}") for name in SIZES),
        ({"replacements": 50_000}, "pairs.replacements"),
    ],
)
def test_more_pairs_than_the_texts_hold_are_refused(corpora, changed, named):
    small = {name: min(size, 5) for name, size in SIZES.items()}
    changed = {"sizes": small} | {
        key: {**small, **{n: s for n, s in value.items() if s > 99}} if key == "sizes" else value
        for key, value in changed.items()
    }
    with pytest.raises(InputError) as error:
        build(corpora, **changed)
    assert f"{named}: expected 50000 pairs, " in str(error.value)
    assert "can be made" in str(error.value) and "corpora.training_scale" in str(error.value)


def test_a_study_with_nothing_to_make_pairs_of_is_refused(corpora):
    with pytest.raises(InputError, match=r"pairs.sizes are all 0, and pairs.files names no file"):
        build(corpora, sizes=dict.fromkeys(SIZES, 0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"sizes": {"rewriting": 5}},
        {"sizes": {**SIZES, "rewriting": -1}},
        {"sizes": {**SIZES, "others": 1}},
        {"opening_share": 0.0},
        {"opening_share": 1.0},
        {"near_copy_from": 0.0},
        {"near_copy_from": 1.1},
        {"judge_noise": -0.1},
        {"validation_share": 0.0},
        {"validation_share": 1.0},
        {"least_readership": -1},
        {"billions": {"m": 0}},
        {"billions": {"m": float("nan")}},
        {"files": [{"path": "elsewhere/pairs.csv", "source": "s"}]},
        {"files": [{"path": "data/raw/preferences/../pairs.csv", "source": "s"}]},
        {"files": [{"path": "data/raw/preferences/pairs.csv", "source": ""}]},
        {"recorded": {**SECTION["recorded"], "words": 0}},
    ],
)
def test_parameters_of_no_sense_are_refused(wrong):
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        PairsParams(**{**SMALL, **wrong})


def study(folder: Path, *, pairs, simulated, **tables) -> None:
    params = {"study": "s", "seed": 1, "simulated": simulated, "pairs": {**SECTION, **pairs}}
    (folder / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    for path, frame in tables.items():
        target = folder / "data" / f"{path.replace('__', '/')}.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files.parquet_bytes(frame.reset_index(drop=True)))


def outs(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*pair*"))
        if path.is_file() and "local" not in path.parts and path.suffix != ".jsonl"
    }


def test_the_stage_in_a_simulated_study(corpora, tmp_path, monkeypatch):
    study(
        tmp_path,
        pairs=SMALL,
        simulated=["benchmark texts", "training texts", "pools", "judges", "annotators"],
        study__premises=corpora.premises,
        study__stories=corpora.stories,
        world__qualities=corpora.qualities[[c.name for c in QUALITIES.columns]],
        world__briefs=corpora.briefs[[c.name for c in BRIEFS.columns]],
    )
    monkeypatch.chdir(tmp_path)
    main()
    made = outs(tmp_path)
    assert set(made) == {
        "data/study/pairs.parquet",
        "data/study/pair_premises.parquet",
        "data/study/pair_stories.parquet",
        "data/experiments/pairs.parquet",
        "runs/pairs.json",
        "runs/metrics/pairs.json",
    }
    metrics = json.loads(made["runs/pairs.json"])["metrics"]
    assert metrics["pairs"] == sum(SIZES.values())
    main()
    assert outs(tmp_path) == made


def text(name: str) -> str:
    return " ".join(f"{name}{n}a {name}{n}b {name}{n}c {name}{n}d." for n in range(6))


def real_stories() -> pd.DataFrame:
    """Ten stories on a platform, four people's on premises, and three models' on five premises."""
    rows: list[dict[str, object]] = [
        {"story_id": f"d{n}", "author_kind": "human", "readership": 20 + n, "genre": "love"}
        for n in range(10)
    ]
    rows += [{"story_id": f"h{n}", "author_kind": "human", "premise_id": f"p{n}"} for n in range(4)]
    rows += [
        {"story_id": f"m{n}{author}", "author_kind": "llm", "premise_id": f"p{n}", "author": author}
        for n in range(5)
        for author in ("tiny", "large", "huge")
    ]
    frame = pd.DataFrame(rows).assign(language="en", source="real", use="training", words=24)
    frame["text"] = [text(name) for name in frame["story_id"]]
    return frame.assign(author=frame["author"].fillna("a person"))


def real_premises() -> pd.DataFrame:
    frame = pd.DataFrame({"premise_id": [f"p{n}" for n in range(5)]})
    frame["text"] = [f"premise number {n}" for n in range(5)]
    return frame.assign(language="en", source="real", use="training")


REAL = {
    "sizes": {
        "back_generation": 4,
        "rewriting": 10,
        "continuation": 5,
        "llm_llm_judged": 6,
        "llm_llm_size": 5,
    },
    "replacements": 0,
    "validation_share": 0.3,
    "billions": {"tiny": 1.0, "large": 70.0},
    "recorded": {
        "back_generation": {"model": "muse"},
        "rewriting": {"model": "scribe"},
        "continuation": {"model": "quill"},
        "judge": {"model": "bench"},
        "words": 40,
    },
}


def answer_to(prompt: str) -> str:
    """What a model answers; it does not rewrite the story h3."""
    if prompt.startswith("Two stories"):
        return f"<premise>All about {len(prompt)} and {hash_of(prompt)}.</premise>"
    if prompt.startswith("Rewrite"):
        return "?" if text("h3") in prompt else f"<story>Worse: {text(hash_of(prompt))}</story>"
    if prompt.startswith("Continue"):
        return f"<story>{text(hash_of(prompt))}</story>"
    assert prompt.startswith("Say which")
    huge, tiny, large = (prompt.find(f"{name}0a") for name in ("huge", "tiny", "large"))
    if tiny < 0:
        return '{"better": 1}'  # it goes by the place, and so does not decide
    return json.dumps({"better": 1 if tiny > max(huge, large) else 2})


def hash_of(prompt: str) -> str:
    return files.md5_of(prompt.encode())[:8]


def recording(questions, *, attempts):
    def get(request):
        given = {"finish_reason": "stop", "refusal": "", "model": "m", "input_tokens": 1}
        return Answer(text=answer_to(request.messages[0].content), output_tokens=1, **given)

    endpoint = EndpointParams(base_url="http://127.0.0.1:9/v1")
    return record(questions, RECORD, get, endpoint, attempts=attempts)


@pytest.fixture
def real(tmp_path, monkeypatch) -> Path:
    study(
        tmp_path,
        pairs=REAL,
        simulated=["benchmark texts", "pools", "annotators"],
        study__premises=real_premises(),
        study__stories=real_stories(),
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_recorded_study_is_replayed_to_the_same_bytes(real):
    main(recording)
    made = outs(real)
    main()
    assert outs(real) == made
    metrics = json.loads(made["runs/pairs.json"])["metrics"]
    assert metrics["pairs.back_generation"] == 4 and metrics["back_generation.answered"] == 4
    # Twelve originals, eight of them by inferred premises, take turns: ten were asked for, and if
    # "h3" was among them, its rewriting is lacking.
    lacking = metrics.get("short.rewriting", 0)
    assert metrics["pairs.rewriting"] + lacking == 10
    assert (
        lacking == metrics["rewriting.malformed"] == metrics.get("dropped.rewriting.no_answer", 0)
    )
    assert metrics["pairs.continuation"] == 5 and metrics["continuation.answered"] == 10
    # Of pairs with "tiny", the other story is chosen; the judge does not separate large from huge.
    assert metrics["judge.answered"] == 12
    undecided = metrics.get("dropped.llm_llm_judged.undecided", 0)
    assert metrics["pairs.llm_llm_judged"] == 6 - undecided
    assert metrics.get("short.llm_llm_judged", 0) == undecided
    pairs = pd.read_parquet("data/study/pairs.parquet")
    judged = pairs[pairs["method"] == "llm_llm_judged"]
    assert judged["rejected_id"].str.endswith("tiny").all()
    sized = pairs[pairs["method"] == "llm_llm_size"]
    assert set(sized["chosen_id"]) == {f"m{n}large" for n in range(5)}
    stories = pd.read_parquet("data/study/pair_stories.parquet")
    assert set(stories["author"]) == {"scribe", "quill"}
    assert set(stories["provenance"]) == {"pairs.jsonl"}
    reads = json.loads(made["runs/pairs.json"])["reads"]
    assert RECORD.as_posix() in reads and not [path for path in reads if "world" in path]


def test_what_is_not_recorded_is_named_with_the_command(real, capsys):
    with pytest.raises(SystemExit):
        main()
    assert "storyaudit record pairs" in capsys.readouterr().err
    assert outs(real) == {}


def refused(folder: Path, capsys, *, simulated=("pools",), **pairs) -> str:
    study(folder, pairs={**REAL, **pairs}, simulated=list(simulated))
    with pytest.raises(SystemExit) as error:
        main(recording)
    assert error.value.code == 2
    return str(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("key", "size"),
    [
        ("back_generation", "back_generation"),
        ("rewriting", "rewriting"),
        ("continuation", "continuation"),
        ("judge", "llm_llm_judged"),
    ],
)
def test_a_model_that_is_not_named_is_needed_unless_the_size_is_0(real, capsys, key, size):
    recorded = {**REAL["recorded"], key: None}
    said = refused(real, capsys, recorded=recorded)
    assert f"pairs.recorded.{key} names no model" in said and f"pairs.sizes.{size}" in said
    sizes = {**REAL["sizes"], size: 0}
    if size == "back_generation":
        sizes |= {"rewriting": 4, "continuation": 4}  # of the people's stories that have a premise
    study(real, pairs={**REAL, "recorded": recorded, "sizes": sizes}, simulated=["pools"])
    main(recording)
    assert size not in set(pd.read_parquet("data/study/pairs.parquet")["method"])


def test_models_do_not_write_on_simulated_texts(real, capsys):
    said = refused(real, capsys, simulated=["training texts"])
    assert "'training texts' are simulated, and pairs.recorded.back_generation names" in said


def test_unknown_sizes_leave_too_few_pairs(real, capsys):
    said = refused(real, capsys, billions={})
    assert "pairs.sizes.llm_llm_size: expected 5 pairs, 0 can be made" in said


def test_preference_files_are_a_source_of_their_own(real, capsys):
    raw = real / "data/raw/preferences"
    raw.mkdir(parents=True)
    rows = [("Rain.", text("x"), text("y")), ("Snow.", text("z"), text("y"))]
    lines = "".join(f"{about},{one},{other}\n" for about, one, other in rows)
    (raw / "mine.csv").write_text("premise,better,worse\n" + lines)
    columns = {"chosen": "better", "rejected": "worse"}
    entry = {
        "path": "data/raw/preferences/mine.csv",
        "source": "mine",
        "language": "en",
        "columns": columns,
    }
    alone = {"sizes": dict.fromkeys(SIZES, 0), "replacements": 0, "files": [entry]}
    study(real, pairs={**REAL, **alone}, simulated=["pools"])
    main()
    pairs = pd.read_parquet("data/study/pairs.parquet")
    assert Counter(pairs["method"]) == Counter({"preference_file": 2})
    stories = pd.read_parquet("data/study/pair_stories.parquet").set_index("story_id")["text"]
    found = zip(stories[pairs["chosen_id"]], stories[pairs["rejected_id"]], strict=True)
    assert sorted(found) == [(text("x"), text("y")), (text("z"), text("y"))]
    run = json.loads(Path("runs/pairs.json").read_text())
    assert run["metrics"]["files.mine.pairs_read"] == 2
    assert "data/raw/preferences/mine.csv" in run["reads"]
    assert pd.read_parquet("data/experiments/pairs.parquet").empty

    (raw / "mine.csv").write_text(f"premise,better,worse\nRain.,{text('x')},{text('x').upper()}\n")
    said = refused(real, capsys, **alone)
    assert "not one pair could be made; dropped were preference_file.same_text: 1" in said
    (raw / "mine.csv").unlink()
    assert "there is no such file" in refused(real, capsys, **alone)
