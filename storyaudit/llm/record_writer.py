"""Writing a record.

Lines are only ever appended while answers come in, each made safe on the disk before the next
request of its thread, so that a process killed at any moment loses no answer. A finished record
is sorted: its bytes do not depend on the order in which answers came.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from storyaudit.errors import InputError, refusing
from storyaudit.io.files import write_bytes
from storyaudit.llm.answer import Answer
from storyaudit.llm.record import by_key, content_of, line_of, parsed
from storyaudit.llm.request import Request


class Recording:
    """A record opened to add answers to it, by one process at a time; ``append`` is thread-safe.

    Opening it writes the file anew: DVC may have linked it to its cache, which must not change.

    Attributes:
        answers: by the requests' keys, those that were there and those added.
        entries: the same with their requests.
    """

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self.path = path
        self.answers: dict[str, Answer] = {}
        self.entries: list[tuple[Request, Answer]] = []
        self._say = say
        self._one_at_a_time = threading.Lock()
        self._closed = False

    def __enter__(self) -> "Recording":
        from filelock import FileLock, Timeout

        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self.path.parent / f".{self.path.name}.lock", timeout=0)
            try:
                self._lock.acquire()
            except Timeout:
                raise InputError(
                    "another process is recording into it.",
                    "Wait for its end, or record into another file.",
                    file=self.path,
                ) from None
        try:
            content = content_of(self.path)
            entries, unfinished = parsed(content, self.path)
            self.answers = by_key(entries, self.path)
            self.entries = [(entry.request, entry.answer) for _, entry in entries]
            if unfinished:
                self._say(
                    f"The last line of {self.path} was unfinished; its answer is asked for again."
                )
            kept = content[: len(content) - len(unfinished)]
            kept += b"" if not kept or kept.endswith(b"\n") else b"\n"
            self._start_from(kept)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._one_at_a_time:
            self._closed = True
            os.close(self._file)
            self._lock.release()

    def append(self, request: Request, answer: Answer) -> None:
        """Add an answer; when this returns, it is on the disk.

        Raises:
            InputError: it cannot be written; the record stays as it was.
            ValueError: the recording has ended; its file descriptor may be another file's by now.
        """
        line = line_of(request, answer)
        with self._one_at_a_time:
            if self._closed:
                raise ValueError("the recording has ended")
            try:
                with self._writing():
                    left = memoryview(line)
                    while left:
                        left = left[os.write(self._file, left) :]
                    os.fsync(self._file)
            except InputError:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, self._size)
                raise
            self._size += len(line)
            self.answers[request.key] = answer
            self.entries.append((request, answer))

    def sort(self) -> None:
        """Write the record sorted, a line a request, once all answers are in.

        Requests of a model stand together, then those with the same messages.
        """
        entries = {request.key: (request, answer) for request, answer in self.entries}
        in_order = sorted(entries.values(), key=lambda entry: _place(entry[0]))
        os.close(self._file)
        self._start_from(b"".join(line_of(*entry) for entry in in_order))

    def _start_from(self, content: bytes) -> None:
        with self._writing():
            write_bytes(self.path, content)
            self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            os.fsync(self._file)
            self._size = len(content)

    def _writing(self) -> contextlib.AbstractContextManager[None]:
        remedy = "Make room or choose another place, then run the same recording again."
        return refusing("cannot be written", remedy, self.path)


def _place(request: Request) -> tuple[object, ...]:
    messages = [(message.role, message.content) for message in request.messages]
    return request.model, messages, request.sample, request.attempt, request.key
