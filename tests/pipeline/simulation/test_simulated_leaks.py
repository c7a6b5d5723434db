from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.leaks import draw_row_pairs, embed, leak_stories
from storyaudit.errors import InputError

NONE = dict.fromkeys(FaultsParams.model_fields, 0) | {
    "edit_share": 0.2,
    "order_biased_judge": 0.0,
}


@given(
    st.lists(st.sampled_from(["en", "zh"]), min_size=2, max_size=30),
    st.integers(0, 30),
    st.integers(0, 5),
)
def test_row_pairs_are_of_one_language_and_no_row_is_in_two(
    languages: list[str], cut: int, seed: int
) -> None:
    hosts, origins = list(range(len(languages)))[:cut], list(range(len(languages)))[cut:]
    counts = [Counter(languages[row] for row in rows) for rows in (hosts, origins)]
    most = sum(min(counts[0][code], counts[1][code]) for code in ("en", "zh"))
    rng = np.random.default_rng(seed)
    row_pairs = draw_row_pairs(hosts, origins, languages, most, rng, parameter="copies")
    assert len(row_pairs) == most
    assert len({host for host, _ in row_pairs} | {origin for _, origin in row_pairs}) == 2 * most
    for host, origin in row_pairs:
        assert host in hosts and origin in origins
        assert languages[host] == languages[origin]
    with pytest.raises(InputError, match=f"at most {most}, .* found {most + 1}"):
        draw_row_pairs(hosts, origins, languages, most + 1, rng, parameter="copies")


def test_an_embedded_story_stands_between_two_paragraphs() -> None:
    host = "one\n\ntwo\n\nthree"
    found = Counter(embed("X\n\nY", host, np.random.default_rng(seed)) for seed in range(50))
    assert set(found) == {"one\n\nX\n\nY\n\ntwo\n\nthree", "one\n\ntwo\n\nX\n\nY\n\nthree"}


def test_hosts_of_embedded_stories_are_long_and_have_paragraphs() -> None:
    texts = ["a b\n\nc", "a b c d e f g", "a b c d\n\ne f", "a b c d\n\ne", "Old baker sang."]
    stories = pd.DataFrame({"text": texts, "language": "en", "words": [3, 7, 6, 5, 3]})
    params = FaultsParams(**{**NONE, "embedded": 1})
    for seed in range(10):
        changed, leaks = leak_stories(
            stories, [0, 1, 2, 3], [4], params, np.random.default_rng(seed)
        )
        # Row 1 has one paragraph; of the others, 2 and 3 are the longer ones.
        assert leaks[0].training in (2, 3) and leaks[0].benchmark == 4
        assert changed[leaks[0].training].count("Old baker sang.") == 1


def test_every_kind_has_rows_of_its_own() -> None:
    stories = pd.DataFrame(
        {"text": [f"{n} old baker\n\nsang {n}" for n in range(12)], "language": "en", "words": 5}
    )
    params = FaultsParams(**{**NONE, "copies": 2, "light_edits": 2, "embedded": 2})
    texts, leaks = leak_stories(stories, range(6), range(6, 12), params, np.random.default_rng(1))
    assert Counter(leak.kind for leak in leaks) == {"copy": 2, "light_edit": 2, "embedded": 2}
    assert {leak.training for leak in leaks} == set(range(6))
    assert {leak.benchmark for leak in leaks} == set(range(6, 12))
    assert texts[6:] == stories["text"].tolist()[6:]
