"""Real texts through the stages: readers, candidates, simulated judges, benchmark."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from real_data import real_path

import pipeline.annotations
import pipeline.benchmark
import pipeline.candidates
import pipeline.corpora
import pipeline.judgements

CLONE = Path(__file__).parents[2]
REAL = real_path()


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the public data are not at {REAL}")
def test_released_stories_become_a_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = yaml.safe_load((CLONE / "params.yaml").read_text(encoding="utf-8"))
    params["simulated"] = ["training texts", "judges", "annotators"]
    params["corpora"] |= {
        "scale": 0.002,
        "files": [
            {
                "path": "data/raw/corpora/hanna/hanna_llm_stories.csv",
                "reader": "hanna",
                "source": "hanna",
                "use": "benchmark",
            },
            *(
                {
                    "path": f"data/raw/corpora/{path}",
                    "reader": name,
                    "source": name,
                    "use": "benchmark",
                }
                for name, path in (("confederacy", "confederacy/stories"), ("mops", "mops/stories"))
            ),
        ],
    }
    params["candidates"]["incomplete_premises"] = "drop"  # MoPS has one story a premise
    params["faults"] |= {"copies": 0, "light_edits": 0, "embedded": 0}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    (tmp_path / "data/raw").mkdir(parents=True)
    (tmp_path / "data/raw/corpora").symlink_to(REAL)
    monkeypatch.chdir(tmp_path)
    for stage in (
        pipeline.corpora,
        pipeline.candidates,
        pipeline.judgements,
        pipeline.annotations,
        pipeline.benchmark,
    ):
        stage.main()

    counts = json.loads(Path("runs/corpora.json").read_text())["metrics"]
    assert (counts["hanna.read"], counts["confederacy.read"], counts["mops.read"]) == (672, 65, 500)
    stories = pd.read_parquet("data/study/stories.parquet").set_index("story_id")
    candidates = pd.read_parquet("data/study/candidates.parquet")
    sources = candidates.groupby("item_id")["story_id"].first().map(stories["source"])
    drawn = json.loads(Path("runs/candidates.json").read_text())["metrics"]
    # HANNA's 96 premises and Confederacy's one have people's stories; some are too short.
    assert drawn["human_llm"] + drawn["short_human_stories"] == 97
    # A few premises of MoPS have four stories or more.
    mops = stories[stories["source"] == "mops"].groupby("premise_id").size()
    assert drawn["llm_llm"] == (mops >= 4).sum()
    assert set(sources) == {"hanna", "confederacy", "mops"}
    benchmark = pd.read_parquet("data/study/benchmark.parquet")
    unsure = json.loads(Path("runs/benchmark.json").read_text())["metrics"]["unsure"]
    assert len(benchmark) + unsure == drawn["human_llm"] + drawn["llm_llm"]
    human = benchmark[benchmark["origin"] == "human_llm"]
    assert (stories.loc[human["chosen_id"], "author_kind"] == "human").all()
