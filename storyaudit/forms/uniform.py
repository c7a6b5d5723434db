"""One format for every story that annotators judge, so that it does not betray the author.

Programs differ in habits that a reader learns within an hour: language models write curly quotes,
'—' and '…', headings and an opening line; people write straight quotes, '--' and '...'; platforms
indent by two wide spaces. What is changed here is format only: no word is added or replaced, and
none is taken away but those around the story.
"""

import html
import unicodedata

import regex

from storyaudit.text.cleaning import clean_story
from storyaudit.text.detokenize import detokenise

SCENE_BREAK = "* * *"

_DOUBLE = "“”„‟«»″〝〞〟＂❝❞「」｢｣"
_SINGLE = "‘’‚‛′‹›`´＇ʼʹ❛❜『』"
_HYPHEN = "‐‑⁃−﹣－"
_DASH = "‒–—―⸺⸻﹘─━"
_CHARACTERS = str.maketrans(
    dict.fromkeys(_DOUBLE, '"')
    | dict.fromkeys(_SINGLE, "'")
    | dict.fromkeys(_HYPHEN, "-")
    | dict.fromkeys(_DASH, "—")
    | dict.fromkeys("⋯‥", "…")
    | {chr(code): chr(code - 0xFEE0) for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B))}
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF41, 0xFF5B)}
)
"""Quotes, hyphens, dashes, and full-width digits and letters of Chinese keyboards."""

_ENTITY = regex.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});", regex.IGNORECASE)
_BREAK = regex.compile(r"</?(?:br|p|div|newline)\b[^<>\n]{0,80}>|\r\n|[\r\v\f\x85\u2028\u2029]")
_TAG = regex.compile(
    r"</?(?:b|i|u|s|em|strong|span|center)\b[^<>\n]{0,80}>|<\|[a-z_]{1,20}\|>|</?s>"
)
# Nothing that is not seen: controls, marks of direction, tags that can hold a watermark. The
# joiners stay, which shape letters and pictures.
_UNSEEN = regex.compile(
    r"[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]--[\n\t\u200c\u200d]]", regex.VERSION1
)
_SPACES = regex.compile(r"[\p{Zs}\t]+")
_SCENE = regex.compile(r"[ *#~=_•·⁂◇◆○●☆★※—-]+")
_BULLET = regex.compile(r"^(?!\* \* \*$)(?:[-—*•] )+", regex.MULTILINE)
_MARKUP = tuple(
    (regex.compile(pattern, regex.MULTILINE), replacement)
    for pattern, replacement in (
        (r"^(?:> ?)+", ""),
        (r"^#{1,6} ", ""),
        (r"\\([\\*_#~`>\[\]().!-])", r"\1"),
        (r"\[([^\[\]\n]{1,200})\] ?\(https?: ?//[^()\s]{1,400}\)", r"\1"),
        (r"https?: ?//[^\s\"'”’)\]]+|(?<![\w/])/[ru]/\w+(?:/\w+)*/?", ""),
        # Breaks of a scene in the midst of a line, where line ends were lost.
        (r"(?:^| )(?:[*#~=_]{3,}|\*(?: \*){2,}|[-—]{5,})(?= |$)", r"\n\n* * *\n\n"),
        (r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]+?) ?\1(?![\w*])", r"\2"),
        (r"(?<![\w_])(_{1,3})(?=[^\s_])([^_\n]+?) ?\1(?![\w_])", r"\2"),
    )
)
_MARKS = tuple(
    (regex.compile(pattern, regex.MULTILINE), replacement)
    for pattern, replacement in (
        (r"''", '"'),
        (r"-{2,}", "—"),
        (r"(?<=\d)—(?=\d)", "-"),  # a span of years
        (r"(?<=\S) - (?=\S)", "—"),
        (r"(?<=\w)-(?=[\"'?!]|$)", "—"),  # speech cut short
        (r" ?—[— ]*", "—"),
        (r" ?(?:…|\.(?: ?\.)+|。{2,})(?: ?[.。…])*", "…"),
        (r"…(?=[^\W\p{Han}])", "… "),
        (r" (?=[,.;:?!)\]}])", ""),
        (r"(?<=[(\[{]) ", ""),
        # Chinese punctuation typed on a Latin keyboard, and spaces that some programs set.
        (r"(?<=[\p{Han}，。！？；：、]) | (?=[\p{Han}，。！？；：、])", ""),
        (r"(?<=\p{Han}[\"']?),", "，"),
        (r"(?<=\p{Han}[\"']?);", "；"),
        (r"(?<=\p{Han}[\"']?):", "："),
        (r"(?<=\p{Han}[\"']?)\?", "？"),
        (r"(?<=\p{Han}[\"']?)!", "！"),
        (r"(?<=\p{Han}[\"']?)\.(?!\w)", "。"),
        (r"\((?=\p{Han})", "（"),
        (r"(?<=[\p{Han}。！？])\)", "）"),
    )
)
_BYLINE = regex.compile(
    r"\A(?:(?i:(?:written )?by)(?: \p{Lu}[\w.'-]*){1,4}|作者[:：][^\n]{1,20})\n\n"
)
_CLOSING = regex.compile(
    r"(?:the end|fin|end|全文完|全剧终|完|(?:word count|字数)[:： ]*\d[\d,.]*(?: words)?"
    r"|\d[\d,.]* words|edit ?\d*:[^\n]*)",
    regex.IGNORECASE,
)
_WRAPPED_FROM = 40
_SENTENCE_END = tuple(".!?…。！？\"'”’»」』：:;；—*)）")


