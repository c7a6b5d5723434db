import pytest
from request_samples import HOSTILE, MODEL, blocks, shown

from pipeline.prompts.prompt import part
from pipeline.requests.premises import (
    SEED_KINDS,
    back_generation_question,
    premise_question,
    seed_question,
)
from pipeline.requests.writing import (
    DEGRADATIONS,
    continuation_questions,
    rewriting_question,
    story_question,
)
from storyaudit.llm.question import MalformedError


@pytest.mark.parametrize("kind", SEED_KINDS)
def test_a_seed_and_its_premise(kind):
    seed = seed_question("loss $x", kind, MODEL, language="Chinese", sample=2)
    prompt = shown(seed)
    assert blocks(prompt) == {"theme": "loss $x"}
    assert f"is a {kind}" in prompt
    assert part(f"seed-{kind}") in prompt
    assert "Write it in Chinese" in prompt
    assert seed.request.sample == 2
    assert seed.parse("<seed>Two want it.</seed>") == "Two want it."

    premise = premise_question("loss", kind, "Two want it.", MODEL)
    assert blocks(shown(premise)) == {"theme": "loss", "seed": "Two want it."}
    assert f"the seed's {kind}" in shown(premise)
    assert premise.parse("<premise>A town.</premise>") == "A town."


def test_a_premise_back_from_two_stories():
    asked = back_generation_question("pair 7", (HOSTILE[0], HOSTILE[1]), MODEL)
    assert blocks(shown(asked)) == {"story 1": HOSTILE[0], "story 2": HOSTILE[1]}
    assert asked.parse("<premise>P</premise>") == "P"
    with pytest.raises(MalformedError):
        asked.parse("P")


def test_samples_of_one_premise_differ_in_nothing_but_their_number():
    asked = [story_question("p1", "A town.", MODEL, words=900, sample=n) for n in range(16)]
    assert len({question.request.key for question in asked}) == 16
    assert len({question.request.seed_sent for question in asked}) == 16
    assert len({shown(question) for question in asked}) == 1
    assert "about 900 words" in shown(asked[0])
    assert blocks(shown(asked[0])) == {"premise": "A town."}
    assert asked[0].parse("<story>\nOnce.\n\nTwice.\n</story>") == "Once.\n\nTwice."


@pytest.mark.parametrize("degradation", DEGRADATIONS)
def test_a_rewriting_degrades_one_thing(degradation):
    asked = rewriting_question("s1", "A town.", "It was $cold.", degradation, MODEL)
    prompt = shown(asked)
    assert blocks(prompt) == {"premise": "A town.", "story": "It was $cold."}
    assert [kind for kind in DEGRADATIONS if part(f"degradation-{kind}") in prompt] == [degradation]
    assert asked.parse("<story>It was cold.</story>") == "It was cold."
    with pytest.raises(MalformedError, match="unchanged"):
        asked.parse("<story>\nIt  was\n$cold.</story>")


def test_continuations_differ_in_the_guidance_alone():
    guided, unguided = continuation_questions(
        "s1", "A town.", "It was cold", "and it snowed.", MODEL, words=300
    )
    shared = {"premise": "A town.", "opening": "It was cold"}
    assert blocks(shown(unguided)) == shared
    assert blocks(shown(guided)) == {**shared, "a person's continuation": "and it snowed."}
    marks = [shown(q).partition("the mark ")[2][:12] for q in (guided, unguided)]
    start, end = (f"----- {e}a person's continuation [{marks[0]}] -----" for e in ("", "end of "))
    without = shown(guided).replace(f"\n\n{start}\nand it snowed.\n{end}", "")
    without = without.replace(part("continue-guidance") + "\n", "").replace(*marks)
    assert without == shown(unguided)

    assert guided.parse("<story>then rain.</story>") == "then rain."
    with pytest.raises(MalformedError, match="unchanged"):
        guided.parse("<story>and it snowed.</story>")
    assert unguided.parse("<story>and it snowed.</story>") == "and it snowed."


def test_questions_say_for_people_what_they_are_about():
    names = [
        seed_question("x" * 500, "conflict", MODEL).name,
        story_question("p1", "A town.", MODEL, words=9, sample=1).name,
        rewriting_question("s1", "p", "s", "plot", MODEL).name,
        *(q.name for q in continuation_questions("s2", "p", "o", "h", MODEL, words=9)),
    ]
    assert all(len(name) < 80 for name in names)
    assert names[1:] == [
        "story 2 of m for p1",
        "rewriting (plot) of s1",
        "guided continuation of s2",
        "unguided continuation of s2",
    ]
