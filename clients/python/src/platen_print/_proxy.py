"""The proxy that the environment names. The rules are those of curl: docs/clients.md#proxies-and-certificates."""

from __future__ import annotations

import ipaddress
import os
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from platen_print.errors import PlatenError

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Proxy:
    """A proxy of http or https."""

    url: str
    """The URL without user and password."""
    variable: str
    """The variable that names it."""
    headers: Mapping[str, str] = field(repr=False)
    """The credential of the proxy."""

    def __str__(self) -> str:
        return f"{urlsplit(self.url).netloc} of {self.variable}"


def find_proxy(target: str, env: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy for an address. None: the address is reached without one.

    `https_proxy` or `http_proxy`, by the scheme of the address, or else `all_proxy`; `no_proxy` has the exceptions. A name in lower case
    wins over the same name in upper case. Loopback addresses have no proxy.

    :raises PlatenError: the variable has no address of a proxy. The message has no password.
    """
    parts = urlsplit(target)
    names = [f"{parts.scheme}_proxy", f"{parts.scheme}_proxy".upper(), "all_proxy", "ALL_PROXY"]
    # A CGI program gets the header `Proxy` of a request as HTTP_PROXY, so it is not trusted there.
    ignored = "HTTP_PROXY" if "REQUEST_METHOD" in env else ""
    variable = next((name for name in names if name != ignored and env.get(name, "").strip()), None)
    if variable is None or _is_excepted(parts, env.get("no_proxy") or env.get("NO_PROXY") or ""):
        return None
    return _parse(env[variable].strip(), variable)


def _parse(text: str, variable: str) -> Proxy:
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_plain = parts.path in ("", "/") and not parts.query and not parts.fragment
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or not is_plain:
        raise PlatenError(
            f"{variable} must be an http or https proxy such as http://proxy.example:3128. "
            'Write the characters "%", "@", ":", "/", "?" and "#" of its password as "%25", "%40", "%3A", "%2F", "%3F" and "%23".'
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    url = f"{parts.scheme}://{host}:{port or DEFAULT_PORTS[parts.scheme]}"
    if parts.username is None:
        return Proxy(url, variable, {})
    credential = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return Proxy(url, variable, {"Proxy-Authorization": f"Basic {b64encode(credential).decode()}"})


def _is_excepted(target: SplitResult, exceptions: str) -> bool:
    """:param exceptions: `*`, a name and all names below it, an address, or a network: `.example.com`, `10.0.0.0/8`, `host:8080`."""
    host = (target.hostname or "").lower()
    address = _to_address(host)
    if host == "localhost" or (address is not None and address.is_loopback):
        return True
    port = str(target.port or DEFAULT_PORTS.get(target.scheme, 0))
    return any(_matches(host, address, port, entry.lower()) for entry in re.split(r"[\s,]+", exceptions) if entry)


def _matches(host: str, address: ipaddress.IPv4Address | ipaddress.IPv6Address | None, port: str, entry: str) -> bool:
    if entry == "*":
        return True
    if "/" in entry:
        return address is not None and _is_in_network(address, entry)
    if _to_address(entry) is None and (own_port := re.fullmatch(r"(.+):(\d+)", entry)):
        if own_port[2] != port:
            return False
        entry = own_port[1]
    name = re.sub(r"^\*?\.", "", entry).strip("[]")
    return host == name or (address is None and host.endswith(f".{name}"))


def _is_in_network(address: ipaddress.IPv4Address | ipaddress.IPv6Address, network: str) -> bool:
    try:
        return address in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _to_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
