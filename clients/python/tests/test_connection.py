"""Failures of connections, and proxies. The rules of proxies are those of `clients/typescript/tests/proxy.test.ts`."""

from __future__ import annotations

import json
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import platen_print as sdk
from platen_print import errors
from platen_print._proxy import find_proxy

KEY = "platen_test_connection"
RULES = json.loads((Path(__file__).parents[2] / "conformance/proxies.json").read_text(encoding="utf-8"))
VARIABLES = [name for one in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (one, one.upper())]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("case", RULES, ids=[case["rule"] for case in RULES])
def test_rule(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(errors.PlatenError) as raised:
            find_proxy(case["target"], case["env"])
        assert case["error"] in str(raised.value)
        assert "secret" not in str(raised.value)
        return
    proxy = find_proxy(case["target"], case["env"])
    credential = proxy and proxy.headers.get("Proxy-Authorization", "").removeprefix("Basic ")
    found = proxy and {"url": proxy.url, "variable": proxy.variable, "credential": credential or None}
    expected = case["proxy"] and {**case["proxy"], "credential": encode(case["proxy"].get("credential"))}
    assert found == expected
    assert "secret" not in f"{proxy!r}{proxy}"


def encode(credential: str | None) -> str | None:
    return credential and b64encode(credential.encode()).decode()


def connect(url: str, **options: Any) -> sdk.Platen:
    return sdk.Platen(api_key=KEY, base_url=url, max_retries=0, **options)


def test_refused_connection() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    started = time.monotonic()
    with pytest.raises(errors.ConnectionError, match=r"Connection refused\.$") as raised:
        connect(f"http://127.0.0.1:{port}").whoami()
    assert "object at" not in str(raised.value)
    assert time.monotonic() - started < 5


def test_unknown_host() -> None:
    with pytest.raises(errors.ConnectionError, match=r"no response from http://unknown\.invalid: "):
        connect("http://unknown.invalid").whoami()


def test_silent_service() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(errors.TimeoutError, match=r"no response within 0\.2 s\.$"):
            connect(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2).whoami()


class Proxy(BaseHTTPRequestHandler):
    """Answers for each host with the request that it received, and refuses tunnels."""

    def do_GET(self) -> None:
        credential = self.headers.get("Proxy-Authorization")
        self.send_response(407 if credential is None else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"data": [], "hasMore": False, "nextCursor": f"{self.path} {credential}"}).encode())

    def do_CONNECT(self) -> None:
        self.send_response(403 if self.headers.get("Proxy-Authorization") else 407)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_proxy(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"user:p%40ss@{proxy}")
    page = connect("http://print.example.test").printers.list().page()
    assert page.next_cursor == f"http://print.example.test/v1/printers Basic {encode('user:p@ss')}"


def test_proxy_that_refuses(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:secret@{proxy}")
    for url, variable, reason in (
        ("http://print.example.test", "http_proxy", "requires another user and password"),
        ("https://print.example.test", "HTTPS_PROXY", "403"),
    ):
        with pytest.raises(errors.ConnectionError) as raised:
            connect(url).whoami()
        assert reason in str(raised.value)
        assert f"the proxy {proxy} of {variable}" in str(raised.value)
        assert "secret" not in str(raised.value)


def test_proxy_that_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "127.0.0.1:1")
    with pytest.raises(errors.ConnectionError, match=r"Connection refused\..* the proxy 127\.0\.0\.1:1 of HTTPS_PROXY\."):
        connect("https://print.example.test").whoami()
