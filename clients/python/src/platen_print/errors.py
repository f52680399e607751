"""The errors of the library. Reference of the codes: docs/reference/errors.md."""

from __future__ import annotations

from typing import Any


class PlatenError(Exception):
    """Base of all errors of the library. No message contains the API key."""


class ConnectionError(PlatenError):
    """The service did not respond. A request that is safe to repeat was repeated before."""


class TimeoutError(PlatenError):
    """The service did not respond, or a job did not end, within the time limit."""


class PrinterNotFound(PlatenError):
    """No printer, or more than one, has the given name. The message lists the printers."""


class WebhookVerificationError(PlatenError):
    """The signature of a delivery is missing, wrong or too old. Answer with status 400 and ignore the body."""


class ApiError(PlatenError):
    """An error response. `code` and `status` are stable; the message is for people and can change."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None = None,
        upgrade_url: str | None = None,
        param: str | None = None,
        doc_url: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status."""
        self.code = code
        """The code. `unexpected_response` if the response is not one of Platen, for example that of a proxy."""
        self.request_id = request_id
        """The id of the request, for support."""
        self.upgrade_url = upgrade_url
        """The address of a billing page, with `quota_exceeded`."""
        self.param = param
        """The field, query parameter or header that is the cause."""
        self.doc_url = doc_url
        """The address of the code in the documentation."""
        self.retry_after = retry_after
        """The number of seconds to wait before a repetition."""

    def __str__(self) -> str:
        details = ", ".join(filter(None, [str(self.status), self.code, self.request_id and f"request {self.request_id}"]))
        return f"{super().__str__()} ({details})"


# One class for each code, named after it. A code without a class is an `ApiError`.


class InvalidRequest(ApiError):
    """A field is missing, unknown or out of range."""


class Unauthorized(ApiError):
    """The API key is missing, unknown, revoked or expired. The message names the cause."""


class QuotaExceeded(ApiError):
    """The plan permits no more prints, computers or stored documents."""


class InsufficientScope(ApiError):
    """The API key lacks the required scope."""


class Forbidden(ApiError):
    """The operation is not permitted on this resource."""


class OrganizationSuspended(ApiError):
    """An operator has suspended the organization."""


class NotFound(ApiError):
    """The resource does not exist, or belongs to another organization or mode."""


class MethodNotAllowed(ApiError):
    """The path does not support the method."""


class RequestTimeout(ApiError):
    """The request arrived too slowly."""


class LimitReached(ApiError):
    """The organization has the largest permitted number of these resources."""


class NotCancellable(ApiError):
    """The agent has received the job, or the job has ended."""


class DestinationInUse(ApiError):
    """Jobs wait for the destination."""


class EndpointDisabled(ApiError):
    """The webhook endpoint is disabled."""


class IdempotencyInProgress(ApiError):
    """The first request with this `Idempotency-Key` is still being processed."""


class CursorExpired(ApiError):
    """The events after the cursor are no longer stored. Read the present state, and follow the feed from now."""


class FileExpired(ApiError):
    """The document of the job is no longer stored."""


class ContentTooLarge(ApiError):
    """The document is larger than 25 MB."""


class UnsupportedMediaType(ApiError):
    """The body has another content type than the operation accepts."""


class InvalidContent(ApiError):
    """The document is not of its content type."""


class InvalidContentUrl(ApiError):
    """The URL of the document is not permitted."""


class PrinterDisabled(ApiError):
    """The printer is disabled."""


class DestinationDisabled(ApiError):
    """The destination is disabled."""


class InvalidUrl(ApiError):
    """The URL of the webhook endpoint is not permitted."""


class ModeMismatch(ApiError):
    """The key and the printer have different modes."""


class IdempotencyKeyReused(ApiError):
    """The `Idempotency-Key` was used with another body."""


class RateLimited(ApiError):
    """Too many requests or jobs. `retry_after` has the number of seconds to wait."""


class TestModeDailyCap(ApiError):
    """Too many test jobs today."""


class InternalError(ApiError):
    """The service has a defect."""


class ServiceUnavailable(ApiError):
    """A part of the service does not respond."""


class StorageUnavailable(ApiError):
    """The document store cannot be used."""


def to_api_error(status: int, body: Any, request_id: str | None, retry_after: float | None) -> ApiError:
    """The error of a response. :param body: the parsed JSON, or None."""
    detail = body.get("error") if isinstance(body, dict) else None
    code, message = (detail.get("code"), detail.get("message")) if isinstance(detail, dict) else (None, None)
    if not isinstance(detail, dict) or not isinstance(code, str) or not isinstance(message, str):
        message = f"A response with the status {status} that is not one of Platen. Check the address of the REST API."
        return ApiError(
            message, status=status, code="unexpected_response", request_id=request_id, retry_after=retry_after
        )
    return _class_of(code)(
        message,
        status=status,
        code=code,
        request_id=detail.get("request_id") or request_id,
        upgrade_url=detail.get("upgrade_url"),
        param=detail.get("param"),
        doc_url=detail.get("doc_url"),
        retry_after=retry_after,
    )


def _class_of(code: str) -> type[ApiError]:
    found = globals().get("".join(word.capitalize() for word in code.split("_")))
    return found if isinstance(found, type) and issubclass(found, ApiError) else ApiError
