/** Announces a newer stream of a computer, so that other replicas end theirs. By core NATS. If an announcement is lost, the epoch fences the stream. */

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
      const connection = devices.connections.get(computerId)
      if (connection && connection.epoch < BigInt(epoch)) supersede(connection, runId)
    },
  })
  service.onStop('takeovers', () => subscription.unsubscribe())
}

/**
 * Ends an older stream. A different agent with the same credential gets `superseded` and stops. The same agent has abandoned the older stream
 * itself, or reconnects if the abandoned hello arrived late.
 *
 * @param runId of the newest stream.
 */
export function supersede(older: Connection, runId: string | undefined): void {
  older.reconnecting = true
  if (runId === undefined || runId === '' || runId !== older.runId) older.send({ case: 'superseded', value: {} })
  older.end('superseded')
}
