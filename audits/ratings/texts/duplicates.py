"""Stories that are rated twice under two IDs, as identical texts or near-duplicates."""

from collections import Counter
from itertools import combinations

import pandas as pd

from storyaudit.findings import Finding, counted, evidence
from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.words import words
from storyaudit.vocabulary import Severity

SHINGLE = 5
NEAR_DUPLICATE = 0.5
MIN_CONTAINMENT = 0.1


def similar_stories(
    stories: pd.DataFrame, min_containment: float = MIN_CONTAINMENT
) -> pd.DataFrame:
    """Return the pairs of stories that share shingles, most similar first.

    Args:
        stories: columns story_id and text.
        min_containment: containment of the shorter in the longer story from which a pair is listed.

    Returns:
        Columns first, second, containment, jaccard, identical (the same words in order).
    """
    texts = {
        str(i): words(str(t)) for i, t in zip(stories["story_id"], stories["text"], strict=True)
    }
    found = {story: shingles(text, SHINGLE) for story, text in texts.items()}
    holders: dict[tuple[str, ...], list[str]] = {}
    for story in sorted(found):
        for shingle in found[story]:
            holders.setdefault(shingle, []).append(story)
    shared = Counter(pair for names in holders.values() for pair in combinations(names, 2))
    rows = []
    for first, second in sorted(shared):
        one, other = found[first], found[second]
        value = max(containment(one, other), containment(other, one))
        if value >= min_containment:
            identical = texts[first] == texts[second]
            rows.append((first, second, value, jaccard(one, other), identical))
    columns = ["first", "second", "containment", "jaccard", "identical"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values(
        ["containment", "first", "second"], ascending=[False, True, True], ignore_index=True
    )


def duplicate_finding(stories: pd.DataFrame, authors: dict[str, str]) -> Finding:
    """Return identical stories (fail), near-duplicates (warn) and partial overlaps (note).

    Args:
        stories: columns story_id and text.
        authors: the stories' authors.
    """
    found = similar_stories(stories)
    identical = int(found["identical"].sum()) if len(found) else 0
    near = int((found["containment"] >= NEAR_DUPLICATE).sum())
    severity: Severity = "fail" if identical else "warn" if near else "note"
    if found.empty:
        severity = "pass"
        statement = (
            f"No pair of {counted(len(stories), 'story', 'stories')} reaches a containment of "
            f"{MIN_CONTAINMENT:g} ({SHINGLE}-word shingles)."
        )
    else:
        statement = (
            f"Among {counted(len(stories), 'story', 'stories')}, "
            f"{counted(identical, 'pair is', 'pairs are')} identical in words. "
            f"{counted(near, 'pair has', 'pairs have')} a containment of {NEAR_DUPLICATE:g} "
            f"or more, and {len(found)} of {MIN_CONTAINMENT:g} or more ({SHINGLE}-word "
            f"shingles)."
        )
    first, second = (found[side].map(authors).to_numpy() for side in ("first", "second"))
    return Finding(
        id="similar-stories",
        severity=severity,
        statement=statement,
        numbers={
            "stories": len(stories),
            "identical": identical,
            "near_duplicates": near,
            "pairs": len(found),
            "shingle": SHINGLE,
        },
        evidence=evidence(
            found.assign(first_author=first, second_author=second).round(
                {"containment": 2, "jaccard": 2}
            )
        ),
    )
