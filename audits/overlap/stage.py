"""The overlap audit of the pipeline's own tables, before any training."""

import pandas as pd

from audits.overlap.findings import overlap_report
from audits.overlap.search import OverlapParams, find_overlaps
from storyaudit.stage import Stage
from storyaudit.tables import (
    BENCHMARK,
    CANDIDATES,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    STORIES,
)


def main() -> None:
    """Run the stage."""
    with Stage("overlap") as stage:
        params = stage.params("overlap", OverlapParams)
        pairs, candidates = stage.read_to_audit(PAIRS), stage.read_to_audit(CANDIDATES)
        kept = stage.read_to_audit(BENCHMARK)["item_id"]
        candidates = candidates[candidates["item_id"].isin(kept)]
        stories = pd.concat([stage.read_to_audit(table) for table in (STORIES, PAIR_STORIES)])
        stories = stories.rename(columns={"story_id": "id"})
        premises = pd.concat([stage.read_to_audit(table) for table in (PREMISES, PAIR_PREMISES)])
        premises = premises.rename(columns={"premise_id": "id"})
        trained_on = pd.concat([pairs["chosen_id"], pairs["rejected_id"]])
        levels = {
            "story": (
                stories[stories["id"].isin(trained_on)],
                stories[stories["id"].isin(candidates["story_id"])],
            ),
            "premise": (
                premises[premises["id"].isin(pairs["premise_id"])],
                premises[premises["id"].isin(candidates["premise_id"])],
            ),
        }
        found = {
            level: find_overlaps(training, benchmark, params, level=level)
            for level, (training, benchmark) in levels.items()
        }
        overlaps = pd.concat([table for table, _ in found.values()], ignore_index=True)
        report = overlap_report(
            overlaps,
            study=stage.study,
            sizes={level: (len(left), len(right)) for level, (left, right) in levels.items()},
            params=params,
            command="dvc repro --force --single-item overlap",
            empty={level: empty for level, (_, empty) in found.items()},
            items={
                str(story): group["item_id"].astype(str).tolist()
                for story, group in candidates.groupby("story_id")
            },
        )
        stage.write(OVERLAPS, overlaps)
        stage.write_report(report)


if __name__ == "__main__":
    main()
