"""The reward model on real texts: people's stories and models' of HANNA."""

from pathlib import Path

import numpy as np
import pytest
from real_data import real_path
from scipy.stats import binomtest

from pipeline.reward.folder import load
from pipeline.reward.linear.fitting import fit
from pipeline.reward.linear.pair_texts import pair_features
from pipeline.reward.linear.reward_settings import Settings
from storyaudit.layouts.hanna import read_hanna

REAL = real_path()
SETTINGS = Settings(buckets_log2=16, ngrams=2, style=True, maximum_words=400)


def pairs_of(human, models, premises: list[str], each: int):
    """Premises, people's stories and models' stories: so many models' a premise, in turn."""
    rows = [
        (premise, human[premise], models[premise][(place + turn) % len(models[premise])])
        for place, premise in enumerate(premises)
        for turn in range(each)
    ]
    return tuple(list(side) for side in zip(*rows, strict=True))


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the public data are not at {REAL}")
def test_people_are_distinguished_from_models_on_premises_held_out(tmp_path: Path) -> None:
    corpus = read_hanna(REAL / "hanna/hanna_llm_stories.csv", source="hanna", use="training")
    text = corpus.premises.set_index("premise_id")["text"].to_dict()
    by_people = corpus.stories["author_kind"] == "human"
    human = {text[p]: t for p, t in corpus.stories[by_people][["premise_id", "text"]].to_numpy()}
    models = corpus.stories[~by_people].sort_values(["premise_id", "author"])
    by_premise = {text[p]: of["text"].tolist() for p, of in models.groupby("premise_id")}
    premises = sorted(set(human) & set(by_premise))
    assert len(premises) == 96
    seen, unseen = premises[::2], premises[1::2]

    features = pair_features(*pairs_of(human, by_premise, seen, each=6), SETTINGS)
    rows = np.arange(features.differences.shape[0])
    model = fit(features, rows, epochs=10, l2=1e-3, seeds=[1])[0].model
    for name, content in model.files().items():
        (tmp_path / name).write_bytes(content)
    saved = load(tmp_path)
    # One pair a premise, so that pairs are independent: 48 trials.
    premise, people, machines = pairs_of(human, by_premise, unseen, each=1)
    right = int((saved.score(premise, people) > saved.score(premise, machines)).sum())
    assert binomtest(right, len(unseen)).proportion_ci(0.99).low > 0.5
