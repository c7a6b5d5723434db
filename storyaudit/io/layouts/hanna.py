"""Read the stories of HANNA (Chhun et al., COLING 2022): human and model stories by premise."""

from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import HUMAN, LLM, Corpus, as_corpus
from storyaudit.data.tables import Column, Table, conform, holds
from storyaudit.io.files import file_name
from storyaudit.io.records import read_records
from storyaudit.text.detokenize import detokenise

_STORIES = Table(
    "HANNA's stories", (), tuple(Column(name) for name in ("Prompt", "Human", "Story", "Model"))
)


def read_hanna(path: Path, *, source: str, use: str, language: str = "en") -> Corpus:
    """Read a file with the columns Prompt, Human, Story and Model.

    The human story stands on every model's row of a premise and is read once. Human stories and
    premises come from WritingPrompts and still have spaces of its tokeniser ("was n't"), which
    model stories have not: they are put right, as ``detokenised`` counts, lest a reward model
    learns to tell people by them.

    Args:
        path: ``hanna_llm_stories.csv``, or another table with these columns.
        source: see ``as_corpus``; so are ``use`` and ``language``.

    Raises:
        InputError: a column absent, or see ``as_corpus``.
    """
    records = read_records(path, holds(_STORIES))
    table, _ = conform(records.frame, _STORIES, file=path, rows=records.rows)
    table["row"] = records.rows
    human = table.drop_duplicates(["Prompt", "Human"])
    put_right = human["Human"].map(detokenise, na_action="ignore")
    model = table[table["Model"].str.casefold() != HUMAN]
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "text": put_right,
                    "premise": human["Prompt"],
                    "author": HUMAN,
                    "author_kind": HUMAN,
                    "row": human["row"],
                }
            ),
            pd.DataFrame(
                {
                    "text": model["Story"],
                    "premise": model["Prompt"],
                    "author": model["Model"],
                    "author_kind": LLM,
                    "row": model["row"],
                }
            ),
        ],
        ignore_index=True,
    )
    frame["premise"] = frame["premise"].map(detokenise, na_action="ignore")
    frame["provenance"] = [f"{file_name(path)}:{row}" for row in frame["row"]]
    corpus = as_corpus(
        frame, source=source, use=use, language=language, file=path, rows=frame["row"].to_numpy()
    )
    detokenised = int((put_right != human["Human"]).sum())
    return corpus._replace(counts=corpus.counts | {"detokenised": detokenised})
