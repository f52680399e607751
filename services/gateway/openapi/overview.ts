/** The text above the operations: what holds for all of them. Markdown. */

import { REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'

export const OVERVIEW = `Send documents to printers that are attached to computers anywhere, and follow each one until it is printed.

## Authentication

Every request carries an API key: as \`Authorization: Bearer <API_KEY>\`, or by HTTP Basic as the user name with an empty password. A key belongs to one organization and one mode. \`platen_test_…\` keys reach virtual printers alone and print nothing on paper; \`platen_live_…\` keys reach real ones. What belongs to another organization or mode does not exist for a key: \`404 not_found\`.

Each operation names the scope that it needs. \`admin\` satisfies all; \`read\` and \`print\` are independent of each other.

## Requests

Bodies are JSON in UTF-8, sent as \`application/json\`. Fields and query parameters that are not known are refused by name, so that a typing error cannot pass unnoticed. Times are ISO 8601 in UTC with milliseconds. A fact that is absent is null, not missing. Answers may get new fields: ignore those that you do not know.

## Errors

Every answer that is not a success has the body \`{ "error": { "code", "message", "request_id" } }\`. Look at the status first, then at \`code\`, which never changes its meaning; \`message\` is for people. A path that does not exist answers \`404 not_found\`, a method that a path does not take \`405 method_not_allowed\` with \`Allow\`. A request that takes too long to arrive answers 408, one with headers of more than 16 KiB 431.

Send again after \`429\`, \`5xx\` and failures of the network, with exponential backoff and randomness, and not before \`Retry-After\`. Do not repeat any other \`4xx\`. Creations are safe to repeat with an \`Idempotency-Key\`.

## Rate limit

${REQUESTS_PER_SECOND} requests in a second for each key. Every answer to a valid key has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

## Pages

Lists answer \`data\`, \`hasMore\` and \`nextCursor\`. Send \`nextCursor\` as \`after\` for what follows. It is set on the last page too: a poller with \`dir=asc\` sends it again later and sees each new resource once.`
