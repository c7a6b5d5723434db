"""Write the packages of ``requirements/lock.txt`` as CycloneDX (JSON), with versions and hashes.

    python tools/sbom.py FOLDER    # in the environment of `make release`

The lock serves every Python and machine, so that a package of which they need different versions is
listed with each. The same lock gives the same bytes.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "lock.txt"


def version(root: Path = ROOT) -> str:
    """Return the package's version, from the one place that states it.

    Raises:
        ValueError: it does not.
    """
    text = (root / "storyaudit" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError("storyaudit/__init__.py states no version")
    return found[1]


def with_version(project: str, stated: str) -> str:
    """Return ``pyproject.toml`` with the version written out, as readers of the file need it.

    Raises:
        ValueError: the file does not take the version from elsewhere.
    """
    made = project.replace('dynamic = ["version"]', f'version = "{stated}"')
    if made == project:
        raise ValueError("pyproject.toml does not say that the version is dynamic")
    return made


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    stated = version()
    path = folder / f"storyaudit-{stated}.cdx.json"
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "pyproject.toml"
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        project.write_text(with_version(text, stated), encoding="utf-8")
        tool = [sys.executable, "-W", "ignore::UserWarning", "-m", "cyclonedx_py", "requirements"]
        options = ["--pyproject", str(project), "--output-reproducible", "--validate"]
        subprocess.run([*tool, *options, "--output-file", str(path), str(LOCK)], check=True)
    print(path)


if __name__ == "__main__":
    main()
