import pytest

from storyaudit.text.language_guess import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("很久以前，有一个人。", "zh"),
        ("很久以前，有一个人叫Tom。", "zh"),  # 9 Han letters of 12
        ("龍門客棧", "zh"),
        ("这家店叫“鲜の美”，开在城东的一条老街上。", "zh"),  # 1 kana of 17 letters
        ("昔々、あるところに", "ja"),
        ("カタカナ", "ja"),
        ("옛날 옛적에", "ko"),
        ("Once upon a time", "und"),
        ("Жил-был царь", "und"),
        ("She wrote 你好 on the wall.", "und"),
        ("", "und"),
        ("123 …", "und"),
        ("𠀀𠀁", "zh"),  # beyond the basic plane
    ],
)
def test_a_language_is_told_by_its_script_or_not_at_all(text, language):
    assert guess_language(text) == language
