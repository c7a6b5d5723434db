"""What the texts say of the ratings: were raters blind, and what else differs between authors?"""

import numpy as np
import pandas as pd

from audits.ratings.texts.duplicates import duplicate_finding
from audits.ratings.texts.length_effect import length_finding
from audits.ratings.texts.visible_features import FEATURES, features
from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import p_value
from storyaudit.stats.estimate import Estimate, rounded, rounded_p
from storyaudit.stats.one_r import Identified, by_chance, identify
from storyaudit.stats.permutation_test import permutation_p
from storyaudit.stats.proportion import proportion_ci

BETRAYED = 0.8
"""Balanced accuracy from which one visible feature is said to betray an author."""
DRAWS = 199
"""Classes of stories drawn at random, to see what chance gives."""


def blinding_findings(
    stories: pd.DataFrame | None,
    rows: pd.DataFrame,
    sheets: pd.DataFrame,
    rng: np.random.Generator,
    *,
    reference: str | None,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> list[Finding | Unchecked]:
    """Return what the stories' files and texts could have told a blind rater.

    Args:
        stories: columns story_id, text, and encoding where known
            (``storyaudit.layouts.story_files``); None if the texts are not at hand.
        rows: usable rows of the ratings table.
        sheets: complete sheets.
        rng: draws the bootstrap samples of stories.
        reference: the author whom raters should not tell from the others.
        confidence: of the intervals.
        resamples: bootstrap samples.
    """
    authors = dict(zip(rows["story_id"], rows["author"], strict=True))
    if stories is None:
        return [_untold("no story texts were given")]
    known = stories.drop_duplicates("story_id").dropna(subset=["text"])
    known = known[known["story_id"].isin(authors)].reset_index(drop=True)
    if known.empty:
        return [_untold("none of the given texts bears the ID of a rated story")]
    table = features(known)
    author = table.index.to_series().map(authors)
    return [
        _texts(stories, known, authors),
        _by_author(table, author),
        duplicate_finding(known, authors),
        _blind(table, author, reference, confidence, rng),
        length_finding(table["words"], sheets, rng, confidence=confidence, resamples=resamples),
    ]


def _untold(reason: str) -> Unchecked:
    return Unchecked(
        id="blinding",
        check="whether the stories' files or lengths could betray their authors to blind raters",
        reason=reason,
    )


def _texts(stories: pd.DataFrame, known: pd.DataFrame, authors: dict[str, str]) -> Finding:
    absent = sorted(set(authors) - set(known["story_id"]))
    further = sorted(set(stories["story_id"].dropna()) - set(authors))
    twice = int(stories["story_id"].duplicated().sum())
    faults = len(absent) + len(further) + twice
    rows = [{"story_id": name, "fault": "rated, but no text"} for name in absent]
    rows += [{"story_id": name, "fault": "a text that nobody rated"} for name in further]
    return Finding(
        id="texts-match",
        severity="warn" if faults else "pass",
        statement=(
            f"{len(absent)} rated stories have no text, {len(further)} texts were not rated, and "
            f"{twice} texts bear an ID again."
            if faults
            else f"Each of the {len(authors)} rated stories has one text."
        ),
        numbers={
            "rated": len(authors),
            "without_text": len(absent),
            "not_rated": len(further),
            "twice": twice,
        },
        evidence=evidence(rows),
    )


def _by_author(table: pd.DataFrame, author: pd.Series) -> Finding:
    rows: list[dict[str, Number]] = []
    for name, part in table.groupby(author):
        row: dict[str, Number] = {"author": str(name), "stories": len(part)}
        for feature in FEATURES:
            most = part[feature].value_counts()
            row[feature] = f"{most.index[0]} {most.iloc[0]}/{len(part)}"
        rows.append({**row, "median_words": rounded(float(part["words"].median()), 0)})
    odd = table[table["encoding"] == "cp1252"]
    statement = (
        f"Visible features of {len(table)} stories of {author.nunique()} authors, each author's "
        f"most frequent with its count."
    )
    if len(odd) and (table["encoding"] != "cp1252").any():
        names = ", ".join(f"{name} ({n})" for name, n in author[odd.index].value_counts().items())
        statement += (
            f" {len(odd)} files are Windows-1252 and the others UTF-8 or ASCII: opened as UTF-8 "
            f"they show replacement characters; they are by {names}."
        )
    varied = [name for name in FEATURES if table[name].nunique() > 1]
    return Finding(
        id="story-features",
        severity="note",
        statement=statement,
        numbers={"stories": len(table), "features_that_vary": len(varied), "cp1252": len(odd)},
        evidence=evidence(rows),
    )


def _blind(
    table: pd.DataFrame,
    author: pd.Series,
    reference: str | None,
    confidence: float,
    rng: np.random.Generator,
) -> Finding | Unchecked:
    visible = table[[*FEATURES, "words"]]
    found: dict[str, Identified] = {}
    for name in sorted(set(author)):
        result = identify(visible, (author == name).to_numpy())
        if result is not None:
            found[name] = result
    if not found:
        return Unchecked(
            id="blinding",
            check="whether visible features betray an author",
            reason="no author has two stories beside two of others",
        )
    ranked = sorted(found, key=lambda name: (-found[name].balanced_accuracy, name))
    betrayed = [name for name in ranked if found[name].balanced_accuracy >= BETRAYED]
    lead = reference if reference in found else ranked[0]
    one = found[lead]
    chance = by_chance(visible, one.positives, DRAWS, rng)
    p = permutation_p(one.balanced_accuracy, chance)
    expected = len(found) * float((chance >= BETRAYED - 1e-9).mean())
    seen = lead in betrayed and p <= 1 - confidence
    return Finding(
        id="blinding",
        severity="warn" if seen else "note",
        statement=(
            f"Without reading a word, a rule on one visible feature, learnt from the other "
            f"stories, names {one.hits} of {one.positives} stories by {lead} and "
            f"{one.false_alarms} of {one.negatives} others ({p_value(p)} by permutation; over all "
            f"stories: {one.rule})"
            + (": raters who saw the files as released need not have been blind." if seen else ".")
            + f" {len(betrayed)} of {len(found)} authors reach a balanced accuracy of "
            f"{BETRAYED:g}, where {expected:.1f} would by chance"
            + (f": {', '.join(betrayed)}." if betrayed else ".")
        ),
        numbers={
            "author": lead,
            **_numbers(one, confidence),
            "p": rounded_p(p),
            "reach_0.8": len(betrayed),
            "reach_0.8_by_chance": rounded(expected, 1),
            "unit": "story",
        },
        evidence=evidence(
            {"author": name, "rule": found[name].rule, **_numbers(found[name], confidence)}
            for name in ranked
        ),
    )


def _numbers(found: Identified, confidence: float) -> dict[str, Number]:
    """Return the shares of right answers in both classes with Wilson's intervals (1927)."""
    numbers: dict[str, Number] = {"stories": found.positives, "others": found.negatives}
    numbers["balanced_accuracy"] = rounded(found.balanced_accuracy, 2)
    for name, right, of in (
        ("sensitivity", found.hits, found.positives),
        ("specificity", found.negatives - found.false_alarms, found.negatives),
    ):
        numbers |= Estimate(right / of, *proportion_ci(right / of, of, confidence)).numbers(name, 2)
    return numbers
