"""The stage: what it reads and writes, and a record of training that is none."""

import json
from pathlib import Path

import pandas as pd
import prose
import pytest
import yaml
from contamination_samples import items, near_duplicates, outcomes, several, tables, taught

from audits.contamination_effect.stage import main, read_training
from storyaudit.errors import InputError
from storyaudit.findings import Report, read_report

STUDY = items(20, 20)
SEEN = [f"h{n:03d}a" for n in range(6)]


def study(folder: Path) -> Path:
    params = {
        "study": "demo",
        "simulated": ["judges"],
        "seed": 1,
        "overlap": {"duplicate_threshold": 0.5, "min_containment": 0.1},
        "contamination_effect": {"confidence": 0.9},
    }
    (folder / "params.yaml").write_text(yaml.safe_dump(params), "utf-8")
    (folder / "runs").mkdir()
    record = {
        "params": {"train": {"drop_overlaps_from": None}},
        "runs": [{"variant": "full", "seed": 1}, {"variant": "removal/x", "seed": 1}],
    }
    (folder / "runs/train.json").write_text(json.dumps(record), "utf-8")
    right = {item: int(n < 8) for n, item in enumerate(STUDY)}
    results = several(outcomes("full", right), outcomes("longest", right, model="words"))
    made = tables(STUDY, results, overlaps=near_duplicates(SEEN), pairs=taught(SEEN))
    whole = made._replace(
        overlaps=made.overlaps.assign(jaccard=1.0, longest_common_substring=100, verified=True),
        pairs=made.pairs.assign(
            pair_id=[f"t{n}" for n in range(len(made.pairs))], method="m", source="s", language="en"
        ),
        benchmark=made.benchmark.assign(
            annotation_route="p", tau_avg=0.5, dimension="d", dimension_rule="gap"
        ),
    )
    (folder / "data/study").mkdir(parents=True)
    for name, table in whole._asdict().items():
        table.to_parquet(folder / f"data/study/{name}.parquet")
    return folder


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(folder)
    main()
    return read_report(folder / "findings/demo/contamination_effect.json")


def test_it_reads_the_studys_tables_and_writes_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(study(tmp_path), monkeypatch)
    assert (
        found.audit == "contamination_effect" and found.about == "Simulated in this study: judges."
    )
    effect = next(f for f in found.findings if f.id == "effect-full-human-llm")
    assert effect.numbers["any_items"] == 6 and effect.numbers["confidence"] == 0.9
    assert {"90"} <= prose.figures(effect)
    prose.check("contamination_effect/it reads the studys tables and writes findings", effect)
    record = json.loads(Path("runs/contamination_effect.json").read_text("utf-8"))
    assert set(record["params"]) == {"overlap", "contamination_effect"}
    assert set(record["reads"]) == {
        "runs/train.json",
        *(
            f"data/study/{name}.parquet"
            for name in ("overlaps", "pairs", "candidates", "benchmark", "results")
        ),
    }
    assert set(record["writes"]) == {"findings/demo/contamination_effect.json"}


def test_a_table_of_no_overlaps_is_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = study(tmp_path) / "data/study/overlaps.parquet"
    pd.read_parquet(path).iloc[:0].to_parquet(path)
    assert [f.severity for f in run(tmp_path, monkeypatch).findings] == ["pass"]


def test_the_same_bytes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = []
    for name in "ab":
        (tmp_path / name).mkdir()
        reports.append(run(study(tmp_path / name), monkeypatch).to_json())
    assert reports[0] == reports[1]


def test_a_missing_record_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (study(tmp_path) / "runs/train.json").unlink()
    with pytest.raises(SystemExit) as left:
        run(tmp_path, monkeypatch)
    assert left.value.code == 2
    assert "train.json" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{", '{"runs": [{}]}', '{"runs": 3}', '{"runs": [1]}'])
def test_a_record_of_another_kind_is_bad_input(tmp_path: Path, text: str) -> None:
    path = tmp_path / "train.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"expected a run record"):
        read_training(path)


def test_pairs_that_were_left_out_of_training_are_no_leak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = study(tmp_path) / "runs/train.json"
    record = json.loads(path.read_text("utf-8"))
    record["params"]["train"]["drop_overlaps_from"] = 0.5
    path.write_text(json.dumps(record), "utf-8")
    (finding,) = [f for f in run(tmp_path, monkeypatch).findings if f.id == "contamination-effect"]
    assert finding.severity == "pass"
