"""Stories that are rated twice under two names, wholly or in part."""

from collections import Counter
from itertools import combinations

import pandas as pd

from storyaudit.findings import Finding, evidence
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.words import words
from storyaudit.vocabulary import Severity

SHINGLE = 5
COPY = 0.5
REPORT = 0.1


def similar_stories(stories: pd.DataFrame, report_from: float = REPORT) -> pd.DataFrame:
    """Return the pairs of stories that share runs of words, most alike first.

    Args:
        stories: columns story_id and text.
        report_from: containment of the shorter in the longer story from which a pair is listed.

    Returns:
        Columns first, second, containment, jaccard, identical (the same words in order).
    """
    texts = {
        str(i): words(str(t)) for i, t in zip(stories["story_id"], stories["text"], strict=True)
    }
    runs = {story: shingles(text, SHINGLE) for story, text in texts.items()}
    holders: dict[tuple[str, ...], list[str]] = {}
    for story in sorted(runs):
        for run in runs[story]:
            holders.setdefault(run, []).append(story)
    shared = Counter(pair for names in holders.values() for pair in combinations(names, 2))
    rows = []
    for first, second in sorted(shared):
        value = max(containment(runs[first], runs[second]), containment(runs[second], runs[first]))
        if value >= report_from:
            alike = jaccard(runs[first], runs[second])
            rows.append((first, second, value, alike, texts[first] == texts[second]))
    columns = ["first", "second", "containment", "jaccard", "identical"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values(
        ["containment", "first", "second"], ascending=[False, True, True], ignore_index=True
    )


def duplicate_finding(stories: pd.DataFrame, authors: dict[str, str]) -> Finding:
    """Return stories that stand twice (fail), for the most part (warn) or in part (note).

    Args:
        stories: columns story_id and text.
        authors: the stories' authors.
    """
    found = similar_stories(stories)
    identical = int(found["identical"].sum()) if len(found) else 0
    copies = int((found["containment"] >= COPY).sum())
    severity: Severity = "fail" if identical else "warn" if copies else "note"
    if found.empty:
        severity = "pass"
        statement = (
            f"No two of {len(stories)} stories share {REPORT:.0%} of their {SHINGLE}-word runs."
        )
    else:
        statement = (
            f"Of {len(stories)} stories, {identical} pairs are the same text, {copies} share half "
            f"or more of the {SHINGLE}-word runs of one of them, and {len(found)} share "
            f"{REPORT:.0%} or more."
        )
    first, second = (found[side].map(authors).to_numpy() for side in ("first", "second"))
    return Finding(
        id="similar-stories",
        severity=severity,
        statement=statement,
        numbers={
            "stories": len(stories),
            "identical": identical,
            "copies": copies,
            "pairs": len(found),
            "shingle": SHINGLE,
        },
        evidence=evidence(
            found.assign(first_author=first, second_author=second).round(
                {"containment": 2, "jaccard": 2}
            )
        ),
    )
