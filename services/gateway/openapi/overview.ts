/** The introduction of the document, with the facts that all operations share. Markdown. */

import { BUDGETS } from '@platen/resources/budgets.ts'
import { REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'

export const OVERVIEW = `Send documents to printers of computers anywhere, and follow each document until it is printed.

## Authentication

Every request carries an API key, either as \`Authorization: Bearer <API_KEY>\` or as the user name of HTTP Basic with an empty password. A key belongs to one organization and one mode. \`platen_test_…\` keys reach only virtual printers, which print nothing on paper. \`platen_live_…\` keys reach real printers. For a resource of another organization or mode the response is \`404 not_found\`.

Each operation names the scope that it requires. \`admin\` permits every operation; \`read\` and \`print\` are independent of each other.

## Requests

Bodies are JSON in UTF-8, sent as \`application/json\`. Unknown fields and query parameters are refused by name, so that a typing error has no silent effect. Times are ISO 8601 in UTC with milliseconds. A field without a value is null, not missing. Responses can get new fields, enums with \`x-extensible-enum\` new values, and the feed new types of events: ignore unknown ones.

## Errors

Every error response has the body \`{ "error": { "code", "message", "request_id" } }\`. Check the status first, then \`code\`, which never changes its meaning; \`message\` is for people. The response is \`404 not_found\` for an unknown path, \`405 method_not_allowed\` with \`Allow\` for a method that the path does not support, 408 for a request that arrives too slowly, and 431 for headers of more than 16 KiB.

Repeat a request after no answer, \`408\`, \`409 idempotency_in_progress\`, \`429\` and \`5xx\`, with exponential backoff and jitter, and not before \`Retry-After\`; more than 60 seconds are an error. Do not repeat it after another status. An attempt has 30 seconds, and 5 more for each MB of its body. Only a \`GET\`, and a creation with the same \`Idempotency-Key\` in all attempts, is safe to repeat.

## Rate limit

${REQUESTS_PER_SECOND} requests in a second for each key, and ${BUDGETS.keyRequests.max} for all keys of an organization. Every response to a valid key has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

## Pages

Lists return \`data\`, \`hasMore\` and \`nextCursor\`. Send \`nextCursor\` as \`after\` to get the next page. The last page has a \`nextCursor\` as well: a poller with \`dir=asc\` sends it again later and gets each new resource once.`
