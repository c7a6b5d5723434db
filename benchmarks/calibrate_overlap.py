"""Plant overlaps of many kinds in simulated training stories, and count what the search finds.

Run it from the repository's root in the activated environment:

    python -m benchmarks.calibrate_overlap [STORIES]

For each kind and language so many benchmark stories (400) are planted in a training text each,
among as many training stories that nothing was planted in. It prints how many are found at all and
as copies, their containment, and what is reported though it was not planted.
"""

import re
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.overlap.study_comparisons import Comparison, Texts, compare
from pipeline.simulation.edits import lightly_edit
from pipeline.simulation.languages import language_of
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.story import write_story
from storyaudit.overlap.overlap_params import OverlapParams

STORIES = 400
WORDS = 260
LANGUAGES = ("en", "zh")
PARAGRAPH = "\n\n"
MIDDLING = Quality(0.5, 0.5, 0.5, 0.5, 0.5)
WIDE = {"zh": str.maketrans("，。？！：；“”", ",.?!:;「」"), "en": str.maketrans('".!,', "'…?;")}


class Case(NamedTuple):
    """A benchmark story that is to be planted.

    Attributes:
        text: of the story.
        premise: on which it was written.
        others: training stories in its language, to plant it in.
        rng: draws edits and places.
    """

    text: str
    premise: Premise
    others: list[str]
    rng: np.random.Generator


def edited(share: float) -> Callable[[Case], str]:
    """Return what exchanges a share of the words for others of their kind."""
    return lambda case: lightly_edit(case.text, case.rng, share, case.premise.language)


def punctuated(case: Case) -> str:
    """Return the story with other punctuation, capitals and spacing."""
    return re.sub(r"\s+", "  \n", case.text).upper().translate(WIDE[case.premise.language])


def renamed(case: Case) -> str:
    """Return the story with other names for its hero and rival."""
    words = language_of(case.premise.language).words
    names = words["women"] + words["men"]
    text = case.text
    for name in (case.premise.hero, case.premise.rival):
        other = [option for option in names if option not in (case.premise.hero, name)]
        text = text.replace(name, other[int(case.rng.integers(len(other)))])
    return text


def embedded(case: Case) -> str:
    """Return the story between the paragraphs of nine others."""
    picked = case.rng.choice(len(case.others), 9)
    parts = PARAGRAPH.join(case.others[n] for n in picked).split(PARAGRAPH)
    place = int(case.rng.integers(1, len(parts)))
    return PARAGRAPH.join([*parts[:place], case.text, *parts[place:]])


def shuffled(case: Case) -> str:
    """Return the story with its paragraphs in another order."""
    return PARAGRAPH.join(case.rng.permutation(case.text.split(PARAGRAPH)).tolist())


def excerpt(share: float) -> Callable[[Case], str]:
    """Return what puts a share of the story, in one piece, into another story."""

    def excerpted(case: Case) -> str:
        language = language_of(case.premise.language)
        pieces = case.text.split(" ") if language.space else list(case.text)
        length = round(share * len(pieces))
        start = int(case.rng.integers(len(pieces) - length + 1))
        part = language.space.join(pieces[start : start + length])
        return f"{case.others[int(case.rng.integers(len(case.others)))]}{PARAGRAPH}{part}"

    return excerpted


def every_fifth(case: Case) -> str:
    """Return the story with every fifth word, of Chinese every fifth character, exchanged."""
    if case.premise.language == "zh":
        count = iter(range(len(case.text)))
        return re.sub(r"\w", lambda m: "某" if next(count) % 5 == 4 else m[0], case.text)
    return " ".join(
        "something" if place % 5 == 4 else word for place, word in enumerate(case.text.split())
    )


def retold(case: Case) -> str:
    """Return another story on the premise: the same plot in other sentences."""
    return write_story(case.premise, MIDDLING, words=WORDS, style="human", rng=case.rng)


KINDS: dict[str, Callable[[Case], str]] = {
    "copy": lambda case: case.text,
    "punctuation, capitals, spacing": punctuated,
    "names exchanged": renamed,
    "2 % of words exchanged": edited(0.02),
    "5 % of words exchanged": edited(0.05),
    "15 % of words exchanged": edited(0.15),
    "30 % of words exchanged": edited(0.3),
    "paragraphs in another order": shuffled,
    "inside a text ten times as long": embedded,
    "a quarter, in another story": excerpt(0.25),
    "every fifth word exchanged": every_fifth,
    "retold": retold,
}


def calibrate(
    count: int, seed: int, *, kinds: tuple[str, ...] = tuple(KINDS)
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Plant stories and search for them.

    Args:
        count: of stories, for each kind and language.
        seed: of everything.
        kinds: to plant.

    Returns:
        A row a language and kind: ``planted``; ``found`` and ``copies``, how many pairs reach the
        floor and the threshold of copies; ``lowest``, ``median`` and ``highest`` of their
        containment, 0 where it is below the floor. And a row a language: ``pairs`` that were not
        planted, and ``false``, how many of them are reported.
    """
    rows, alarms = [], []
    for language in LANGUAGES:
        rng = np.random.default_rng([seed, LANGUAGES.index(language)])
        cases, texts, origins = [], [], []
        others = [_story(write_premise(rng, language), rng) for _ in range(count)]
        for _ in range(count):
            premise = write_premise(rng, language)
            cases.append(Case(_story(premise, rng), premise, others, rng))
        texts += others
        origins += [("", -1)] * count
        for kind in kinds:
            texts += [KINDS[kind](case) for case in cases]
            origins += [(kind, number) for number in range(count)]
        found = _search([case.text for case in cases], texts)
        planted = {name: np.zeros(count) for name in kinds}
        false = 0
        for benchmark, training, share in found:
            kind, number = origins[training]
            if number == benchmark:
                planted[kind][benchmark] = share
            else:
                false += 1
        rows += [
            (
                language,
                kind,
                count,
                int((shares >= OverlapParams().min_containment).sum()),
                int((shares >= OverlapParams().duplicate_threshold).sum()),
                *np.quantile(shares, [0, 0.5, 1]).round(3).tolist(),
            )
            for kind, shares in planted.items()
        ]
        alarms.append((language, count * len(texts) - count * len(kinds), false))
    columns = ["language", "kind", "planted", "found", "copies", "lowest", "median", "highest"]
    return (
        pd.DataFrame(rows, columns=columns),
        pd.DataFrame(alarms, columns=["language", "pairs", "false"]),
    )


def _story(premise: Premise, rng: np.random.Generator) -> str:
    return write_story(premise, MIDDLING, words=WORDS, style="human", rng=rng)


def _search(benchmark: list[str], training: list[str]) -> list[tuple[int, int, float]]:
    """Return the reported pairs: benchmark story, training text, containment."""
    sides = [Texts([str(n) for n in range(len(side))], [*side]) for side in (benchmark, training)]
    rows = compare(Comparison("train_benchmark", "story", *sides), OverlapParams()).rows
    ids = rows[["left_id", "right_id"]].astype(int).to_numpy().tolist()
    return [
        (left, right, share) for (left, right), share in zip(ids, rows["containment"], strict=True)
    ]


def main() -> None:
    """Print the calibration."""
    rows, alarms = calibrate(int(sys.argv[1]) if len(sys.argv) > 1 else STORIES, seed=1)
    print(rows.to_string(index=False))
    print(alarms.to_string(index=False))


if __name__ == "__main__":
    main()
