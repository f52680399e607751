"""Each operation of the OpenAPI document has a method, in both clients. `PLATEN_OPENAPI` is the path of the document."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

import platen as sdk
from platen._model import to_snake_case
from platen._transport import Response, Transport

ID, SECOND_ID = "019a5c1e-7d11-7e55-8a42-94c1b0d7f602", "019a5c1e-7d11-7e55-8a42-94c1b0d7f603"
NOW = datetime(2026, 3, 2, tzinfo=UTC)
AGENT = {"hostname": "a", "os": "linux", "os_version": "1", "arch": "x64", "agent_version": "1"}

# The method of each operation, as a path from the client, its arguments, and what it does with a list.
METHODS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "whoami": ("whoami", (), {}),
    "getUsage": ("usage", (), {}),
    "listStatistics": ("statistics.list", (), {}),
    "createPrintJob": ("print_jobs.create", (), {"printer": ID, "title": "a", "file": b"a"}),
    "validatePrintJob": ("print_jobs.validate", (), {"printer": ID, "title": "a", "content_type": "pdf_base64"}),
    "listPrintJobs": ("print_jobs.list", (), {}),
    "getPrintJob": ("print_jobs.get", (ID,), {}),
    "listPrintJobEvents": ("print_jobs.events", (ID,), {}),
    "explainPrintJob": ("print_jobs.explanation", (ID,), {}),
    "getPrintJobDocument": ("print_jobs.document", (ID,), {}),
    "listPrintJobDeliveries": ("print_jobs.deliveries", (ID,), {}),
    "cancelPrintJob": ("print_jobs.cancel", (ID,), {}),
    "createPreview": ("previews.create", (b"^XA^XZ",), {}),
    "listPrinters": ("printers.list", (), {}),
    "getPrinter": ("printers.get", (ID,), {}),
    "listPrinterPrintJobs": ("printers.print_jobs", (ID,), {}),
    "updatePrinter": ("printers.update", (ID,), {"enabled": True}),
    "purgePrinter": ("printers.purge", (ID,), {}),
    "listComputers": ("computers.list", (), {}),
    "getComputer": ("computers.get", (ID,), {}),
    "listComputerPrinters": ("computers.printers", (ID,), {}),
    "deleteComputer": ("computers.delete", (ID,), {}),
    "listEvents": ("events.list", (), {}),
    "getEvent": ("events.get", (ID,), {}),
    "listEventTypes": ("events.types", (), {}),
    "createEnrollment": ("enrollments.create", (), {}),
    "listEnrollments": ("enrollments.list", (), {}),
    "deleteEnrollment": ("enrollments.delete", (ID,), {}),
    "enrollAgent": ("enrollments.enroll_agent", (), AGENT),
    "createWebhook": ("webhooks.create", (), {"url": "https://example.com", "events": ["printjob.done"]}),
    "listWebhooks": ("webhooks.list", (), {}),
    "getWebhook": ("webhooks.get", (ID,), {}),
    "updateWebhook": ("webhooks.update", (ID,), {"enabled": True}),
    "deleteWebhook": ("webhooks.delete", (ID,), {}),
    "rotateWebhookSecret": ("webhooks.rotate_secret", (ID,), {}),
    "testWebhook": ("webhooks.test", (ID,), {}),
    "listWebhookDeliveries": ("webhooks.deliveries", (ID,), {}),
    "getWebhookDelivery": ("webhooks.delivery", (ID, SECOND_ID), {}),
    "replayWebhookDelivery": ("webhooks.replay_delivery", (ID, SECOND_ID), {}),
    "replayWebhookDeliveries": ("webhooks.replay", (ID,), {"since": NOW}),
}

DOCUMENT = json.loads(open(os.environ["PLATEN_OPENAPI"], encoding="utf-8").read())
OPERATIONS = [
    (operation["operationId"], method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
]


def resolve(value: dict[str, Any]) -> dict[str, Any]:
    found = value
    for name in value.get("$ref", "#").split("/")[1:]:
        found = DOCUMENT if found is value else found
        found = found[name]
    return found


def query_of(operation: dict[str, Any]) -> list[str]:
    return [one["name"] for one in map(resolve, operation.get("parameters", [])) if one["in"] == "query"]


def find(client: Any, path: str) -> Callable[..., Any]:
    for name in path.split("."):
        client = getattr(client, name)
    return client  # type: ignore[no-any-return]


def sent_by(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, dict[str, Any]]]:
    """Records the requests, and answers each with an empty list."""
    sent: list[tuple[str, str, dict[str, Any]]] = []

    def request(_: Transport, method: str, path: str, **more: Any) -> Response:
        sent.append((method, path, more))
        body = {"data": [], "hasMore": False, "nextCursor": None, "type": "other"}
        return Response(200, {}, json.dumps(body).encode())

    monkeypatch.setattr(Transport, "request", request)
    return sent


@pytest.mark.parametrize(("id", "method", "path", "operation"), OPERATIONS, ids=[one[0] for one in OPERATIONS])
@pytest.mark.parametrize("kind", [sdk.Platen, sdk.AsyncPlaten])
def test_has_a_method_that_sends_its_path_and_all_its_query_parameters(
    monkeypatch: pytest.MonkeyPatch, kind: Any, id: str, method: str, path: str, operation: dict[str, Any]
) -> None:
    sent = sent_by(monkeypatch)
    name, args, kwargs = METHODS[id]
    queries = {query: to_snake_case(query) for query in query_of(operation)}
    client = kind(api_key="platen_test_a", base_url="http://localhost")
    value = find(client, name)(*args, **kwargs, **{snake: NOW for snake in queries.values()})
    if hasattr(value, "page"):
        value = value.page()
    if inspect.isawaitable(value):

        async def wait() -> Any:
            return await value

        asyncio.run(wait())
    [(sent_method, sent_path, more)] = sent
    ids = iter([ID, SECOND_ID])
    expected = "/".join(next(ids) if part.startswith("{") else part for part in path.split("/"))
    assert (sent_method, sent_path) == (method, expected)
    assert {name for name, value in (more.get("query") or {}).items() if value is NOW} == set(queries)
    assert ("requestBody" in operation) == (more.get("body") is not None)
    documented = any(one["name"] == "Idempotency-Key" for one in map(resolve, operation.get("parameters", [])))
    assert ("Idempotency-Key" in more.get("headers", {})) == documented


def test_an_id_cannot_lead_to_another_path() -> None:
    client = sdk.Platen(api_key="platen_test_a", base_url="http://localhost")
    for id in ("", ".", "../whoami", "a?b=c", "a/b"):
        with pytest.raises(ValueError, match="not an id"):
            client.printers.get(id)


def test_no_text_form_of_a_client_contains_the_key() -> None:
    client = sdk.Platen(api_key="platen_test_secret", base_url="http://localhost")
    assert "secret" not in f"{client!r}{client.printers!r}{client.printers._transport!r}"


def test_white_space_around_the_key_and_the_address_is_no_part_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEN_KEY", "platen_test_secret\r\n")
    monkeypatch.setenv("PLATEN_URL", "http://localhost/\n")
    transport = sdk.Platen()._transport
    assert (transport.base_url, transport._headers["Authorization"]) == ("http://localhost", "Bearer platen_test_secret")


def test_a_setting_that_is_missing_or_malformed_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLATEN_KEY", raising=False)
    monkeypatch.delenv("PLATEN_URL", raising=False)
    with pytest.raises(sdk.PlatenError, match="PLATEN_KEY"):
        sdk.Platen(base_url="http://localhost")
    for malformed in ("se\ncret", "se cret", "se\x00cret", "secrét"):
        with pytest.raises(sdk.PlatenError, match="^The API key must be printable ASCII") as caught:
            sdk.Platen(api_key=malformed, base_url="http://localhost")
        assert malformed not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(sdk.PlatenError, match="PLATEN_URL"):
        sdk.Platen(api_key="a")
    with pytest.raises(sdk.PlatenError, match="http"):
        sdk.Platen(api_key="a", base_url="localhost:8080")
