"""The stage: what it reads and writes, with pools and without."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from best_of_samples import picking, pools

from audits.best_of.stage import main
from storyaudit.findings import Report, read_report

CLONE = Path(__file__).parents[3]
NAMES = {
    "candidates": "candidates",
    "annotations": "annotations",
    "individual": "individual_annotations",
    "scores": "scores",
}


def run(folder: Path, tables: dict[str, pd.DataFrame], patch: pytest.MonkeyPatch) -> Report:
    params = yaml.safe_load((CLONE / "params.yaml").read_text("utf-8"))
    (folder / "params.yaml").write_text(yaml.safe_dump(params))
    (folder / "data/pool").mkdir(parents=True)
    for name, table in tables.items():
        table.to_parquet(folder / f"data/pool/{NAMES[name]}.parquet")
    patch.chdir(folder)
    main()
    return read_report(folder / f"findings/{params['study']}/best_of.json")


def test_it_reads_the_pools_and_writes_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = pools({"i": "abc", "j": "cba"}, picking("full", {"i": "a", "j": "a"}, "abc"))
    made = run(tmp_path, tables, monkeypatch)
    assert made.audit == "best_of" and "model-full" in {f.id for f in made.findings}
    record = json.loads((tmp_path / "runs/best_of.json").read_text("utf-8"))
    assert set(record["reads"]) == {f"data/pool/{name}.parquet" for name in NAMES.values()}
    assert set(record["writes"]) == {f"findings/{made.study}/best_of.json"}
    assert set(record["params"]) == {"best_of"}


def test_a_study_without_pools_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = pools({"i": "abc"}, picking("full", {"i": "a"}, "abc"))
    made = run(tmp_path, {name: table.iloc[:0] for name, table in tables.items()}, monkeypatch)
    assert not made.findings and [left.id for left in made.unchecked] == ["best-of-n"]
