"""The stage: what it writes, with and without experiments, pools and another judge."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from ablations_samples import (
    CANDIDATE_COLUMNS,
    SCORE_COLUMNS,
    benchmark,
    empty,
    outcomes,
    places,
    seeds,
    several,
)

from audits.ablations.ablation_params import FIGURES, paper_figures
from audits.ablations.stage import main
from storyaudit.errors import InputError
from storyaudit.findings import Report, read_report
from storyaudit.ledger.ledger_file import read_ledger

CLONE = Path(__file__).parents[3]
PAPER = Path("expectations/papers/storyalign.yaml")
HALF = "1100" * 10


def scored(candidates: pd.DataFrame) -> pd.DataFrame:
    table = candidates[["item_id", "story_id"]].assign(variant="v", model="m", seed=0)
    return table.assign(reward=[float(n % 4) for n in range(len(table))])[[*SCORE_COLUMNS]]


def study(folder: Path, *, further: bool) -> Path:
    shutil.copy(CLONE / "params.yaml", folder / "params.yaml")
    (folder / PAPER).parent.mkdir(parents=True)
    shutil.copy(CLONE / PAPER, folder / PAPER)
    gold = benchmark(40)
    candidates = places(list(gold["item_id"]))
    pools = places([f"b{n}" for n in range(12)], "abcdefgh")
    experiments = several(*(seeds(f"removal/{name}", 3, "1000" * 10) for name in ("a", "b")))
    texts = candidates[["story_id"]].assign(
        author_kind="llm", author="m", language="en", source="s", text="One. Two words. A b c. Go."
    )
    tables = {
        "study/results": seeds("full", 3, HALF),
        "study/benchmark": gold,
        "study/candidates": candidates,
        "study/stories": texts,
        "experiments/results": experiments if further else outcomes("x", ""),
        "external/scores": scored(several(candidates, pools)) if further else empty(SCORE_COLUMNS),
        "pool/candidates": pools if further else empty(CANDIDATE_COLUMNS),
        "pool/scores": scored(pools) if further else empty(SCORE_COLUMNS),
    }
    for name, table in tables.items():
        path = folder / f"data/{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_parquet(path)
    return folder


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(folder)
    main()
    name = yaml.safe_load((folder / "params.yaml").read_text("utf-8"))["study"]
    return read_report(folder / f"findings/{name}/ablations.json")


def test_it_writes_findings_on_the_studys_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(study(tmp_path, further=True), monkeypatch)
    ids = {finding.id for finding in found.findings}
    assert {"difference-removal-a", "order-removal", "burstiness-picks", "external-picks"} <= ids
    assert found.audit == "ablations" and found.about.startswith("Simulated in this study")


def test_without_experiments_pools_and_judge_all_of_it_is_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(study(tmp_path, further=False), monkeypatch)
    assert {left.id for left in found.unchecked} == {
        "ablation",
        "burstiness-rule",
        "external-accuracy",
        "external-picks",
        "human-chosen",
        "learning-curve",
        "order-removal",
        "order-replacement",
        "paper-order",
    }
    assert {finding.severity for finding in found.findings} == {"note"}


def test_the_same_bytes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = []
    for name in "ab":
        (tmp_path / name).mkdir()
        reports.append(run(study(tmp_path / name, further=True), monkeypatch).to_json())
    assert reports[0] == reports[1]


def test_the_papers_figures_are_in_its_ledger() -> None:
    figures = paper_figures(read_ledger(CLONE / PAPER), PAPER)
    assert set(figures) == set(FIGURES)
    # The notes on the paper: table 2 and table 8.
    assert (figures["ablation.full"], figures["kurtosis.wrong"]) == (75.0, 1.0149)


def test_a_ledger_without_them_is_refused() -> None:
    ledger = read_ledger(CLONE / PAPER)
    short = ledger.model_copy(
        update={"figures": [f for f in ledger.figures if f.id != "kurtosis.all"]}
    )
    with pytest.raises(InputError, match=r"storyalign\.yaml.*kurtosis\.all is missing"):
        paper_figures(type(ledger).model_validate(short.model_dump()), PAPER)
