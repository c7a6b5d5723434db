"""Read a YAML file that a person wrote."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from storyaudit.errors import InputError
from storyaudit.io.files import read_text

if TYPE_CHECKING:
    from yaml import SafeLoader
else:  # the one in C, where PyYAML was built with it, reads a ledger ten times faster
    SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(SafeLoader):
    """Refuses a key twice in one mapping, and merges (<<), which can grow without end."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        seen = {"<<"}
        for key in keys:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key '{key.value}' stands twice or is a merge",
                    problem_mark=key.start_mark,
                )
            seen.add(key.value)


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file.

    Raises:
        InputError: no such file, not UTF-8, or not YAML.
    """
    text = read_text(path)
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
    except Exception as error:  # a malformed date or tag raises nearly anything
        raise InputError(
            f"not YAML ({' '.join(str(error).split())}).", "Mend the syntax.", file=path
        ) from None
