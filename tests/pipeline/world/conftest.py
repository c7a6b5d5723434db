import numpy as np
import pytest

from pipeline.world.draws import Draws
from pipeline.world.language import Language
from pipeline.world.languages import LANGUAGES
from pipeline.world.premise import write_premise
from pipeline.world.quality import Quality
from pipeline.world.slots import Slots


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Language:
    return LANGUAGES[request.param]


@pytest.fixture
def slots(language: Language) -> Slots:
    rng = np.random.default_rng(5)
    premise = write_premise(rng, language.code)
    return Slots(premise, Quality(0.5, 0.5, 0.5, 0.5, 0.5), language, Draws(rng))
