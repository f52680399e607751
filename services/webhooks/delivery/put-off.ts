/** Puts deliveries off that have no place now: they come again when they are due, and have used no attempt. */
import { createWriteBatches } from '@platen/runtime/batches.ts'
import type { Pool } from 'pg'

const BATCH = 100
/** Collects while the statement before it is on its way. */
const REST_MS = 10

export interface PutOff {
  id: string
  publication: number
  until: Date
}

const SQL = `
UPDATE webhooks.delivery SET due_at = until, next_attempt_at = until, is_put_off = true, publications = publications + 1
FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS away (id, publication, until)
WHERE delivery.id = away.id AND publications = publication AND status = 'pending'`

export interface PuttingOff {
  putOff(delivery: PutOff): Promise<void>
  /** Once all that is being put off now is in the table, where it can be called back. */
  settled(): Promise<void>
}

export function startPuttingOff(pool: Pool): PuttingOff {
  const underWay = new Set<Promise<unknown>>()
  const write = createWriteBatches<PutOff>({
    everyMs: REST_MS,
    maxItems: BATCH,
    keyOf: ({ id }) => id,
    write: (deliveries) => putOff(pool, deliveries),
  })
  return {
    async putOff(delivery) {
      const written = write(delivery)
      underWay.add(written)
      await written.finally(() => underWay.delete(written))
    },
    async settled() {
      await Promise.allSettled(underWay)
    },
  }
}

async function putOff(pool: Pool, deliveries: PutOff[]): Promise<void> {
  await pool.query({
    name: 'put deliveries off',
    text: SQL,
    values: [
      deliveries.map(({ id }) => id),
      deliveries.map(({ publication }) => publication),
      deliveries.map(({ until }) => until),
    ],
  })
}

const CALLED_AT_ONCE = 1_000

const CALL_SQL = `
UPDATE webhooks.delivery SET due_at = at, next_attempt_at = at, is_put_off = false, publications = publications + 1
FROM (
  SELECT id, $2::timestamptz + place * $3::float8 * interval '1 ms' AS at
  FROM unnest(ARRAY(
    SELECT id FROM webhooks.delivery WHERE endpoint_id = $1 AND status = 'pending' AND is_put_off ORDER BY id LIMIT ${CALLED_AT_ONCE}
    FOR UPDATE SKIP LOCKED
  )) WITH ORDINALITY AS away (id, place)
) AS called
WHERE delivery.id = called.id`

/**
 * For an endpoint that can be reached again: what was put off is due from now on, the oldest first, each a step later than the one before.
 * Retries keep their times.
 */
export async function callBack(pool: Pool, endpointId: string, from: Date, stepMs: number): Promise<void> {
  for (let called = 0, inBatch = CALLED_AT_ONCE; inBatch === CALLED_AT_ONCE; called += inBatch) {
    const begin = new Date(from.getTime() + called * stepMs)
    const values = [endpointId, begin, stepMs]
    inBatch = (await pool.query({ name: 'call deliveries back', text: CALL_SQL, values })).rowCount ?? 0
  }
}
