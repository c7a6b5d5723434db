"""English sentences with slots, by what they do in a story.

They start in lower case: a connective may come before them.
"""

from pipeline.simulation.sentence_templates import templates

# --- premises -----------------------------------------------------------------------------------

# Eight words in a row come out in millions of ways: two premises hardly ever share four shingles.
CONFLICTS = templates(
    "{a:trait} {role} called {hero} {hopes} to {goal} {time}. {rival}, {a:trait} {role} {prep} the"
    " {place}, {keeps} the {object} {adv}, and {a:obstacle} {divides} {role} and {role} {time}:"
    " {theme}.",
    "{time} {hero}, {a:trait} {role}, {adv} {hopes} to {goal}, {adv} {carrying} the {object}. but"
    " {rival}, {a:trait} {role}, {keeps} the {place} {adv}, and {a:obstacle} {divides} {role} and"
    " {role} {time} in {theme}.",
    "{hero} {adv} {keeps} the {object} {prep} the {place} and {adv} {hopes} to {goal} {time}."
    " {a:trait} {role}, {rival}, {adv} {keeps} {plural} out of {theme}; {a:obstacle} {divides}"
    " {trait} {role} and {role}.",
    "of {theme}: {rival} the {trait} {role} {adv} {keeps} the {place} {time}, {hero} {hopes} to"
    " {goal} {adv}, {a:obstacle} {divides} {role} and {role}, and the {object} {prep} {plural}"
    " {divides} {trait} {role}.",
)
REVERSALS = templates(
    "{hero}, {a:trait} {role}, {adv} {hopes} to {goal} and {divides} {rival}, {a:trait} {role},"
    " with the {object} {prep} the {place}, until {a:obstacle} {divides} {role} and {role} {time}:"
    " {theme} reversed.",
    "every {role} {prep} the {place} {adv} says {rival} {keeps} the {object}. {time} {hero},"
    " {a:trait} {role}, {hopes} to {goal}; {a:obstacle} {divides} {role} and {role}, and {adv}"
    " {theme} changes {plural}.",
    "{a:trait} {role} {prep} the {place}, {hero} {adv} {keeps} the {object} and {hopes} to {goal}"
    " {time}. {time} {a:obstacle} {divides} {rival} {adv} instead, {a:trait} {role} of {theme} and"
    " {plural}.",
    "of {theme}: {hero}, {a:trait} {role}, {adv} {hopes} to {goal} {time}, but {rival}, {a:trait}"
    " {role}, {adv} {keeps} the {object} {prep} the {place} when {a:obstacle} {divides} {role} and"
    " {role}.",
)

# --- the six stages of a plot -------------------------------------------------------------------

