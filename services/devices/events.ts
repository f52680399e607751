/**
 * Events of computers and printers. The statement of the change also inserts its event log entry. Callers call `eventsAdded` after the commit
 * of a statement that inserted entries. Reference: docs/reference/events.md#types.
 */
import { jsonObject, jsonPlainText, jsonText, jsonTimestamp, jsonValue } from '@platen/runtime/event-log/json-sql.ts'
import { nextCommitSeq } from '@platen/runtime/event-log/table.ts'

/** Equals the JSON of the API (`resources/computer-to-json.ts`). */
const COMPUTER = jsonObject({
  id: jsonPlainText('id'),
  number: jsonValue('number'),
  name: jsonText('name'),
  hostname: jsonText('hostname'),
  os: jsonText('os'),
  osVersion: jsonText('os_version'),
  arch: jsonText('arch'),
  agentVersion: jsonText('agent_version'),
  agentUpdate: jsonValue('agent_update'),
  state: jsonPlainText('state'),
  mode: jsonPlainText('mode'),
  pausedAt: jsonTimestamp('paused_at'),
  unauthorizedAt: jsonTimestamp('unauthorized_at'),
  lastSeenAt: jsonTimestamp('last_seen_at'),
  createdAt: jsonTimestamp('created_at'),
})

/** Equals the JSON of the API (`resources/printer-to-json.ts`) without the capabilities. */
const PRINTER = jsonObject({
  id: jsonPlainText('id'),
  number: jsonValue('number'),
  computerId: jsonPlainText('computer_id'),
  name: jsonText('name'),
  osName: jsonText('os_name'),
  description: jsonText('description'),
  displayName: jsonText('display_name'),
  remarks: jsonText('remarks'),
  enabled: jsonValue('enabled'),
  isDefault: jsonValue('is_default'),
  state: jsonPlainText('state'),
  stateDetail: jsonText('state_detail'),
  stateReasons: jsonValue('state_reasons'),
  defaultOptions: jsonValue('default_options'),
  customPapers: jsonValue('custom_papers'),
  createdAt: jsonTimestamp('created_at'),
  updatedAt: jsonTimestamp('updated_at'),
})

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
export const logComputers = logEvents(COMPUTER)

/** @param changed a SELECT of changed rows of `devices.printer`, after `nextEvent`, of `type` and of the `state` in the API. */
export const logPrinters = logEvents(PRINTER)

/** SQL for the SET of an UPDATE that inserts an event. @param row the table. @param condition SQL: whether the row has an event. */
export const nextEvent = (row: 'computer' | 'printer', condition = 'true') =>
  `sequence = ${row}.sequence + CASE WHEN ${condition} THEN 1 ELSE 0 END, event_commit_seq = ${nextCommitSeq('devices', row)}`
