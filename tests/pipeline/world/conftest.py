import numpy as np
import pytest

from pipeline.world.draws import Draws
from pipeline.world.premise import write_premise
from pipeline.world.quality import Quality
from pipeline.world.slots import Slots


@pytest.fixture
def slots() -> Slots:
    rng = np.random.default_rng(5)
    return Slots(write_premise(rng), Quality(0.5, 0.5, 0.5, 0.5, 0.5), Draws(rng))
