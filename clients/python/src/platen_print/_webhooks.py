"""Verification of webhook deliveries by Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from platen_print._model import parse_event
from platen_print.errors import WebhookVerificationError
from platen_print.types import Event

TOLERANCE_S = 5 * 60
"""The largest difference between the clocks of the service and the receiver."""

TIMESTAMP_MAX_DIGITS = 12
"""Seconds. Python refuses to read numbers of thousands of digits."""


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> Event:
    """Verifies a delivery and returns its event.

    :param body: the body exactly as received, before it is parsed.
    :param headers: the headers of the request, in any case.
    :param secret: the secret of the endpoint, `whsec_…`.
    :raises WebhookVerificationError: it is not from the service, or is too old. Answer with status 400.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookVerificationError(f"The header `{name}` is missing.")
    message_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > TIMESTAMP_MAX_DIGITS:
        raise WebhookVerificationError("The header `webhook-timestamp` is not a number.")
    age = time.time() - int(timestamp)
    if abs(age) > TOLERANCE_S:
        raise WebhookVerificationError(
            f"The webhook is {age:.0f} s old, more than {TOLERANCE_S} s. Check the clock of this computer."
        )
    data = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + data
    expected = hmac.new(_to_key(secret), signed, hashlib.sha256).digest()
    if not any(_matches(one, expected) for one in given["webhook-signature"].split()):
        raise WebhookVerificationError(
            "No signature of the webhook is valid. Check the secret, and pass the body as it was received."
        )
    return parse_event(json.loads(data))


def _to_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError("The secret must be `whsec_` and base64.")
    return key


def _matches(signature: str, expected: bytes) -> bool:
    version, _, value = signature.partition(",")
    return version == "v1" and hmac.compare_digest(value.encode(), base64.b64encode(expected))
