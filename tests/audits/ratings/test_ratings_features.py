import pandas as pd
import pytest

from audits.ratings.texts.visible_features import FEATURES, features


def of(text: str, encoding: str = "ascii") -> dict[str, object]:
    stories = pd.DataFrame({"story_id": ["s"], "text": [text], "encoding": [encoding]})
    return dict(features(stories).loc["s"])


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        ("line_ends", "a\r\nb\r\n", "CRLF"),
        ("line_ends", "a\nb", "LF"),
        ("line_ends", "a\rb", "CR"),
        ("line_ends", "a\r\nb\nc", "CRLF and LF"),
        ("line_ends", "a", "none"),
        ("line_ends_at_end", "a", "0"),
        ("line_ends_at_end", "a\r\n", "1"),
        ("line_ends_at_end", "a\n\n\n\n", "3 or more"),
        ("paragraphs", "One.\n\nTwo.\n\n\nThree.\n", "blank lines"),
        ("paragraphs", "One.\nTwo.", "line ends"),
        ("paragraphs", "One.\n\nTwo.\nThree.", "both"),
        ("paragraphs", "One.\n \nTwo.", "blank lines"),
        ("paragraphs", "\n\nOne.\n\n", "one paragraph"),
        ("quotes", "“No,” he said. “Yes.”", "curly double"),
        ("quotes", "‘No,’ he said. ‘It isn’t.’", "curly single"),
        ("quotes", '"No," he said.', "straight double"),
        ("quotes", "'No,' he said. 'Yes.'", "straight single"),
        ("quotes", "It isn't; they're not.", "none"),
        ("quotes", "It isn’t; they’re not.", "none"),
        ("quotes", 'A 6" nail', "none"),
        ("apostrophes", "It isn’t.", "curly"),
        ("apostrophes", "It isn't.", "straight"),
        ("apostrophes", "It isn't, it isn’t.", "both"),
        ("apostrophes", "‘No.’", "none"),
        ("dash", "a—b", "em"),
        ("dash", "a – b – c—d", "en"),
        ("dash", "a -- b", "double hyphen"),
        ("dash", "well-known", "none"),
        ("title", "The Fall of the Valve\n\nIgnatius rose.", "yes"),
        ("title", "Ignatius rose.\n\nHe fell.", "no"),
        ("title", "“Mother!”\n\nHe fell.", "no"),
        ("title", "No more than this", "no"),
        ("ends_with_the_end", "He fell.\n\nThe End.\n", "yes"),
        ("ends_with_the_end", "That was the end of him.", "no"),
        ("words", "Ignatius didn’t rise.", 3),
    ],
)
def test_a_feature(feature: str, text: str, expected: object) -> None:
    assert of(text)[feature] == expected


def test_the_encoding_is_as_given_or_unknown() -> None:
    assert of("é", "cp1252")["encoding"] == "cp1252"
    without = features(pd.DataFrame({"story_id": ["s"], "text": ["a"]}))
    assert without.loc["s", "encoding"] == "unknown"


def test_there_is_a_row_a_story_and_a_column_a_feature() -> None:
    table = features(pd.DataFrame({"story_id": ["s2", "s1"], "text": ["", "a b"]}))
    assert list(table.index) == ["s2", "s1"]
    assert list(table.columns) == [*FEATURES, "words"]
    assert table["words"].tolist() == [0, 2]
