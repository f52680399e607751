/**
 * Consumers confirm to an outbox what they have done, by core NATS: fast, in batches, and allowed to get lost, since an event
 * that stays unconfirmed is published again and confirmed again.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import type { Pool } from 'pg'
import type { ServiceProcess } from '../process.ts'

const BATCH_MS = 20
const BATCH_SIZE = 200

interface Confirmation {
  consumer: string
  eventIds: string[]
}

const confirmationSubject = (schema: string) => `platen.outbox.${schema}.confirm`

/** Collects the confirmations of one consumer. */
export function confirmTo(service: ServiceProcess, nats: NatsConnection, schema: string, consumer: string) {
  let eventIds: string[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (eventIds.length === 0 || nats.isClosed()) return
    const confirmation: Confirmation = { consumer, eventIds }
    eventIds = []
    nats.publish(confirmationSubject(schema), JSON.stringify(confirmation))
  }

  service.onStop(`confirmations of ${consumer}`, flush)
  return {
    add(eventId: string): void {
      eventIds.push(eventId)
      if (eventIds.length >= BATCH_SIZE) flush()
      else timer ??= setTimeout(flush, BATCH_MS)
    },
  }
}

/**
 * Locks the rows first: of two consumers that confirm the same event at once, to different replicas, the second then sees that it is the
 * last one. In the order of their ids, so that both never wait for each other.
 */
const confirmSql = (schema: string) => `
WITH confirmed AS MATERIALIZED (
  SELECT id, awaiting FROM ${schema}.outbox WHERE event_id = ANY($1::uuid[]) AND $2 = ANY(awaiting) ORDER BY id FOR UPDATE
), done AS (
  DELETE FROM ${schema}.outbox USING confirmed WHERE outbox.id = confirmed.id AND confirmed.awaiting = ARRAY[$2]
)
UPDATE ${schema}.outbox SET awaiting = array_remove(confirmed.awaiting, $2)
FROM confirmed WHERE outbox.id = confirmed.id AND confirmed.awaiting <> ARRAY[$2]`

/** Takes the consumers' confirmations and deletes the rows that nobody waits for any more. Shared by all replicas. */
export function takeConfirmations(service: ServiceProcess, nats: NatsConnection, schema: string, pool: Pool): void {
  const subscription = nats.subscribe(confirmationSubject(schema), { queue: schema })
  const loop = async () => {
    for await (const message of subscription) {
      const { consumer, eventIds } = message.json<Confirmation>()
      await pool
        .query({ name: `confirm to ${schema}`, text: confirmSql(schema), values: [eventIds, consumer] })
        .catch((error: unknown) =>
          service.log.warn({ err: error }, 'confirmation not written, the event goes out again'),
        )
    }
  }
  const ended = loop()
  service.onStop('outbox confirmations', async () => {
    subscription.unsubscribe()
    await ended
  })
}
