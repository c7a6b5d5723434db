"""Make a training corpus and a benchmark at StoryAlign's size, with planted overlap.

Run it from the repository's root in the activated environment:

    python -m benchmarks.overlap_corpus FOLDER [SCALE]

At scale 1 there are 187,458 training and 4,532 benchmark stories, about 3 GB of UTF-8; both sides
shrink with the scale. FOLDER gets ``train/*.parquet``, ``benchmark.parquet`` (columns id and text)
and ``truth.parquet``.

Lengths are log-normal, with the paper's mean and median. One story in ten is Chinese, without
spaces. Words come by Zipf's law, with capitals, punctuation and typographic marks between them, and
with stock phrases: so that some of the shingles of unrelated stories are shared, as in real prose.
One story in 200 has its accents decomposed.
"""

import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from storyaudit.text.similarity import containment, jaccard, shingles
from storyaudit.text.words import words

TRAINING, BENCHMARK = 187_458, 4_532
MEAN, MEDIAN, SHORTEST, LONGEST = 2_802, 1_858, 100, 60_000
CHINESE, DECOMPOSED = 0.1, 0.005
VOCABULARY, CHARACTERS, PHRASES = 50_000, 3_500, 4_000
PHRASE_SHARE = 0.01
"""Stock phrases among what is drawn."""
SHARD, ROW_GROUP = 2_500, 500
TABLE = 1 << 20
SHINGLE = 5
EACH = 0.002
"""Training stories that are replaced by a plant, for each kind."""
EDITS = {"copy": 0.0, "edited 5 %": 0.05, "edited 15 %": 0.15, "edited 30 %": 0.3}
WITHIN = {"within, copy": 0.0, "within, edited 5 %": 0.05}
"""Plants that repeat a training story of the same shard, for the search within one side."""
KINDS = (*EDITS, "embedded", "quarter", *WITHIN)


class Language(NamedTuple):
    """What texts of a language are drawn from.

    Attributes:
        items: words, with what follows them, and phrases.
        table: places in ``items``, each as often as its share of ``TABLE``.
        words: words that an edit puts in.
        joint: what stands between words.
    """

    items: pa.Array
    table: NDArray[np.int32]
    words: list[str]
    joint: str


class Stories(NamedTuple):
    """Some stories; ``chinese`` says which of them are."""

    texts: list[str]
    chinese: NDArray[np.bool_]


def english(rng: np.random.Generator) -> Language:
    """Return made-up words, some with accents, joined by spaces."""
    letters, share = np.array(list("etaoinshrdlucmwfgypbvké")), 1 / np.arange(2, 25)
    lengths = 2 + rng.poisson(np.linspace(1.2, 6, VOCABULARY))
    drawn = iter(rng.choice(letters, 2 * int(lengths.sum()), p=share / share.sum()).tolist())
    found: dict[str, None] = {}
    for length in lengths.tolist():
        word = "".join(next(drawn) for _ in range(length))
        found[word if word not in found else word + next(drawn) + next(drawn)] = None
    endings = [(0.8, "{} "), (0.07, "{}, "), (0.06, "{}. "), (0.04, "{}.” "), (0.03, "{}—")]
    return language(list(found), [*endings, (0.06, "“{} "), (0.03, "{}’s ")], " ", rng)


def chinese(rng: np.random.Generator) -> Language:
    """Return Chinese characters, joined by nothing."""
    found = [chr(0x4E00 + number) for number in rng.permutation(20_000)[:CHARACTERS].tolist()]
    return language(found, [(0.9, "{}"), (0.06, "{}，"), (0.04, "{}。")], "", rng)


def language(
    found: list[str], forms: list[tuple[float, str]], joint: str, rng: np.random.Generator
) -> Language:
    """Return a language of words by Zipf's law, in some forms with their shares, and phrases."""
    zipf = 1 / (np.arange(len(found)) + 2.7)
    zipf /= zipf.sum()
    items, shares = [], []
    for share, form in forms:
        items += [form.format(word.capitalize() if "“" in form else word) for word in found]
        shares.append(zipf * share)
    picked = rng.choice(len(found), (PHRASES, 9), p=zipf)
    lengths = rng.integers(6, 10, PHRASES)
    for row, length in zip(picked.tolist(), lengths.tolist(), strict=True):
        items.append(joint.join(found[word] for word in row[:length]) + joint)
    phrases = 1 / (np.arange(PHRASES) + 20)
    single = np.concatenate(shares)
    single *= (1 - PHRASE_SHARE) / single.sum()
    summed = np.cumsum(np.concatenate([single, phrases / phrases.sum() * PHRASE_SHARE]))
    places = np.searchsorted(summed, (np.arange(TABLE) + 0.5) / TABLE)
    table = np.minimum(places, len(items) - 1).astype(np.int32)
    return Language(pa.array(items, pa.large_string()), table, found, joint)


