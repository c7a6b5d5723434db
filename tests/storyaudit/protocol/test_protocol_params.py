import pytest
from pydantic import ValidationError

from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

VALID = {
    "minimum_judges": 3,
    "prompt_variant": "2",
    "judge_human_story": False,
    "undecided_items": "drop",
    "tau_threshold": 0.6,
    "tie_tolerance": 0.5,
    "priority": [*reversed(DIMENSIONS)],
}


@pytest.mark.parametrize("change", [{}, {"tau_threshold": -1}, {"tie_tolerance": 0}])
def test_accepts_what_is_in_range(change):
    assert ProtocolParams(**VALID | change).model_dump() == VALID | change


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
        {"minimum_judges": 1},  # tau needs two
    ],
)
def test_refuses_what_is_not(change):
    with pytest.raises(ValidationError):
        ProtocolParams(**VALID | change)


def test_the_papers_own_values_stand_where_nothing_is_said():
    # StoryAlign, section 2.2: threshold 0.6 and tolerance 0.5; the priority is not printed.
    params = ProtocolParams()
    assert (params.tau_threshold, params.tie_tolerance) == (0.6, 0.5)
    assert params.priority == list(DIMENSIONS)
