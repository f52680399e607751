"""Each operation of the OpenAPI document has a method, in both clients.

`PLATEN_OPENAPI` is the path of the document, `PLATEN_METHODS` the JSON of the methods by operation: `"print_jobs.create"`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest

import platen_print as sdk
from platen_print._model import to_snake_case
from platen_print._transport import Response, Transport, _to_query

ID, SECOND_ID = "019a5c1e-7d11-7e55-8a42-94c1b0d7f602", "019a5c1e-7d11-7e55-8a42-94c1b0d7f603"
DOCUMENT = json.loads(open(os.environ["PLATEN_OPENAPI"], encoding="utf-8").read())
METHODS = json.loads(os.environ["PLATEN_METHODS"])
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


def body_of(operation: dict[str, Any]) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {})
    return list(resolve(content["application/json"]["schema"])["properties"]) if content else []


def arguments_of(method: Callable[..., Any]) -> dict[str, Any]:
    """A value for each parameter but `file`, in place of which a body is JSON."""
    parameters = inspect.signature(method).parameters.values()
    return {one.name: b"^XA^XZ" if one.annotation == "bytes" else ID for one in parameters if one.name != "file"}


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
def test_has_a_method_that_sends_its_path_and_all_its_parameters(
    monkeypatch: pytest.MonkeyPatch, kind: Any, id: str, method: str, path: str, operation: dict[str, Any]
) -> None:
    sent = sent_by(monkeypatch)
    arguments = arguments_of(find(sdk.Platen(api_key="platen_test_a", base_url="http://localhost"), METHODS[id]))
    ids = dict(zip(re.findall(r"{(\w+)}", path), (ID, SECOND_ID), strict=False))
    arguments.update({to_snake_case(name): value for name, value in ids.items()})
    client = kind(api_key="platen_test_a", base_url="http://localhost")
    value = find(client, METHODS[id])(**arguments)
    if hasattr(value, "page"):
        value = value.page()
    if inspect.isawaitable(value):

        async def wait() -> Any:
            return await value

        asyncio.run(wait())
    [(sent_method, sent_path, more)] = sent
    assert (sent_method, sent_path) == (method, path.format(**ids))
    assert {name for name, value in (more.get("query") or {}).items() if value is not None} == set(query_of(operation))
    body = more.get("body")
    assert ("requestBody" in operation) == (body is not None)
    # The libraries find the printer of a name themselves, and send its id.
    fields = set(body_of(operation)) - ({"printer"} if method == "POST" and "printjobs" in path else set())
    assert (set(json.loads(body.open())) if body else set()) == fields
    documented = any(one["name"] == "Idempotency-Key" for one in map(resolve, operation.get("parameters", [])))
    assert ("Idempotency-Key" in more.get("headers", {})) == documented


def test_an_id_cannot_lead_to_another_path() -> None:
    client = sdk.Platen(api_key="platen_test_a", base_url="http://localhost")
    for id in ("", ".", "../whoami", "a?b=c", "a/b"):
        with pytest.raises(ValueError, match="not an id"):
            client.printers.get(id)


def test_a_number_is_sent_in_place_of_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = sent_by(monkeypatch)
    for number in (31, "31", "#31"):
        sdk.Platen(api_key="platen_test_a", base_url="http://localhost").print_jobs.events(number)
    assert [path for _, path, _ in sent] == [f"/v1/printjobs/{text}/events" for text in ("31", "31", "%2331")]


def test_each_member_of_a_mapping_in_a_query_is_a_parameter_of_its_own() -> None:
    query = {"limit": 1, "metadata": {"order": "4711", "till": "2"}, "state": ["done", "error"], "after": None}
    expected = "?limit=1&metadata[order]=4711&metadata[till]=2&state=done&state=error"
    assert unquote(_to_query(query)) == expected


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
