"""All computations that a ledger may name."""

from collections.abc import Mapping

from audits.claims.computations import Named
from audits.claims.computations.agreement import AGREEMENT
from audits.claims.computations.comparisons import COMPARISONS
from audits.claims.computations.correlation import CORRELATION
from audits.claims.computations.counts import COUNTS
from audits.claims.computations.file_names import FILE_NAMES
from audits.claims.computations.lengths import LENGTHS
from audits.claims.computations.rankings import RANKINGS
from audits.claims.computations.scale import SCALE
from audits.claims.computations.scores import SCORES
from audits.claims.computations.stories import STORIES

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
