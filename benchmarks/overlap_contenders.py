"""Ways to find the overlap of two sides, each run in a process of its own by ``overlap.py``.

Imports stand in the functions: some contenders run in an environment without this project. Their
environment has pyarrow; what else they need is named with them. Each is given ``Work`` and returns
the pairs found, (benchmark's ID, training ID). Where it reads formats of its own, ``prepare``
writes them beforehand, which is not timed.
"""

import json
import os
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

THREADS = 2
SIZE, FLOOR, PERMUTATIONS = 5, 0.1, 128
Pairs = list[tuple[str, str]]

_HAN = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)*")


class Work(NamedTuple):
    """What is compared, and a folder for a contender's own files.

    Attributes:
        benchmark: a Parquet file.
        training: Parquet files.
        folder: empty at first.
    """

    benchmark: Path
    training: list[Path]
    folder: Path


def of_corpus(corpus: Path, shards: int, stories: int, folder: Path) -> Work:
    """Return the work on the first shards and benchmark stories of a corpus; 0 for all."""
    benchmark = corpus / "benchmark.parquet"
    if stories:
        table = pq.read_table(benchmark).slice(0, stories)
        benchmark = folder / "benchmark.parquet"
        pq.write_table(table, benchmark, row_group_size=500)
    return Work(benchmark, sorted((corpus / "train").iterdir())[: shards or None], folder)


def rows(*files: Path) -> Iterator[tuple[str, str]]:
    """Yield IDs and texts."""
    for file in files:
        for batch in pq.ParquetFile(file).iter_batches(500):
            yield from zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True)


def plain_shingles(text: str) -> list[bytes]:
    """Return a text's distinct shingles, as one who writes Python would make them."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    found = _WORD.findall(folded)
    return list({" ".join(found[place : place + SIZE]).encode() for place in range(len(found) - 4)})


def storyaudit(work: Work) -> Pairs:
    """Scan and verify, then read both sides again for the passages of the strongest pairs."""
    from audits.overlap.external_files import wanted_texts
    from audits.overlap.passages import find_passages, strongest
    from storyaudit.layouts.text_source import open_source

    pairs = _scanned(work)
    shown = strongest(pairs)
    sources = [open_source(path) for path in work.training]
    training = wanted_texts(sources, set(shown["right_id"]))
    find_passages(shown, _batches(work.benchmark), training, SIZE)
    return list(zip(pairs["left_id"], pairs["right_id"], strict=True))


def pairs_alone(work: Work) -> Pairs:
    """Scan and verify, which is what the others do at most."""
    pairs = _scanned(work)
    return list(zip(pairs["left_id"], pairs["right_id"], strict=True))


def _scanned(work: Work) -> Any:
    from audits.overlap.scan import read_side, scan
    from storyaudit.overlap.overlap_params import OverlapParams

    batches = (batch for path in work.training for batch in _batches(path))
    params = OverlapParams(shingle=SIZE, min_containment=FLOOR)
    return scan(read_side(_batches(work.benchmark)), batches, params, threads=THREADS)[0]


def _batches(path: Path) -> Iterator[Any]:
    from storyaudit.layouts.text_source import open_source

    return open_source(path).batches()


def within(work: Work) -> Pairs:
    """Search the training side for near-duplicates; a pair is two members of a group."""
    from audits.overlap.near_duplicates import near_duplicates
    from storyaudit.overlap.overlap_params import OverlapParams

    found = near_duplicates(
        lambda: (batch for path in work.training for batch in _batches(path)),
        OverlapParams(shingle=SIZE),
        threads=THREADS,
    )
    groups: dict[str, list[str]] = {}
    for centre, member in found.groups.iloc[:, :2].itertuples(index=False):
        groups.setdefault(centre, []).append(member)
    pairs = set(zip(found.pairs["left_id"], found.pairs["right_id"], strict=True))
    for members in groups.values():
        pairs |= {(left, right) for left in members for right in members if left < right}
    return sorted(pairs)


def datasketch_loop(work: Work) -> Pairs:
    """Update sketches shingle by shingle, as in datasketch's documentation."""
    from datasketch import MinHash

    def sketch(text: str) -> Any:
        made = MinHash(num_perm=PERMUTATIONS)
        for shingle in plain_shingles(text):
            made.update(shingle)
        return made

    return _by_sketches(work, sketch)


