"""Run Great Expectations suites, with its silent ways out closed.

An unknown expectation type is logged and dropped: the number that went in is compared with the
number of results. An exception inside an expectation looks like a failed check: it is reported as
an error. An empty frame passes everything: it is refused before. A missing value is in every set of
allowed values: it is counted against the check.
"""

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from storyaudit.errors import InputError


def read_suite(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the expectations of a table, each with ``type``, ``kwargs`` and ``meta``.

    Args:
        folder: that holds what ``expectations/`` does.
        table: the table's name.

    ``meta`` holds an ``id``, the ``statement`` that it checks, and under ``needs`` the further
    tables without which it cannot be checked.
    """
    path = folder / "tables" / f"{table}.json"
    expectations: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))[
        "expectations"
    ]
    return expectations


@dataclass(frozen=True)
class Outcome:
    """One expectation's result.

    Attributes:
        id: of the expectation, from its ``meta``.
        success: whether it held; False also if it could not be evaluated.
        error: why it could not be evaluated, or None.
        unexpected: how many rows (or values) are against it.
        rows: those rows, by the table's key, and the columns looked at.
    """

    id: str
    success: bool
    error: str | None
    unexpected: int
    rows: list[dict[str, Any]]


def run_suite(
    frame: pd.DataFrame, expectations: list[dict[str, Any]], *, name: str, key: list[str]
) -> list[Outcome]:
    """Validate a frame and return one outcome an expectation, in their order.

    Args:
        frame: at least one row.
        expectations: each with ``type``, ``kwargs`` and ``meta`` with an ``id``.
        name: of the suite.
        key: columns that name a row in the evidence.

    Raises:
        InputError: an expectation of unknown type or with wrong arguments.
        ValueError: an empty frame.
    """
    if frame.empty:
        raise ValueError("an empty table passes every expectation: it cannot be validated")
    logging.getLogger("great_expectations").setLevel(logging.CRITICAL)
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    try:
        suite = gx.ExpectationSuite(name=name, expectations=expectations)
    except ValueError as error:
        raise InputError(
            f"an expectation has wrong arguments ({' '.join(str(error).split())}).",
            "Correct its kwargs.",
            file=f"expectations/tables/{name}.json",
        ) from None
    if len(suite.expectations) != len(expectations):
        known = [expectation.meta["id"] for expectation in suite.expectations]
        lost = [e for e in expectations if e["meta"]["id"] not in known]
        raise InputError(
            f"the type of expectation '{lost[0]['meta']['id']}', {lost[0]['type']}, is unknown.",
            "Great Expectations would leave it out silently: correct its type.",
            file=f"expectations/tables/{name}.json",
        )
    batch = (
        context.data_sources.add_pandas(name)
        .add_dataframe_asset(name)
        .add_batch_definition_whole_dataframe(name)
        .get_batch({"dataframe": frame})
    )
    results = batch.validate(
        suite,
        result_format={"result_format": "COMPLETE"}
        | ({"unexpected_index_column_names": key} if key else {}),
    ).results
    by_id = {result.expectation_config.meta["id"]: result for result in results}
    if len(by_id) != len(expectations):
        raise RuntimeError(f"suite {name}: {len(expectations)} went in, {len(by_id)} came back")
    return [_outcome(by_id[e["meta"]["id"]], e, frame, key) for e in expectations]


def _outcome(
    result: Any, expectation: dict[str, Any], frame: pd.DataFrame, key: list[str]
) -> Outcome:
    details = result.result or {}
    # Without a key the rows are bare positions.
    rows = [dict(row) for row in details.get("unexpected_index_list") or []] if key else []
    missing = 0
    if details and expectation["type"] == "expect_column_values_to_be_in_set":
        column = expectation["kwargs"]["column"]
        without = frame.loc[frame[column].isna(), list(dict.fromkeys([*key, column]))]
        missing = len(without)
        rows += without.to_dict("records") if key else []
    return Outcome(
        id=expectation["meta"]["id"],
        success=bool(result.success) and not missing,
        error=None if details else _first_message(result.exception_info),
        unexpected=int(details.get("unexpected_count", 0)) + missing,
        rows=rows,
    )


def _first_message(info: Any) -> str | None:
    """Return the message of an exception, which stands at the top or one level below."""
    if not isinstance(info, dict):
        return None
    if info.get("raised_exception"):
        return str(info.get("exception_message"))
    messages = [_first_message(value) for value in info.values()]
    return next((message for message in messages if message), None)
