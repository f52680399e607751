/** Tells the other replicas that a computer has a newer stream here, so that they end theirs. By core NATS: what gets lost is caught by the epoch. */

import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'

const SUBJECT = 'platen.devices.takeover'

interface Takeover {
  computerId: string
  epoch: string
  runId: string
}

export function announceTakeover(devices: Devices, { computerId, epoch, runId }: Connection): void {
  devices.nats.connection.publish(
    SUBJECT,
    JSON.stringify({ computerId, epoch: String(epoch), runId } satisfies Takeover),
  )
}

export function listenForTakeovers(service: ServiceProcess, devices: Devices): void {
  const subscription = devices.nats.connection.subscribe(SUBJECT, {
    callback: (_error, message) => {
      const { computerId, epoch, runId } = message.json<Takeover>()
      const held = devices.connections.get(computerId)
      if (held && held.epoch < BigInt(epoch)) supersede(held, runId)
    },
  })
  service.onStop('takeovers', () => subscription.unsubscribe())
}

/**
 * The newest stream wins. Another agent is told not to come back; the same one has given the older stream up itself, or comes again if
 * what arrived late was the one that it had given up.
 *
 * @param runId of the newest stream.
 */
export function supersede(older: Connection, runId: string | undefined): void {
  older.reconnecting = true
  if (runId === undefined || runId === '' || runId !== older.runId) older.send({ case: 'superseded', value: {} })
  older.end()
}