def datasketch_batch(work: Work) -> Pairs:
    """Update sketches by batches, with xxh32 where xxhash is installed, else SHA-1."""
    from datasketch import MinHash

    options: dict[str, Any] = {}
    if find_spec("xxhash"):
        options["hashfunc"] = import_module("xxhash").xxh32_intdigest

    def sketch(text: str) -> Any:
        made = MinHash(num_perm=PERMUTATIONS, **options)
        made.update_batch(plain_shingles(text))
        return made

    return _by_sketches(work, sketch)


def _by_sketches(work: Work, sketch: Callable[[str], Any]) -> Pairs:
    from datasketch import MinHashLSH

    index = MinHashLSH(threshold=0.5, num_perm=PERMUTATIONS)
    for name, text in rows(work.benchmark):
        index.insert(name, sketch(text))
    return [
        (str(found), name)
        for name, text in rows(*work.training)
        for found in index.query(sketch(text))
    ]


def polars_join(work: Work) -> Pairs:
    """Join distinct shingles exactly, shard by shard, and count."""
    pl: Any = import_module("polars")
    letters = r"[\p{L}\p{N}\p{M}--[\p{Han}\p{Hiragana}\p{Katakana}]]"
    pattern = rf"\p{{Han}}|\p{{Hiragana}}|\p{{Katakana}}|{letters}+(?:'{letters}+)*"

    def shingled(file: Path, name: str) -> Any:
        text = pl.col("text").str.normalize("NFKC").str.to_lowercase().str.replace_all("’", "'")
        word = pl.col("word")
        return (
            pl.read_parquet(file)
            .select(pl.col("id").alias(name), word=text.str.extract_all(pattern))
            .explode("word")
            .select(
                name,
                shingle=pl.struct([word.shift(-k).alias(str(k)) for k in range(SIZE)]).hash(),
                whole=pl.col(name) == pl.col(name).shift(1 - SIZE),
            )
            .filter("whole")
            .drop("whole")
            .unique()
        )

    benchmark = shingled(work.benchmark, "left")
    sizes = benchmark.group_by("left").len("all")
    found: Pairs = []
    for file in work.training:
        shared = shingled(file, "right").join(benchmark, on="shingle").group_by("left", "right")
        pairs = shared.len("shared").join(sizes, on="left")
        kept = pairs.filter(pl.col("shared") / pl.col("all") >= FLOOR)
        found += kept.select("left", "right").rows()
    return found


def prepare_lines(work: Work) -> None:
    """Write both sides as JSON lines, the benchmark as decon's questions."""
    (work.folder / "train").mkdir()
    (work.folder / "evals").mkdir()
    for file in work.training:
        with (work.folder / f"train/{file.stem}.jsonl").open("w", encoding="utf-8") as out:
            for name, text in rows(file):
                out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    with (work.folder / "evals/benchmark-1.jsonl").open("w", encoding="utf-8") as out:
        for place, (name, text) in enumerate(rows(work.benchmark)):
            line = {
                "eval_key": "benchmark",
                "eval_instance_index": place,
                "split": "test",
                "question": text,
                "passage": "",
                "answer": "",
                "fingerprint": name,
                "is_correct": None,
                "doc_id": place,
            }
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def decon(work: Work, **settings: object) -> Pairs:
    """decon, from the package ``decontaminate``, for Python 3.12 on."""
    module = import_module("decon")
    config = module.Config(
        training_dir=str(work.folder / "train"),
        evals_dir=str(work.folder / "evals"),
        report_output_dir=str(work.folder / "report"),
        worker_threads=THREADS,
        **settings,
    )
    module.detect(config)
    ids = {f"{file.stem}.jsonl": [name for name, _ in rows(file)] for file in work.training}
    found = set()
    for report in (work.folder / "report").glob("*.jsonl"):
        for line in report.read_text(encoding="utf-8").splitlines():
            hit = json.loads(line)
            found.add((hit["fingerprint"], ids[hit["training_file"]][hit["training_line"]]))
    return sorted(found)


def decon_sensitive(work: Work) -> Pairs:
    """decon with the settings that found most."""
    return decon(
        work,
        tokenizer="uniseg",
        contamination_score_threshold=FLOOR,
        eval_min_unique_word_count=0,
        sample_every_m_tokens=5,
        question_max_consecutive_misses=30,
    )


