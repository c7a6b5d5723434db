"""Chinese sentences with slots, by what they do in a story.

Spaces part the words until the sentence is printed. A sentence starts and ends with a free choice,
and set words of two characters stand between free ones, so that the rule of the lexicon holds.
"""

from pipeline.simulation.sentence_templates import templates

# --- premises -----------------------------------------------------------------------------------

CONFLICTS = templates(
    "{time} {trait} {role} {hero} {adv} {hopes} {goal}， {trait} {role} {rival} {adv} {keeps}"
    " {object}。 {weather} {drift} {place} {prep}， {time} {obstacle} {divides} {role}： {theme}。",
    "{time} {role} {hero} {trait} {hopes} {goal}， {adv} {carrying} {object}。 {trait} {role}"
    " {rival} {adv} {keeps} {place}， {time} {adv} {obstacle} {divides} {trait} {role}： {theme}。",
    "{weather} {drift} {place} {prep}， {role} {hero} {adv} {keeps} {object}， {time} {adv} {hopes}"
    " {goal}。 {trait} {role} {rival} {adv} {act} {plural}， {time} {obstacle} {adv} {divides}"
    " {role}： {theme}。",
    "{trait} {role} {rival} {adv} {keeps} {place}， {time} {trait} {hero} {adv} {hopes} {goal}，"
    " {time} {adv} {obstacle} {divides} {role}， {adv} {object} {divides} {plural}： {theme}。",
)
REVERSALS = templates(
    "{trait} {role} {hero} {adv} {hopes} {goal}， {adv} {role} {rival} {adv} {keeps} {object}。"
    " {time} {adv} {obstacle} {divides} {plural}， 反倒 {adv} {drift} {place} {role} {trait}："
    " {theme}。",
    "{role} {adv} {said}： {rival} {adv} {keeps} {object}。 {time} {trait} {role} {hero} {adv}"
    " {hopes} {goal}， {time} {adv} {obstacle} {divides} {role}， 反倒 {adv} {act} {place} {plural}"
    " {trait}： {theme}。",
    "{weather} {drift} {place} {prep}， {role} {hero} {adv} {keeps} {object}， {trait} {adv}"
    " {hopes} {goal}。 {time} {adv} {obstacle} {divides} {role}， 反倒 {trait} {role} {rival}"
    " {adv} {drift}： {theme}。",
    "{trait} {role} {hero} {adv} {hopes} {goal}， {time} {adv} {obstacle} {divides} {role}， 反倒"
    " {trait} {role} {rival} {adv} {keeps} {object}， {plural} {drift} {place} {prep} {trait}："
    " {theme}。",
)

# --- the six stages of a plot -------------------------------------------------------------------

