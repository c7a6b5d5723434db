"""The protocol audit of the pipeline's own benchmark, of HANNA's judges, and of StoryAlign."""

import shlex
from pathlib import Path

from pydantic import Field

from audits.protocol.protocol_report import READ, protocol_report
from audits.protocol.spot_checks import ledger_spot_checks
from audits.protocol.validity.score_tables import read_scores
from audits.protocol.validity.validity_report import validity_report
from storyaudit.layouts.hanna_scores import JUDGES
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.runs.params import Confidence, Params, Resamples
from storyaudit.runs.stage import STUDY, Stage

PAPER = Path("expectations/papers/storyalign.yaml")
HANNA = Path("data/published/hanna")


class ProtocolAuditParams(Params):
    """The ``protocol_audit`` section of ``params.yaml``.

    Attributes:
        resamples: bootstrap samples.
        confidence: of every interval.
        adjudicators: annotators who only decided what others disagreed on.
    """

    resamples: Resamples = 2000
    confidence: Confidence = 0.95
    adjudicators: list[str] = Field(default=[])


def command(study: str, params: ProtocolParams, audit: ProtocolAuditParams, seed: str) -> str:
    """Return the command that replays the study's gold by the same rules and draws."""
    options = {
        "study": study,
        "tau-threshold": params.tau_threshold,
        "tie-tolerance": params.tie_tolerance,
        "priority": ",".join(params.priority),
        "prompt-variant": params.prompt_variant,
        "resamples": audit.resamples,
        "confidence": audit.confidence,
        "seed": seed,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    adjudicators = [word for name in audit.adjudicators for word in ("--adjudicator", name)]
    humans = "--judge-human-story" if params.judge_human_story else "--no-judge-human-story"
    return shlex.join(["storyaudit", "protocol", str(STUDY), *words, humans, *adjudicators])


def main() -> None:
    """Run the stage."""
    with Stage("protocol") as stage:
        params = stage.params("protocol", ProtocolParams)
        audit = stage.params("protocol_audit", ProtocolAuditParams)
        stage.write_report(
            protocol_report(
                {table.name: stage.read_to_audit(table) for table in READ},
                study=stage.study,
                params=params,
                rng=stage.stream("bootstrap"),
                adjudicators=audit.adjudicators,
                resamples=audit.resamples,
                confidence=audit.confidence,
            ),
            command(stage.study, params, audit, stage.stream_name("bootstrap")),
        )
        scores = read_scores(
            stage.reads(HANNA / "human_scores.csv"), stage.reads(HANNA / "judge_scores.csv")
        )
        stage.write_report(
            validity_report(
                scores.human,
                scores.judge,
                study="hanna",
                rng=stage.stream("hanna"),
                tau_threshold=params.tau_threshold,
                confidence=audit.confidence,
                resamples=audit.resamples,
                judges=JUDGES,
            ),
            " ".join(
                [
                    f"storyaudit protocol {HANNA}",
                    *(f"--judge {name}" for name in JUDGES),
                    f"--tau-threshold {params.tau_threshold} --resamples {audit.resamples}",
                    f"--confidence {audit.confidence} --seed {stage.stream_name('hanna')}",
                ]
            ),
        )
        ledger = read_ledger(stage.reads(PAPER))
        stage.write_report(ledger_spot_checks(ledger, confidence=audit.confidence))


if __name__ == "__main__":
    main()