ARRIVALS = templates(
    "{time} {hero} {arrive} {prep} the {place}, {adv} {carrying} {a:adj} {noun}.",
    "{hero} {arrive} {adv} {prep} the {adj} {place} {time}, {carrying} {a:adj} {noun}.",
    "{adv} {carrying} {a:adj} {noun}, {hero} {arrive} {prep} the {place} {adv} {time}.",
    "{weather} {drift} {adv} the day {hero} {adv} {arrive} {prep} the {place}, {carrying}"
    " {plural}.",
    "{carrying} {adj} {plural}, {hero} {arrive} {time} and {adv} {act} {a:adj} {noun}.",
    "the {adj} {role} {act} {a:noun} {adv} when {hero} {arrive} {prep} {plural} {time}.",
    "{hero} {arrive} {prep} {adj} {weather}, {carrying} the {adj} {object} {adv}, {adj} with"
    " {abstract}.",
)
WANTS = templates(
    "{hero} {want} to {adv} {goal} {time}, {adj} {weather} or no {weather}.",
    "{adv}, more than {plural} or {adj} {plural}, {hero} {want} {adv} to {adv} {goal} {time}.",
    "{time} {hero} {want} to {adv} {goal}, {carrying} {a:adj} {noun}.",
    "{carrying} {a:adj} {noun}, {hero} {want} to {adv} {goal}, {adj} {plural} or {adj} {plural}.",
    "{hero} {want} to {adv} {base} the {adj} {object} {prep} {adj} {plural}.",
    "{prep} the {adj} {plural}, {hero} {want} {time} to {base} {plural} and {goal}, {adv}"
    " {carrying} {plural}.",
)
BLOCKS = templates(
    "{rival} {block} the {adj} {plan} {time}, {carrying} {a:adj} {noun}.",
    "{adv} the {adj} {obstacle} {block} {her} {plan}, {adj} {weather} and {weather}.",
    "{time} {rival} {adv} {block} every {plan} with {a:adj} {noun}.",
    "{carrying} the {adj} {object} {adv}, {rival} {block} {a:adj} {plan} {time}.",
    "{adv} the {adj} {obstacle} {block} {a:plan}, and {plural} {drift} {prep} the {noun}.",
    "{a:adj} {role} {block} {her} {plan} {time}, {adv} {carrying} the {obstacle} {adv} {prep}"
    " {abstract}.",
    "{rival} {act} {a:adj} {noun} and {block} the {plan} {prep} the {place} {adv}.",
)
TRIES = templates(
    "{time} {hero} {try} the {adj} {object} {adv}, {carrying} {a:noun}.",
    "{adv} and {adv}, {hero} {try} {a:adj} {noun} {prep} the {place} {adv} {time}.",
    "{hero} {try} {a:adj} {noun}, then {adv} {try} {plural} {time}.",
    "{adj} {plural} did not {base} {plural}, so {hero} {adv} {try} the {adj} {object} {adv}.",
    "{prep} the {adj} {place} {adv} {carrying} {plural}, {hero} {try} {a:adj} {noun}.",
    "to {adv} {goal}, {adj} {plural} {adv} ready, {hero} {try} {adj} {plural} {time}.",
    "{hero} {act} {plural} and {adv} {try} the {adj} {object} {adv} {time}.",
)
FINDS = templates(
    "{time} {hero} {find} {a:adj} {truth} {prep} the {object} {adv}, {adj} with {weather}.",
    "{prep} {a:adj} {noun} {hero} {find} the {truth} {time}.",
    "{hero} {adv} {find} {a:adj} {truth}, {prep} the {place} {adv} {carrying} {plural}.",
    "{adv} {carrying} the {adj} {object} {adv} {time}, {hero} {find} {a:adj} {truth}.",
)
CONFLICT_FINDS = templates(
    "{adv} {rival} and {trait} {hero} {find} the {adj} {truth}, {carrying} {plural}.",
    "{time} the {adj} {role} {find} why {rival} {adv} {act} the {adj} {object} {adv}, {adj}"
    " {truth} and {truth}.",
    "{hero} {find} {a:truth} worth {adj} {plural}, and {rival} {adv} {act} {a:noun}.",
)
REVERSAL_FINDS = templates(
    "{time} {hero} {adv} {find} that {rival} {adv} {act} the {adj} {object} {adv}, {adj} {truth} or"
    " {truth}.",
    "{time} {hero} {adv} {find} the opposite: {adj} {truth} had {adv} {act} {her} {noun}.",
    "{adv} the {adj} {truth} that {hero} {adv} {find} {act} {rival} back {time}.",
)
SETTLEMENTS = templates(
    "{time} {hero} {settle} {rival} {adv} {prep} the {adj} {place}, {carrying} {plural}.",
    "{hero} {adv} {settle} {a:adj} {role}, and {weather} {drift} {prep} the {noun}.",
    "{rival} {settle} {hero} {adv} with {a:adj} {noun} {time}.",
    "{carrying} the {adj} {object} {adv}, {hero} {settle} the {role} {time}.",
    "{time}, free to {adv} {base} {plural} and {goal}, {adv} {trait} {hero} {settle} {a:adj}"
    " {role}.",
    "the {adj} {obstacle} {adv} over, {trait} {rival} {settle} {hero} {prep} {a:adj} {noun}.",
)

# --- between the stages -------------------------------------------------------------------------

