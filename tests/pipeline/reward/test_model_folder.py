import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from pipeline.reward.folder import load
from pipeline.reward.linear.linear_reward import LinearReward
from pipeline.reward.linear.style import STYLE
from storyaudit.errors import InputError

WEIGHTS = np.array([1.5, 0, 0, 0, 0, 0, 0, -2], dtype="float32")


def good() -> dict:
    return {
        "format": "storyaudit reward 1",
        "kind": "linear",
        "settings": {"buckets_log2": 3, "ngrams": 1, "style": True, "maximum_words": None},
        "style": {name: {"mean": 0.5, "sd": 2.0, "weight": -1.0} for name in STYLE},
        "drivers": [{"feature": "log words", "effect": -0.25}],
    }


def good_with(*path: str, value: object) -> str:
    content = good()
    inner = content
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return json.dumps(content)


def good_without(*path: str) -> str:
    content = good()
    inner = content
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return json.dumps(content)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.mkdir()
    (path / "model.json").write_text(json.dumps(good()), encoding="utf-8")
    (path / "weights.safetensors").write_bytes(save({"ngrams": WEIGHTS}))
    return path


def test_the_good_folder_behind_the_broken_ones_loads(folder: Path) -> None:
    model = load(folder)
    assert isinstance(model, LinearReward)
    assert model.ngrams.tolist() == WEIGHTS.tolist()
    assert model.style.sds.tolist() == [2.0] * 9
    assert model.attributions(3) == [("log words", -0.25)]


STYLE_OFF = {"buckets_log2": 3, "ngrams": 1, "style": False, "maximum_words": None}
BROKEN = {
    "not JSON": "{",
    "cut short": json.dumps(good())[:-20],
    "nested without end": "[" * 100_000,
    "a list": "[]",
    "a number": "3",
    "empty": "",
    "a digit without end": '{"format": ' + "9" * 10_000 + "}",
    "larger than any model": json.dumps(good()) + " " * 1_000_001,
    "another format": good_with("format", value="other"),
    "no format": good_without("format"),
    "another kind": good_with("kind", value="neural"),
    "a kind that is a list": good_with("kind", value=["linear"]),
    "no settings": good_without("settings"),
    "a setting too few": good_without("settings", "ngrams"),
    "a setting too many": good_with("settings", "depth", value=3),
    "too many buckets": good_with("settings", "buckets_log2", value=60),
    "no buckets": good_with("settings", "buckets_log2", value=0),
    "buckets in words": good_with("settings", "buckets_log2", value="3"),
    "no n-grams": good_with("settings", "ngrams", value=0),
    "a bound of no words": good_with("settings", "maximum_words", value=0),
    "style left out by the settings": good_with("settings", value=STYLE_OFF),
    "a feature of style too few": good_without("style", "burstiness"),
    "an unknown feature of style": good_with("style", "wit", value=good()["style"]["burstiness"]),
    "a negative SD": good_with("style", "burstiness", "sd", value=-1.0),
    "a mean that is NaN": good_with("style", "burstiness", "mean", value=float("nan")),
    "an infinite weight": good_with("style", "burstiness", "weight", value=float("inf")),
    "a weight beyond all measure": good_with("style", "burstiness", "weight", value=1e300),
    "a huge weight": good_with("style", "burstiness", "weight", value=10**400),
    "a weight in words": good_with("style", "burstiness", "weight", value="1"),
    "no attributions": good_without("drivers"),
    "an attribution without an effect": good_with("drivers", value=[{"feature": "x"}]),
    "attributions without end": good_with("drivers", value=good()["drivers"] * 1001),
    "something more": good_with("code", value="import os"),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_model_file_is_bad_input(folder: Path, content: str) -> None:
    (folder / "model.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"model\.json"):
        load(folder)


def header(text: str, data: bytes = b"") -> bytes:
    return len(text).to_bytes(8, "little") + text.encode() + data


def tensor(shape: str, offsets: str, kind: str = "F32") -> str:
    return f'{{"ngrams":{{"dtype":"{kind}","shape":{shape},"data_offsets":{offsets}}}}}'


BROKEN_WEIGHTS = {
    "empty": b"",
    "no safetensors": b"\x80\x04pickle" * 10,
    "cut short": save({"ngrams": WEIGHTS})[:-1],
    "something behind": save({"ngrams": WEIGHTS}) + b"\0",
    "too few": save({"ngrams": WEIGHTS[:7]}),
    "too many": save({"ngrams": np.zeros(9, dtype="float32")}),
    "another type": save({"ngrams": WEIGHTS.astype("float64")}),
    "whole numbers": save({"ngrams": WEIGHTS.astype("int32")}),
    "half numbers that no array has": header(tensor("[8]", "[0,16]", "BF16"), bytes(16))
    + bytes(16),
    "another shape": save({"ngrams": WEIGHTS.reshape(2, 4)}),
    "another name": save({"weights": WEIGHTS}),
    "a tensor more": save({"ngrams": WEIGHTS, "more": WEIGHTS[:1]}),
    "a tensor of nothing more": save({"ngrams": WEIGHTS, "more": WEIGHTS[:0]}),
    "NaN": save({"ngrams": np.where(WEIGHTS < 0, np.nan, WEIGHTS).astype("float32")}),
    "infinite": save({"ngrams": np.where(WEIGHTS < 0, np.inf, WEIGHTS).astype("float32")}),
    "a header longer than the file": (10**15).to_bytes(8, "little") + bytes(40),
    "a shape beyond all memory": header(tensor("[1000000000000]", "[0,4000000000000]"), bytes(32)),
    "larger than the model": bytes(50_000),
}


@pytest.mark.parametrize("content", BROKEN_WEIGHTS.values(), ids=BROKEN_WEIGHTS)
def test_broken_weights_are_bad_input(folder: Path, content: bytes) -> None:
    (folder / "weights.safetensors").write_bytes(content)
    with pytest.raises(InputError, match=r"weights\.safetensors"):
        load(folder)


def test_a_model_without_style_loads(folder: Path) -> None:
    content = good() | {"settings": STYLE_OFF, "style": {}}
    (folder / "model.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "weights.safetensors").write_bytes(save({"ngrams": WEIGHTS}))
    assert np.isfinite(load(folder).score(["p"], ["a b"])).all()


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def link(folder: Path) -> None:
    moved = (folder / "weights.safetensors").rename(folder.parent / "elsewhere")
    (folder / "weights.safetensors").symlink_to(moved)


def nest(folder: Path) -> None:
    (folder / "model.json").unlink()
    (folder / "model.json").mkdir()


SPOILED: dict[str, Callable[[Path], object]] = {
    "no model file": remove("model.json"),
    "no weights": remove("weights.safetensors"),
    "a file more": lambda folder: (folder / "model.pkl").write_bytes(b""),
    "a hidden file more": lambda folder: (folder / ".more").write_bytes(b""),
    "a folder more": lambda folder: (folder / "more").mkdir(),
    "a link": link,
    "a folder for a file": nest,
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_a_folder_with_too_little_or_more_is_bad_input(
    folder: Path, spoil: Callable[[Path], object]
) -> None:
    spoil(folder)
    with pytest.raises(InputError, match=str(folder)):
        load(folder)


def test_no_folder_is_bad_input(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path / "file"):
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(InputError, match="folder"):
            load(path)
