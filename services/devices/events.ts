/**
 * Events of computers and printers: an entry of the event log each, added by the statement that makes the change, so that neither is there
 * without the other. Who runs such a statement calls `eventsAdded` when it has logged something. Reference: docs/reference/events.md#types.
 */
import { jsonObject, jsonText, jsonTimestamp, jsonValue, jsonWord } from '@platen/runtime/event-log/json-sql.ts'
import { nextPlace } from '@platen/runtime/event-log/table.ts'

/** What the API shows of the same row (`resources/computer-to-json.ts`). */
const COMPUTER = jsonObject({
  id: jsonWord('id'),
  name: jsonText('name'),
  hostname: jsonText('hostname'),
  os: jsonText('os'),
  osVersion: jsonText('os_version'),
  arch: jsonText('arch'),
  agentVersion: jsonText('agent_version'),
  state: jsonWord('state'),
  mode: jsonWord('mode'),
  lastSeenAt: jsonTimestamp('last_seen_at'),
  createdAt: jsonTimestamp('created_at'),
})

/** What the API shows of the same row (`resources/printer-to-json.ts`), but for the capabilities. */
const PRINTER = jsonObject({
  id: jsonWord('id'),
  computerId: jsonWord('computer_id'),
  name: jsonText('name'),
  osName: jsonText('os_name'),
  description: jsonText('description'),
  displayName: jsonText('display_name'),
  remarks: jsonText('remarks'),
  enabled: jsonValue('enabled'),
  isDefault: jsonValue('is_default'),
  state: jsonWord('state'),
  stateDetail: jsonText('state_detail'),
  stateReasons: jsonValue('state_reasons'),
  defaultOptions: jsonValue('default_options'),
  customPapers: jsonValue('custom_papers'),
  createdAt: jsonTimestamp('created_at'),
  updatedAt: jsonTimestamp('updated_at'),
})

/** @param at when it happened, @param traceparent of the request that did it: both in SQL. */
type Log = (changed: string, at: string, traceparent?: string) => string

const logEvents =
  (data: string): Log =>
  (changed, at, traceparent = `''`) =>
    `
INSERT INTO devices.event_log (id, list_place, organization_id, mode, type, occurred_at, body, traceparent)
SELECT event_id, event_place, organization_id, mode, type, ${at}::timestamptz,
  ${jsonObject({
    id: jsonWord('event_id'),
    type: jsonWord('type'),
    timestamp: jsonTimestamp(`${at}::timestamptz`),
    mode: jsonWord('mode'),
    sequence: jsonValue('sequence'),
    data,
  })}, ${traceparent}
FROM (SELECT changed.*, uuidv7() AS event_id FROM (${changed}) AS changed) AS event
RETURNING id`

/** @param changed a SELECT of rows of `devices.computer` as they are now, after `nextEvent`, and of `type`. */
export const logComputers = logEvents(COMPUTER)

/** @param changed a SELECT of rows of `devices.printer` as they are now, after `nextEvent`, of `type` and of the `state` that is shown. */
export const logPrinters = logEvents(PRINTER)

/** SQL for the SET of an UPDATE: the row has one more event. @param row as it was. @param happens in SQL: whether it has one. */
export const nextEvent = (row: 'computer' | 'printer', happens = 'true') =>
  `sequence = ${row}.sequence + CASE WHEN ${happens} THEN 1 ELSE 0 END, event_place = ${nextPlace('devices', row)}`
