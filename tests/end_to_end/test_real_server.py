"""Recording from a real server: ``transformers serve`` with a tiny model, randomly made.

Needs the extra 'serve'; what the model writes means nothing.
"""

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.requests.judging import judging_questions
from pipeline.requests.writing import story_question
from storyaudit.llm.endpoint import connect
from storyaudit.llm.model_params import EndpointParams, ModelParams
from storyaudit.llm.question import Question, counts, replay
from storyaudit.llm.recorder import record

MISSING = [
    name
    for name in ("torch", "transformers", "fastapi", "uvicorn")
    if importlib.util.find_spec(name) is None
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"the extra 'serve' lacks {', '.join(MISSING)}"),
]
NOT_ONLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def save_tiny_model(folder: Path) -> None:
    """Save a model of two small layers whose tokens are bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate(["<s>", "</s>", *letters])}
    tokens = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    tokeniser = PreTrainedTokenizerFast(tokenizer_object=tokens)
    tokeniser.add_special_tokens({"bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>"})
    tokeniser.chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    tokeniser.save_pretrained(folder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            max_position_embeddings=8192,
            bos_token_id=0,
            eos_token_id=1,
            pad_token_id=1,
        )
    )
    # Every second token ends an answer, so that some end before their limit.
    model.generation_config.eos_token_id = list(range(1, len(words), 2))
    model.save_pretrained(folder)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of the server, and the name of its model."""
    folder = tmp_path_factory.mktemp("served") / "tiny"
    save_tiny_model(folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = folder.parent / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "transformers.cli.transformers", "serve", str(folder)),
                *("--host", "127.0.0.1", "--port", str(port), "--device", "cpu"),
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **NOT_ONLINE, "HF_HOME": str(folder.parent / "cache")},
        )
    try:
        for _ in range(240):
            assert server.poll() is None, log.read_text()
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        else:
            pytest.fail(log.read_text())
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        server.terminate()
        server.wait(20)


def anything(premise: str, model: ModelParams) -> Question[str]:
    return Question("anything", story_question("p", premise, model, words=9).request, str.upper)


def test_what_a_real_server_answers_is_recorded_once_and_replayed(served, tmp_path) -> None:
    url, name = served
    model = ModelParams(model=name, temperature=0, seed=1, max_tokens=12, attempts=2)
    stories = {f"s{number}": "It rained. " * number for number in (1, 2, 3, 4)}
    questions: list[Question] = [
        *judging_questions("i1", "Rain.", stories, model, together=False),
        story_question("p1", "Rain.", model, words=20),
        # Two that take whatever comes: the model writes no stories.
        anything("Snow.", model),
        anything("Snow.", model.model_copy(update={"max_tokens": 1})),
    ]
    records = []
    for threads in (1, 3):
        params = EndpointParams(base_url=url, key_variable=None, concurrency=threads, retries=1)
        path = tmp_path / f"{threads}.jsonl"
        results = record(questions, path, connect(params, {}), params, attempts=model.attempts)
        records.append(path.read_bytes())
    assert records[0] == records[1]
    assert [result.value for result in results[-2:] if result.outcome == "answered"]
    assert [result.outcome for result in results[:5]].count("answered") == 0
    assert sum(counts(results).values()) - counts(results)["retried"] == len(questions)
    for result in results:
        assert result.answer.output_tokens is not None
        limit = result.request.max_tokens
        assert 1 <= result.answer.output_tokens <= limit
        assert result.answer.kind == "ok" or result.answer.output_tokens == limit
        # A byte is a token here, and the template adds none.
        prompt = result.request.messages[0].content.encode()
        assert result.answer.input_tokens in (len(prompt), len(prompt) + 1)
        assert result.answer.model

    gone = EndpointParams(base_url="http://127.0.0.1:9/v1", key_variable=None, retries=0)
    again = record(questions, path, connect(gone, {}), gone, attempts=model.attempts)
    assert again == results == replay(questions, path, attempts=model.attempts, command="")


def test_an_unknown_path_is_told_with_a_remedy(served, tmp_path) -> None:
    from storyaudit.errors import InputError

    url, name = served
    params = EndpointParams(base_url=f"{url}/v2", key_variable=None, retries=0)
    asked = story_question("p1", "Rain.", ModelParams(model=name, max_tokens=5), words=9)
    with pytest.raises(InputError, match="status 404") as error:
        record([asked], tmp_path / "r", connect(params, {}), params, attempts=1)
    assert "base_url" in error.value.remedy
