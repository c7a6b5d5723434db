import pytest

from storyaudit.errors import InputError
from storyaudit.io.yaml_file import read_yaml


def levels(first, of_ten):
    """A document in which each of 30 levels holds the one before ten times."""
    rest = [f"a{n}: &a{n} {of_ten(', '.join([f'*a{n - 1}'] * 10))}" for n in range(1, 30)]
    return "\n".join([f"a0: &a0 {first}", *rest])


BOMB = levels("[x]", lambda ten: f"[{ten}]")
MERGES = levels("{k: v}", lambda ten: f"{{<<: [{ten}]}}")


def write(folder, content):
    path = folder / "x.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("a: 1\nb: [x, 0.6, true, null]\n", {"a": 1, "b": ["x", 0.6, True, None]}),
        ("\ufeffa: é\r\nb: 2\r\n", {"a": "é", "b": 2}),
        ("a: {x: 1}\nb: {x: 1}\n", {"a": {"x": 1}, "b": {"x": 1}}),
        ("- &a {x: 1}\n- *a\n", [{"x": 1}, {"x": 1}]),
        ("", None),
    ],
)
def test_reads_plain_yaml(tmp_path, text, content):
    assert read_yaml(write(tmp_path, text)) == content


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "a: b: c",
        "\tx",
        "a: 1\n---\nb: 2",
        "a: *nowhere",
        "a: 2024-13-45",  # no date
        "a: !!timestamp x",
        "a: !!bool x",
        "a: !!int x",
        "a: 0b_",
        "a: !!python/object/apply:os.getcwd []",
        "[a]: 1",
        "{a: 1}: 1",
        "seed: 1\nseed: 2",
        "x: {a: 1, b: 2, a: 3}",
        "a: &a {x: 1}\nb: {<<: *a}",
        MERGES,
        "[" * 10_000,
        "a: " + "1" * 5_000,
        "a: \0",
        "a: é".encode("latin-1"),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_plain_yaml_is_bad_input_in_one_line(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_yaml(path)
    assert error.value.file == path
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("seed: 1\nstudy: x\nseed: 2\n", "'seed' stands twice.*line 3"),
        ("a: &a {x: 1}\nb: {<<: *a}", "'<<' .* is a merge.*line 2"),
    ],
)
def test_says_where_the_fault_is(tmp_path, text, fault):
    with pytest.raises(InputError, match=fault):
        read_yaml(write(tmp_path, text))


def test_aliases_are_not_copied(tmp_path):
    content = read_yaml(write(tmp_path, BOMB))  # 10^29 entries if they were
    assert content["a29"][0] is content["a29"][9] is content["a28"]
