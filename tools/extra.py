"""Print what an extra of pyproject.toml asks for, as the Makefile needs it.

    python tools/extra.py NAME             # every requirement, a line each
    python tools/extra.py NAME --pinned    # those pinned by ==
    python tools/extra.py NAME --left-out  # the same as options of `uv pip compile`

What is pinned by == has no hash in the lock, as its builds differ between machines.
"""

import argparse
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def needs(extra: str, project: Path = PROJECT) -> list[str]:
    """Return an extra's requirements.

    Raises:
        KeyError: there is no such extra.
    """
    content = tomllib.loads(project.read_text(encoding="utf-8"))
    return list(content["project"]["optional-dependencies"][extra])


def pinned(requirements: list[str]) -> list[str]:
    """Return the requirements that name one version."""
    return [requirement for requirement in requirements if "==" in requirement]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extra")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--pinned", action="store_true", help="only those pinned by ==")
    which.add_argument("--left-out", action="store_true", help="these as options")
    arguments = parser.parse_args()
    requirements = needs(arguments.extra)
    if arguments.left_out:
        names = [requirement.partition("==")[0] for requirement in pinned(requirements)]
        print(" ".join(f"--no-emit-package {name}" for name in names))
    else:
        print("\n".join(pinned(requirements) if arguments.pinned else requirements))


if __name__ == "__main__":
    main()
