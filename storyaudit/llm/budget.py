"""What answers may cost, and what they have cost."""

import threading
from collections.abc import Iterable

from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.request import Request

_OVERHEAD = 32
"""Tokens that a chat template adds to a message, and some more."""


class Budget:
    """Tokens used so far, and room for requests in flight; thread-safe.

    Before it is sent, a request reserves the most it can cost: a token a byte of its messages, as
    no common tokeniser makes more, and ``max_tokens`` of an answer. So no answer can overspend. An
    answer whose usage is not reported counts as much, and so does one that was lost on the way,
    which may have been paid for.
    """

    def __init__(self, params: EndpointParams, recorded: Iterable[tuple[Request, Answer]]) -> None:
        self._params = params
        self._one_at_a_time = threading.Lock()
        self._input = self._output = 0
        self._reserved_input = self._reserved_output = 0
        for request, answer in recorded:
            self._use(request, answer)

    @property
    def tokens(self) -> int:
        """Tokens used, of requests and answers."""
        return self._input + self._output

    @property
    def cost(self) -> float | None:
        """The same in the prices' currency; None without prices."""
        return self._cost(self._input, self._output)

    def __str__(self) -> str:
        cost = self.cost
        return f"{self.tokens} tokens used" + ("" if cost is None else f", {cost:.2f} spent")

    def reserve(self, request: Request) -> bool:
        """Make room for a request; False where what is left is less than it may cost.

        Raises:
            InputError: there is a budget, and the request has no limit of tokens.
        """
        params = self._params
        with self._one_at_a_time:
            more_input, more_output = _most(request)
            inputs = self._input + self._reserved_input + more_input
            outputs = self._output + self._reserved_output + more_output
            if params.maximum_cost is not None or params.maximum_tokens is not None:
                if request.max_tokens is None:
                    raise InputError(
                        f"a budget is set, and the requests to {request.model} have no max_tokens, "
                        "so that an answer may cost anything.",
                        f"Set max_tokens beside 'model: {request.model}', or no budget.",
                    )
                cost = self._cost(inputs, outputs) or 0.0
                if params.maximum_cost is not None and cost > params.maximum_cost:
                    return False
                if params.maximum_tokens is not None and inputs + outputs > params.maximum_tokens:
                    return False
            self._reserved_input += more_input
            self._reserved_output += more_output
            return True

    def release(self, request: Request, *, lost: bool = False) -> None:
        """Take back what a request reserved; it counts as used where its answer was lost."""
        with self._one_at_a_time:
            self._release(request)
            if lost:
                self._use(request, None)

    def settle(self, request: Request, answer: Answer) -> None:
        """Count what an answer used in place of what its request reserved."""
        with self._one_at_a_time:
            self._release(request)
            self._use(request, answer)

    def _release(self, request: Request) -> None:
        most_input, most_output = _most(request)
        self._reserved_input -= most_input
        self._reserved_output -= most_output

    def _use(self, request: Request, answer: Answer | None) -> None:
        most_input, most_output = _most(request)
        known_input = answer.input_tokens if answer else None
        known_output = answer.output_tokens if answer else None
        self._input += most_input if known_input is None else known_input
        self._output += most_output if known_output is None else known_output

    def _cost(self, inputs: int, outputs: int) -> float | None:
        prices = self._params.input_price, self._params.output_price
        if prices[0] is None or prices[1] is None:
            return None
        return (inputs * prices[0] + outputs * prices[1]) / 1_000_000


def _most(request: Request) -> tuple[int, int]:
    """Return the most tokens that a request and its answer can have; 0 of an unlimited answer."""
    size = sum(len(message.content.encode()) + _OVERHEAD for message in request.messages)
    return size, request.max_tokens or 0
