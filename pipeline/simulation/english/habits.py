"""How authors write English, and where they slip."""

from pipeline.simulation.simulated_language import Habits, Slips

HABITS = {
    "human": Habits(
        connectives=("still", "anyway", "well", "now"),
        pet_phrases=(),
        joiners=(", and ", ", but ", "; ", ", so ", " and then "),
    ),
    "wren-1b": Habits(
        connectives=("then", "next", "also", "finally", "first", "again"),
        pet_phrases=("a kind of", "full of", "like so many", "and also", "with very"),
        joiners=(" and ",),
    ),
    "heron-8b": Habits(
        connectives=("moreover", "however", "meanwhile", "eventually", "furthermore", "indeed"),
        pet_phrases=("a testament to", "a tapestry of", "a symphony of", "a dance of"),
        joiners=(", while ", ", and "),
    ),
    "kestrel-32b": Habits(
        connectives=("yet", "perhaps", "of course", "in truth", "and so", "beneath it all"),
        pet_phrases=("as though remembering", "not unlike", "somewhere between", "heavy with"),
        joiners=("; ",),
    ),
    "condor-120b": Habits(
        connectives=("in the quiet", "later", "for once", "for a moment", "all the while"),
        pet_phrases=("the way of", "an echo of", "equal parts", "half remembering"),
        joiners=(", and meanwhile ", ", and "),
    ),
}

SLIPS = Slips(
    dropped=frozenset({"a", "an", "the"}),
    wrong_forms={
        "was": "were",
        "were": "was",
        "had": "have",
        "is": "are",
        "did": "done",
        "do": "does",
        "felt": "feeled",
        "made": "maked",
        "knew": "knowed",
        "kept": "keeped",
        "cannot": "can not to",
        "could": "could to",
        "would": "would to",
    },
)

CONTRACTIONS = (
    ("could not", "couldn't"),
    ("did not", "didn't"),
    ("do not", "don't"),
    ("was not", "wasn't"),
    ("were not", "weren't"),
    ("cannot", "can't"),
    ("will not", "won't"),
    ("would not", "wouldn't"),
    ("we will", "we'll"),
)
