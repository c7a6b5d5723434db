"""What the HTTP client does not do by itself: bounds, discretion, and reading ``Retry-After``."""

import email.utils
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from storyaudit.llm.patience import PassingError

if TYPE_CHECKING:
    import httpx2


def without_telemetry(*, anonymous: bool) -> "Callable[[httpx2.Request], None]":
    """Return a hook that takes off what the client tells of this machine, and a key of no use."""

    def strip(request: "httpx2.Request") -> None:
        for name in {name.lower() for name in request.headers} - {"x-stainless-raw-response"}:
            if name.startswith("x-stainless-") or (anonymous and name == "authorization"):
                del request.headers[name]
        request.headers["accept-encoding"] = "identity"  # packed bytes could unpack to any size

    return strip


class TooLargeError(Exception):
    """A response with more bytes than are allowed."""


def bounding(maximum: int, seconds: float) -> "Callable[[httpx2.Response], None]":
    """Return a hook that bounds a response's bytes, and the time in which they come.

    The client's own time-out is one between two pieces, which a server can keep up for ever.
    """
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream = stream
            self._until = time.monotonic() + seconds

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for piece in self._stream:
                size += len(piece)
                if size > maximum:
                    raise TooLargeError
                if time.monotonic() > self._until:
                    raise TimeoutError
                yield piece

        def close(self) -> None:
            self._stream.close()

    def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise PassingError("a packed response, which was not asked for")
        response.stream = Bounded(cast(httpx2.SyncByteStream, response.stream))

    return bound


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a response asks to wait; None if it does not say.

    Args:
        headers: with ``retry-after``, seconds or an HTTP date (RFC 9110, section 10.2.3).
        now: seconds since 1970; the response's own ``date`` goes first, as clocks differ.
    """
    value = headers.get("retry-after", "").strip()
    if value.isdecimal() and value.isascii():
        return float(value[:9])
    until = _timestamp(value)
    if until is None:
        return None
    sent = _timestamp(headers.get("date", ""))
    return max(0.0, until - (now if sent is None else sent))


def _timestamp(date: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
