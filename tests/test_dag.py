"""What a change reaches: the stages that DVC runs again, computed from dvc.yaml alone."""

import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
VIEWS = {"report", "track"}


def overlap(dependency: str, path: str) -> bool:
    """Whether a dependency is the path, holds it, or lies in it."""
    one, other = Path(dependency), Path(path)
    return one.is_relative_to(other) or other.is_relative_to(one)


def started_by(path: str) -> set[str]:
    """The stages that depend on a path themselves."""
    return {
        name
        for name, stage in STAGES.items()
        if any(overlap(dependency, path) for dependency in stage["deps"])
    }


def followed_by(names: set[str]) -> set[str]:
    """The stages, and all that read what they write, directly or not."""
    outs = [out for name in names for out in STAGES[name]["outs"]]
    further = names.union(*(started_by(out) for out in outs))
    return further if further == names else followed_by(further)


def reached_by(path: str) -> set[str]:
    """The stages that may run again when a path changes."""
    assert (ROOT / path).exists(), path
    return followed_by(started_by(path))


def test_what_is_downstream_by_hand() -> None:
    # results is read by these audits, of which contamination_effect and counts end in the views.
    assert followed_by({"results"}) == {
        "results",
        "counts",
        "accuracy",
        "ablations",
        "contamination_effect",
        "disclosure",
        *VIEWS,
    }
    assert followed_by({"track"}) == {"track"}


def test_the_pages_template_reaches_the_views_alone() -> None:
    assert reached_by("storyaudit/report/report.html.j2") == VIEWS


def test_the_tracker_reaches_itself_alone() -> None:
    assert reached_by("storyaudit/tracking/tracking.py") == {"track"}


def test_the_ledgers_model_reaches_the_stages_that_evaluate_ledgers_and_the_views() -> None:
    ledgers = {"counts", "protocol", "ablations", "claims", "disclosure"}
    assert reached_by("storyaudit/ledger/ledger_file.py") == ledgers | VIEWS


@pytest.mark.parametrize(
    ("folder", "stage"),
    [
        ("data/raw/corpora", "corpora"),
        ("data/raw/judgements", "judgements"),
        ("data/raw/annotations", "annotations"),
        ("data/raw/preferences", "pairs"),
        ("data/raw/scores", "score"),
        *((f"data/records/{name}", name) for name in ("corpora", "judgements", "pairs", "pool")),
        ("data/records/score", "score"),
        ("data/records/external_check", "external_check"),
    ],
)
def test_raw_data_reach_one_stage_and_what_follows(folder: str, stage: str) -> None:
    assert started_by(folder) == {stage}


def test_a_score_file_reaches_neither_texts_nor_training() -> None:
    reached = reached_by("data/raw/scores")
    audits = {"counts", "accuracy", "ablations", "contamination_effect", "best_of_n", "disclosure"}
    assert reached == {"score", "results", *audits, *VIEWS}


def test_pools_of_ones_own_reach_the_rankings_and_rankings_not_the_pools() -> None:
    assert started_by("data/raw/pool/corpora/mine.csv") == {"pool", "pool_annotations"}
    assert started_by("data/raw/pool/annotations.csv") == {"pool_annotations"}


@pytest.mark.parametrize(
    ("statistic", "stages"),
    [
        ("intraclass", {"ratings"}),
        ("mixed_model", {"ratings"}),
        ("feasible_summaries", {"claims"}),
        ("pair_agreement", {"protocol"}),
    ],
)
def test_a_statistic_reaches_the_audits_that_use_it_and_the_views(
    statistic: str, stages: set[str]
) -> None:
    assert started_by(f"storyaudit/stats/{statistic}.py") == stages
    assert reached_by(f"storyaudit/stats/{statistic}.py") <= stages | {"disclosure", *VIEWS}


@pytest.mark.parametrize("stage", ["corpora", "candidates", "pairs", "train", "results"])
def test_builders_know_nothing_of_findings_statistics_ledgers_or_views(stage: str) -> None:
    high = ("findings.py", "stats", "ledger", "report", "tracking", "cli", "ratings")
    for room in high:
        assert stage not in started_by(f"storyaudit/{room}")


def test_an_audit_reaches_no_builder() -> None:
    builders = {name for name, s in STAGES.items() if "pipeline." in s["cmd"]}
    assert started_by("audits") & builders == set()


def test_folders_that_stages_depend_on_are_there_in_a_fresh_clone() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("no checkout of Git")
    sources = [Path(name) for name in listed.stdout.splitlines()]
    there = {place.as_posix() for source in sources for place in (source, *source.parents)}
    outs = [o for s in STAGES.values() for o in (*s["outs"], *s.get("metrics", []))]
    for stage in STAGES.values():
        for dependency in stage["deps"]:
            built = any(overlap(dependency, out) for out in outs)
            assert built or dependency in there, dependency


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_says_what_it_is_in_one_sentence(stage: str) -> None:
    said = STAGES[stage]["desc"]
    assert said.endswith(".") and "\n" not in said and len(said) < 100


@pytest.mark.parametrize("stage", sorted(set(STAGES) - VIEWS))
def test_a_stage_has_metrics_for_dvc_to_show(stage: str) -> None:
    assert STAGES[stage]["metrics"] == [f"runs/metrics/{stage}.json"]


def test_the_lock_knows_no_stage_that_is_gone() -> None:
    locked = yaml.safe_load((ROOT / "dvc.lock").read_text(encoding="utf-8"))["stages"]
    assert set(locked) <= set(STAGES)