ARRIVALS = templates(
    "{time} {hero} {adv} {arrive} {place} {prep}， {carrying} {adj} 的 {noun}。",
    "{adv} {carrying} {plural}， {hero} {time} {arrive} {place} {prep}。",
    "{weather} {drift}， {hero} {adv} {arrive} {place} {prep}， {adv} {carrying} {plural}。",
    "{carrying} {adj} {plural}， {hero} {time} {arrive} {prep}， {adv} {act} 了 {noun}。",
    "{adj} 的 {role} {act} {noun}， {hero} {adv} {arrive} {plural} {prep}。",
    "{time} {adv} {hero} {arrive} {adj} 的 {plural} {prep}， {object} {adv} {drift}。",
)
WANTS = templates(
    "{time} {hero} {adv} {want} {goal}， {adj} {weather} {drift}。",
    "{adv} {carrying} {adj} {noun}， {hero} {adv} {want} {goal} {time}。",
    "{plural} {adj}， {hero} {time} {want} {goal}， {adv} {carrying} {plural}。",
    "{weather} {drift}， {hero} {adv} {want} {base} {adj} 的 {plural}。",
    "{time} {trait} {hero} {adv} {want} {goal}， {base} {adj} 的 {plural}。",
    "{adv} {base} {plural}， {act} 了 {noun}， {time} {hero} {adv} {want} {goal} {adv}。",
)
BLOCKS = templates(
    "{time} {rival} {adv} {block} {adj} 的 {plan}， {carrying} {noun}。",
    "{adj} {obstacle} {adv} {block} {her} {plan}， {weather} {drift}。",
    "{adv} {carrying} {adj} {noun}， {rival} {time} {block} {plan}。",
    "{time} {adj} 的 {role} {block} {plan}， {obstacle} {adv} {drift}。",
    "{adv} {carrying} {object} {act} {plural}， {rival} {adv} {block} {adj} 的 {plan}。",
    "{trait} {rival} {act} {noun}， {adv} {block} {place} {plan}。",
)
TRIES = templates(
    "{time} {hero} {adv} {try} {object}， {carrying} {adj} 的 {noun}。",
    "{adv} {adv}， {hero} {time} {try} {adj} 的 {noun}， {act} {plural} {prep}。",
    "{time} {hero} {adv} {try} {noun}， 又 {adv} {try} {plural}。",
    "{adj} {plural} 没有 {base} {noun}， {hero} {adv} {try} {object} {time}。",
    "{weather} {adv} {drift}， {hero} {adv} {try} {adj} 的 {noun}， {carrying} {plural}。",
    "{trait} {hero} {adv} {act} {plural}， {adv} {try} {adj} 的 {noun}。",
    "{act} {plural} {time}， {hero} {adv} {try} {place} {plural}， {adj} 而 {adj}。",
)
FINDS = templates(
    "{time} {hero} {adv} {find} {adj} 的 {truth}， {adv} {carrying} {plural}。",
    "{prep} {adj} {noun} {drift}， {hero} {time} {find} {truth}。",
    "{weather} {drift} {place} {prep} {time}， {hero} {adv} {find} {adj} {truth}。",
    "{adj} {object} {adv} {drift}， {hero} {time} {find} {truth} 与 {truth}。",
)
CONFLICT_FINDS = templates(
    "{adv} {act} {plural}， {rival} {time} {find} {adj} 的 {truth}。",
    "{time} {trait} {role} {find} {rival} {adv} {act} {noun}， {adj} {truth}。",
    "{time} {hero} {adv} {find} {truth}， {rival} {adv} {act} {plural}。",
)
REVERSAL_FINDS = templates(
    "{time} {hero} {adv} {find} {truth} 反倒 {adj}， {adv} {act} {noun}。",
    "{adv} {find} {adj} {truth}， 反倒 {adv} {act} {rival} {time}。",
    "{time} {trait} {hero} {adv} {find} {rival} {adv} {act} {plural}， 反倒 {adj} {truth}。",
)
SETTLEMENTS = templates(
    "{time} {hero} {adv} {settle} {rival}， {adv} {carrying} {plural}。",
    "{adv} {time} {hero} {settle} {adj} 的 {role}， {weather} {drift} {noun} {prep}。",
    "{trait} {rival} {adv} {settle} {hero} {time}， {act} {adj} 的 {noun}。",
    "{adj} {object} {adv} {drift}， {hero} {time} {settle} {trait} 的 {role}。",
    "{time} {adv} {base} {plural}， {trait} {hero} {settle} {adj} {role}。",
    "{adj} {obstacle} {time} {drift}， {trait} {rival} {adv} {settle} {hero} {adv} {act} {noun}。",
)

# --- between the stages -------------------------------------------------------------------------

