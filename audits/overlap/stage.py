"""The overlap audit of the pipeline's own tables, before any training."""

from collections.abc import Mapping
from typing import Any

from audits.overlap.context import study_context
from audits.overlap.overlap_report import More, overlap_report
from audits.overlap.passages import passages
from audits.overlap.study_comparisons import Study, all_rows, compare_study, further_overlaps
from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_PAIRS,
    OVERLAPS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    STORIES,
)
from storyaudit.findings import Number
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.runs.stage import EXPERIMENTS, Stage


def longest_passage(study: Study, params: OverlapParams) -> More:
    """Return what gives for an overlap the longest passage of both texts.

    An ID that has several texts gives none: which of them overlap is not known.
    """
    tables = {"story": study.all_stories(), "premise": study.all_premises()}
    texts = {
        level: table.drop_duplicates("id", keep=False).set_index("id")["text"].dropna().to_dict()
        for level, table in tables.items()
    }

    def passage(row: Mapping[Any, Any]) -> dict[str, Number]:
        level = row["level"]
        left = texts["story" if level == "story" else "premise"].get(row["left_id"])
        right = texts["premise" if level == "premise" else "story"].get(row["right_id"])
        if left is None or right is None:
            return {}
        found = passages(left, right, params.shingle, 1)
        return {"passage": found[0].left} if found else {}

    return passage


def main() -> None:
    """Run the stage."""
    with Stage("overlap") as stage:
        params = stage.params("overlap", OverlapParams)
        study = Study(
            premises=stage.read_to_audit(PREMISES),
            stories=stage.read_to_audit(STORIES),
            pair_premises=stage.read_to_audit(PAIR_PREMISES),
            pair_stories=stage.read_to_audit(PAIR_STORIES),
            pairs=stage.read_to_audit(PAIRS),
            candidates=stage.read_to_audit(CANDIDATES),
            benchmark=stage.read_to_audit(BENCHMARK),
        )
        results = compare_study(study, params)
        report = overlap_report(
            results,
            study=stage.study,
            params=params,
            context=study_context(study),
            more=longest_passage(study, params),
        )
        further = study._replace(pairs=stage.read_to_audit(FURTHER_PAIRS, EXPERIMENTS))
        stage.write(OVERLAPS, all_rows(results))
        stage.write(OVERLAPS, further_overlaps(further, params), EXPERIMENTS)
        stage.write_report(report)


if __name__ == "__main__":
    main()
