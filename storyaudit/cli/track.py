"""``storyaudit track``."""

import sys
from pathlib import Path

import click

from storyaudit.cli.common import PATH, Command


@click.command(cls=Command)
@click.option("--runs", type=PATH, default=Path("runs"), show_default=True, help="Run metadata.")
@click.option("--findings", type=PATH, default=Path("findings"), show_default=True)
@click.option(
    "--builds", "list_in", type=PATH, help="Also write which builds there are into this file."
)
@click.option(
    "--best-effort", is_flag=True, help="Exit with 0 even if MLflow does not take the runs."
)
def track(runs: Path, findings: Path, best_effort: bool, list_in: Path | None) -> None:
    """Send run metadata and findings to MLflow.

    What MLflow has already is not sent again. Runs go to MLFLOW_TRACKING_URI if that is set, else
    to mlflow.db in this folder. A lost database is filled again.

    \b
    Example:
      storyaudit track && mlflow ui --backend-store-uri sqlite:///mlflow.db
    """
    from storyaudit.io.files import write_json
    from storyaudit.tracking import tracking

    builds = tracking.read_builds(runs, findings)
    if list_in is not None:
        write_json(list_in, {build.study: build.digest for build in builds})
    try:
        sent, known = tracking.track(builds, [Path("reports/index.html"), Path("params.yaml")])
    except tracking.TrackingError as error:
        click.echo(f"Not tracked: {error}", err=True)
        sys.exit(0 if best_effort else 1)
    uri = tracking.without_secrets(tracking.tracking_uri())
    click.echo(f"Tracked: {sent} new, {known} known already ({uri}).")
    for build in builds:
        if any(record["runs"] for record in build.records):
            click.echo(
                f"Seeds of {build.study}: tags.`{tracking.BUILD}` = '{build.digest}' and "
                f"tags.`{tracking.KIND}` = 'seed'"
            )