SCENES = templates(
    "{adj} 的 {weather} {drift} {place} {prep}， {adv} {adv}。",
    "{noun} {prep} 立着 {adj} {noun}， {weather} {drift}。",
    "{weather} {adv} {drift}， {adj} 的 {plural} {prep}。",
    "{adj} {weather} 里 有 {adj} {noun}， {weather} {adv} {drift}。",
    "{time} {hero} {adv} {act} {adj} 的 {noun}， {act} 了 {plural}。",
    "{adv} {rival} {time} {act} {adj} 的 {noun}。",
    "{adj} 的 {role} {adv} {act} {plural}， {noun} {prep}。",
    "{adv} 没有 {base} {adj} {plural}， {she} {adv} {act} {plural}。",
    "{adv} 不能 {base} {adj} {plural}， {hero} {adv} {carrying} {noun}。",
    "{time} {adj} {object} {adv} {drift} {adj} 的 {noun} {prep}， {weather} {drift}。",
    "{adj} {obstacle} {adv} {drift} {plural} {prep}， {weather} {weather}。",
    "{adj} {noun} 不够 {adj}， {time} {adv} {base} {role}。",
)
THEMATIC = templates(
    "{adj} {theme} {adv} {drift} {noun} {prep}， {hero} {adv} {act} {plural}。",
    "{time} {hero} {act} {adj} {noun}， {adv} {base} {theme} {plural}。",
    "{adj} {object} {adv} {sense} {theme} {weather}。",
    "{weather} {prep} {adv} {drift} {theme} {adj}， {trait} {role} {act} {noun}。",
    "{adj} {theme} {adv} {base} {her} {noun}， {time} {adv} {drift}。",
)
FRAGMENTS = templates(
    "{adj} 的 {noun}。",
    "{plural}， 没有 {noun}。",
    "{weather}， 然后 {abstract}。",
    "{adv} {adv}。",
    "{adj} {plural}。",
    "{weather} {adj}。",
    "{time} 不是 {noun}。",
    "{adj} {plural} 不是 {weather}。",
    "{plural} 不会 {base} {plural}。",
    "{abstract}， 或者 {adj} {noun}。",
)

# --- creativity ---------------------------------------------------------------------------------

FRESH_IMAGES = templates(
    "{abstract} {sense} {vivid} 的 {odd}， {adv} {act} {vivid} 的 {odd}。",
    "{abstract} {drift} {hero} {prep}， {vivid} {odd} {drift}。",
    "{adv} {place} {prep} {vivid} 的 {plural} {drift}， {vivid} 如 {abstract}。",
    "{time} {hero} {body} {sense} {vivid} 的 {odd}， {abstract} {drift}。",
    "{weather} {sense} {vivid} {odd}， {time} {act} {vivid} 的 {odd}。",
    "{vivid} {odd} 悬在 {plural} {prep}， {adv} 教给 {weather} {abstract}。",
    "{abstract} {sense} {rival} {vivid} {odd}， {adv} {carrying} {odd}。",
    "{time} {hero} {adv} {act} {abstract} 于 {vivid} 的 {odd}， {weather} 于 {odd}。",
)
STALE_IMAGES = templates(
    "{noun} {cliche}， {adj} 又 {adj}。",
    "{time} {hero} {body} {cliche}， {adj} 如 {weather}。",
    "{stale} {time}， {hero} {adv} {act} {adj} 的 {noun}。",
    "{stock} {adj} {weather} {adv} {drift}， {stale} {time}。",
    "{time} {rival} {body} {cliche}， {stale} {time}。",
    "{stale}， {adj} {weather} {cliche}， {plural} {prep}。",
    "{stock} {adj} 的 {plural} {cliche}。",
)
FRESH_OPENINGS = templates(
    "{vivid} 的 {odd} {adv} {drift}， {hero} {time} {act} {vivid} {odd}。",
    "{adj} {abstract} {adv} {sense} {vivid} {odd}， {hero} {adv} {base} {plural}。",
    "{plural} 在先： {vivid}， {vivid}， {prep} {odd} {drift}。",
    "{time} {place} {prep} {vivid} 的 {odd} {sense} {vivid} 的 {odd}。",
)
STALE_OPENINGS = templates(
    "{stock} {stock}， {adj} {weather} {drift}， {adj} 的 {role} {act} {noun}。",
    "{stock} {adj} 的 {role} {act} {noun}， {place} {adv} {drift}。",
    "{stock} {adj} {weather} {cliche}， {stale} {time}。",
    "{stock} {noun} {prep}， {stale} {time}。",
)

# --- characterization ---------------------------------------------------------------------------

