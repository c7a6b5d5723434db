"""Leaks on request: what of the benchmark stands in the training data, each with its truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.simulation.draws import Draws
from pipeline.simulation.edits import lightly_edit
from pipeline.simulation.fault_params import FaultsParams
from storyaudit.errors import InputError

PARAGRAPH = "\n\n"


class Leak(NamedTuple):
    """A leak between two rows of one table."""

    training: int
    benchmark: int
    kind: str


def draw_row_pairs(
    hosts: Sequence[int],
    origins: Sequence[int],
    languages: Sequence[str],
    count: int,
    rng: np.random.Generator,
    *,
    parameter: str,
) -> list[tuple[int, int]]:
    """Draw so many pairs of a training row and a benchmark row in one language, no row in two.

    Args:
        hosts: rows of training texts.
        origins: rows of benchmark texts.
        languages: of all rows.
        count: how many pairs.
        rng: draws them.
        parameter: of `params.yaml`, named in errors.

    Raises:
        InputError: fewer such pairs than asked for.
    """
    waiting: dict[str, list[int]] = {}
    for host in rng.permutation(np.array(hosts, dtype=int)).tolist():
        waiting.setdefault(languages[host], []).append(host)
    row_pairs: list[tuple[int, int]] = []
    for origin in rng.permutation(np.array(origins, dtype=int)).tolist():
        if len(row_pairs) == count:
            break
        if waiting.get(languages[origin]):
            row_pairs.append((waiting[languages[origin]].pop(), origin))
    if len(row_pairs) < count:
        raise InputError(
            f"faults.{parameter}: expected at most {len(row_pairs)}, for which corpora of this "
            f"scale have room, found {count}.",
            "Lower it, or raise corpora.scale and corpora.training_scale.",
            file="params.yaml",
        )
    return row_pairs


def leak_stories(
    stories: pd.DataFrame,
    training: Sequence[int],
    benchmark: Sequence[int],
    params: FaultsParams,
    rng: np.random.Generator,
) -> tuple[list[str], list[Leak]]:
    """Return the texts with some training texts replaced, and the leaks that this makes.

    Long training texts of two paragraphs or more take benchmark stories in their midst; others are
    replaced altogether.

    Args:
        stories: columns `text`, `language` and `words`.
        training: rows whose texts may be replaced.
        benchmark: rows whose texts may leak.
        params: how many leaks of each kind.
        rng: draws rows, places and edits.

    Raises:
        InputError: more leaks than fit.
    """
    texts, languages = stories["text"].tolist(), stories["language"].tolist()
    leaked = list(texts)
    leaks: list[Leak] = []
    for kind, parameter, count in (
        ("embedded", "embedded", params.embedded),
        ("copy", "copies", params.copies),
        ("light_edit", "light_edits", params.light_edits),
    ):
        taken = {row for leak in leaks for row in leak[:2]}
        hosts = [row for row in training if row not in taken]
        origins = [row for row in benchmark if row not in taken]
        if kind == "embedded":
            hosts = _roomy(hosts, texts, stories["words"].tolist())
        for host, origin in draw_row_pairs(
            hosts, origins, languages, count, rng, parameter=parameter
        ):
            text = texts[origin]
            if kind == "embedded":
                text = embed(text, texts[host], rng)
            elif kind == "light_edit":
                text = lightly_edit(text, rng, params.edit_share, languages[origin])
            leaked[host] = text
            leaks.append(Leak(host, origin, kind))
    return leaked, leaks


def _roomy(rows: Sequence[int], texts: Sequence[str], lengths: Sequence[int]) -> list[int]:
    """The longer half of the rows whose texts have two paragraphs or more."""
    parted = sorted((lengths[row], row) for row in rows if PARAGRAPH in texts[row])
    return [row for _, row in parted[len(parted) // 2 :]]


def embed(story: str, host: str, rng: np.random.Generator) -> str:
    """The host's text with the story between two of its paragraphs."""
    paragraphs = host.split(PARAGRAPH)
    place = 1 + int(Draws(rng).uniform() * (len(paragraphs) - 1))
    return PARAGRAPH.join([*paragraphs[:place], story, *paragraphs[place:]])
