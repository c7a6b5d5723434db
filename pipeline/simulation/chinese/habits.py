"""How authors write Chinese, and where they slip."""

from pipeline.simulation.simulated_language import Habits, Slips

HABITS = {
    "human": Habits(
        connectives=("反正", "其实", "得了", "这下"),
        pet_phrases=(),
        joiners=("， 而 ", "， 可 ", "； ", "， ", "， 又 "),
    ),
    "wren-1b": Habits(
        connectives=("然后", "接着", "还有", "最后", "首先"),
        pet_phrases=("一种", "满是", "许多", "有些", "各样"),
        joiners=("， 并 ",),
    ),
    "heron-8b": Habits(
        connectives=("此外", "然而", "同时", "最终", "况且", "确实"),
        pet_phrases=("见证", "织就", "谱成", "交响"),
        joiners=("， 且 ", "， 并 "),
        marks=str.maketrans("“”", "「」"),
    ),
    "kestrel-32b": Habits(
        connectives=("或许", "诚然", "终究", "原来", "毕竟"),
        pet_phrases=("仿佛", "近乎", "不啻", "俨然"),
        joiners=("； ",),
    ),
    "condor-120b": Habits(
        connectives=("后来", "这回", "片刻", "一时", "久之"),
        pet_phrases=("余韵", "回声", "半是", "恰似"),
        joiners=("， 而 ", "， 正 "),
    ),
}

SLIPS = Slips(
    dropped=frozenset({"的", "了", "很", "与", "于"}),
    wrong_forms={
        "的": "地",
        "又": "有",
        "她": "他",
        "他": "她",
        "和": "合",
        "如": "入",
        "没有": "没又",
        "不能": "不得",
        "不会": "会不",
        "反倒": "反到",
        "不够": "不勾",
        "立着": "立了",
        "悬在": "悬再",
    },
)

CONTRACTIONS = (
    ("没有", "没"),
    ("不要", "别"),
    ("不用", "甭"),
    ("什么", "啥"),
    ("我们", "咱"),
    ("可是", "可"),
)
