/**
 * Which gateways are alive. Each says so through core NATS, several times a second; one that is silent for 5 s is gone, unless it was
 * noticed before because it did not answer. While NATS is away each knows itself alone. Used by `rate-limiter.ts`.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { GATEWAYS_SUBJECT } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { startTimer } from '@platen/runtime/timers.ts'

const ANNOUNCE_EVERY_MS = 250
const SILENT_LIMIT_MS = 5_000

interface Announcement {
  id: string
  /** It is about to stop. */
  leaving: boolean
}

export interface Replicas {
  /** The ids of the others. */
  others(): Iterable<string>
  hasOthers(): boolean
  /** It did not answer. Forgotten until it is heard of again. */
  forget(id: string): void
}

export function followReplicas(service: ServiceProcess, nats: NatsConnection, ownId: string): Replicas {
  const heardAt = new Map<string, number>()

  function announce(): void {
    if (nats.isClosed()) return
    const announcement: Announcement = { id: ownId, leaving: service.stopping.aborted }
    nats.publish(GATEWAYS_SUBJECT, JSON.stringify(announcement))
  }

  function hear({ id, leaving }: Announcement): void {
    if (id === ownId) return
    if (leaving) heardAt.delete(id)
    else {
      // It does not know of this one either, and should not wait for the next turn.
      if (!heardAt.has(id)) announce()
      heardAt.set(id, performance.now())
    }
  }

  nats.subscribe(GATEWAYS_SUBJECT, {
    callback: (error, message) => {
      if (!error) hear(message.json<Announcement>())
    },
  })
  startTimer(service, 'gateways', ANNOUNCE_EVERY_MS, async () => {
    announce()
    for (const [id, at] of heardAt) if (performance.now() - at > SILENT_LIMIT_MS) heardAt.delete(id)
  })
  // Its keys move before it closes; those who have not heard yet are still answered meanwhile.
  service.stopping.addEventListener('abort', announce, { once: true })
  void forgetAllWhenAlone(nats, heardAt)

  return {
    others: () => heardAt.keys(),
    hasOthers: () => heardAt.size > 0,
    forget: (id) => void heardAt.delete(id),
  }
}

/** Ends with the connection. */
async function forgetAllWhenAlone(nats: NatsConnection, heardAt: Map<string, number>): Promise<void> {
  for await (const { type } of nats.status()) if (type === 'disconnect') heardAt.clear()
}
