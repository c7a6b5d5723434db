import inspect
from typing import Any

import pytest

from audits.claims.computations.all_computations import COMPUTATIONS
from storyaudit.data.tables import RATINGS, STORY_FACTS


@pytest.mark.parametrize(
    ("computation", "arguments", "misfit"),
    [
        ("count", {}, "takes of, author, other_than (missing a required argument: 'of')"),
        ("count", {"of": "storyid"}, "takes no of 'storyid' ("),
        ("count", {"of": "story_id", "author": 3}, "takes no author 3 ("),
        ("cohens_kappa", {"weights": "cubic"}, "takes no weights 'cubic' ("),
        ("item_at", {"rank": "1"}, "takes no rank '1' ("),
        ("pearson_of_totals", {"item": "1"}, "takes no arguments ("),
        ("sd", {"author": "a", "item": "1", "ddof": 2}, "takes no ddof 2 ("),
        # What only conventions vary is no ledger's to give.
        ("p_value", {"author": "a", "reference": "b", "item": "1", "test": "z"}, "takes author,"),
        ("cohens_kappa", {"weights": "linear", "weighting": "quadratic"}, "takes weights ("),
        ("words_mean", {"everyone": True}, "takes other_than ("),
    ],
)
def test_arguments_that_do_not_fit_are_named(
    computation: str, arguments: dict[str, Any], misfit: str
) -> None:
    assert COMPUTATIONS[computation].misfit(arguments).startswith(misfit)


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_a_computation_says_what_it_reads_and_its_conventions_take_the_same(name: str) -> None:
    named = COMPUTATIONS[name]
    table = {"ratings": RATINGS, "stories": STORY_FACTS}[named.table]
    assert set(named.columns) <= {column.name for column in table.columns}
    for function in named.conventions.values():
        names = list(inspect.signature(function).parameters)[1:]
        assert set(named.signature.parameters) <= set(names)
