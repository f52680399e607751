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

/** Takes the consumers' confirmations and deletes the rows that nobody waits for any more. Shared by all replicas. */
export function takeConfirmations(service: ServiceProcess, nats: NatsConnection, schema: string, pool: Pool): void {
  const subscription = nats.subscribe(confirmationSubject(schema), { queue: schema })
  const loop = async () => {
    for await (const message of subscription) {
      const { consumer, eventIds } = message.json<Confirmation>()
      await pool
        .query(
          `WITH done AS (DELETE FROM ${schema}.outbox WHERE event_id = ANY($1::uuid[]) AND awaiting = ARRAY[$2])
           UPDATE ${schema}.outbox SET awaiting = array_remove(awaiting, $2)
           WHERE event_id = ANY($1::uuid[]) AND $2 = ANY(awaiting) AND awaiting <> ARRAY[$2]`,
          [eventIds, consumer],
        )
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
