"""A small study: prose, and the tables that say where its texts are used."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audits.overlap.study_comparisons import Study

Prose = Callable[[int], str]
MakeStudy = Callable[..., Study]


@pytest.fixture
def prose() -> Prose:
    """Write so many words drawn from two thousand: five in a row hardly ever come again."""
    rng = np.random.default_rng(11)
    return lambda count: " ".join(f"w{number}" for number in rng.integers(0, 2000, count).tolist())


@pytest.fixture
def make_study(prose: Prose) -> MakeStudy:
    """Return what makes a study; every text that is not given is prose of its own.

    Item i1 (llm_llm) has the stories 1a to 1d on premise p1, i2 (human_llm) 2a to 2d on p2; 1a and
    2a are chosen. Item i3, with 3a to 3d on p3, was removed. Pair j (judged, en) is of ja over jb
    on pj, r (rewriting) of ra over rb on pr, c (continuation) of ca over cb on pr as well, and v
    (judged) of va over vb on pv is held out.
    """

    def make(texts: Mapping[str, str | None] | None = None, **tables: Any) -> Study:
        items = [(item, place) for item in "123" for place in "abcd"]
        sides = [f"{pair}{side}" for pair in "jrcv" for side in "ab"]
        own = dict(texts or {})
        stories = {
            name: own.get(name, prose(60)) for name in [*(i + place for i, place in items), *sides]
        }
        premises = {f"p{name}": own.get(f"p{name}", prose(20)) for name in "123jrv"}
        study = Study(
            premises=frame("premise_id", premises),
            stories=frame("story_id", {k: v for k, v in stories.items() if k[0] not in "rc"}),
            pair_premises=frame("premise_id", {}),
            pair_stories=frame("story_id", {k: v for k, v in stories.items() if k[0] in "rc"}),
            pairs=pd.DataFrame(
                [
                    ("j", "judged", "s1", "train", "pj", "ja", "jb", "en"),
                    ("r", "rewriting", "s2", "train", "pr", "ra", "rb", "zh"),
                    ("c", "continuation", "s2", "train", "pr", "ca", "cb", "zh"),
                    ("v", "judged", "s1", "validation", "pv", "va", "vb", "en"),
                ],
                columns=[
                    "pair_id",
                    "method",
                    "source",
                    "split",
                    "premise_id",
                    "chosen_id",
                    "rejected_id",
                    "language",
                ],
            ),
            candidates=pd.DataFrame(
                [
                    (f"i{i}", i + place, f"p{i}", "human_llm" if i == "2" else "llm_llm")
                    for i, place in items
                ],
                columns=["item_id", "story_id", "premise_id", "origin"],
            ),
            benchmark=pd.DataFrame({"item_id": ["i1", "i2"], "chosen_id": ["1a", "2a"]}),
        )
        return study._replace(**tables)

    return make


def frame(key: str, texts: Mapping[str, str | None]) -> pd.DataFrame:
    return pd.DataFrame({key: list(texts), "text": pd.Series(list(texts.values()), dtype="object")})
