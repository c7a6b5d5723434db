"""Every command explains itself, with an example that its own parser accepts."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from storyaudit import __version__
from storyaudit.cli.main import cli

each_command = pytest.mark.parametrize("name", sorted(cli.commands))


def examples(text: str) -> list[list[str]]:
    """Return the example command lines of a help text, without the program's name."""
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    calls = [line for line in lines if line.startswith("storyaudit ")]
    return [shlex.split(call.partition("&&")[0])[1:] for call in calls]


@each_command
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_says_what_a_command_does_and_gives_an_example(name: str, option: str, run) -> None:
    outcome = run(name, option)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"storyaudit {name} [OPTIONS]" in outcome.out.splitlines()[0]
    assert re.search(r"^ +Examples?\b.*:$", outcome.out, re.MULTILINE)


@each_command
def test_the_examples_are_commands_of_its_own_that_parse(name: str, run) -> None:
    calls = examples(run(name, "--help").out)
    assert calls
    for command, *arguments in calls:
        assert command == name
        cli.commands[command].make_context(command, arguments)


def test_the_group_lists_all_commands_and_the_exit_codes(run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    listed = re.findall(r"^  ([a-z-]+)  +\S", outcome.out.split("Commands:")[1], re.MULTILINE)
    assert listed == sorted(cli.commands)
    prose = " ".join(outcome.out.split())
    assert "exit with 0 if nothing failed, 1 if a 'fail' was found, and 2 on bad input" in prose
    for command, *arguments in examples(outcome.out):
        cli.commands[command].make_context(command, arguments)


@each_command
def test_every_option_is_described(name: str) -> None:
    options = [param for param in cli.commands[name].params if isinstance(param, click.Option)]
    assert not [option.name for option in options if not (option.help or option.show_default)]


def test_the_version(run) -> None:
    outcome = run("--version")
    assert (outcome.code, outcome.err) == (0, "")
    assert __version__ in outcome.out


@pytest.mark.parametrize("columns", ["80", "100"])
def test_the_list_of_commands_has_one_whole_line_each(columns: str, run, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    listed = run("--help").out.split("Commands:\n")[1].splitlines()
    assert len(listed) == len(cli.commands)
    assert [line for line in listed if not line.endswith(".") or line.endswith("...")] == []


def test_on_a_narrow_terminal_the_list_is_wrapped_and_not_cut(run, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert "..." not in run("--help").out.split("Commands:\n")[1]


def test_the_commands_of_a_group_are_listed_whole(run) -> None:
    assert "..." not in run("sheets", "--help").out.split("Commands:\n")[1]


RETIRED = yaml.safe_load(
    (Path(__file__).parents[1] / "words" / "retired.yaml").read_text(encoding="utf-8")
)
KEPT = re.compile(r"storyaudit sheets .*|--to sheets")
"""The command ``sheets`` keeps its name, and so do the folders of its examples."""


def every_help() -> list[tuple[str, click.Command]]:
    found = [("", cli)]
    for name, command in cli.commands.items():
        inner = command.commands if isinstance(command, click.Group) else {}
        found += [(name, command), *((f"{name} {one}", inner[one]) for one in inner)]
    return found


@pytest.mark.parametrize(("name", "command"), every_help())
def test_help_uses_no_retired_word(name: str, command: click.Command) -> None:
    said = [command.help or "", *(getattr(option, "help", "") or "" for option in command.params)]
    lines = [KEPT.sub("", line) for text in said for line in text.splitlines()]
    found = [
        line for line in lines for word in RETIRED if re.search(word["old"], line, re.IGNORECASE)
    ]
    assert found == []
