"""What the texts say of the ratings: whether raters were blind, and how authors differ."""

import numpy as np
import pandas as pd

from audits.ratings.texts.duplicates import duplicate_finding
from audits.ratings.texts.length_effect import length_finding
from audits.ratings.texts.visible_features import FEATURES, features
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence
from storyaudit.phrasing import decimal, listed, p_value, tenths
from storyaudit.stats.estimate import Estimate, rounded, rounded_p
from storyaudit.stats.one_r import Identified, by_chance, identify
from storyaudit.stats.permutation_test import permutation_p
from storyaudit.stats.proportion import proportion_ci

IDENTIFYING = 0.8
"""Balanced accuracy from which one visible feature is said to identify an author."""
DRAWS = 199
"""Classes of stories drawn at random, for the permutation test."""


def blinding_findings(
    stories: pd.DataFrame | None,
    rows: pd.DataFrame,
    row_totals: pd.DataFrame,
    rng: np.random.Generator,
    *,
    reference: str | None,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> list[Finding | Unchecked]:
    """Return what the stories' files and texts show of their authors.

    Args:
        stories: columns story_id, text, and encoding where known
            (``storyaudit.layouts.story_files``); None if the texts are not at hand.
        rows: usable rows of the ratings table.
        row_totals: totals of complete rating rows.
        rng: draws the bootstrap samples of stories.
        reference: the author whom raters should not be able to identify.
        confidence: of the intervals.
        resamples: bootstrap samples.
    """
    authors = dict(zip(rows["story_id"], rows["author"], strict=True))
    if stories is None:
        return [_unchecked("no story texts were given")]
    known = stories.drop_duplicates("story_id").dropna(subset=["text"])
    known = known[known["story_id"].isin(authors)].reset_index(drop=True)
    if known.empty:
        return [_unchecked("none of the given texts bears the ID of a rated story")]
    table = features(known)
    author = table.index.to_series().map(authors)
    return [
        _texts(stories, known, authors),
        _by_author(table, author),
        duplicate_finding(known, authors),
        _blind(table, author, reference, confidence, rng),
        length_finding(table["words"], row_totals, rng, confidence=confidence, resamples=resamples),
    ]


def _unchecked(reason: str) -> Unchecked:
    return Unchecked(
        id="blinding",
        check="whether visible features or lengths of the stories identify their authors",
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
            f"{len(absent)} of {counted(len(authors), 'rated story', 'rated stories')} "
            f"{'has' if len(absent) == 1 else 'have'} no text. "
            f"{counted(len(further), 'text belongs', 'texts belong')} to no rated story. "
            f"{counted(twice, 'text repeats', 'texts repeat')} an ID."
            if faults
            else f"Each of {counted(len(authors), 'rated story', 'rated stories')} has one text."
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
        f"The evidence lists visible features of {counted(len(table), 'story', 'stories')} by "
        f"{counted(author.nunique(), 'author')}: each author's most frequent value and its count."
    )
    if len(odd) and (table["encoding"] != "cp1252").any():
        by = [f"{name} ({n})" for name, n in author[odd.index].value_counts().items()]
        statement += (
            f" {len(odd)} of {len(table)} files are encoded as Windows-1252; read as UTF-8 they "
            f"show replacement characters. They are by {listed(by, 'authors')}."
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
            check="whether visible features identify an author",
            reason="no author has two stories beside two stories by others",
        )
    ranked = sorted(found, key=lambda name: (-found[name].balanced_accuracy, name))
    identified = [name for name in ranked if found[name].balanced_accuracy >= IDENTIFYING]
    lead = reference if reference in found else ranked[0]
    one = found[lead]
    chance = by_chance(visible, one.positives, DRAWS, rng)
    p = permutation_p(one.balanced_accuracy, chance)
    expected = len(found) * float((chance >= IDENTIFYING - 1e-9).mean())
    seen = lead in identified and p <= 1 - confidence
    return Finding(
        id="blinding",
        severity="warn" if seen else "note",
        statement=(
            f"A leave-one-out rule on one visible feature attributes {one.hits} of {one.positives} "
            f"stories by {lead} and {one.false_alarms} of {one.negatives} others to {lead} "
            f"(permutation test, {p_value(p)}). The rule fitted to all stories: "
            f"{_rule(one)}. {_blindness(one, lead, p, 1 - confidence)} "
            f"{len(identified)} of {counted(len(found), 'author')}{_by_name(identified)} "
            f"can be identified with a balanced accuracy of at least {IDENTIFYING:g}; "
            f"{tenths(expected)} authors would be expected by chance."
        ),
        numbers={
            "author": lead,
            **_numbers(one, confidence),
            "p": rounded_p(p),
            "reach_0.8": len(identified),
            "reach_0.8_by_chance": rounded(expected, 1),
            "unit": "story",
        },
        evidence=evidence(
            {"author": name, "rule": found[name].rule, **_numbers(found[name], confidence)}
            for name in ranked
        ),
    )


def _rule(one: Identified) -> str:
    """Return a rule as a phrase: "feature 'title', value 'yes'"."""
    feature, _, value = one.rule.partition(": ")
    return f"feature '{feature}', value '{value}'" if value else one.rule


def _blindness(one: Identified, lead: str, p: float, alpha: float) -> str:
    """Return what the rule says of the raters' blinding, as a sentence."""
    accuracy = f"Its balanced accuracy of {decimal(one.balanced_accuracy)}"
    if p > alpha:
        return f"{accuracy} is not significantly above chance."
    if one.balanced_accuracy < IDENTIFYING:
        return f"{accuracy} is significantly above chance, and below {IDENTIFYING:g}."
    return f"Raters who saw the files as released may not have been blind to {lead}."


def _by_name(authors: list[str]) -> str:
    return f" ({listed(authors, 'authors')})" if 0 < len(authors) <= 3 else ""


def _numbers(found: Identified, confidence: float) -> dict[str, Number]:
    """Return the proportions of right answers in both classes with Wilson's intervals (1927)."""
    numbers: dict[str, Number] = {"stories": found.positives, "others": found.negatives}
    numbers["balanced_accuracy"] = rounded(found.balanced_accuracy, 2)
    for name, right, of in (
        ("sensitivity", found.hits, found.positives),
        ("specificity", found.negatives - found.false_alarms, found.negatives),
    ):
        numbers |= Estimate(right / of, *proportion_ci(right / of, of, confidence)).numbers(name, 2)
    return numbers
