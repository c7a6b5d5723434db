from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from audits.overlap.search import OverlapParams, Text, find_overlaps, recall
from storyaudit.text import words

Prose = Callable[[int], str]


def frame(texts: dict[str, str | None] | list[tuple[str, str]]) -> pd.DataFrame:
    rows = list(texts.items()) if isinstance(texts, dict) else texts
    return pd.DataFrame(rows, columns=["id", "text"])


def search(training: pd.DataFrame, benchmark: pd.DataFrame, **params: object) -> pd.DataFrame:
    return find_overlaps(training, benchmark, OverlapParams(**params), level="story")[0]


def wordless(texts: pd.DataFrame) -> int:
    """Return how many of some training texts hold no word."""
    other = frame({"b": "one word or more"})
    return find_overlaps(texts, other, OverlapParams(), level="story")[1]


def pairs(overlaps: pd.DataFrame) -> set[tuple[str, str]]:
    return set(zip(overlaps["left_id"], overlaps["right_id"], strict=True))


def edited(text: str, every: int) -> str:
    return " ".join(
        "edited" if number % every == 0 else word for number, word in enumerate(text.split(), 1)
    )


def fivegrams(text: str) -> set[tuple[str, ...]]:
    plain = text.lower().replace(",", "").split()
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


@pytest.mark.parametrize("similarity", [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize(("permutations", "bands"), [(128, 32), (128, 16), (64, 64)])
def test_recall_is_the_chance_that_some_band_agrees(
    similarity: Fraction, permutations: int, bands: int
) -> None:
    # By inclusion and exclusion over the bands, in exact fractions.
    agrees = similarity ** (permutations // bands)
    some = sum((-1) ** (k + 1) * comb(bands, k) * agrees**k for k in range(1, bands + 1))
    params = OverlapParams(permutations=permutations, bands=bands)
    assert recall(float(similarity), params) == pytest.approx(float(some), abs=1e-12)


def test_the_index_proposes_as_often_as_it_says() -> None:
    # 400 couples of Jaccard 3/12 by single words; 8 bands of 2 rows: 1 − (1 − 1/16)^8 = 0.403.
    params = {"shingle": 1, "permutations": 16, "bands": 8}
    couples = 400
    left, right = {}, {}
    for number in range(couples):
        shared = [f"s{number}x{word}" for word in range(3)]
        left[f"b{number}"] = " ".join([*shared, *(f"l{number}x{word}" for word in range(4))])
        right[f"t{number}"] = " ".join([*shared, *(f"r{number}x{word}" for word in range(5))])
    found = len(search(frame(right), frame(left), **params)) / couples
    expected = 1 - (15 / 16) ** 8
    assert abs(found - expected) < 4 * sqrt(expected * (1 - expected) / couples)
    assert recall(0.25, OverlapParams(**params)) == pytest.approx(expected)


def test_copies_and_light_edits_are_found_and_nothing_else(prose: Prose) -> None:
    benchmark = {f"b{number}": prose(150) for number in range(40)}
    training = {f"t{number}": prose(150) for number in range(60)}
    training |= {
        "copy": benchmark["b3"],
        "respaced": benchmark["b4"].upper().replace(" ", ", "),
        "light": edited(benchmark["b5"], 40),
        "more": edited(benchmark["b6"], 20),
    }
    planted = {("b3", "copy"), ("b4", "respaced"), ("b5", "light"), ("b6", "more")}
    ours = {name: fivegrams(text) for name, text in benchmark.items()}
    theirs = {name: fivegrams(text) for name, text in training.items()}
    by_force = {
        (b, t) for b, t in product(ours, theirs) if len(ours[b] & theirs[t]) >= 0.1 * len(ours[b])
    }
    assert by_force == planted
    found = search(frame(training), frame(benchmark))
    assert pairs(found) == planted
    shares = found.set_index("right_id")["containment"]
    # 146 shingles, of which every edited word, far from the ends, changes five.
    assert shares.to_dict() == {
        "copy": 1.0,
        "respaced": 1.0,
        "light": round((146 - 3 * 5) / 146, 6),
        "more": round((146 - 7 * 5) / 146, 6),
    }
    runs = found.set_index("right_id")["longest_run"]
    assert runs.to_dict() == {"copy": 150, "respaced": 150, "light": 39, "more": 19}
    assert found["verified"].all() and (found["level"] == "story").all()


@pytest.mark.parametrize(
    ("training", "found"),
    [
        ("the last lamp", True),
        ("The last lamp!", True),
        ("the last", False),
        ("the last lamp went out at noon and nobody saw it", False),
    ],
)
def test_a_text_shorter_than_a_shingle_matches_only_its_equal(training: str, found: bool) -> None:
    overlaps = search(frame({"t": training}), frame({"b": "the last lamp"}))
    assert pairs(overlaps) == ({("b", "t")} if found else set())


@pytest.mark.parametrize("empty", ["", " \n", "…!? —", "👍", None, float("nan")])
def test_texts_without_a_word_match_nothing(empty: str | None) -> None:
    texts = pd.DataFrame({"id": ["e"], "text": pd.Series([empty], dtype="object")})
    assert search(texts, texts).empty
    assert wordless(texts) == 1


def test_texts_without_a_word_are_those_that_have_none() -> None:
    # Among them marks that are letters only to Python, and signs that compose to letters.
    texts = ["ﾞ", "™", "①", "a", "字", "́", "_", "°", "℃"]
    counted = [wordless(frame({"t": text})) for text in texts]
    assert counted == [int(not words(text)) for text in texts]


def test_chinese_characters_are_words() -> None:
    story = "老人把灯放在窗台上等着海边的船回来一直等到雪停"
    other = "城里没有人记得那座钟是谁造的也没有人敢去修它了"
    training = frame({"copy": f"「{story[:12]}，\n{story[12:]}。」", "other": other})
    found = search(training, frame({"b": story}))
    assert pairs(found) == {("b", "copy")}
    assert found["containment"].tolist() == [1.0]
    assert found["longest_run"].tolist() == [len(story)]


def test_identical_texts_on_both_sides_are_all_paired(prose: Prose) -> None:
    text = prose(50)
    found = search(
        frame({"t1": text, "t2": text, "t3": prose(50)}), frame({"b1": text, "b2": text})
    )
    assert pairs(found) == set(product(("b1", "b2"), ("t1", "t2")))
    assert set(found["jaccard"]) == {1.0}


def test_an_id_with_two_texts_keeps_its_strongest_pair(prose: Prose) -> None:
    text = prose(100)
    training = frame([("t", edited(text, 10)), ("t", text), ("t", edited(text, 30))])
    found = search(training, frame({"b": text}))
    assert found[["left_id", "right_id", "containment"]].values.tolist() == [["b", "t", 1.0]]


def test_the_order_of_rows_does_not_matter(prose: Prose) -> None:
    texts = [prose(60) for _ in range(4)]
    longer = f"{texts[0]} {prose(30)}"  # holds all of its equal, at a lower Jaccard
    training = frame(
        [("t1", texts[0]), ("t1", longer), ("t2", texts[1]), ("t3", edited(texts[1], 20))]
    )
    benchmark = frame([("b1", texts[0]), ("b2", texts[1]), ("b3", texts[2]), ("b1", texts[3])])
    expected = search(training, benchmark)
    assert len(expected) == 3
    rng = np.random.default_rng(2)
    for _ in range(5):
        shuffled = search(
            training.iloc[rng.permutation(len(training))],
            benchmark.iloc[rng.permutation(len(benchmark))],
        )
        pd.testing.assert_frame_equal(shuffled, expected)


def test_containment_is_that_of_the_benchmark_text(prose: Prose) -> None:
    # 96 shingles, all of which stand among the 126 of a longer text.
    text, more = prose(100), prose(30)
    inside = search(frame({"t": f"{text} {more}"}), frame({"b": text}))
    around = search(frame({"t": text}), frame({"b": f"{text} {more}"}))
    assert inside["containment"].tolist() == [1.0]
    assert around["containment"].tolist() == [round(96 / 126, 6)]
    assert inside["jaccard"].tolist() == around["jaccard"].tolist() == [round(96 / 126, 6)]


def test_what_is_below_the_threshold_is_not_reported(prose: Prose) -> None:
    text = prose(100)
    training = frame({"t": edited(text, 20)})
    # Edits of words 20, 40, 60, 80 and 100 leave 96 − (4 · 5 + 1) = 75 of 96 shingles.
    assert len(search(training, frame({"b": text}), report_from=75 / 96, copy_from=1.0)) == 1
    assert search(training, frame({"b": text}), report_from=76 / 96, copy_from=1.0).empty


def test_progress_sees_every_training_text(prose: Prose) -> None:
    seen: list[str] = []

    def watch(texts: Iterable[Text]) -> Iterator[Text]:
        for text in texts:
            seen.append(text.id)
            yield text

    training = frame({"t1": prose(20), "t2": "", "t3": prose(20)})
    find_overlaps(training, frame({"b": prose(20)}), OverlapParams(), level="story", watch=watch)
    assert seen == ["t1", "t2", "t3"]


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"permutations": 100, "bands": 32}, "multiple of bands"),
        ({"copy_from": 0.2, "report_from": 0.3}, "must not exceed"),
        ({"shingle": 0}, "shingle"),
        ({"report_from": 0.0}, "report_from"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(params: dict[str, float], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        OverlapParams(**params)
