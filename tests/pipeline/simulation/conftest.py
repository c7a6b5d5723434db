import numpy as np
import pytest

from pipeline.simulation.draws import Draws
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.slots import Slots


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Language:
    return LANGUAGES[request.param]


@pytest.fixture
def slots(language: Language) -> Slots:
    rng = np.random.default_rng(5)
    premise = write_premise(rng, language.code)
    return Slots(premise, Quality(0.5, 0.5, 0.5, 0.5, 0.5), language, Draws(rng))
