"""All computations that a ledger may name."""

from collections.abc import Mapping

from audits.claims.computations import Named
from audits.claims.computations.author_comparisons import COMPARISONS
from audits.claims.computations.author_rankings import RANKINGS
from audits.claims.computations.entity_counts import COUNTS
from audits.claims.computations.file_names import FILE_NAMES
from audits.claims.computations.kappa_computations import AGREEMENT
from audits.claims.computations.scale import SCALE
from audits.claims.computations.score_statistics import SCORES
from audits.claims.computations.stories import STORIES
from audits.claims.computations.story_lengths import LENGTHS
from audits.claims.computations.totals_correlation import CORRELATION

COMPUTATIONS: Mapping[str, Named] = {
    **AGREEMENT,
    **COMPARISONS,
    **CORRELATION,
    **COUNTS,
    **FILE_NAMES,
    **LENGTHS,
    **RANKINGS,
    **SCALE,
    **SCORES,
    **STORIES,
}