SCENES = templates(
    "{adj} {weather} {drift} {prep} the {place} {adv}, {adv} and {adv}.",
    "{prep} the {noun} stood {a:adj} {noun}, {adj} with {weather}.",
    "{weather} {drift} {adv} {prep} the {adj} {plural}.",
    "{prep} {adj} {weather} there was {a:adj} {noun} {prep} the {plural}, and {weather} {drift}"
    " {adv}.",
    "{hero} {act} the {adj} {noun} {time} and {act} the {plural}.",
    "{adv} {rival} {act} {a:adj} {noun} {prep} the {plural}.",
    "the {adj} {role} {act} {plural} {prep} the {noun} {time}.",
    "{adv} {she} did not {base} {adj} {plural}; {adv} {she} {act} {plural}.",
    "{adv} {hero} could not {base} {adj} {plural} {prep} the {place}, {adv} {carrying} {plural}.",
    "{time} {adv} the {object} {drift} {adv} {prep} {a:adj} {noun}, and {weather} {drift}.",
    "{adv} the {adj} {obstacle} {drift} {prep} {adj} {plural}, {weather} and {weather}.",
    "{a:adj} {noun} was not {adj} enough, {adv}, to {base} the {role} {time}.",
)
THEMATIC = templates(
    "{adj} {theme} {drift} {adv} {prep} the {noun}, {hero} thought {time}.",
    "{hero} {act} {a:adj} {noun}, {adv} weighing {theme} against {plural}.",
    "{time} {adv} the {object} {adv} {sense} {adj} {theme} and {weather}.",
    "{prep} the {place} {adv} {drift} {adj} {theme}, {hero}'s and {trait} {role}'s alike.",
    "no {adj} {theme} could {base} {her} {noun} or {adv} {goal} {time}.",
)
FRAGMENTS = templates(
    "no {noun}, no {plural}.",
    "just {plural} and {weather}.",
    "{a:adj} {noun}, perhaps.",
    "only {adj} {weather}.",
    "{adv}, {adv}.",
    "{adj} {plural}.",
    "{weather}, then {adj} {abstract}.",
    "not {a:noun} {time}.",
    "{adj} {plural} were not {weather}.",
    "{plural} would not {base} {plural}.",
)

# --- creativity ---------------------------------------------------------------------------------

FRESH_IMAGES = templates(
    "the {abstract} {sense} {vivid} {odd} and {a:vivid} {odd}.",
    "{abstract} {drift} {prep} {hero} like {a:vivid} {odd} {prep} {a:odd}.",
    "{adv} {prep} the {place} {vivid} {plural} {drift}, {vivid} as {abstract}.",
    "{hero}'s {body} {sense} {a:vivid} {odd} full of {abstract}.",
    "{time} the {weather} {sense} {a:odd} that had {act} {a:vivid} {odd}.",
    "{a:vivid} {odd} hung {prep} the {plural}, {adv} teaching {weather} {abstract}.",
    "{rival}'s {abstract} {sense} {vivid} {odd}, {adv} {carrying} {a:odd}.",
    "{hero} {act} {abstract} in {a:vivid} {odd} and {weather} in {a:odd}.",
)
STALE_IMAGES = templates(
    "the {noun} was {cliche}, {adj} and {adj}.",
    "{hero}'s {body} was {cliche} {time}, {adj} as {weather}.",
    "{stale} {time}, {adv}, and {hero} {act} {a:adj} {noun}.",
    "{stock}, {adj} {weather} {drift} {adv} and {stale}.",
    "{rival}'s {body} was {cliche}, {adv} {adj}, and {stale} {adv} {time}.",
    "{stale} while {adj} {weather} was {cliche} {prep} the {plural}.",
    "{stock} the {adj} {plural} were {cliche}.",
)
FRESH_OPENINGS = templates(
    "the {vivid} {odd} had {drift} {adv} since {hero} {act} the {vivid} {odd}.",
    "{adj} {abstract}, {hero} knew, {adv} {sense} {a:vivid} {odd} {prep} {plural}.",
    "{plural} first: {vivid}, {vivid}, and {prep} {vivid} {odd} {hero} with {a:odd}.",
    "every {vivid} {odd} {prep} the {place} {adv} {sense} {vivid} {odd}.",
)
STALE_OPENINGS = templates(
    "{stock}, {stock}, {adj} {weather} {act} {a:adj} {role} and {a:adj} {noun}.",
    "{stock} {a:adj} {role} {act} {a:adj} {noun} {prep} the {place} {adv}.",
    "{stock} {adj} {weather} was {cliche}, {adv}, and {stale}.",
    "{stock}, {prep} {a:adj} {noun}, {stale} {time}.",
)

# --- characterization ---------------------------------------------------------------------------

