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
    repeated: Mapping[str, int] | None = None,
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
        repeated: for each level, how many texts have an ID that another of their side has.
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
                else f"None of the proposed pairs of {benchmark} benchmark and {training} training "
                f"{noun} has {threshold.replace('containment', 'a containment')} of "
                f"{params.shingle}-word shingles."
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
                            **(
                                {"items": ", ".join(items.get(row["left_id"], []))} if items else {}
                            ),
                            "training": row["right_id"],
                            "containment": round(row["containment"], 3),
                            "jaccard": round(row["jaccard"], 3),
                            "longest_run": row["longest_run"],
                        }
                        for row in found.to_dict("records")
                    ),
                    command=command,
                )
            )
        if repeated and repeated.get(level):
            findings.append(
                Finding(
                    id=f"{level}-ids",
                    severity="warn",
                    statement=f"{repeated[level]} {noun} share an ID with another of their side; "
                    f"an ID counts once, with its strongest pair.",
                    numbers={"repeated": repeated[level]},
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
    # Equal texts of |A| shingles that share c·|A| have a Jaccard similarity of c / (2 − c).
    chances = {c: recall(c / (2 - c), params) for c in (0.8, params.copy_from, params.report_from)}
    findings.append(
        Finding(
            id="index-recall",
            severity="note",
            statement=(
                f"Pairs are proposed by MinHash with {params.bands} bands of {params.rows} rows "
                f"and verified exactly; two texts of equal length are proposed with probability "
                + ", ".join(f"{chance:.2f} at containment {c:g}" for c, chance in chances.items())
                + "."
            ),
            numbers={
                "permutations": params.permutations,
                "bands": params.bands,
                "rows": params.rows,
                "scheme": SCHEME,
                **{f"recall_{c:g}": round(chance, 6) for c, chance in chances.items()},
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
