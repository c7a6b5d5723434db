"""Read the stories of HANNA (Chhun et al., COLING 2022): human and model stories by premise."""

from pathlib import Path

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import Column, Table
from storyaudit.io.files import file_name
from storyaudit.text.detokenize import detokenise
from storyaudit.vocabulary import HUMAN, LLM

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
    table, _, rows = read_table(path, _STORIES)
    table["row"] = rows
    human = table.drop_duplicates(["Prompt", "Human"])
    put_right = human["Human"].map(detokenise, na_action="ignore")
    model = table[table["Model"].str.casefold() != HUMAN]
    people = human.assign(text=put_right, author=HUMAN, author_kind=HUMAN)
    models = model.assign(text=model["Story"], author=model["Model"], author_kind=LLM)
    frame = pd.concat([people, models], ignore_index=True)
    frame["premise"] = frame["Prompt"].map(detokenise, na_action="ignore")
    frame["provenance"] = [f"{file_name(path)}:{row}" for row in frame["row"]]
    corpus = as_corpus(
        frame, source=source, use=use, language=language, file=path, rows=frame["row"].to_numpy()
    )
    detokenised = int((put_right != human["Human"]).sum())
    return corpus._replace(counts=corpus.counts | {"detokenised": detokenised})
