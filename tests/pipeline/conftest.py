import numpy as np
import pytest

from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.simulated_corpora import Corpora, CorporaParams, simulate_corpora

PARAMS = CorporaParams(scale=1 / 60, training_scale=0.003, chinese_share=0.25, median_words=260)
NONE = dict.fromkeys(FaultsParams.model_fields, 0) | {
    "edit_share": 0.05,
    "order_biased_judge": 0.0,
}
FAULTS = FaultsParams(
    **{**NONE, "copies": 3, "light_edits": 4, "embedded": 2, "leaked_premises": 2}
)


def simulate(
    seed: int = 1, params: CorporaParams = PARAMS, faults: FaultsParams = FAULTS
) -> Corpora:
    premises, stories, leaks, platform = (
        np.random.default_rng([seed, stream]) for stream in range(4)
    )
    return simulate_corpora(
        params,
        faults,
        premises_rng=premises,
        stories_rng=stories,
        leaks_rng=leaks,
        platform_rng=platform,
    )


@pytest.fixture(scope="session")
def corpora() -> Corpora:
    """A small simulation; tests must not change it."""
    return simulate()


@pytest.fixture(scope="session")
def another_simulation() -> Corpora:
    return simulate(seed=2)


@pytest.fixture(scope="session")
def clean_corpora() -> Corpora:
    """The same small simulation without leaks."""
    return simulate(faults=FaultsParams(**NONE))