def stories(count: int, languages: tuple[Language, Language], rng: np.random.Generator) -> Stories:
    """Return stories of drawn lengths, English and Chinese ones."""
    sigma = np.sqrt(2 * np.log(MEAN / MEDIAN))
    drawn = np.clip(MEDIAN * np.exp(sigma * rng.standard_normal(count)), SHORTEST, LONGEST)
    lengths = (drawn / (1 + 6.5 * PHRASE_SHARE)).astype(np.int64)  # words to items
    is_chinese = rng.random(count) < CHINESE
    texts = np.empty(count, dtype=object)
    for own, which in zip(languages, (~is_chinese, is_chinese), strict=True):
        places = np.concatenate([[0], np.cumsum(lengths[which])])
        drawn = own.table[rng.integers(0, TABLE, places[-1], dtype=np.uint32)]
        _, offsets, content = own.items.take(pa.array(drawn)).buffers()
        offsets = np.frombuffer(offsets, dtype=np.int64)[places]
        array = pa.LargeStringArray.from_buffers(len(places) - 1, pa.py_buffer(offsets), content)
        texts[which] = array.to_pylist()
    for place in np.flatnonzero(rng.random(count) < DECOMPOSED).tolist():
        texts[place] = unicodedata.normalize("NFD", texts[place])
    return Stories(texts.tolist(), is_chinese)


def edited(text: str, share: float, own: Language, rng: np.random.Generator) -> str:
    """Return a text with a share of its words replaced, and told in other case and spacing."""
    parts = text.split(" ") if own.joint else list(text)
    for place in np.flatnonzero(rng.random(len(parts)) < share).tolist():
        parts[place] = own.words[int(rng.integers(len(own.words)))]
    if not own.joint:
        return "".join(parts).replace("，", ", ").replace("。", "\n")
    return "  ".join(parts).upper().replace("”", '"').replace("’", "'")


def planted(kind: str, source: str, host: str, own: Language, rng: np.random.Generator) -> str:
    """Return the text that is planted in the place of a training story, the host."""
    if kind in EDITS or kind in WITHIN:
        return edited(source, (EDITS | WITHIN)[kind], own, rng)
    parts = source.split(" ") if own.joint else list(source)
    if kind == "quarter":
        start = int(rng.integers(0, len(parts) - len(parts) // 4 + 1))
        parts = parts[start : start + len(parts) // 4]
    around = host.split(" ")
    place = int(rng.integers(0, len(around) + 1))
    return " ".join([*around[:place], own.joint.join(parts), *around[place:]])


def shards(
    training: int,
    benchmark: Stories,
    benchmark_ids: list[str],
    languages: tuple[Language, Language],
    seed: int,
) -> Iterator[tuple[pa.Table, list[tuple[str, str, str, str, float, float]]]]:
    """Yield the training side by shards, each with its rows of the truth."""
    for start in range(0, training, SHARD):
        rng = np.random.default_rng((seed, 1 + start))  # (seed, 0) would be the benchmark's stream
        count = min(SHARD, training - start)
        made = stories(count, languages, rng)
        ids = [f"train-{start + place}" for place in range(count)]
        each = max(1, round(EACH * count))
        rows = rng.permutation(count)[: (len(KINDS) + len(WITHIN)) * each]
        sources = iter(rows[len(KINDS) * each :].tolist())  # of plants within; nothing stands there
        truth = []
        for kind, row in zip(np.repeat(KINDS, each).tolist(), rows.tolist(), strict=False):
            number = next(sources) if kind in WITHIN else int(rng.integers(len(benchmark.texts)))
            side, left = (made, ids) if kind in WITHIN else (benchmark, benchmark_ids)
            source, is_chinese = side.texts[number], side.chinese[number]
            own = languages[int(is_chinese)]
            text = planted(kind, source, made.texts[row], own, rng)
            made.texts[row] = text
            part, whole = (shingles(words(each_text), SHINGLE) for each_text in (source, text))
            name = "Chinese" if is_chinese else "English"
            truth.append(
                (left[number], ids[row], kind, name, containment(part, whole), jaccard(part, whole))
            )
        yield pa.table({"id": ids, "text": pa.array(made.texts, pa.string())}), truth


def make(folder: Path, scale: float = 1.0, seed: int = 1) -> None:
    """Write a corpus; the same arguments give the same texts."""
    rng = np.random.default_rng(seed)
    languages = english(rng), chinese(rng)
    benchmark = stories(max(1, round(BENCHMARK * scale)), languages, rng)
    (folder / "train").mkdir(parents=True)
    ids = [f"benchmark-{place}" for place in range(len(benchmark.texts))]
    table = pa.table({"id": ids, "text": pa.array(benchmark.texts, pa.string())})
    pq.write_table(table, folder / "benchmark.parquet", row_group_size=ROW_GROUP)
    truth: list[tuple[str, str, str, str, float, float]] = []
    training = max(1, round(TRAINING * scale))
    for number, (table, found) in enumerate(shards(training, benchmark, ids, languages, seed)):
        pq.write_table(table, folder / f"train/{number:03}.parquet", row_group_size=ROW_GROUP)
        truth += found
    names = ["left_id", "right_id", "kind", "language", "containment", "jaccard"]
    pd.DataFrame(truth, columns=names).to_parquet(folder / "truth.parquet")


if __name__ == "__main__":
    make(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1.0)
