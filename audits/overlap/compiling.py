"""Compile every kernel once, so that nobody waits for it later: ``make setup`` runs this.

    python -m audits.overlap.compiling

The machine code lies in ``__pycache__`` afterwards (``storyaudit.text.compiled``).
"""

from audits.overlap.passages import passages
from audits.overlap.study_comparisons import Comparison, Texts, compare
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.vocabulary import TRAIN_BENCHMARK, TRAIN_TRAIN

_STORY = (
    "The fox saw a crow with a cheese. 狐狸看见乌鸦。 It praised the crow, and the cheese fell. "
)
_PARAMS = OverlapParams(window=40)


def compile_kernels() -> None:
    """Compare a few short texts in every way, in which every kernel is called."""
    texts = [_STORY * 3, _STORY * 3 + "The end.", "Once there was a queen who counted stars.", None]
    some = Texts([f"s{place}" for place in range(len(texts))], texts)
    other = Texts(["b1", "b2"], [_STORY, texts[2]])
    compare(Comparison(TRAIN_BENCHMARK, "story", other, some), _PARAMS)
    compare(Comparison(TRAIN_TRAIN, "story", some, None), _PARAMS)
    passages(_STORY, _STORY * 2, _PARAMS.shingle)


if __name__ == "__main__":
    compile_kernels()
