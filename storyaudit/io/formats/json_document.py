"""JSON documents: a list of objects, read one by one, or anything, read as a whole."""

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.files import read_text
from storyaudit.io.formats.json_lines import json_rows, open_json_lines, unique
from storyaudit.io.rewriting import opening, writing
from storyaudit.io.row_batches import Fits, RowFile
from storyaudit.io.streams import decoded, empty_file, too_long

_GAP = re.compile(r"[ \t\n\r]*")


def open_json(path: Path, _: Fits | None = None) -> RowFile:
    """Open a list of objects, counted from 1, or one object a line under the ending of JSON.

    Raises:
        InputError: neither; while reading, what is no object, with its number.
    """
    if not is_list(path):
        return open_json_lines(path)
    first = next(list_objects(path), None)
    if first is None:
        raise empty_file(path)
    return RowFile(
        path,
        list(first[2]),
        None,
        lambda columns=None, needed=(): json_rows(path, list_objects(path), columns, needed),
        lambda left_out, out: _copy(path, left_out, out),
    )


def is_list(path: Path) -> bool:
    """Return whether a JSON file holds a list.

    Raises:
        InputError: it cannot be read.
    """
    return next(filter(None, (text.lstrip() for text in decoded(path))), "").startswith("[")


def list_objects(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the objects of a list with their number from 1 and their text.

    Raises:
        InputError: text that is no list of objects, or an object longer than ``bounds.LINE``, with
            its number; what ``json_lines`` refuses.
    """
    decoder = json.JSONDecoder(object_pairs_hook=unique)
    text, place, row, enough = "", 0, 0, 1
    expected = "["
    for part in _parts(path):
        ended = part is None
        text, place = text[place:] + (part or ""), 0
        if len(text) < enough and not ended:
            continue
        while (place := _after_gap(text, place)) < len(text):
            mark = text[place]
            if mark == "]" and expected in ("first", ","):
                expected, place = "end", place + 1
            elif mark == expected:
                expected, place = ("first" if mark == "[" else "object"), place + 1
            elif expected not in ("first", "object"):
                raise _not_json(path, row, f"'{mark}' where '{expected}' belongs")
            else:
                try:
                    record, stop = decoder.raw_decode(text, place)
                except json.JSONDecodeError as error:
                    if ended:
                        raise _not_json(path, row + 1, error.msg) from None
                    if len(text) - place > bounds.LINE:
                        raise too_long(path, "an object", row + 1) from None
                    enough = 2 * (len(text) - place)  # so that it is tried a few times, not often
                    break
                except (ValueError, RecursionError) as error:
                    raise _not_json(path, row + 1, str(error)) from None
                if not isinstance(record, dict):
                    raise InputError(
                        f"expected a list of JSON objects, found {type(record).__name__} in it.",
                        "Write [{…}, {…}], or one object a line in a .jsonl file.",
                        file=path,
                        row=row + 1,
                    )
                row += 1
                if stop - place > bounds.LINE:
                    raise too_long(path, "an object", row)
                yield row, text[place:stop], record
                expected, place, enough = ",", stop, 1
    if expected != "end":
        raise _not_json(path, row, "it ends before the list does")


def _after_gap(text: str, place: int) -> int:
    found = _GAP.match(text, place)
    return place if found is None else found.end()


def _parts(path: Path) -> Iterator[str | None]:
    yield from decoded(path)
    yield None


def _not_json(path: Path, row: int, what: str) -> InputError:
    return InputError(
        f"expected JSON, found text that does not parse ({what}).",
        "Check that it is complete; one object a line needs the ending .jsonl.",
        file=path,
        row=row or None,
    )


def _copy(path: Path, left_out: Collection[int], out: Path) -> int:
    kept = 0
    with writing(out) as sink:
        sink.write(opening(path) + b"[")
        for row, text, _ in list_objects(path):
            if row not in left_out:
                sink.write(b"%s\n%s" % (b"," if kept else b"", text.encode()))
                kept += 1
        sink.write(b"\n]\n")
    return kept


def read_json(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        InputError: no such file, not UTF-8, not JSON, a name twice in one object, more than
            ``bounds.JSON_VALUES`` values.
    """
    text = read_text(path)
    if text.count(",") + text.count("[") + text.count("{") > bounds.JSON_VALUES:
        raise InputError(
            f"expected at most {bounds.JSON_VALUES} values, found more.",
            "Part the file, or write one object a line (.jsonl).",
            file=path,
        )
    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise _not_json(path, 0, str(error)) from None