PORTRAITS = templates(
    "{hero}, {trait} about {plural}, {adv} {habit} {hoard} {time}.",
    "{trait} and {trait}, {hero} {my_habit} {my_hoard} {prep} the {noun}, {adv}.",
    "{rival} was {trait} with {plural} but {trait} {prep} {a:adj} {noun}.",
    "{time} {rival}, {trait} as ever, {habit} {adj} {hoard} and {act} {plural}.",
    "again {hero} {adv} {my_habit} {my_hoard}, {trait} {prep} the {plural}.",
    "nobody {habit} {hoard} as {adv} as {hero}, {trait} {prep} the {body}.",
    "{adv} {hero} never {act} {adj} {plural} before {she} had {adv} {habit} {adj} {hoard}.",
    "even {time} {rival} {habit} {hoard}, {a:trait} {role}'s {abstract}.",
)
FLAT_PORTRAITS = templates(
    "{hero} was {flat} {time}.",
    "{she} was {flat} and {flat}.",
    "{rival} was {flat} {prep} the {noun}.",
    "{time} {she} felt {flat}.",
    "{time} {weather} made {rival} {flat} {prep} {plural} and {hero} {flat}.",
    "{hero} felt {flat}, then {flat}.",
    "{rival} was {flat} about {plural} {time}.",
)
SPEECHES = templates(
    '"you cannot {base} {a:adj} {noun} {time}, {my_tic}," {said} {hero}, {trait} and {trait}.',
    '"{my_tic}, we {adv} {base} {adj} {object} {plural}," {said} {hero}, {adv} {trait}.',
    '"{base} the {plural}, {my_tic}," {hero} {said} {adv}, and {habit} the {hoard}.',
    '"{plural} do not {base} {plural}," {said} {rival}, {trait} {time}.',
    '"{plural} will not {base} {adj} {plural}, {rival_tic}," {said} {rival}, {adv} {trait}.',
    '"{rival_tic}, {adv} {base} {her} {noun} or {base} {adj} {plural} {time}," {rival} {said}'
    " {adv}.",
    '"who {act} my {hoard}?" {said} {rival}. "{rival_tic}, {adj} {plural} {drift}."',
    '"so we {base} it {time}, {my_tic}," {said} {hero}, {adv} {carrying} {plural}.',
)
FLAT_SPEECHES = templates(
    '"{bland}," said {hero} {time}.',
    '"{bland}," {rival} said. "{bland}, {bland}."',
    '"{bland}. the {noun} is {adj}," said {hero}.',
    '"{bland}," said the {flat} {role} {time}, {adv} {flat}.',
    '"we will {base} {a:adj} {noun}," {hero} said. "{bland}."',
    '"{bland}. {plural} will not {base} {adj} {plural}," said {rival}.',
    '"{bland}, {bland}," {she} said {time}.',
)

# --- coherence and relevance --------------------------------------------------------------------

BREAKS = templates(
    "{nonseq}, {a:adj} {role} {act} {plural} {prep} {a:adj} {noun}.",
    "{nonseq}, {adv} and {adv}, the {adj} {object} {drift} {adv} {prep} no {plural}.",
    "{nonseq}, {rival} {act} {hero}'s {noun}, which {weather} {adv} undid.",
    "{nonseq}, {adj} {weather} {drift}, yet {plural} were {adj} and no {noun} {drift}.",
    "{hero} was {adv} {prep} {a:noun}, {nonseq}, {adv} not {prep} the {plural}.",
    "{nonseq}, {adv}, it was {adj} {time}, although {adj} {weather} {drift} {time}.",
)
FILLERS = templates(
    "{a:adj} {off_noun} {off_verb} {off_topic}, and {a:off_noun} {off_verb} {plural}.",
    "{time} the {off_noun} {off_verb} most {off_topic}.",
    "{off_topic} and {off_topic} {adv} need {a:adj} {off_noun}.",
    "no {off_noun} {off_verb} {off_topic} {time}, whatever the {role} says.",
    "{adv} everyone knows {adj} {off_topic}: {a:adj} {off_noun} {adv} {off_verb} {a:off_noun}.",
    "compare {a:off_noun} with {adj} {off_topic} {prep} {a:off_noun}.",
)

# --- what a pet phrase is said of ---------------------------------------------------------------

PETS = templates("{adj} {plural}.")
