/** Destinations with what each of their printers does now. */
import { STOPPING_KEYWORDS } from '@platen/resources/state-reasons.ts'
import type { Pool } from 'pg'
import type { Destination } from '../entities.ts'
import { UNAVAILABLE_REASON, UNAVAILABLE_SINCE } from './availability.ts'
import { findTurns } from './find-turns.ts'

export interface PrinterNow {
  printerId: string
  /** Empty, as the next one, for a printer that was removed long ago. */
  name: string
  computerId: string
  /** Null: it is available. */
  reason: string | null
  /** The state of the printer for people, or a keyword. Can be empty. */
  detail: string
  since: Date | null
  /** It may take the next job. */
  hasTurn: boolean
}

export type DestinationNow = Omit<Destination, 'printerIds' | 'revision' | 'commitSeq' | 'deletedAt'> & {
  /** Bigints, as text. */
  revision: string
  commitSeq: string
  printers: PrinterNow[]
}

const COLUMNS = `destination.id, destination.number, destination.organization_id AS "organizationId", destination.mode, destination.name,
  destination.policy, destination.standby_after AS "standbyAfter", destination.enabled, destination.expire_after AS "expireAfter",
  destination.revision, destination.created_at AS "createdAt", destination.updated_at AS "updatedAt",
  destination.commit_seq AS "commitSeq"`

const toSqlList = (keywords: readonly string[]) => keywords.map((keyword) => `'${keyword}'`).join(', ')

const PRINTER = `listed.printer_id AS "printerId", COALESCE(printer.display_name, '') AS "printerName",
  COALESCE(printer.computer_id::text, '') AS "computerId", ${UNAVAILABLE_REASON} AS reason,
  ${UNAVAILABLE_SINCE} AS since,
  COALESCE(NULLIF(printer.state_detail, ''), (
    SELECT reason FROM unnest(printer.state_reasons) AS reason WHERE reason IN (${toSqlList(STOPPING_KEYWORDS)}) LIMIT 1
  ), '') AS detail`

/**
 * SQL: a row for each printer of the destinations. A destination has at most 20, which are read by their ids.
 *
 * @param where condition of `destination`. @param order of the destinations.
 */
const toSql = (where: string, order = 'destination.id') => `
SELECT ${COLUMNS}, ${PRINTER}
FROM (SELECT * FROM devices.destination WHERE deleted_at IS NULL AND ${where}) AS destination
CROSS JOIN LATERAL unnest(printer_ids) WITH ORDINALITY AS listed (printer_id, position)
LEFT JOIN devices.printer ON printer.id = listed.printer_id
LEFT JOIN devices.computer ON computer.id = printer.computer_id
ORDER BY ${order}, position`

type Row = Omit<DestinationNow, 'printers'> & Omit<PrinterNow, 'name' | 'hasTurn'> & { printerName: string }

/**
 * @param where SQL: a condition of `destination`, with parameters from `$1`.
 * @param order SQL of the order of the destinations.
 */
export async function readDestinations(
  pool: Pick<Pool, 'query'>,
  now: Date,
  { where, values, name, order }: { where: string; values: unknown[]; name?: string; order?: string },
): Promise<DestinationNow[]> {
  const { rows } = await pool.query<Row>({ ...(name && { name }), text: toSql(where, order), values })
  const byId = Map.groupBy(rows, ({ id }) => id)
  return [...byId.values()].map((ofOne) => toDestination(ofOne, now))
}

function toDestination(rows: Row[], now: Date): DestinationNow {
  const {
    printerId: _,
    printerName: __,
    computerId: ___,
    reason: ____,
    since: _____,
    detail: ______,
    ...facts
  } = rows[0] as Row
  const printers = rows.map(({ printerId, printerName: name, computerId, reason, since, detail }) => ({
    ...{ printerId, name, computerId, reason, detail },
    since: reason === null ? null : since,
  }))
  const turns = findTurns({ ...facts, printers }, now)
  return { ...facts, printers: printers.map((printer) => ({ ...printer, hasTurn: turns.includes(printer) })) }
}

/** Prepared, because each announcement of waiting jobs needs it. */
export const readDestinationsById = (pool: Pick<Pool, 'query'>, now: Date, ids: string[]) =>
  readDestinations(pool, now, { name: 'destinations', where: 'id = ANY($1::uuid[])', values: [ids] })
