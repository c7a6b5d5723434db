"""Read answers strictly: what is not plainly what was asked for is malformed, and asked for again.

A lenient reader has a price: HANNA's language-model scores hold −1 wherever none was found.
"""

import re
from collections.abc import Iterable
from typing import Any

from storyaudit.llm.question import MalformedError
from storyaudit.llm.strict_json import strict_json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(?P<inside>.*)\n[ \t]*```", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts that some models write first, up to ``</think>``.

    Raises:
        MalformedError: thoughts that do not end.
    """
    before, end, after = text.partition("</think>")
    if end:
        return after.strip()
    if before.lstrip().startswith("<think>"):
        raise MalformedError("its thoughts do not end")
    return before.strip()


def passage(text: str, tag: str) -> str:
    """Return what stands between ``<tag>`` and ``</tag>``, each there once, and nothing else.

    Raises:
        MalformedError: a tag missing or twice, text outside, or nothing inside.
    """
    start, end = f"<{tag}>", f"</{tag}>"
    answer = without_thoughts(text)
    if answer.count(start) != 1 or answer.count(end) != 1:
        raise MalformedError(f"expected {start} and {end} once each")
    if not answer.startswith(start) or not answer.endswith(end):
        raise MalformedError(f"text before {start} or after {end}")
    inside = answer.removeprefix(start).removesuffix(end).strip()
    if not inside:
        raise MalformedError(f"nothing between {start} and {end}")
    if "\0" in inside:
        raise MalformedError("a NUL character")
    return inside


def json_object(text: str, names: Iterable[str]) -> dict[str, Any]:
    """Return an answer that is a JSON object with exactly these names, each once.

    A Markdown fence around the object is accepted, and nothing else is.

    Raises:
        MalformedError: anything but that.
    """
    answer = without_thoughts(text)
    fenced = _FENCED.fullmatch(answer)
    try:
        content = strict_json(fenced["inside"] if fenced else answer)
    except ValueError as error:
        raise MalformedError(f"no JSON ({error})") from None
    return members(content, names)


def members(content: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return an object if it has exactly these names.

    Raises:
        MalformedError: no object, a name missing, or one too many.
    """
    if not isinstance(content, dict):
        raise MalformedError("no object")
    wanted = set(names)
    missing, further = sorted(wanted - set(content)), sorted(set(content) - wanted)
    if missing or further:
        what = f"'{missing[0]}' is missing" if missing else f"'{further[0][:40]}' is too much"
        raise MalformedError(what)
    return content


def points(value: Any, lowest: int, highest: int) -> int:
    """Return a whole number on a scale; 7.0 is one, '7', true and 7.5 are none.

    Raises:
        MalformedError: no whole number, or one off the scale.
    """
    if type(value) not in (int, float) or not float(value).is_integer():
        raise MalformedError(f"{str(value)[:40]!r} is no whole number")
    if not lowest <= value <= highest:
        raise MalformedError(f"{str(value)[:40]} is not from {lowest} to {highest}")
    return int(value)
