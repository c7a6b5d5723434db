import pytest
from model_samples import endpoint
from pydantic import ValidationError

from storyaudit.llm.model_params import ModelParams


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "api.example.org/v1"},
        {"base_url": "ftp://api.example.org/v1"},
        {"base_url": "https:///v1"},
        {"base_url": "https://api.example.org:99999/v1"},
        {"base_url": "https://name:secret@api.example.org/v1"},
        {"base_url": "https://api.example.org/v1?api-key=secret"},
        {"key_variable": "sk-0123456789abcdef"},
        {"timeout": 0},
        {"concurrency": 0},
        {"requests_per_minute": 0},
        {"maximum_cost": 5.0},
        {"maximum_cost": 5.0, "input_price": 1.0},
        {"maximum_cost": float("inf"), "input_price": 1.0, "output_price": 1.0},
        {"api_key": "sk-0123456789abcdef"},
    ],
)
def test_unfit_parameters_are_refused(wrong):
    with pytest.raises(ValidationError):
        endpoint(**wrong)


@pytest.mark.parametrize(
    "right",
    [
        {"base_url": "https://api.example.org/v1"},
        {"base_url": "http://[::1]:8000/v1/"},
        {"key_variable": None},
        {"timeout": 30},
        {"maximum_cost": 5, "input_price": 1, "output_price": 2.5},
        {"maximum_tokens": 1000},
    ],
)
def test_fit_parameters_are_taken(right):
    assert endpoint(**right).model_dump().items() >= right.items()


def test_a_model_needs_a_name():
    assert ModelParams(model="m").attempts == 3
    with pytest.raises(ValidationError):
        ModelParams(model="")
