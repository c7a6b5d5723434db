import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_data import real_path

from storyaudit.layouts.story_files import read_story_files
from storyaudit.text.cleaning import (
    STEPS,
    clean_story,
    drop_task_sentence,
    drop_title,
    space_paragraphs,
)

REAL = real_path("confederacy")

STORY = "It rained for a week.\n\nThen it stopped."


@pytest.mark.parametrize(
    "line",
    [
        "Here is a story about rain:",
        "Here's my attempt at an epic narration of rain:",
        "Sure! Here is a short story for you:",
        "Certainly, I'd be happy to help! Here’s a tale based on the prompt:",
        "Below is the story you asked for:",
        "I've written a piece for you:",
        "以下是一个关于雨的故事：",
        "好的，下面是您要的小说：",
        "这是一篇夸张风格的史诗叙述:",
    ],
)
def test_an_announcement_of_the_story_goes(line):
    assert drop_task_sentence(f"{line}\n\n{STORY}") == STORY
    assert drop_task_sentence(f"{line}  \n{STORY}") == STORY


def test_an_announcement_may_be_told_by_the_premise():
    text = f"Here is a rainy week in Lisbon:\n\n{STORY}"
    assert drop_task_sentence(text) == text
    assert drop_task_sentence(text, premise="A rainy week in Lisbon.") == STORY
    assert drop_task_sentence(text, premise="A dragon guards its golden treasure.") == text
    # Half of the longer words (rainy, week, Lisbon of six) are enough, three of seven are not.
    half = "A rainy week for sailors in the city harbour of Lisbon"
    assert drop_task_sentence(text, premise=half) == STORY
    assert drop_task_sentence(text, premise=f"{half} with dragons") == text


@pytest.mark.parametrize(
    "text",
    [
        STORY,
        "He said:\n\n“Here is the story.”",
        "Here is where it happened.\n\nIt rained.",
        "This is the story of a girl who cried a river.\n\nShe was nine.",
        "Here is the story of how I drowned: slowly.\n\nIt rained.",
        "It rained. Here is a story:\n\nIt stopped.",
        "Oh, the improbable tale of the rain!\n\nIt fell.",
        "这是我的城市。\n\n下雨了。",
        "",
    ],
)
def test_a_story_that_only_begins_alike_stays(text):
    assert drop_task_sentence(text) == text


@pytest.mark.parametrize(
    "line",
    [
        "# The Rain",
        "**The Rain**",
        "Title: when it rained",
        "标题：雨",
        "《雨》",
        "The Long Rain of Lisbon",
        "THE RAIN",
        "最后一场雨",
    ],
)
def test_a_title_goes(line):
    assert drop_title(f"{line}\n\n{STORY}") == STORY


@pytest.mark.parametrize(
    "line",
    [
        "It rained for a week.",
        "It rained for a week",  # no title case
        "“Rain”",
        "Rain, Again,",
        "下雨了。",
        "Chapter One",
        "CHAPTER 1: Rain",
        "第一章 雨",
        "1",
        "***",
        "One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen",
    ],
)
def test_a_first_line_that_is_no_title_stays(line):
    text = f"{line}\n\n{STORY}"
    assert drop_title(text) == text


def test_a_bare_title_needs_an_empty_line_below():
    assert drop_title("The Rain\nIt fell.") == "The Rain\nIt fell."
    assert drop_title("The Rain\n  \nIt fell.") == "It fell."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\nc", "a\n\nb\n\nc"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("a \n \t\nb\t", "a\n\nb"),
        ("verse one\nverse two\n\n\nverse three", "verse one\nverse two\n\nverse three"),
        ("\n a\n", "a"),
        ("", ""),
    ],
)
def test_paragraphs_are_parted_by_one_empty_line(text, expected):
    assert space_paragraphs(text) == expected


@given(st.text(alphabet="aB .:\n\t#雨。", max_size=40))
def test_spacing_keeps_every_word_and_settles_at_once(text):
    spaced = space_paragraphs(text)
    assert spaced.split() == text.split()
    assert space_paragraphs(spaced) == spaced
    assert "\n\n\n" not in spaced and " \n" not in spaced


@given(st.text(alphabet="aB .:\n#*雨。", max_size=40), st.text(max_size=10))
def test_cleaning_only_takes_from_the_front_and_leaves_something(text, premise):
    cleaned = clean_story(text, premise=premise)
    assert set(cleaned.steps) <= set(STEPS)
    assert "".join(text.split()).endswith("".join(cleaned.text.split()))
    assert bool(cleaned.text.strip()) == bool(text.strip())
    assert (cleaned.text == text) == (not cleaned.steps)


@pytest.mark.parametrize("run", [" ", ".", ": ", "# ", "*", "《", "\t", "Here is a story: "])
def test_long_runs_take_no_more_than_their_length(run):
    for text in (f"a{run * 100_000}b", run * 100_000 + "b", f"Here is{run * 100_000}b\n\nc"):
        assert clean_story(text).text.rstrip().endswith(text[-1])


def test_the_steps_that_changed_a_story_are_named():
    text = f"Sure! Here is a story:\n\nThe Rain\n\n{STORY}"
    assert clean_story(text) == (STORY, ("task_sentence", "title"))
    assert clean_story(STORY) == (STORY, ())
    assert clean_story("The Rain\n\n") == ("The Rain", ("paragraphs",))


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the released texts are not at {REAL}")
def test_stories_that_were_preprocessed_lose_nothing_more() -> None:
    """The 65 rated stories went through the paper's first two steps, by hand."""
    texts = read_story_files(REAL / "stories")["text"].str.replace("\r\n", "\n").str.strip()
    steps = [clean_story(text).steps for text in texts]
    assert len(steps) == 65
    assert not any({"task_sentence", "title"} & set(found) for found in steps)
    # The third step left some: two empty lines, spaces before a line's end, no empty line at all.
    uneven = [
        "\n\n\n" in t or " \n" in t or "\t\n" in t or ("\n" in t and "\n\n" not in t) for t in texts
    ]
    assert [("paragraphs" in found) for found in steps] == uneven


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the released texts are not at {REAL}")
def test_raw_stories_lose_their_announcements() -> None:
    """Of the later stories, released as the models wrote them, Claude 2's five announce one."""
    stories = read_story_files(REAL / "later-llms").set_index("file_name")["text"]
    texts = stories.drop("llama2-info.txt").str.replace("\r\n", "\n")
    assert len(texts) == 20
    announced = [name for name, t in texts.items() if "task_sentence" in clean_story(t).steps]
    assert announced == [f"claude2-2023-07-11-{number}.txt" for number in range(1, 6)]
    assert not any("title" in clean_story(text).steps for text in texts)
