"""What overlaps between training and benchmark mean for a study."""

from collections.abc import Mapping

import pandas as pd

from audits.overlap.search import SCHEME, OverlapParams, recall
from storyaudit.findings import Finding, Report, Severity, Unchecked, evidence

AUDIT = "overlap"


def overlap_report(
    overlaps: pd.DataFrame,
    *,
    study: str,
    sizes: Mapping[str, tuple[int, int]],
    params: OverlapParams,
    command: str,
    empty: Mapping[str, int] | None = None,
    items: Mapping[str, list[str]] | None = None,
) -> Report:
    """Return the findings on a table of overlaps.

    Args:
        overlaps: the overlaps table.
        study: the study's name.
        sizes: for each level searched, how many training and how many benchmark texts there are.
        params: as the search had them.
        command: shows the findings again.
        empty: for each level, how many texts hold no word and were compared with none.
        items: the benchmark items in which a story stands, to name them in the evidence.
    """
    items = items or {}
    findings = []
    for level, (training, benchmark) in sizes.items():
        pairs = overlaps.loc[overlaps["level"] == level]
        copies = pairs.loc[pairs["containment"] >= params.copy_from]
        partial = pairs.loc[pairs["containment"] < params.copy_from]
        noun = "stories" if level == "story" else f"{level}s"
        searched = {"training": training, "benchmark": benchmark}
        kinds: list[tuple[str, pd.DataFrame, Severity, str]] = [
            ("copy", copies, "fail", f"containment of {params.copy_from:g} or more"),
            (
                "partial",
                partial,
                "warn",
                f"containment from {params.report_from:g} to below {params.copy_from:g}",
            ),
        ]
        for kind, found, severity, threshold in kinds:
            leaked = found["left_id"].nunique()
            statement = (
                f"{leaked} of {benchmark} benchmark {noun} overlap with the {training} training "
                f"{noun} ({threshold} of {params.shingle}-word shingles)."
                if leaked
                else f"No overlap found between {benchmark} benchmark and {training} training "
                f"{noun} with {threshold} of {params.shingle}-word shingles."
            )
            findings.append(
                Finding(
                    id=f"{level}-{kind}",
                    severity=severity if leaked else "pass",
                    statement=statement,
                    numbers={**searched, "overlapping": leaked, "pairs": len(found)},
                    evidence=evidence(
                        {
                            "benchmark": row["left_id"],
                            "items": ", ".join(items.get(row["left_id"], [])),
                            "training": row["right_id"],
                            "containment": row["containment"],
                            "jaccard": row["jaccard"],
                            "longest_run": row["longest_run"],
                        }
                        for row in found.to_dict("records")
                    ),
                    command=command,
                )
            )
        if empty and empty.get(level):
            findings.append(
                Finding(
                    id=f"{level}-empty",
                    severity="warn",
                    statement=f"{empty[level]} {noun} hold no word and were compared with none.",
                    numbers={"empty": empty[level]},
                    command=command,
                )
            )
    findings.append(
        Finding(
            id="index-recall",
            severity="note",
            statement=(
                f"Pairs are proposed by MinHash with {params.bands} bands of {params.rows} rows "
                f"and verified exactly; a pair of Jaccard 0.8, 0.5, 0.2 is proposed with "
                f"probability {recall(0.8, params):.3f}, {recall(0.5, params):.3f}, "
                f"{recall(0.2, params):.3f}."
            ),
            numbers={
                "permutations": params.permutations,
                "bands": params.bands,
                "rows": params.rows,
                "scheme": SCHEME,
                "recall_0.8": round(recall(0.8, params), 6),
                "recall_0.5": round(recall(0.5, params), 6),
                "recall_0.2": round(recall(0.2, params), 6),
            },
            command=command,
        )
    )
    return Report(
        study=study,
        audit=AUDIT,
        findings=findings,
        unchecked=[
            Unchecked(
                id="embedded",
                check="a benchmark text inside a much longer training text",
                reason="its Jaccard similarity is too low for the MinHash index to propose it",
            ),
            Unchecked(
                id="paraphrase",
                check="paraphrases and translations",
                reason="they share no runs of words",
            ),
        ],
    )
