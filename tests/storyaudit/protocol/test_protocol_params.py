import pytest
from pydantic import ValidationError

from storyaudit.protocol.params import ProtocolParams
from storyaudit.tables import DIMENSIONS

SOUND = {"tau_threshold": 0.6, "tie_tolerance": 0.5, "priority": [*reversed(DIMENSIONS)]}


@pytest.mark.parametrize("change", [{}, {"tau_threshold": -1}, {"tie_tolerance": 0}])
def test_accepts_what_is_in_range(change):
    assert ProtocolParams(**SOUND | change).model_dump() == SOUND | change


@pytest.mark.parametrize(
    "change",
    [
        {"tau_threshold": 1.01},
        {"tau_threshold": -1.01},
        {"tau_threshold": "0.6"},
        {"tie_tolerance": -0.1},
        {"tie_tolerance": float("inf")},
        {"priority": "fluency"},
        {"priority": [*DIMENSIONS[:4]]},  # one lacks
        {"priority": [*DIMENSIONS, "fluency"]},  # one twice
        {"priority": [*DIMENSIONS[:4], "plot"]},  # one unknown
        {"threshold": 0.6},
    ],
)
def test_refuses_what_is_not(change):
    with pytest.raises(ValidationError):
        ProtocolParams(**SOUND | change)
