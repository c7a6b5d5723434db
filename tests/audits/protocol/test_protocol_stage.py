"""The stage: what it reads and writes, on a made-up study of the pipeline's own layout."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from protocol_samples import valid_study, write_panel

from audits.protocol.stage import main
from storyaudit.findings import Report, read_report

CLONE = Path(__file__).parents[3]


def tables() -> dict[str, pd.DataFrame]:
    valid = dict(valid_study())
    return valid | {"individual_annotations": valid["annotations"]}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    params = yaml.safe_load((CLONE / "params.yaml").read_text("utf-8"))
    params["protocol"]["minimum_judges"] = 2
    params["protocol_audit"] = {"resamples": 100, "confidence": 0.9}
    (folder / "params.yaml").write_text(yaml.safe_dump(params))
    (folder / "data/study").mkdir(parents=True)
    write_panel(folder / "data/published/hanna")
    (folder / "expectations/papers").mkdir(parents=True)
    paper = "expectations/papers/storyalign.yaml"
    shutil.copy(CLONE / paper, folder / paper)
    for name, table in tables().items():
        table.to_parquet(folder / f"data/study/{name}.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        main()
    return folder


def findings(study: Path, name: str) -> Report:
    return read_report(study / f"findings/{name}/protocol.json")


def test_it_writes_the_findings_of_three_studies(study: Path) -> None:
    record = json.loads((study / "runs/protocol.json").read_text("utf-8"))
    own = record["study"]
    assert set(record["writes"]) == {
        f"findings/{name}/protocol.json" for name in (own, "hanna", "storyalign")
    }
    assert set(record["reads"]) == {
        *(f"data/study/{name}.parquet" for name in tables()),
        "data/published/hanna/human_scores.csv",
        "data/published/hanna/judge_scores.csv",
        "expectations/papers/storyalign.yaml",
    }
    assert set(record["params"]) == {"protocol", "protocol_audit"}
    assert record["metrics"][f"{own}.protocol.fail"] == 0
    order = next(f for f in findings(study, own).findings if f.id == "priority-order")
    assert (order.severity, order.numbers["order_stated"]) == ("note", True)  # as in params.yaml


def test_a_papers_spot_checks_are_those_of_its_ledger(study: Path) -> None:
    ids = {finding.id for finding in findings(study, "storyalign").findings}
    assert ids == {"spot-check-rewriting", "spot-check-continuation"}


def test_it_writes_the_same_bytes_again(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study)
    before = {path: path.read_bytes() for path in study.glob("findings/*/protocol.json")}
    main()
    assert {path: path.read_bytes() for path in before} == before