def uniform(text: str, *, premise: str = "") -> str:
    """Return a story in the one format in which all stories are shown.

    Changed are, and each because one kind of author is known by it:

    - encoding: composed characters (NFC), no invisible ones (controls, direction marks, watermark
      tags), entities and tags of HTML, full-width Latin letters and digits;
    - line ends and white space: one kind of space, one between words, none at a line's ends;
    - paragraphs: every one parted by one empty line; lines wrapped at a fixed width are joined;
    - quotes: straight, also ``「」`` and ``『』`` (their direction is not always determinable);
      dashes: one ``—`` without spaces; ellipses: one ``…``; hyphens and spans of years: ``-``;
    - Chinese: full-width punctuation after a character, no spaces beside one;
    - markup: headings, emphasis, quoted lines, links, bullets, scene breaks in one shape;
    - the frame: a leading sentence that announces the story, a title, a byline, 'The End', a word
      count, an author's note of edits (``storyaudit.text.cleaning`` says what a title is); web
      addresses, and Reddit's forums and users (``/r/name``);
    - spaces of a tokeniser (see ``storyaudit.text.detokenize``).

    Not changed, since it is the story's own: words, spelling, capitals, repeated '!' and '?',
    which quotes (single or double) mark speech, headings of chapters.

    Args:
        text: a story.
        premise: its premise, by which an announcement of the story is recognised.

    Returns:
        The story with ``\\n\\n`` between paragraphs and no other line end; empty if nothing of it
        can be seen.
    """
    story = clean_story(legible(text), premise=premise).text
    for pattern, replacement in _MARKUP:
        story = pattern.sub(replacement, story)
    story = _BYLINE.sub("", story, count=1)
    story = detokenise(story).translate(_CHARACTERS)
    for pattern, replacement in _MARKS:
        story = pattern.sub(replacement, story)
    story = _paragraphs(_SPACES.sub(" ", _BULLET.sub("—", story)))
    return unicodedata.normalize("NFC", _without_closing(story))


def legible(text: str) -> str:
    """Return a text in paragraphs, without what cannot be seen; a premise is shown so."""
    text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    return _paragraphs(_SPACES.sub(" ", text))


def _paragraphs(text: str) -> str:
    """Part paragraphs by one empty line; join lines that a fixed width parted."""
    paragraphs: list[str] = []
    before = ""
    for line in (line.strip() for line in text.split("\n")):
        if line and _SCENE.fullmatch(line):
            if paragraphs and paragraphs[-1] != SCENE_BREAK:
                paragraphs.append(SCENE_BREAK)
            before = ""
            continue
        if line and width(before) >= _WRAPPED_FROM and not before.endswith(_SENTENCE_END):
            paragraphs[-1] += line if is_wide(before[-1]) and is_wide(line[0]) else f" {line}"
        elif line:
            paragraphs.append(line)
        before = line
    while paragraphs and paragraphs[-1] == SCENE_BREAK:
        paragraphs.pop()
    return "\n\n".join(paragraphs)


def is_wide(character: str) -> bool:
    """Return whether a character is as wide as two Latin letters."""
    return unicodedata.east_asian_width(character) in "WF"


def width(line: str) -> int:
    """Return a line's width in Latin letters."""
    return len(line) if line.isascii() else sum(1 + is_wide(character) for character in line)


def _without_closing(text: str) -> str:
    paragraphs = text.split("\n\n")
    while len(paragraphs) > 1 and _closes(paragraphs[-1]):
        paragraphs.pop()
    return "\n\n".join(paragraphs)


def _closes(paragraph: str) -> bool:
    bare = paragraph.strip(" .!*_~—-()[]（）【】")
    return paragraph == SCENE_BREAK or _CLOSING.fullmatch(bare) is not None
