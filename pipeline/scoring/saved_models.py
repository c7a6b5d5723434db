"""The models that the train stage saved, by variant and seed."""

from collections.abc import Collection
from pathlib import Path

from pipeline.reward.model_files import MODEL
from pipeline.scoring.scored_candidates import Run
from storyaudit.errors import InputError
from storyaudit.vocabulary import FULL


def run_of(folder: Path, models: Path) -> Run:
    """Return the variant and the seed of a folder ``<models>/<variant>/seed-<n>``.

    Elsewhere the name of the folder above is the variant, and where the folder itself is called
    otherwise, that name with seed 0.
    """
    variant, _, seed = folder.name.partition("seed-")
    if variant or not seed.isdecimal() or str(int(seed)) != seed:
        return folder.name or "model", 0
    parent = folder.parent
    inside = parent != models and parent.is_relative_to(models)
    return parent.relative_to(models).as_posix() if inside else parent.name, int(seed)


def saved_models(models: Path, seeds: Collection[int]) -> dict[Run, Path]:
    """Return the folders of the trained models by variant and seed.

    Raises:
        InputError: none of the variant 'full', or a variant that has not exactly these seeds.
    """
    folders = sorted(path.parent for path in models.rglob(MODEL))
    found = {run_of(folder, models): folder for folder in folders}
    variants = sorted({FULL} | {variant for variant, _ in found})
    for variant in variants:
        there = sorted(seed for name, seed in found if name == variant)
        if there != sorted(seeds):
            raise InputError(
                f"expected models of '{variant}' with the seeds "
                f"{', '.join(map(str, sorted(seeds)))}, found "
                f"{', '.join(map(str, there)) or 'none'}.",
                "Empty the folder and train again: dvc repro train.",
                file=models,
            )
    return found
