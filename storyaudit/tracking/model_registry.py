"""Trained reward models in MLflow's registry: a version a build and seed, found under an alias."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storyaudit.io.files import md5

MODELS = Path("models")


def model_folder(variant: str, seed: int) -> Path:
    """Return the folder of a run's model."""
    return MODELS / variant / f"seed-{seed}"


def model_files(record: Mapping[str, Any], variant: str, seed: int) -> dict[Path, str]:
    """Return the files of a run's model and their digests, as the record of its training has them.

    They lie in ``models/VARIANT/seed-SEED``; without such files there is nothing to register.
    """
    folder = model_folder(variant, seed)
    return {
        Path(path): facts["md5"]
        for path, facts in record["writes"].items()
        if Path(path).is_relative_to(folder)
    }


def registered_name(study: str, variant: str) -> str:
    """Return the name of a study's variant in the registry, which takes no '/' and no ':'."""
    return re.sub(r"[^\w.\- ]", "-", f"{study}-{variant}")


def register(
    client: Any, run: str, record: Mapping[str, Any], variant: str, seed: int, tags: dict[str, str]
) -> bool:
    """Keep a run's model as its artifact, and make it a version of the registered model.

    The alias ``seed-SEED`` moves on to it. Digests of the tables that it was trained on stand among
    the version's tags. A model that was built again meanwhile, or is no longer there, is left out.

    Args:
        client: of MLflow.
        run: the seed's run.
        record: of the stage that trained it.
        variant: its name.
        seed: its seed.
        tags: of the version, beside the digests.

    Returns:
        Whether it was registered.
    """
    files = model_files(record, variant, seed)
    if not files or any(not path.is_file() or md5(path) != known for path, known in files.items()):
        return False
    folder = model_folder(variant, seed)
    for path in files:
        inside = Path("model") / path.parent.relative_to(folder)
        client.log_artifact(run, str(path), inside.as_posix())
    name = registered_name(record["study"], variant)
    if not client.search_registered_models(f"name = '{name}'"):
        client.create_registered_model(name)
    digests = {f"md5.{path}": facts["md5"] for path, facts in record["reads"].items()}
    version = client.create_model_version(
        name,
        f"{client.get_run(run).info.artifact_uri}/model",
        run_id=run,
        tags={**tags, **digests, "variant": variant, "seed": str(seed)},
    )
    client.set_registered_model_alias(name, f"seed-{seed}", version.version)
    return True


def remove_versions(client: Any, run: str) -> None:
    """Remove the versions that belong to a run, before the run is removed."""
    for version in client.search_model_versions(f"run_id = '{run}'"):
        client.delete_model_version(version.name, version.version)
