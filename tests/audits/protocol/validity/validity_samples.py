"""Panels for tests, and what an audit must find in them by plain loops."""

import csv
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, Report

ROOT = Path(__file__).parents[4]
PUBLISHED = ROOT / "data/published/hanna"
KEYS = ("premise_id", "author", "rater", "judge", "prompt_variant")

Overall = dict[str, dict[tuple[str, str], Fraction]]
"""By source, by premise and author."""


class Item(NamedTuple):
    """An item as plain loops decide it."""

    premise: str
    authors: tuple[str, ...]
    tau: float
    credit: Fraction
    chance: Fraction


def tables(
    human: Mapping[tuple[str, str], list[list[float]]],
    judge: Mapping[tuple[str, str], list[list[float]]],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score tables from the scores of each premise and author: a list a source, of criteria."""

    def rows(scores: Mapping[tuple[str, str], list[list[float]]], source: str) -> Iterator[dict]:
        for (premise, author), given in scores.items():
            for number, criteria in enumerate(given):
                names = {f"c{n}": value for n, value in enumerate(criteria)}
                yield {"premise_id": premise, "author": author, source: f"{source}{number}"} | names

    judges = pd.DataFrame(rows(judge, "judge"))
    judges.insert(3, "prompt_variant", "1")
    return pd.DataFrame(rows(human, "rater")), judges


def drawn(
    rng: np.random.Generator,
    *,
    premises: int = 4,
    automatic: int = 5,
    judges: int = 3,
    raters: int = 3,
    criteria: int = 2,
    human_author: bool = True,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of whole points, drawn at random, so that ties are many."""
    authors = [f"a{n}" for n in range(automatic)] + ["Human"] * human_author
    stories = [(f"p{n}", author) for n in range(premises) for author in authors]
    people = {s: rng.integers(1, 6, (raters, criteria)).astype(float).tolist() for s in stories}
    models = {s: rng.integers(1, 6, (judges, criteria)).astype(float).tolist() for s in stories}
    return tables(people, models)


def injected(
    rng: np.random.Generator,
    *,
    premises: int = 60,
    automatic: int = 6,
    judges: int = 4,
    raters: int = 3,
    judge_noise: float = 0.8,
    rater_noise: float = 0.4,
    follow: bool = True,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores whose truth is known: a quality a story, and noise of raters and judges.

    Judges read a quality of their own, unlike the raters', unless they ``follow``.
    """
    authors = [*(f"a{n}" for n in range(automatic)), "Human"]
    stories = [(f"p{n}", author) for n in range(premises) for author in authors]

    def given(quality: np.ndarray, sources: int, noise: float) -> dict:
        scores = 3 + 0.4 * (quality[:, None] + noise * rng.normal(size=(len(stories), sources)))
        clipped = np.clip(scores, 1, 5)[..., None].tolist()
        return dict(zip(stories, clipped, strict=True))

    quality = rng.normal(size=len(stories))
    other = quality if follow else rng.normal(size=len(stories))
    return tables(given(quality, raters, rater_noise), given(other, judges, judge_noise))


def exact(value: str | float, cache: dict[str, Fraction]) -> Fraction:
    """The number that was meant: 14/3 for 4.666666666666667."""
    shown = str(value)
    if shown not in cache:
        cache[shown] = Fraction(shown).limit_denominator(100_000)
    return cache[shown]


def overall(rows: list[dict[str, str]], source: str) -> Overall:
    """The exact mean of the criteria."""
    cache: dict[str, Fraction] = {}
    found: Overall = {}
    for row in rows:
        values = [exact(value, cache) for name, value in row.items() if name not in KEYS]
        story = (row["premise_id"], row["author"])
        found.setdefault(row[source], {})[story] = sum(values, Fraction(0)) / len(values)
    return found


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_rows(frame: pd.DataFrame) -> list[dict[str, str]]:
    return [{k: str(v) for k, v in row.items()} for row in frame.to_dict("records")]


def mean(sources: Overall, names: list[str] | None = None) -> dict[tuple[str, str], Fraction]:
    """The mean over sources of every story."""
    kept = [sources[name] for name in names or list(sources)]
    return {story: sum((s[story] for s in kept), Fraction(0)) / len(kept) for story in kept[0]}


def tau_b(orders: list[dict[tuple[str, str], int]], authors: tuple[str, ...]) -> float:
    """Mean tau-b over pairs of judges, of whom each gives a sign to each pair of authors."""
    signs = [[order[pair] for pair in combinations(authors, 2)] for order in orders]
    taus = []
    for one, other in combinations(signs, 2):
        untied = sum(map(abs, one)) * sum(map(abs, other))
        concordance = sum(a * b for a, b in zip(one, other, strict=True))
        taus.append(concordance / untied**0.5 if untied else 0.0)
    return sum(taus) / len(taus)


def best(values: dict[str, Fraction], authors: tuple[str, ...]) -> set[str]:
    highest = max(values[author] for author in authors)
    return {author for author in authors if values[author] == highest}


def by_loops(
    judges: Overall, people: dict[tuple[str, str], Fraction], *, human: str | None = None
) -> list[Item]:
    """Every item: sets of four automatic authors, or the human one with sets of three."""
    choice = mean(judges)
    premises = sorted({premise for premise, _ in people})
    authors = sorted({author for _, author in people} - {"Human"})
    items = []
    for premise in premises:
        orders = [
            {
                (a, b): (s[premise, a] > s[premise, b]) - (s[premise, a] < s[premise, b])
                for a, b in combinations(authors, 2)
            }
            for s in judges.values()
        ]
        of_people = {
            author: people[premise, author] for author in (*authors, *filter(None, [human]))
        }
        of_judges = {author: choice[premise, author] for author in of_people}
        for some in combinations(authors, 3 if human else 4):
            four = (human, *some) if human else some
            right, chosen = best(of_people, four), best(of_judges, four)
            credit = Fraction(len(right & chosen), len(chosen))
            items.append(
                Item(premise, four, tau_b(orders, some), credit, Fraction(len(right), len(four)))
            )
    return items


def average(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def by_id(report: Report) -> dict[str, Finding]:
    return {finding.id: finding for finding in report.findings}
