/**
 * Caches the printers of computers with streams in this replica, so that a claim needs no query, and announces changes
 * of printers to all caches. See `createAnnouncedCache`.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { PRINTERS_CHANGED_SUBJECT, type PrintersChanged } from '@platen/proto/subjects.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { createAnnouncedCache } from '@platen/runtime/cache.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Pool } from 'pg'

/** Longest effect of a lost announcement: docs/reference/printers.md#editing. */
const TTL_MS = 30_000
/** More computers than print within the TTL. About 5 MB with four printers each. */
const COMPUTERS_MAX = 5_000
/** The size of computers with hundreds of printers. */
const CACHE_MAX_BYTES = 32 * 1024 * 1024
/** Besides the name. */
const PRINTER_BYTES = 200
/** In one query. */
const QUERY_MAX = 100
/** In one announcement: 40 kB. */
const ANNOUNCED_MAX = 1_000

export interface ComputerPrinter {
  id: string
  /** The name on the computer. */
  osName: string
  /** Disabled, offline, removed, or of a paused computer. Its jobs stay `queued` until it returns or they expire. */
  isBlocked: boolean
  /** The destinations that have it. */
  destinationIds: string[]
}

export interface ComputerPrinters {
  /** All printers of the computer, including removed ones. */
  list(computerId: string): Promise<readonly ComputerPrinter[]>
  /** Drops the computer from the cache. */
  delete(computerId: string): void
  /**
   * Call after the commit of a change that affects a claim or `ResolvePrinter`. Applies to the cache of this process
   * immediately.
   */
  announce(changed: PrintersChanged): void
}

export function createComputerPrinters(connection: NatsConnection, pool: Pool, clock: Clock): ComputerPrinters {
  const cache = createAnnouncedCache<ComputerPrinter[]>(
    {
      nats: connection,
      subject: PRINTERS_CHANGED_SUBJECT,
      toKeys: (announcement) => [(JSON.parse(announcement) as PrintersChanged).computerId],
    },
    { ttlMs: TTL_MS, max: COMPUTERS_MAX, maxBytes: CACHE_MAX_BYTES, getBytes, now: clock.monotonicMs },
  )
  const query = createBatches<string, ComputerPrinter[]>({
    maxItems: QUERY_MAX,
    getKey: (computerId) => computerId,
    run: (computerIds) => queryPrinters(pool, computerIds),
  })
  return {
    list: (computerId) => cache.get(computerId, () => query(computerId)),
    delete: cache.delete,
    announce({ printerIds, ...ids }) {
      cache.delete(ids.computerId)
      for (let start = 0; start < printerIds.length; start += ANNOUNCED_MAX) {
        const changed: PrintersChanged = { ...ids, printerIds: printerIds.slice(start, start + ANNOUNCED_MAX) }
        connection.publish(PRINTERS_CHANGED_SUBJECT, JSON.stringify(changed))
      }
    },
  }
}

const ID_BYTES = 60

const getBytes = (printers: ComputerPrinter[]) =>
  printers.reduce(
    (sum, { osName, destinationIds }) => sum + PRINTER_BYTES + osName.length + destinationIds.length * ID_BYTES,
    0,
  )

async function queryPrinters(pool: Pool, computerIds: string[]): Promise<Map<string, ComputerPrinter[]>> {
  const { rows } = await pool.query<ComputerPrinter & { computerId: string }>({
    name: 'printers of computers',
    text: `SELECT printer.id, computer_id AS "computerId", os_name AS "osName",
             NOT enabled OR reported_state = 'offline' OR removed_at IS NOT NULL
               OR paused_at IS NOT NULL AS "isBlocked",
             ARRAY(SELECT destination.id FROM devices.destination
               WHERE printer_ids @> ARRAY[printer.id] AND destination.deleted_at IS NULL) AS "destinationIds"
           FROM devices.printer JOIN devices.computer ON computer.id = computer_id WHERE computer_id = ANY($1::uuid[])`,
    values: [computerIds],
  })
  const printers = Map.groupBy(rows, ({ computerId }) => computerId)
  return new Map(computerIds.map((computerId) => [computerId, printers.get(computerId) ?? []]))
}
