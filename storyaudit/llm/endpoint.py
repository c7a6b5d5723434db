"""Asking an endpoint that speaks OpenAI's chat protocol. Only recording comes here.

The key is read from the environment and stays in this module: what the endpoint says, in answers
or errors, loses it before anybody sees it, and no exception of the client's is passed on, since
they hold the request with its headers.
"""

import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer, NoAnswerError, answer_in, encodable, error_in
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.patience import FailedError, PassingError
from storyaudit.llm.request import Request
from storyaudit.llm.transport import (
    TooLargeError,
    bounding,
    retry_after,
    without_telemetry,
)

if TYPE_CHECKING:
    import httpx2
    import openai

Ask = Callable[[Request], Answer]
_SECRET_FROM = 8
"""Characters from which a key is one: local servers are given 'none' or 'EMPTY'."""


def connect(params: EndpointParams, environ: Mapping[str, str]) -> Ask:
    """Return a function that sends a request once and returns its answer; thread-safe.

    That function raises ``PassingError`` where another try may help, ``FailedError`` where this
    request cannot succeed, and InputError where none can.

    Raises:
        InputError: no key in the environment, or one that cannot be sent; no package 'openai'.
    """
    key = _key(params, environ)
    try:
        import httpx2
        import openai
    except ImportError:
        raise InputError(
            "recording needs the package 'openai'.", "Install it: pip install openai"
        ) from None
    logging.getLogger("httpcore2").setLevel(logging.INFO)  # below, it logs headers as they come
    http = httpx2.Client(
        timeout=params.timeout,
        follow_redirects=False,  # the key is for this address
        event_hooks={
            "request": [without_telemetry(anonymous=params.key_variable is None)],
            "response": [bounding(params.maximum_bytes, params.timeout)],
        },
    )
    client = openai.OpenAI(
        api_key=key, base_url=params.base_url, timeout=params.timeout, max_retries=0,
        http_client=http,
    )  # fmt: skip
    secret = key if len(key) >= _SECRET_FROM else None

    def clean(text: str) -> str:
        return text if secret is None else text.replace(secret, "[key]")

    def ask(request: Request) -> Answer:
        # What is raised is raised outside of 'except', or holds the client's exception still.
        refused, reason, lost = None, "", False
        try:
            return _answer(_send(client, request, params), params, clean)
        except openai.APIStatusError as error:
            refused = error.response
        except (openai.APITimeoutError, TimeoutError) as error:
            reason = f"no answer within {params.timeout:g} seconds"
            lost = not isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            cause = error.__cause__ or error
            reason = f"{_host(params)} cannot be reached ({_short(clean(str(cause)))})"
            lost = isinstance(cause, httpx2.RemoteProtocolError | httpx2.ReadError)
        except TooLargeError:
            reason = f"an answer of more than {params.maximum_bytes} bytes"
            raise FailedError(reason, lost=True) from None
        if refused is not None:
            return _refused(refused, params, clean)
        raise PassingError(reason, lost=lost)

    return ask


def _key(params: EndpointParams, environ: Mapping[str, str]) -> str:
    if params.key_variable is None:
        return "none"
    key = environ.get(params.key_variable, "")
    # A line end from a file would make an invalid header, and an error that shows it.
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(
            f"expected the key in the environment variable {params.key_variable}, found "
            f"{'one with spaces or unprintable characters' if key else 'none'}.",
            "Set it, or set key_variable to null for an endpoint without a key.",
        )
    return key


def _send(client: "openai.OpenAI", request: Request, params: EndpointParams) -> "httpx2.Response":
    optional = {
        "temperature": request.temperature,
        "seed": request.seed_sent,
        params.limit_name: request.max_tokens,
    }
    create: Any = client.chat.completions.with_raw_response.create
    response: httpx2.Response = create(
        model=request.model,
        messages=[message.model_dump() for message in request.messages],
        **{name: value for name, value in optional.items() if value is not None},
    ).http_response
    return response


def _answer(
    response: "httpx2.Response", params: EndpointParams, clean: Callable[[str], str]
) -> Answer:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise InputError(
            f"{_host(params)} answered with {_short(clean(kind)) or 'no content type'} where "
            "application/json was expected.",
            "Check base_url; it ends in the API's version, such as /v1.",
        )
    try:
        answer = answer_in(json.loads(response.content))
    except (ValueError, RecursionError):
        raise PassingError("an answer in broken JSON", lost=True) from None
    except NoAnswerError as error:
        raise PassingError(f"a response that is no answer: {_short(clean(str(error)))}") from None
    texts = {name: clean(getattr(answer, name)) for name in _TEXTS}
    return answer.model_copy(update=texts)


_TEXTS = ("text", "finish_reason", "refusal", "model")
_FILTERED = ("content_filter", "content_policy_violation")


def _refused(
    response: "httpx2.Response", params: EndpointParams, clean: Callable[[str], str]
) -> Answer:
    """Act on a status that is no success: some are an answer, some pass, and some do not."""
    try:
        content = json.loads(response.content)
    except (ValueError, RecursionError):
        content = None
    code, message = (encodable(clean(text)) for text in error_in(content))
    status = response.status_code
    said = f"{_host(params)} answered with status {status}"
    if message:
        said += f" ({_short(message)})"
    if status == 400 and code in _FILTERED:
        return Answer(
            text="",
            finish_reason="content_filter",
            refusal=_short(message),
            model="",
            input_tokens=0,
            output_tokens=0,
        )
    if code == "insufficient_quota":
        raise InputError(f"{said}.", "The account's credit is spent: add some, then go on.")
    if status in (408, 409, 429) or status >= 500:
        raise PassingError(said, wait=retry_after(response.headers, time.time()))
    if status in (400, 413, 422):
        raise FailedError(said)
    if status in (401, 403):
        raise InputError(
            f"{said}.", f"Check the key in {params.key_variable}, and what it may be used for."
        )
    raise InputError(f"{said}.", "Check base_url and the model's name.")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:199] + "…"


def _host(params: EndpointParams) -> str:
    return urlsplit(params.base_url).netloc
