"""The stage without pools."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from best_of_n_samples import picking, pools

from audits.best_of_n.stage import main
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
    return read_report(folder / f"findings/{params['study']}/best_of_n.json")


def test_a_study_without_pools_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = pools({"i": "abc"}, picking("full", {"i": "a"}, "abc"))
    made = run(tmp_path, {name: table.iloc[:0] for name, table in tables.items()}, monkeypatch)
    assert not made.findings and [left.id for left in made.unchecked] == ["best-of-n"]
