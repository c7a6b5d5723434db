import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_data import real_path

from storyaudit.text.detokenize import detokenise

REAL = real_path()


def tokenise(text: str) -> str:
    """Part words and marks as the Penn Treebank's rules do (R. MacIntyre's script, shortened)."""
    rules = (
        (r'^"', "`` "),
        (r'([ (\[{])"', r"\1`` "),
        (r"\.\.\.", " ... "),
        (r"([,;:@#$%&])", r" \1 "),
        (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
        (r"(?<=[a-z\"])(\.)(?= [A-Z`])", r" \1 "),
        (r"([?!])", r" \1 "),
        (r"([\]\[(){}<>])", r" \1 "),
        (r'"', " '' "),
        (r"([^' ])('s|'m|'d|'ll|'re|'ve|n't)\b", r"\1 \2"),
        (r"\b(gon|wan)(na)\b", r"\1 \2"),
    )
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "He didn't know it, but she'd left.",
        '"Don\'t go," he said. "It\'s raining; we\'re late!"',
        "I'm gonna tell (if I can) what they've seen...",
        "The dog's bone cost $5, and 95% of it was gone.",
        'She asked: "Why?" Nobody answered.',
        "You'll see! You wouldn't? Fine.",
    ],
)
def test_what_a_tokeniser_parts_is_joined_again(text):
    assert tokenise(text) != text
    assert detokenise(tokenise(text)) == text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("do n't", "don't"),
        ("DO N'T", "DON'T"),
        ("do n’t", "don’t"),
        ("`` Hello , '' he said .", '"Hello," he said.'),
        ("the dogs ' bones", "the dogs' bones"),
        ("a - b -- c", "a - b -- c"),
        ("a .45 at 3 : 30", "a .45 at 3: 30"),
        ("he can not stop", "he can not stop"),
        ("one\n\n`` Two ''", 'one\n\n"Two"'),
        ("got ta go", "gotta go"),
        ("", ""),
    ],
)
def test_single_rules(tokens, text):
    assert detokenise(tokens) == text


@given(st.text(alphabet="ab n't's`',.!()[] \n$5%ABé雨", max_size=30))
def test_only_spaces_go_and_quotes_change(tokens):
    text = detokenise(tokens)

    def bare(of):
        return of.replace("``", '"').replace("''", '"').replace(" ", "")

    assert bare(text) == bare(tokens)
    assert text.count("\n") == tokens.count("\n")


@pytest.mark.parametrize("run", [" ", ".", " .", "'", "``", "( ", "\n"])
def test_long_runs_take_no_more_than_their_length(run):
    text = f"a{run * 100_000}b"
    assert detokenise(text).startswith("a") and detokenise(text).endswith("b")


@given(st.lists(st.sampled_from(["do", "n't", "``", "''", ",", "(", ")", "...", "'s", "He"])))
def test_text_put_right_does_not_change_again(tokens):
    once = detokenise(" ".join(tokens))
    assert detokenise(once) == once


@pytest.mark.real
@pytest.mark.skipif(not (REAL / "mops").is_dir(), reason=f"MoPS is not at {REAL}")
def test_real_premises_of_writing_prompts() -> None:
    """MoPS has 100 of them, tokenised as they were released."""
    lines = (REAL / "mops/stories/writingPrompts.jsonl").read_text(encoding="utf-8").splitlines()
    premises = [json.loads(line)["premise"] for line in lines]
    apart = re.compile(r" n't\b| '(?:s|re|ve|ll|d|m)\b|``|''|[ ][,.;:?!)](?:\s|$)|\( ")
    assert len(premises) == 100 and sum(bool(apart.search(text)) for text in premises) > 90
    assert not [text for text in map(detokenise, premises) if apart.search(text)]
