"""Chinese."""

from pipeline.simulation.chinese import lexicon, templates
from pipeline.simulation.chinese.habits import CONTRACTIONS, HABITS, SLIPS
from pipeline.simulation.chinese.kinds import KINDS
from pipeline.simulation.simulated_language import Language

PUNCTUATION = dict.fromkeys(map(ord, "，。：；！？“”「」"))


def _finish(sentence: str) -> str:
    return sentence.replace(" ", "")


def _length(sentence: str) -> int:
    return len(sentence.translate(PUNCTUATION))


CHINESE = Language(
    code="zh",
    words=lexicon.WORDS,
    themes=lexicon.THEMES,
    grammar=templates,
    habits=HABITS,
    slips=SLIPS,
    kinds=KINDS,
    contractions=CONTRACTIONS,
    woman=("她", "她 的"),
    man=("他", "他 的"),
    possessive="{} 的",
    by_role="那 {}",
    space="",
    comma="， ",
    quote="“",
    finish=_finish,
    length=_length,
)
