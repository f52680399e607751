/**
 * Events of computers and printers. The statement of the change also inserts its event log entry. Callers call
 * `eventsAdded` after the commit of a statement that inserted entries. Reference: docs/reference/events.md#types.
 */
import { COMPUTER } from '@platen/resources/computer-schema.ts'
import { EVENT_PRINTER } from '@platen/resources/event-schema.ts'
import { jsonObject, jsonPlainText, jsonTimestamp, jsonValue } from '@platen/runtime/event-log/json-sql.ts'
import { resourceSql } from '@platen/runtime/event-log/resource-sql.ts'
import { nextCommitSeq } from '@platen/runtime/event-log/table.ts'

/** @param at SQL of the time of the change. @param traceparent SQL of the traceparent of the request. */
type Log = (changed: string, at: string, traceparent?: string) => string

const logEvents =
  (data: string): Log =>
  (changed, at, traceparent = `''`) =>
    `
INSERT INTO devices.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent)
SELECT event_id, event_commit_seq, organization_id, mode, type, ${at}::timestamptz,
  ${jsonObject({
    id: jsonPlainText('event_id'),
    type: jsonPlainText('type'),
    timestamp: jsonTimestamp(`${at}::timestamptz`),
    mode: jsonPlainText('mode'),
    sequence: jsonValue('sequence'),
    data,
  })}, ${traceparent}
FROM (SELECT changed.*, uuidv7() AS event_id FROM (${changed}) AS changed) AS event
RETURNING id`

/** @param changed a SELECT of changed rows of `devices.computer`, after `nextEvent`, and of `type`. */
export const logComputers = logEvents(resourceSql(COMPUTER, 'event'))

/**
 * @param changed a SELECT of changed rows of `devices.printer`, after `nextEvent`, of `type` and of the `state` in the
 *   API.
 */
export const logPrinters = logEvents(resourceSql(EVENT_PRINTER, 'event'))

/**
 * SQL for the SET of an UPDATE that inserts an event.
 *
 * @param row the table.
 * @param condition SQL: whether the row has an event.
 */
export const nextEvent = (row: 'computer' | 'printer', condition = 'true') =>
  `sequence = ${row}.sequence + CASE WHEN ${condition} THEN 1 ELSE 0 END,
   event_commit_seq = ${nextCommitSeq('devices', row)}`
