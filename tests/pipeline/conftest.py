from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from pipeline.corpora import CorporaParams, simulate_corpora


class Corpora(NamedTuple):
    premises: pd.DataFrame
    stories: pd.DataFrame
    qualities: pd.DataFrame
    leaks: pd.DataFrame


PARAMS = CorporaParams(
    premises_llm=12,
    premises_human=12,
    premises_training=40,
    copies=3,
    light_edits=4,
    edit_share=0.05,
)


def simulate(seed: int = 1, params: CorporaParams = PARAMS) -> Corpora:
    premises, stories, leaks = (np.random.default_rng([seed, stream]) for stream in range(3))
    return Corpora(
        *simulate_corpora(params, premises_rng=premises, stories_rng=stories, leaks_rng=leaks)
    )


@pytest.fixture(scope="session")
def corpora() -> Corpora:
    """A small simulated world; tests must not change it."""
    return simulate()


@pytest.fixture(scope="session")
def another_world() -> Corpora:
    return simulate(seed=2)
