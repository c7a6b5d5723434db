"""Parameters of a language model and of the endpoint that serves it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, TypeAdapter, ValidationError, field_validator, model_validator

from storyaudit.errors import InputError
from storyaudit.io.checked import first_fault, repeated
from storyaudit.llm.request import Message, Request, Seed, Temperature, Tokens
from storyaudit.runs.params import Params

Seconds = Annotated[float, Field(gt=0, le=86_400)]
Price = Annotated[float, Field(ge=0, le=1_000_000)]


class ModelParams(Params):
    """What decides a model's answers, and so the tables made of them.

    Attributes:
        model: the name by which the endpoint knows it.
        temperature: None leaves it to the endpoint.
        seed: None where the endpoint has none.
        max_tokens: at most so many tokens of an answer.
        attempts: how often at most it is asked for a well-formed answer.
    """

    model: Annotated[str, Field(min_length=1, max_length=200)]
    temperature: Temperature | None = None
    seed: Seed | None = None
    max_tokens: Tokens | None = None
    attempts: Annotated[int, Field(ge=1, le=20)] = 3


def each_once(models: list[ModelParams]) -> list[ModelParams]:
    """Return models of different names.

    Raises:
        ValueError: a name stands twice: its scores or stories could not be told apart.
    """
    if twice := repeated(model.model for model in models):
        raise ValueError(f"the model '{twice}' stands twice")
    return models


class EndpointParams(Params):
    """How answers are fetched: what only recording needs, and no answer depends on.

    Attributes:
        base_url: of the API, up to the version: ``https://api.example.org/v1``.
        key_variable: the environment variable that holds the key; None for an endpoint without.
        timeout: seconds for one answer.
        concurrency: requests in flight at most.
        requests_per_minute: at most; None for no such limit.
        retries: after an answer that failed to come.
        longest_wait: seconds between two tries at most; an endpoint that asks for more stops the
            recording.
        maximum_bytes: of one response.
        limit_name: under which ``max_tokens`` is sent; newer models want the longer one.
        input_price: of a million tokens of requests; with ``output_price`` for ``maximum_cost``.
        output_price: of a million tokens of answers.
        maximum_cost: of the whole record's answers of one model, in the prices' currency.
        maximum_tokens: of the same, requests' and answers' tokens together.
    """

    base_url: str
    key_variable: Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]*$")] | None = "OPENAI_API_KEY"
    timeout: Seconds = 120.0
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    retries: Annotated[int, Field(ge=0, le=20)] = 5
    longest_wait: Seconds = 60.0
    maximum_bytes: Annotated[int, Field(ge=1000)] = 4_000_000
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    input_price: Price | None = None
    output_price: Price | None = None
    maximum_cost: Price | None = None
    maximum_tokens: Annotated[int, Field(ge=1)] | None = None

    @field_validator("base_url")
    @classmethod
    def _is_plain_address(cls, base_url: str) -> str:
        try:
            parts = urlsplit(base_url)
            plain = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            plain = False
        # A name, a password or a query may be a secret: parameters are no place for one.
        if not plain or "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("must be such as https://api.example.org/v1, without a password")
        return base_url

    @model_validator(mode="after")
    def _prices_for_a_cost(self) -> "EndpointParams":
        if self.maximum_cost is not None and None in (self.input_price, self.output_price):
            raise ValueError("maximum_cost needs input_price and output_price")
        return self


class Endpoint(EndpointParams):
    """One entry of the ``endpoints`` section of ``params.yaml``.

    Attributes:
        models: that it serves; empty for every model that no other entry names.
    """

    models: list[str] = Field(default=[])


def read_endpoints(content: object, *, file: Path) -> list[Endpoint]:
    """Return the endpoints of the section ``endpoints``.

    Raises:
        InputError: no section, no list, an entry of another layout, or two that serve one model.
    """
    if not isinstance(content, list) or not content:
        raise InputError(
            "expected a list of endpoints under 'endpoints', found none.",
            "Recording needs one with a base_url (docs/language-models.md).",
            file=file,
        )
    try:
        endpoints = TypeAdapter(list[Endpoint]).validate_python(content)
    except ValidationError as error:
        raise InputError(
            f"endpoints.{first_fault(error)}.",
            f"The keys are {', '.join(Endpoint.model_fields)}.",
            file=file,
        ) from None
    served = [name for endpoint in endpoints for name in endpoint.models or ["every other model"]]
    if twice := repeated(served):
        raise InputError(f"two endpoints serve {twice}.", "Keep one of them.", file=file)
    return endpoints


def serving(endpoints: Sequence[Endpoint], model: str, *, file: Path) -> Endpoint:
    """Return the endpoint that serves a model.

    Raises:
        InputError: none does.
    """
    named = [endpoint for endpoint in endpoints if model in endpoint.models]
    others = [endpoint for endpoint in endpoints if not endpoint.models]
    if not named and not others:
        raise InputError(
            f"no endpoint serves the model '{model}'.",
            "Name it under the 'models' of one of 'endpoints'.",
            file=file,
        )
    return (named or others)[0]


def request_of(params: ModelParams, prompt: str, sample: int = 0) -> Request:
    """Return the request that sends a prompt as one message.

    One message of the user, and none of the system: not every model's chat template has the
    latter.
    """
    return Request(
        model=params.model,
        messages=(Message(role="user", content=prompt),),
        temperature=params.temperature,
        seed=params.seed,
        max_tokens=params.max_tokens,
        sample=sample,
    )
