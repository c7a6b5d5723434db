"""The recipes of CONTRIBUTING.md, followed to the letter in a throw-away copy of the sources."""

import json
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
import yaml
from end_to_end.clones import ROOT, Clone

SMALL = {
    "corpora": {"scale": 0.02, "training_scale": 0.005},
    "pairs": {
        "sizes": {
            "back_generation": 20,
            "rewriting": 40,
            "continuation": 20,
            "llm_llm_judged": 60,
            "llm_llm_size": 60,
        },
        "replacements": 70,
    },
    "pool": {"premises": 0},
    "train": {"seeds": [1], "removal": False, "learning_curve": []},
}
STAGES = ("corpora", "candidates", "judgements", "annotations", "benchmark", "pairs")


def recipe(heading: str) -> str:
    """Return the section of that heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    sections = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    return sections[heading]


def follow(clone: Clone, heading: str) -> list[str]:
    """Write and change the files that a recipe names, run its commands; return what they print."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", recipe(heading), re.MULTILINE | re.DOTALL)
    for kind, block in blocks:
        if kind == "sh":
            continue
        first, rest = block.split("\n", 1)
        file = clone.path / first.removeprefix("# ")
        if kind == "python":
            assert not file.exists(), file
            file.parent.mkdir(exist_ok=True)
            file.write_text(rest, encoding="utf-8")
        else:
            file.write_text(changed(file.read_text(encoding="utf-8"), rest), encoding="utf-8")
    commands = [line for kind, block in blocks if kind == "sh" for line in block.splitlines()]
    return [clone.run(*shlex.split(command)) for command in commands]


def changed(text: str, diff: str) -> str:
    """Return a file with lines added behind, or before, or put in the place of lines it has.

    A line of the diff stands for the one line of the file that begins with it.
    """
    lines = text.splitlines()
    at: int | None = None
    waiting: list[str] = []
    for line in diff.splitlines():
        sign, content = line[0], line[1:]
        if sign == "+" and at is None:
            waiting.append(content)
            continue
        if sign == "+":
            at += 1
            lines.insert(at, content)
            continue
        [at] = [number for number, own in enumerate(lines) if own.startswith(content)]
        if sign == "-":
            del lines[at]
            at -= 1
        lines[at:at] = waiting
        at += len(waiting)
        waiting = []
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "diff", "expected"),
    [
        ("a\nb\n", " a\n+x", "a\nx\nb\n"),
        ("a\nb\n", "+x\n a", "x\na\nb\n"),
        ("a\nb\nc\n", "-b\n+x\n+y", "a\nx\ny\nc\n"),
        ("a: 1\nb\n", " a:\n+x\n b\n+y", "a: 1\nx\nb\ny\n"),
    ],
)
def test_changes_are_made_as_shown(text: str, diff: str, expected: str) -> None:
    assert changed(text, diff) == expected


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A copy of the sources in which a small study is built as far as its pairs."""
    clone = Clone.of_sources(tmp_path_factory.mktemp("clone") / "clone")
    path = clone.path / "params.yaml"
    params = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section, values in SMALL.items():
        params[section] |= values
    path.write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")
    for stage in STAGES:
        clone.run("python", "-m", f"pipeline.{stage}")
    clone.run("python", "-m", "audits.overlap.stage")
    return clone


@pytest.mark.slow
def test_a_new_method_makes_pairs(clone: Clone) -> None:
    before = pd.read_parquet(clone.path / "data/study/pairs.parquet")
    follow(clone, "A method of making pairs")
    pairs = pd.read_parquet(clone.path / "data/study/pairs.parquet")
    counts = pairs["method"].value_counts().to_dict()
    assert counts == before["method"].value_counts().to_dict() | {"shuffled": 20}
    stories = pd.read_parquet(clone.path / "data/study/pair_stories.parquet")
    assert set(pairs.loc[pairs["method"] == "shuffled", "rejected_id"]) <= set(stories["story_id"])


@pytest.mark.slow
def test_a_new_kind_trains_saves_and_scores(clone: Clone) -> None:
    _, printed = follow(clone, "A kind of reward models")
    saved = json.loads((clone.path / "models/full/seed-1/model.json").read_text())
    assert saved["kind"] == "length"
    assert f"{saved['weight']:+.4f}" in printed and "ten times the words" in printed
    scores = pd.read_csv(clone.path / "scores.csv")
    assert set(scores["model"]) == {"length"}
    stories = pd.read_parquet(clone.path / "data/study/stories.parquet").set_index("story_id")
    longer = stories["words"].loc[scores["story_id"]].to_numpy()
    rank = scores["reward"].rank().corr(pd.Series(longer).rank())
    assert abs(rank) == pytest.approx(1)
    record = json.loads((clone.path / "runs/train.json").read_text())
    full = next(run for run in record["runs"] if run["variant"] == "full")
    assert full["params"] == {"kind": "length", "most": 1.0}


@pytest.mark.slow
def test_a_new_bias_stands_in_the_report(clone: Clone) -> None:
    [printed] = follow(clone, "A bias of judges")
    found = {finding["id"]: finding for finding in json.loads(printed)["findings"]}
    assert found["bias-people"]["numbers"]["judges"] == 4
    assert {"bias-position", "bias-length", "bias-family"} <= found.keys()


@pytest.mark.parametrize("heading", ["An audit", "A layout of corpora"])
def test_the_code_of_other_recipes_is_code(heading: str) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", recipe(heading), re.MULTILINE | re.DOTALL)
    for block in blocks:
        compile(block, heading, "exec")


def test_the_registries_named_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for diff in re.findall(r"^```diff\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        first, rest = diff.split("\n", 1)
        changed(Path(ROOT, first.removeprefix("# ")).read_text(encoding="utf-8"), rest)
