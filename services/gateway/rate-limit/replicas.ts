/**
 * Tracks the live gateways. Each announces itself through core NATS several times a second. A gateway is removed when
 * it is silent for 5 s or did not answer. Without NATS each gateway knows only itself. Used by `rate-limiter.ts`.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { GATEWAYS_SUBJECT } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { startTimer } from '@platen/runtime/timers.ts'

const ANNOUNCE_EVERY_MS = 250
const SILENT_LIMIT_MS = 5_000

interface Announcement {
  id: string
  /** Whether it is stopping. */
  leaving: boolean
}

export interface Replicas {
  /** The ids of the others. */
  others(): Iterable<string>
  hasOthers(): boolean
  /** Until its next announcement. */
  remove(id: string): void
}

export function followReplicas(service: ServiceProcess, nats: NatsConnection, ownId: string): Replicas {
  const announcedAt = new Map<string, number>()

  function announce(): void {
    if (nats.isClosed()) return
    const announcement: Announcement = { id: ownId, leaving: service.stopping.aborted }
    nats.publish(GATEWAYS_SUBJECT, JSON.stringify(announcement))
  }

  function receive({ id, leaving }: Announcement): void {
    if (id === ownId) return
    if (leaving) announcedAt.delete(id)
    else {
      // A new gateway does not know this one either. It should not wait for the timer.
      if (!announcedAt.has(id)) announce()
      announcedAt.set(id, performance.now())
    }
  }

  nats.subscribe(GATEWAYS_SUBJECT, {
    callback: (error, message) => {
      if (!error) receive(message.json<Announcement>())
    },
  })
  startTimer(service, 'gateways', ANNOUNCE_EVERY_MS, async () => {
    announce()
    for (const [id, at] of announcedAt) if (performance.now() - at > SILENT_LIMIT_MS) announcedAt.delete(id)
  })
  // Moves its keys before it closes. It still answers gateways that have not received the announcement.
  service.stopping.addEventListener('abort', announce, { once: true })
  void removeAllOnDisconnect(nats, announcedAt)

  return {
    others: () => announcedAt.keys(),
    hasOthers: () => announcedAt.size > 0,
    remove: (id) => void announcedAt.delete(id),
  }
}

/** Ends with the connection. */
async function removeAllOnDisconnect(nats: NatsConnection, announcedAt: Map<string, number>): Promise<void> {
  for await (const { type } of nats.status()) if (type === 'disconnect') announcedAt.clear()
}
