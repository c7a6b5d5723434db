"""Faults that the simulated study holds on request: the section ``faults`` of ``params.yaml``."""

from typing import Annotated

from pydantic import Field

from storyaudit.errors import InputError
from storyaudit.runs.params import Count, Params, Share
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import ANNOTATORS, BENCHMARK_TEXTS, JUDGES, TRAINING_TEXTS, Part

IN: dict[str, tuple[Part, ...]] = {
    **dict.fromkeys(
        ("copies", "light_edits", "embedded", "leaked_premises"),
        (BENCHMARK_TEXTS, TRAINING_TEXTS),
    ),
    "doubled_items": (BENCHMARK_TEXTS,),
    **dict.fromkeys(("swapped_labels", "length_shortcut", "missing_items"), (ANNOTATORS,)),
    "order_biased_judge": (JUDGES,),
}
"""What must be simulated for a fault to be injected into it."""


class FaultsParams(Params):
    """How many faults of each kind are injected; each with its ground truth in ``data/world``.

    Attributes:
        copies: training stories replaced by a benchmark story's text.
        light_edits: training stories replaced by a lightly edited benchmark story.
        edit_share: share of the words that a light edit replaces.
        embedded: training stories with a benchmark story between their paragraphs.
        leaked_premises: training premises that are benchmark premises.
        swapped_labels: items whose chosen story is a rejected one.
        missing_items: items left out of the benchmark without a reason.
        doubled_items: items that stand in the benchmark twice.
        length_shortcut: items whose chosen story is the longest.
        order_biased_judge: points by which the first judge favours the first place, beside what
            every judge does.
    """

    copies: Count
    light_edits: Count
    edit_share: Share
    embedded: Count
    leaked_premises: Count
    swapped_labels: Count
    missing_items: Count
    doubled_items: Count
    length_shortcut: Count
    order_biased_judge: Annotated[float, Field(ge=-100, le=100)]


def refuse_faults_in_real_data(faults: FaultsParams, simulated: list[Part]) -> None:
    """Refuse to inject faults into what is not simulated.

    Raises:
        InputError: names the fault.
    """
    for name, parts in IN.items():
        real = [part for part in parts if part not in simulated]
        if getattr(faults, name) and real:
            raise InputError(
                f"faults.{name} asks for faults, and '{real[0]}' are not simulated.",
                "Set it to 0: no fault is injected into real data.",
                file=PARAMS,
            )
