"""The sensitivity analyses: each departs from the main analysis in one choice."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from audits.protocol.validity.panel import Panel
from storyaudit.errors import InputError
from storyaudit.stats.estimate import Array, Mask


class Choice(NamedTuple):
    """The main judges and prompt variant, as indices of a panel."""

    judges: list[int]
    variant: int


class Analysis(NamedTuple):
    """One way to analyse a panel.

    Attributes:
        name: what it does otherwise than the main one.
        scores: judge × premise × author.
        human: premise × author.
        usable: premise × author; the stories that count.
        tied: whether items count in which the judges' first place is tied.
    """

    name: str
    scores: Array
    human: Array
    usable: Mask
    tied: bool = True


def choose(panel: Panel, judges: Sequence[str] | None, variant: str | None) -> Choice:
    """Return the main judges, all if None, and the main variant, the first by name if None.

    Raises:
        InputError: a judge or variant that the panel does not have, or fewer than two judges.
    """
    names = panel.judges if judges is None else sorted(set(judges))
    if len(names) < 2 or not set(names) <= set(panel.judges):
        raise InputError(
            f"expected two judges or more of {', '.join(panel.judges)}, found "
            f"{', '.join(names) or 'none'}.",
            "Name judges that the table has.",
            file="judge_scores",
            column="judge",
        )
    if variant is not None and variant not in panel.variants:
        raise InputError(
            f"expected a prompt variant of {', '.join(panel.variants)}, found '{variant}'.",
            "Name one that the table has.",
            file="judge_scores",
            column="prompt_variant",
        )
    at = 0 if variant is None else panel.variants.index(variant)
    return Choice([panel.judges.index(name) for name in names], at)


def analyses(panel: Panel, choice: Choice) -> list[Analysis]:
    """Return the analyses, the main one first."""
    judges, variant = choice
    raters = panel.human.mean(axis=2)
    every = np.ones(raters.shape, dtype="bool")
    main = Analysis("main", panel.judge[variant, judges], raters, every)
    by_variant = [main] + [
        main._replace(name=f"prompt variant {name}", scores=panel.judge[at, judges])
        for at, name in enumerate(panel.variants)
        if at != variant
    ]
    found = list(by_variant)
    if len(panel.variants) > 1:
        mean = panel.judge[:, judges].mean(axis=0)
        found.append(main._replace(name="mean of the prompt variants", scores=mean))
    if panel.below[:, judges].any():
        order = [variant, *(at for at in range(len(panel.variants)) if at != variant)]
        found += [
            analysis._replace(
                name=f"{analysis.name}, without stories that hold an unparsed answer",
                usable=np.asarray((panel.below[at, judges] == 0).all(axis=0)),
            )
            for at, analysis in zip(order, by_variant, strict=True)
        ]
    found += [
        main._replace(name=f"with {name}", scores=panel.judge[variant, [*judges, number]])
        for number, name in enumerate(panel.judges)
        if number not in judges
    ]
    if len(judges) > 2:
        found += [
            main._replace(
                name=f"without {panel.judges[left]}",
                scores=panel.judge[variant, [number for number in judges if number != left]],
            )
            for left in judges
        ]
    if panel.human.shape[2] > 2:
        median = np.median(panel.human, axis=2)
        found.append(main._replace(name="median of the raters", human=median))
    return [*found, main._replace(name="without ties for first place", tied=False)]
