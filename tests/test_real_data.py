"""The public data are looked for in one place: a path of a test's own misses them when it moves."""

from pathlib import Path

TESTS = Path(__file__).parent


def test_no_test_builds_the_path_of_the_public_data_itself() -> None:
    names = ("shared" + "/real", "STORYAUDIT" + "_REAL")
    own = {
        file.relative_to(TESTS).as_posix()
        for file in TESTS.rglob("*.py")
        if any(name in file.read_text(encoding="utf-8") for name in names)
    }
    assert own == {"real_data.py"}
