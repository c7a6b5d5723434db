import statistics

import pytest
from computed import compute, facts, otherwise

DATA = facts(
    story_id=list("pqrst"),
    author=["m", "m", "m", "human", "human"],
    words=[10, 20, 60, 100, 5],
    text_words=[11, 22, 60, 101, 5],
)


def test_the_models_alone() -> None:
    assert compute("words_mean", DATA, other_than="human") == 30
    assert compute("words_sd", DATA, other_than="human") == pytest.approx(700**0.5)  # 26.458
    assert compute("words_min", DATA, other_than="human") == 10
    assert compute("words_max", DATA, other_than="human") == 60
    assert compute("words_min", DATA) == 5


def test_conventions_by_the_standard_library() -> None:
    models, all_authors = [10, 20, 60], [10, 20, 60, 100, 5]
    counted, of_all = [11, 22, 60], [11, 22, 60, 101, 5]
    words, everyone = "words without punctuation (storyaudit.text)", "all authors' stories"
    population = "a population's SD (n)"
    assert otherwise("words_sd", DATA, other_than="human") == pytest.approx(
        {
            everyone: statistics.stdev(all_authors),
            words: statistics.stdev(counted),
            f"{words}, {everyone}": statistics.stdev(of_all),
            population: statistics.pstdev(models),
            f"{everyone}, {population}": statistics.pstdev(all_authors),
            f"{words}, {population}": statistics.pstdev(counted),
            f"{words}, {everyone}, {population}": statistics.pstdev(of_all),
        }
    )
    found = otherwise("words_mean", DATA, other_than="human")
    assert found["the median"] == 20 and found[f"{words}, {everyone}, the median"] == 22
    assert otherwise("words_max", DATA, other_than="human")[everyone] == 100


def test_what_is_not_known_is_left_out() -> None:
    partly = facts(story_id=["p", "q"], author=["m", "m"], words=[10.0, float("nan")])
    assert compute("words_mean", partly) == 10
    assert set(otherwise("words_min", partly).values()) == {10.0, None}  # no other count of words
    assert compute("words_mean", partly, other_than="m") is None
