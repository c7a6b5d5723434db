"""Do two lists of the stories' authors agree?"""

import pandas as pd

from storyaudit.findings import Finding, evidence
from storyaudit.vocabulary import Severity


def agree(author: str, other: str) -> bool:
    """Return whether two labels can name one author: ``OA`` and oa, human1 and human.

    The other label may be the author's, in any case, a part of it up to a hyphen (chatgpt for
    chatgpt-free), or have a number at its end.
    """
    left, right = author.casefold(), other.casefold()
    stem = right.rstrip("0123456789")
    return right == left or left.startswith(f"{right}-") or (bool(stem) and stem == left)


def label_finding(labels: pd.DataFrame) -> Finding:
    """Return whether a workbook names every story's author alike on both of its sheets.

    Args:
        labels: columns story_id, author, other (``storyaudit.layouts.rating_sheets``).
    """
    named = labels.dropna(subset=["other"])
    pairs = zip(named["author"], named["other"], strict=True)
    same = pd.Series([agree(author, other) for author, other in pairs], named.index, dtype="bool")
    wrong = named[~same]
    authors_of = named[same].groupby("other")["author"].unique()
    merged = {label: sorted(names) for label, names in authors_of.items() if len(names) > 1}
    absent = len(labels) - len(named)
    severity: Severity = "fail" if len(wrong) else "warn" if merged or absent else "pass"
    parts = []
    if len(wrong):
        parts.append(
            f"{len(wrong)} of {len(labels)} stories bear another author on the further sheet than "
            f"beside the scores: {', '.join(wrong['story_id'].head(5))}"
        )
    if merged:
        parts.append(
            "; ".join(f"'{label}' stands for {' and '.join(n)}" for label, n in merged.items())
            + " there, so that authors taken from it would be merged"
        )
    if absent:
        parts.append(f"{absent} stories are not named there")
    told = ". ".join(part[0].upper() + part[1:] for part in parts)
    rows = [*wrong.to_dict("records")]
    rows += [{"other": label, "author": ", ".join(names)} for label, names in merged.items()]
    return Finding(
        id="author-labels",
        severity=severity,
        statement=f"{told}." if told else f"Both sheets name the authors of {len(labels)} stories.",
        numbers={
            "stories": len(labels),
            "contradicted": len(wrong),
            "merged_labels": len(merged),
            "not_named": absent,
        },
        evidence=evidence(rows),
    )
