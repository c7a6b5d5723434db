"""The key appears nowhere, whatever the endpoint does with it."""

import logging
import traceback

import pytest
from chat_server import KEY, Reply, completion, failure
from model_samples import endpoint, question

from storyaudit.errors import InputError
from storyaudit.llm.endpoint import connect
from storyaudit.llm.record import read_record
from storyaudit.llm.recorder import record

ECHOES = {
    "answer": completion(f"your key is {KEY}, {KEY}!", model=KEY, finish=KEY),
    "escaped": Reply(
        body=b'{"choices": [{"message": {"content": "'
        + "".join(f"\\u{ord(letter):04x}" for letter in KEY).encode()
        + b'"}}]}'
    ),
    "refusal": completion(None, refusal=f"no {KEY}"),
    "cut off": completion(f"{KEY[:4]} {KEY}", finish="length"),
    "malformed": completion(f"bad {KEY}"),
    "filter": failure(400, f"filtered {KEY}", code="content_filter"),
    "bad request": failure(400, f"wrong {KEY}"),
    "unauthorised": failure(401, f"Incorrect API key provided: {KEY}."),
    "not found": failure(404, KEY, code=KEY),
    "busy": failure(429, KEY, retry_after="1"),
    "quota": failure(429, KEY, code="insufficient_quota"),
    "error": Reply(500, KEY.encode(), kind=KEY),
    "type": Reply(body=b"{}", kind=f"text/{KEY}"),
    "elsewhere": Reply(302, headers={"location": f"/{KEY}"}),
    "no answer": Reply(body={"error": {"message": KEY}}),
    "strange": Reply(body={"choices": [{"message": {"content": {KEY: KEY}}}]}),
    "broken": Reply(body=b'{"choices": "' + KEY.encode()),
}


@pytest.mark.parametrize("echo", ECHOES)
def test_the_key_is_in_no_file_message_log_or_trace(server, tmp_path, caplog, capfd, echo):
    caplog.set_level(logging.DEBUG)
    server.behave = lambda *_: ECHOES[echo]
    parameters = endpoint(base_url=server.url, retries=1)
    ask = connect(parameters, {"OPENAI_API_KEY": KEY})
    shown = [repr(parameters), repr(ask), parameters.model_dump_json()]
    try:
        results = record(
            [question("a"), question("b")],
            tmp_path / "record",
            ask,
            parameters,
            attempts=2,
            progress=lambda progress: shown.append(repr(progress)),
            say=shown.append,
            pause=lambda _: None,
        )
        shown.append(repr(results))
    except InputError as error:
        shown += [str(error), "".join(traceback.format_exception(error))]
        cause: BaseException | None = error
        while cause := cause.__cause__ or cause.__context__:  # suppressed ones, too
            shown.append(repr(cause))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"  # it was sent
    printed = capfd.readouterr()
    everything = [*shown, caplog.text, printed.out, printed.err]
    everything += [file.read_bytes().decode() for file in tmp_path.rglob("*") if file.is_file()]
    assert len(everything) > 5
    assert not [text for text in everything if KEY in text]


def test_what_else_an_answer_says_stays(server, tmp_path):
    server.behave = lambda *_: completion(f"before {KEY} after")
    parameters = endpoint(base_url=server.url)
    ask = connect(parameters, {"OPENAI_API_KEY": KEY})
    record([question("a")], tmp_path / "r", ask, parameters, attempts=1)
    assert [answer.text for answer in read_record(tmp_path / "r").values()] == [
        "before [key] after"
    ]


def test_a_word_that_local_servers_take_for_a_key_is_no_secret(server):
    server.behave = lambda *_: completion("the box was EMPTY")
    ask = connect(endpoint(base_url=server.url), {"OPENAI_API_KEY": "EMPTY"})
    assert ask(question("a").request).text == "the box was EMPTY"
