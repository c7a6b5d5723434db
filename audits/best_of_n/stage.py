"""The Best-of-N audit of the pipeline's own pools."""

import shlex

from audits.best_of_n.best_of_n_report import READ, BestOfParams, best_of_n_report
from storyaudit.runs.stage import POOL, Stage


def command(study: str, params: BestOfParams, seed: str) -> str:
    """Return the command that finds the same by the same draws."""
    adjudicators = [word for name in params.adjudicators for word in ("--adjudicator", name)]
    words = ["--study", study, *adjudicators, "--resamples", str(params.resamples)]
    words += ["--confidence", str(params.confidence), "--seed", seed]
    return shlex.join(["storyaudit", "best-of-n", str(POOL), *words])


def main() -> None:
    """Run the stage."""
    with Stage("best_of_n") as stage:
        params = stage.params("best_of_n", BestOfParams)
        candidates, annotations, individual, scores = (
            stage.read_to_audit(table, POOL) for table in READ
        )
        stage.write_report(
            best_of_n_report(
                candidates,
                annotations,
                individual,
                scores,
                params,
                stage.stream("bootstrap"),
                study=stage.study,
            ),
            command(stage.study, params, stage.stream_name("bootstrap")),
        )


if __name__ == "__main__":
    main()
