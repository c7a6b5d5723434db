"""JSON that says one thing: no name twice, no numbers that JSON does not have."""

import json
from typing import Any, NoReturn


def strict_json(text: str) -> Any:
    """Return the value that JSON text stands for.

    Raises:
        ValueError: no JSON, nested too deeply, a name twice in one object, NaN or an infinity, or
            a whole number of more than 15 digits, which other readers would round.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_no_number
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return content


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > 15:
        raise ValueError("a number of more than 15 digits")
    return int(digits)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
