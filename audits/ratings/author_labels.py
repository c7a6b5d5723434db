"""Whether two lists of the stories' authors agree."""

import pandas as pd

from storyaudit.findings import Finding, counted, evidence
from storyaudit.phrasing import listed
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
    """Return whether a workbook names the same author of every story on both of its worksheets.

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
    stories = counted(len(labels), "story", "stories")
    sentences = []
    if len(wrong):
        sentences.append(
            f"For {len(wrong)} of {stories} the worksheet of authors contradicts the "
            f"author beside the scores: {listed(wrong['story_id'].tolist(), 'stories (evidence)')}."
        )
    if merged:
        labels_shown = [f"'{label}' for {' and '.join(names)}" for label, names in merged.items()]
        sentences.append(
            f"The worksheet of authors uses one label for several authors: "
            f"{listed(labels_shown, 'labels (evidence)')}. Authors read from it would be merged."
        )
    if absent:
        sentences.append(f"The worksheet of authors lacks {absent} of {stories}.")
    if not sentences:
        sentences.append(f"Both worksheets name the same author for all of {stories}.")
    rows = [*wrong.to_dict("records")]
    rows += [{"other": label, "author": ", ".join(names)} for label, names in merged.items()]
    return Finding(
        id="author-labels",
        severity=severity,
        statement=" ".join(sentences),
        numbers={
            "stories": len(labels),
            "contradicted": len(wrong),
            "merged_labels": len(merged),
            "not_named": absent,
        },
        evidence=evidence(rows),
    )