PORTRAITS = templates(
    "{trait} {hero} {adv} {habit} {hoard}， {time} {act} {plural}。",
    "{time} {trait} {hero} {my_habit} {my_hoard}， {noun} {prep}。",
    "{time} {rival} {trait} {adv}， {plural} {prep} {trait}。",
    "{time} {rival} {adv} {habit} {adj} 的 {hoard}， {trait} {act} {plural}。",
    "{adv} {hero} {my_habit} {my_hoard}， {trait} {time}。",
    "{adv} {habit} {adj} {hoard}， {hero} {trait} {time}。",
    "{time} {trait} {role} {act} {plural}， {rival} {habit} {hoard} {adv}。",
    "{trait} {rival} {habit} {hoard}， {abstract} {adv} {drift}。",
)
FLAT_PORTRAITS = templates(
    "{time} {hero} {adv} {flat}。",
    "{adv} {she} {flat} 又 {flat}。",
    "{time} {rival} {flat}， {noun} {prep}。",
    "{time} {she} 很 {flat}。",
    "{weather} {drift}， {rival} {flat}， {adv} {hero} {flat}。",
    "{adv} {hero} {flat} {flat}。",
    "{plural} {prep}， {rival} {flat} {time}。",
)
SPEECHES = templates(
    "“{base} {adj} 的 {noun}， {my_tic}。” {hero} {adv} {said}。",
    "“{my_tic}， 我们 {base} {adj} 的 {plural}。” {adv} {hero} {said}。",
    "{time} {hero} {said}： “{base} {plural}， {my_tic}！”",
    "“{plural} 没有 {base} {plural}。” {trait} {rival} {said}。",
    "“{plural} 不要 {base} {adj} {plural}， {rival_tic}。” {rival} {adv} {said}。",
    "“{rival_tic}， {adv} {base} {adj} {noun}。” {rival} {said}， {habit} {hoard}。",
    "“{time} 什么 {role} {act} {my_hoard}？” {rival} {said}。",
    "“{adv} 不用 {base} {plural}， {my_tic}。” {hero} {said} {time}。",
)
FLAT_SPEECHES = templates(
    "“{bland}。” {hero} {time} {said}。",
    "“{bland}。” {rival} {said}， “{bland}， {bland}。”",
    "“{bland}， {adj} {noun}。” {hero} {adv} {said}。",
    "{flat} 的 {role} {said}： “{bland}， {bland}。”",
    "“{bland}， 我们 {base} {noun}。” {hero} {said} {time}。",
    "“{bland}。” {rival} {said}， “{adj} {plural} 没有 {base} {plural}。”",
    "{time} {she} {said}： “{bland}， {bland}。”",
)

# --- coherence and relevance --------------------------------------------------------------------

BREAKS = templates(
    "{nonseq}， {adj} 的 {role} {act} {plural}， {noun} {prep}。",
    "{nonseq} {adv}， {adj} {object} {adv} {drift} {plural} {prep}。",
    "{nonseq}， {rival} {adv} {act} {noun}， {weather} {drift}。",
    "{nonseq}， {adj} {weather} {drift}， 可是 {plural} {adj}。",
    "{time} {hero} {adv} {drift}， {nonseq}， 不是 {plural} {prep}。",
    "{nonseq}， {adv} {adj} {time}， 虽然 {weather} {drift}。",
)
FILLERS = templates(
    "{adj} 的 {off_noun} {off_verb} {off_topic}， {off_noun} {off_verb} {plural}。",
    "{time} {off_noun} {off_verb} {adj} 的 {off_topic}。",
    "{off_topic} 和 {off_topic} {adv} {off_verb} {off_noun}。",
    "{adj} {off_noun} 没有 {off_verb} {off_topic}， {role} {said}。",
    "{adj} {off_topic}： {adj} 的 {off_noun} {off_verb} {off_noun}。",
    "{time} 比较 {off_noun} {adj} 与 {off_topic} {adj}。",
)

# --- what a pet phrase is said of ---------------------------------------------------------------

PETS = templates("{adj} {plural}。")
