/**
 * Events of computers and printers: an outbox row each, added by the statement that makes the change, so that neither is there without
 * the other. Who runs such a statement calls `eventsAdded` when it has told something. Source: decisions, "Computers and printers".
 */
import { deviceEventSubject, WEBHOOKS_DEVICES_CONSUMER } from '@platen/proto/subjects.ts'

/** `platen.devices.v1.Computer` as JSON: what `computerToProto` makes of the same row. */
const COMPUTER = `jsonb_build_object('id', id, 'organizationId', organization_id, 'mode', mode, 'name', name, 'hostname', hostname,
  'os', os, 'osVersion', os_version, 'arch', arch, 'agentVersion', agent_version, 'state', state, 'lastSeenAt', last_seen_at,
  'createdAt', created_at)`

/** `platen.devices.v1.Printer` as JSON: what `printerToProto` makes of the same row, but for the capabilities. */
const PRINTER = `jsonb_build_object('id', id, 'organizationId', organization_id, 'mode', mode, 'computerId', computer_id, 'name', name,
  'osName', os_name, 'description', description, 'displayName', display_name, 'remarks', remarks, 'enabled', enabled,
  'isDefault', is_default, 'state', state, 'stateDetail', state_detail, 'stateReasons', state_reasons,
  'defaultOptions', default_options, 'customPapers', custom_papers, 'createdAt', created_at, 'updatedAt', updated_at)`

/** Where the type is a column, in SQL. */
const SUBJECT = `replace(replace('${deviceEventSubject('{mode}', '{type}')}', '{mode}', mode), '{type}', type)`

/** @param at when it happened, @param traceparent of the request that did it: both in SQL. */
type Tell = (changed: string, at: string, traceparent?: string) => string

const tell =
  (resource: string, json: string): Tell =>
  (changed, at, traceparent = `''`) =>
    `
INSERT INTO devices.outbox (event_id, order_key, subject, payload, traceparent, awaiting)
SELECT event_id, id, ${SUBJECT}, jsonb_build_object('eventId', event_id, 'type', type, 'organizationId', organization_id,
    'mode', mode, 'sequence', sequence, 'occurredAt', ${at}::timestamptz, '${resource}', ${json}),
  ${traceparent}, ARRAY['${WEBHOOKS_DEVICES_CONSUMER}']
FROM (SELECT changed.*, uuidv7() AS event_id FROM (${changed}) AS changed) AS event
RETURNING event_id`

/** @param changed a SELECT of rows of `devices.computer` as they are now, their `sequence` raised, and of `type`. */
export const tellComputers = tell('computer', COMPUTER)

/** @param changed a SELECT of rows of `devices.printer` as they are now, their `sequence` raised, of `type` and of the `state` that is shown. */
export const tellPrinters = tell('printer', PRINTER)
