"""``storyaudit track`` and the models: which are registered, under what, and that they are once."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tracking_samples import RESULTS, STUDY, TRAIN, a_run, write_records, write_study

from storyaudit.io.files import md5

NAME = f"{STUDY}-linear"


def write_models(text: str = "weights") -> None:
    """Write what the record of training says was written, of two seeds and an experiment."""
    writes, runs = {}, []
    for variant, seed in (("linear", 1), ("linear", 2), ("removal/rewriting", 1)):
        path = Path(f"models/{variant}/seed-{seed}/model.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text} of {variant} {seed}", encoding="utf-8")
        writes[path.as_posix()] = {"md5": md5(path)}
        params = {} if variant == "linear" else {"experiment": "ablation"}
        runs.append(a_run(variant, seed, params=params))
    write_records(TRAIN | {"writes": writes, "runs": runs}, RESULTS)


@pytest.fixture
def built(folder: Path) -> None:
    write_study()
    write_models()


def versions(client) -> dict[str, dict[str, str]]:
    return {v.version: v.tags for v in client.search_model_versions(f"name = '{NAME}'")}


def test_a_model_is_found_under_its_seed_with_the_digests_of_its_data(client, run, built) -> None:
    assert run("track").code == 0
    assert [model.name for model in client.search_registered_models()] == [NAME]
    for seed in (1, 2):
        version = client.get_model_version_by_alias(NAME, f"seed-{seed}")
        assert version.tags["md5.data/pairs.parquet"] == "a" * 32
        assert (version.tags["variant"], version.tags["seed"]) == ("linear", str(seed))
        of_run = client.get_run(version.run_id)
        assert of_run.info.run_name == f"linear seed {seed}"
        assert version.tags["storyaudit.build"] == of_run.data.tags["storyaudit.build"]
        kept = Path(unquote(urlsplit(version.source).path)) / "model.json"
        assert kept.read_text() == f"weights of linear {seed}"
    assert len(versions(client)) == 2


def test_the_ablation_and_the_seeds_are_each_one_filter(client, run, built) -> None:
    run("track")
    experiment = client.get_experiment_by_name(STUDY).experiment_id

    def found(query: str) -> set[str]:
        return {run.info.run_name for run in client.search_runs([experiment], query)}

    assert found("params.experiment = 'ablation'") == {"removal/rewriting seed 1"}
    assert found("tags.variant = 'linear' AND tags.`storyaudit.kind` = 'seed'") == {
        "linear seed 1",
        "linear seed 2",
    }


def test_another_build_moves_the_aliases_and_keeps_the_versions(client, run, built) -> None:
    run("track")
    first = client.get_model_version_by_alias(NAME, "seed-1")
    run("track")
    assert client.get_model_version_by_alias(NAME, "seed-1").version == first.version
    write_models("other weights")
    run("track")
    second = client.get_model_version_by_alias(NAME, "seed-1")
    assert second.version != first.version
    assert len(versions(client)) == 4


@pytest.mark.parametrize("change", ["absent", "built again"])
def test_a_model_that_is_not_what_the_record_says_is_left_out(
    change: str, client, run, built
) -> None:
    model = Path("models/linear/seed-1/model.json")
    if change == "absent":
        model.unlink()
    else:
        model.write_text("newer")
    assert run("track").code == 0
    assert {tags["seed"] for tags in versions(client).values()} == {"2"}


@pytest.mark.parametrize("method", ["create_model_version", "set_registered_model_alias"])
def test_a_build_that_broke_off_leaves_no_version_behind(
    method: str, client, run, built, monkeypatch
) -> None:
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    original, calls = getattr(MlflowClient, method), []

    def fail_the_second_time(*arguments: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise MlflowException("the line was cut")
        return original(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, method, fail_the_second_time)
        assert run("track").code == 1
    assert run("track").code == 0
    assert sorted(tags["seed"] for tags in versions(client).values()) == ["1", "2"]
    assert client.get_model_version_by_alias(NAME, "seed-2")
