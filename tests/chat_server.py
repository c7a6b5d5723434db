"""A small server that speaks the chat protocol, and misbehaves on demand."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-test-0123456789abcdef"


@dataclass
class Reply:
    status: int = 200
    body: bytes | dict = b""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str | None = "application/json"
    after: threading.Event | None = None
    """Replies when it is set, or after two minutes."""


def completion(
    text: str | None, *, finish="stop", refusal=None, usage=(7, 3), model="m-1"
) -> Reply:
    """What a server sends that knows the protocol."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    used = None if usage is None else {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Reply(
        body={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": used,
        }
    )


def failure(status: int, message="no", code=None, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"error": {"message": message, "code": code}}, named)


def asked_for(body: dict) -> str:
    return body["messages"][-1]["content"]


class ChatServer:
    """Serves on this machine until it is closed.

    ``behave(body, number)`` gives the reply to a request, ``number`` counting from 0 how often the
    same content was asked for before. ``seen`` holds the bodies, ``headers`` theirs.
    """

    def __init__(self) -> None:
        self.behave: Callable[[dict, int], Reply] = lambda body, _: completion(
            f"answer to {asked_for(body)} with seed {body.get('seed')}"
        )
        self.seen: list[dict] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.in_flight = self.most_in_flight = 0
        lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with lock:
                    number = sum(asked_for(body) == asked_for(other) for other in server.seen)
                    server.seen.append(body)
                    server.paths.append(self.path)
                    server.headers.append({k.lower(): v for k, v in self.headers.items()})
                    server.in_flight += 1
                    server.most_in_flight = max(server.most_in_flight, server.in_flight)
                try:
                    reply = server.behave(body, number)
                    if reply.after is not None:
                        reply.after.wait(120)
                    content = reply.body
                    if isinstance(content, dict):
                        content = json.dumps(content).encode()
                    self.send_response(reply.status)
                    if reply.kind is not None:
                        self.send_header("content-type", reply.kind)
                    self.send_header("content-length", str(len(content)))
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    with lock:
                        server.in_flight -= 1

            def log_message(self, *_: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
