/**
 * SQL: the id of the job, computer or printer of a row of `webhooks.event`, as text. Bodies have `data` after fields
 * without user text, and `id` as its first field (`jobs/event-body.ts`, `devices/events.ts`). An expression costs a
 * recording less than parsing the body for a column. The indexes use it as it is written here, so a change needs new
 * indexes.
 */
const BEFORE = '"data":{"id":"'
const UUID_LENGTH = 36

export const EVENT_RESOURCE = `substr(body, strpos(body, '${BEFORE}') + ${BEFORE.length}, ${UUID_LENGTH})`