def prepare_assay(work: Work) -> None:
    """Write corpus-assay's settings: shingles of five words, a Chinese character a word."""
    with (work.folder / "benchmark.jsonl").open("w", encoding="utf-8") as out:
        for name, text in rows(work.benchmark):
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    letters = r"[[\p{L}\p{N}\p{M}]--\p{Han}]"
    words = {
        "version": "1.0.0",
        "stop_words": [],
        "word_re": rf"\p{{Han}}|{letters}+(?:'{letters}+)*",
        "ngram_reject_patterns": [],
    }
    (work.folder / "words.json").write_text(json.dumps(words))
    (work.folder / "config.yaml").write_text(
        json.dumps(
            {
                "benchmarks": [
                    {
                        "name": "benchmark",
                        "dataset": "json",
                        "data_files": {"test": str(work.folder / "benchmark.jsonl")},
                        "splits": ["test"],
                        "fields": ["text"],
                    }
                ],
                "ngram": SIZE,
                "min_hits": 10,  # a tenth of the shortest benchmark story's
                "min_coverage": 0.0,
            }
        )
    )


def assay(work: Work) -> Pairs:
    """corpus-assay, for Python 3.12 on, by items; containment is computed from its hits."""
    import subprocess

    program = [str(Path(sys.executable).with_name("corpus-assay")), "--quiet"]
    program += ["--ngram-config", str(work.folder / "words.json")]
    config = ["--config", str(work.folder / "config.yaml")]
    index, report = str(work.folder / "index.native"), str(work.folder / "report")
    inputs = [argument for file in work.training for argument in ("--input", str(file))]
    scan = ["--index", index, *inputs, "--id-key", "id", "--out-dir", report]
    scan += ["--workers", str(THREADS), "--gate-mode", "item", "--max-return-records", "1000000"]
    for command in (
        ["build-index", *config, "--out-index", index, "--allow-unpinned"],
        ["scan", *config, *scan],
    ):
        subprocess.run([*program, *command], check=True, stdout=subprocess.DEVNULL)
    known = [(name, len(plain_shingles(text))) for name, text in rows(work.benchmark)]
    found = set()
    for file in (work.folder / "report/contaminated_docs").iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for hit in record["item_hits"]:
                name, count = known[hit["item_id"]]
                if hit["hits"] / count >= FLOOR:
                    found.add((name, record["doc_id"].rsplit("-part-", 1)[0]))
    return sorted(found)


class Contender(NamedTuple):
    """A way to find overlap.

    Attributes:
        run: returns the pairs.
        prepare: is called before, untimed.
        needs: modules that are imported before.
        elsewhere: it runs in the peers' environment.
    """

    run: Callable[[Work], Pairs]
    needs: tuple[str, ...]
    prepare: Callable[[Work], None] | None = None
    elsewhere: bool = False


CONTENDERS = {
    "this project": Contender(
        storyaudit, ("audits.overlap.passages", "storyaudit.layouts.text_source")
    ),
    "this project, pairs alone": Contender(
        pairs_alone, ("audits.overlap.scan", "storyaudit.layouts.text_source")
    ),
    "this project, within one side": Contender(
        within, ("audits.overlap.near_duplicates", "storyaudit.layouts.text_source")
    ),
    "datasketch, update": Contender(datasketch_loop, ("datasketch",)),
    "datasketch, update_batch": Contender(datasketch_batch, ("datasketch",)),
    "polars, exact join": Contender(polars_join, ("polars",)),
    "decon, default": Contender(decon, ("decon",), prepare_lines, True),
    "decon, sensitive": Contender(decon_sensitive, ("decon",), prepare_lines, True),
    "corpus-assay, 5 words": Contender(assay, ("corpus_assay",), prepare_assay, True),
}


def main() -> None:
    """Run a contender and write what it found and took: NAME CORPUS SHARDS STORIES FOLDER."""
    name, corpus, shards, stories, folder = sys.argv[1:]
    contender = CONTENDERS[name]
    work = of_corpus(Path(corpus), int(shards), int(stories), Path(folder))
    if contender.prepare is not None:
        contender.prepare(work)
    for module in contender.needs:
        import_module(module)
    before, start = os.times(), time.perf_counter()
    pairs = contender.run(work)
    seconds, after = time.perf_counter() - start, os.times()
    result = {"pairs": pairs, "seconds": seconds, "processor": sum(after[:4]) - sum(before[:4])}
    (work.folder / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
