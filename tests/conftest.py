import prose
import pytest
from hypothesis import settings

# The same examples on every machine, and no test that depends on its speed.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-prose", action="store_true", help="write what findings say into tests/prose"
    )


def pytest_configure(config: pytest.Config) -> None:
    prose.rewriting = config.getoption("--rewrite-prose")
