"""The cases that every library keeps: ../conformance/README.md."""

from __future__ import annotations

import io
import itertools
import json
import re
import subprocess
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import platen_print as sdk
from platen_print import errors

FOLDER = Path(__file__).parents[2] / "conformance"
CASES = json.loads((FOLDER / "cases.json").read_text())
WEBHOOKS = json.loads((FOLDER / "webhooks.json").read_text())
KEY = "platen_test_conformance"

# A call of this library ends by its timeout; asyncio cancels only the waiting task.
LEFT_OUT = {"abort"}

NAMES = {"contentType": "content_type", "idempotencyKey": "idempotency_key"}


def create(platen: sdk.Platen, call: dict[str, Any]) -> sdk.Job:
    fields = {NAMES.get(name, name): value for name, value in call.items()}
    if "file" in fields:
        fields["file"] = fields["file"].encode()
    if "path" in fields:
        fields["file"] = str(FOLDER / fields.pop("path"))
    if "text" in fields:
        fields["file"] = fields.pop("text")
    return platen.print_jobs.create(**fields)


METHODS: dict[str, Callable[[sdk.Platen, dict[str, Any]], Any]] = {
    "printer": lambda platen, call: platen.printers.get(call["id"]),
    "printers": lambda platen, call: list(platen.printers.list(**call["query"])),
    "findPrinter": lambda platen, call: platen.printers.find(call["printer"]),
    "updatePrinter": lambda platen, call: platen.printers.update(call["id"], **call["changes"]),
    "deleteComputer": lambda platen, call: platen.computers.delete(call["id"]),
    "cancel": lambda platen, call: platen.print_jobs.cancel(call["id"]),
    "createBatch": lambda platen, call: platen.print_jobs.create_batch(
        jobs=call["jobs"], idempotency_key=call["idempotencyKey"]
    ),
    "cancelBatch": lambda platen, call: platen.print_jobs.cancel_batch(call["id"]),
    "create": create,
    "wait": lambda platen, call: platen.print_jobs.wait(
        call["id"], timeout=call["timeoutMs"] / 1000 if "timeoutMs" in call else None
    ),
    "follow": lambda platen, call: [
        followed.event
        for followed in itertools.islice(platen.events.follow(after=call.get("after", "now")), call["count"])
    ],
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = ["node", "--no-warnings", str(FOLDER / "server.ts")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout and server.stdin
        yield json.loads(server.stdout.readline())["url"]
        server.stdin.close()


def read(url: str) -> Any:
    with urllib.request.urlopen(url) as response:
        return json.load(response)


@dataclass
class Outcome:
    result: Any
    error: errors.PlatenError | None
    requests: list[dict[str, Any]]


def run(url: str, position: int) -> Outcome | None:
    case = CASES[position]
    client, call = case.get("client", {}), dict(case["call"])
    method = call.pop("method")
    if method in LEFT_OUT:
        return None
    base_url = f"{url}/{uuid.uuid4()}/{position}"
    retries, timeout = client.get("maxRetries", 2), client.get("timeoutMs", 30_000) / 1000
    platen = sdk.Platen(api_key=KEY, base_url=base_url, max_retries=retries, timeout=timeout)
    result = error = None
    try:
        result = METHODS[method](platen, call)
    except errors.PlatenError as raised:
        error = raised
    return Outcome(result, error, read(f"{base_url}/requests"))


@pytest.fixture(scope="module")
def outcomes(url: str) -> Iterator[list[Future[Outcome | None]]]:
    """Of all cases at once, because most of them wait."""
    with ThreadPoolExecutor(len(CASES)) as pool:
        yield [pool.submit(run, url, position) for position in range(len(CASES))]


@pytest.mark.parametrize("position", range(len(CASES)), ids=[case["rule"] for case in CASES])
def test_case(outcomes: list[Future[Outcome | None]], position: int) -> None:
    outcome, expected = outcomes[position].result(), CASES[position]["expect"]
    if outcome is None:
        pytest.skip("The Python library has no such call.")
    if "error" in expected:
        assert outcome.error
        compare_error(outcome.error, expected["error"])
    elif outcome.error:
        raise outcome.error
    elif "result" in expected:
        assert_contains(to_json(outcome.result), expected["result"])
    compare_requests(outcome.requests, expected)


def to_json(value: Any) -> Any:
    return [one.raw for one in value] if isinstance(value, list) else value.raw


def assert_contains(actual: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert_contains(actual[name], value)
    elif isinstance(expected, list):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_contains(one, other)
    else:
        assert actual == expected


def compare_error(error: errors.PlatenError, expected: dict[str, Any]) -> None:
    assert type(error).__name__ == expected["class"]
    for name, attribute in {"status": "status", "code": "code", "request_id": "request_id"}.items():
        if name in expected:
            assert getattr(error, attribute) == expected[name]
    for name in ("upgrade_url", "param", "doc_url"):
        if name in expected:
            assert getattr(error, name) == expected[name]
    if "retry_after_seconds" in expected:
        assert getattr(error, "retry_after") == expected["retry_after_seconds"]
    # Times are in seconds here.
    message = re.sub(r"000 ms$", " s", expected.get("message", ""))
    assert message in str(error)
    assert KEY not in f"{error!r}{error}"


def compare_requests(requests: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    if "requests" in expected:
        assert [{name: one[name] for name in ("method", "path")} for one in requests] == expected["requests"]
    if "attempts" in expected:
        assert len(requests) == expected["attempts"]
    for request in requests:
        assert request["headers"]["authorization"] == f"Bearer {KEY}"
    if "sameKey" in expected:
        keys = {request["headers"]["idempotency-key"] for request in requests}
        assert len(keys) == 1
        assert len(keys.pop()) >= 16 if expected["sameKey"] is True else keys == {expected["sameKey"]}
    if "parts" in expected:
        assert [request["parts"] for request in requests] == [expected["parts"]] * len(requests)
    if "waitedMs" in expected:
        assert requests[1]["atMs"] - requests[0]["atMs"] > expected["waitedMs"] - 10


@pytest.mark.parametrize(
    ("document", "sent"),
    [
        (bytearray(b"^XA^XZ"), "^XA^XZ"),
        (memoryview(b"^XA^XZ"), "^XA^XZ"),
        (io.BytesIO(b"^XA^XZ"), "^XA^XZ"),
        (FOLDER / "label.zpl", "^XA^FO50,50^A0N,40,40^FDHello^FS^XZ\n"),
        (io.StringIO("^XA^XZ"), None),
        (["^XA^XZ"], None),
        ("\0^XA", None),
        ("^XA" * 1000, None),
        (FOLDER, None),
    ],
    ids=["bytearray", "memoryview", "file", "path", "text file", "list", "control characters", "long text", "directory"],
)
def test_document(url: str, document: Any, sent: str | None) -> None:
    base_url = f"{url}/{uuid.uuid4()}/none"
    platen = sdk.Platen(api_key=KEY, base_url=base_url, max_retries=0)
    with pytest.raises(errors.PlatenError) as raised:
        platen.print_jobs.create(printer="019a5c1e-7d11-7e55-8a42-94c1b0d7f602", title="Label", file=document)
    assert isinstance(raised.value, errors.ApiError) == (sent is not None)
    requests = read(f"{base_url}/requests")
    assert [request["parts"]["file"] for request in requests] == ([] if sent is None else [sent])


@pytest.mark.parametrize(("position", "case"), list(enumerate(WEBHOOKS)), ids=[case["rule"] for case in WEBHOOKS])
def test_webhook(url: str, position: int, case: dict[str, Any]) -> None:
    signed = read(f"{url}/webhooks/{position}")
    if case["expect"] == "valid":
        assert sdk.verify_webhook(signed["body"], signed["headers"], signed["secret"]).raw == json.loads(signed["body"])
        return
    with pytest.raises(errors.WebhookVerificationError) as raised:
        sdk.verify_webhook(signed["body"], signed["headers"], signed["secret"])
    assert case["expect"] in str(raised.value)
