"""Forms as Label Studio tasks, and its export read back.

Formats as documented at labelstud.io (guide/tasks, guide/task_format, guide/export, and the tags
List, Ranker, Bucket, Choices and Number). A ranking is made in a bucket that is empty at first: an
item that was not touched then differs from one whose order was accepted.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from storyaudit.errors import InputError
from storyaudit.forms.archive import check_size
from storyaudit.forms.draw import Form
from storyaudit.forms.filled import Cell, Filled, fault, find_form
from storyaudit.forms.key import FormKey, Key, KeyRow
from storyaudit.forms.questions import question
from storyaudit.io.formats.json_document import read_json

_BUCKET = "ranking"
_STYLE = ".htx-ranker-item { white-space: pre-wrap; }"


def tasks_json(form: Form) -> list[dict[str, Any]]:
    """Return a form's items in Label Studio's JSON import format, one task an item."""
    texts = {row.id: text for row, text in zip(form.key.rows, form.texts, strict=True)}
    premises = {r.number: text for r, text in zip(form.key.rows, form.premises, strict=True)}
    return [
        {
            "data": {
                "sheet": form.key.fingerprint,
                "item": number,
                "premise": premises[number],
                "proposed": next((f"Proposed as best: {r.letter}" for r in stories if r.asked), "")
                if form.key.task == "confirmation"
                else "",
                "stories": [
                    {"id": row.id, "title": row.letter, "body": texts[row.id]} for row in stories
                ],
            }
        }
        for number, stories in form.key.items.items()
    ]


def config_xml(form: Form) -> str:
    """Return the labeling configuration for the tasks of a form."""
    key = form.key
    controls: list[str] = []
    for name, allowed in key.fields().items():
        control = quoteattr(_control(key, name))
        if name == "rank":
            bucket = f'<Bucket name="{_BUCKET}" title="Ranked: the best at the top"/>'
            controls.append(f'<Ranker name={control} toName="stories">{bucket}</Ranker>')
        elif isinstance(allowed, range):
            controls.append(f"<Header value={quoteattr(name)}/>")
            controls.append(
                f'<Number name={control} toName="stories" '
                f'min="{allowed[0]}" max="{allowed[-1]}" step="1"/>'
            )
        else:
            choices = "".join(f"<Choice value={quoteattr(word)}/>" for word in allowed)
            choice = 'toName="stories" choice="single" showInline="true"'
            controls.append(f"<Choices name={control} {choice}>{choices}</Choices>")
    lines = [
        f"<Style>{_STYLE}</Style>",
        *(f"<Header value={quoteattr(line)}/>" for line in question(key.task, key.scale)),
        '<Header value="$premise"/>',
        *(['<Header value="$proposed"/>'] if key.task == "confirmation" else []),
        '<List name="stories" value="$stories" title="Stories"/>',
        *controls,
    ]
    return "<View>\n" + "".join(f"  {line}\n" for line in lines) + "</View>\n"


def read_export(path: Path, keys: Sequence[Key]) -> list[Filled]:
    """Read Label Studio's JSON export: one form for each that its tasks come from.

    Skipped annotations count as none. The annotator is the one for whom the tasks were drawn.

    Raises:
        InputError: not such an export, tasks of another key, an item twice, more than one
            annotation of a task, or a result of another shape; names the task.
    """
    check_size(path)
    content = read_json(path)
    if not isinstance(content, list) or not content:
        raise _no_export(path)
    cells: dict[str, list[Cell]] = {}
    forms: dict[str, FormKey] = {}
    seen: set[tuple[str, int]] = set()
    for count, task in enumerate(content, start=1):
        if not isinstance(task, dict) or not isinstance(task.get("annotations"), list):
            raise _no_export(path)
        location = f"task {task.get('id', count)}"
        data = task.get("data")
        if not isinstance(data, dict) or not isinstance(data.get("sheet"), str):
            raise fault(path, [(location, "expected the data of a form, found none.")], _EXPORT)
        key = find_form(keys, data["sheet"], path, location)
        number = data.get("item")
        stories = key.items.get(number) if isinstance(number, int) else None
        if stories is None:
            raise fault(path, [(location, "the item is not on the form.")], _EXPORT)
        if (key.fingerprint, stories[0].number) in seen:
            raise fault(path, [(location, f"item {stories[0].number} is in two tasks.")])
        seen.add((key.fingerprint, stories[0].number))
        forms[key.fingerprint] = key
        given = dict(_given(_annotation(task, path, location), key, stories, path, location))
        cells.setdefault(key.fingerprint, []).extend(
            Cell(location, row.id, name, given.get((row.id, name)))
            for row in stories
            for name in key.fields()
        )
    return [Filled(forms[name], path, found) for name, found in cells.items()]


_EXPORT = "Export the project as 'JSON', and give the key that was written with its tasks."


def _no_export(path: Path) -> InputError:
    return InputError(
        "expected Label Studio's JSON export, a list of tasks with their annotations.",
        "Export the project as 'JSON', not as 'JSON-MIN' or another format.",
        file=path,
    )


def _control(key: FormKey, name: str) -> str:
    """Return the name of an answer's control; a criterion's own may hold spaces."""
    return f"scale_{key.rubric.index(name) + 1}" if name in key.rubric else name


def _annotation(task: Mapping[str, Any], path: Path, location: str) -> list[Any]:
    found = [a for a in task["annotations"] if isinstance(a, dict) and not a.get("was_cancelled")]
    if len(found) > 1:
        problem = f"expected one annotation, found {len(found)}."
        remedy = "Give each annotator the tasks of its own file, and delete what is superseded."
        raise fault(path, [(location, problem)], remedy)
    result = found[0].get("result") if found else []
    if not isinstance(result, list):
        raise fault(path, [(location, "expected a list of results, found none.")], _EXPORT)
    return result


def _given(
    result: Sequence[Any], key: FormKey, stories: list[KeyRow], path: Path, location: str
) -> Iterator[tuple[tuple[str, str], object]]:
    """Yield the answers of one annotation by story and column."""
    by_control = {_control(key, name): name for name in key.fields()}
    asked = next((row.id for row in stories if row.asked), stories[0].id)
    done: set[str] = set()
    for entry in result:
        control = entry.get("from_name") if isinstance(entry, dict) else None
        name = by_control.get(control) if isinstance(control, str) else None
        if name is None or name in done:
            problem = f"expected one result of each of {', '.join(by_control)}, found {control}."
            raise fault(path, [(location, problem)], _EXPORT)
        done.add(name)
        value = entry.get("value")
        value = value.get(str(entry.get("type"))) if isinstance(value, dict) else None
        if name == "rank":
            ranked = value.get(_BUCKET, []) if isinstance(value, dict) else None
            known = {row.id for row in stories}
            if not isinstance(ranked, list) or not all(
                isinstance(story, str) and story in known for story in ranked
            ):
                raise fault(
                    path, [(location, "expected a ranking of the item's stories.")], _EXPORT
                )
            if len(set(ranked)) < len(ranked):
                raise fault(path, [(location, "a story occurs twice in the ranking.")])
            yield from (((story, name), rank) for rank, story in enumerate(ranked, start=1))
            continue
        if isinstance(value, list):  # of choices
            value = value[0] if len(value) == 1 else ", ".join(map(str, value))
        yield (asked if name == "confirm" else stories[0].id, name), value
