"""Two clones, built once for all tests here, side by side."""

from typing import NamedTuple

import pytest
from clones import Clone, ended


class Built(NamedTuple):
    """The clones: ``first`` as ``make repro`` builds it, ``second`` in other surroundings.

    ``printed`` is what ``make repro`` printed.
    """

    first: Clone
    second: Clone
    printed: str


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build two clones at the same time, with different hash seeds, threads, paths and locales."""
    folder = tmp_path_factory.mktemp("clones")
    first = Clone.of_sources(folder / "first", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    second = Clone.of_sources(
        folder / "the second clone",
        PYTHONHASHSEED="7",
        OMP_NUM_THREADS="2",
        OPENBLAS_NUM_THREADS="2",
        TZ="Asia/Tokyo",
        LC_ALL="C",
    )
    for clone in (first, second):
        where = "import storyaudit, audits, pipeline; print(storyaudit.__file__)"
        assert clone.run("python", "-c", where).startswith(str(clone.path))
    # The environment is this one: make must not set up another.
    both = [first.start("make", "-o", ".venv/ready", "repro"), second.start("dvc", "repro")]
    printed, _ = (ended(process) for process in both)
    return Built(first, second, printed)
