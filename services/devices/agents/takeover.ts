/**
 * Announces a newer stream of a computer, so that other replicas end theirs. By core NATS. If an announcement is lost,
 * the epoch fences the stream.
 */

import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'

const SUBJECT = 'platen.devices.takeover'

interface Takeover {
  computerId: string
  epoch: string
  runId: string
  hostname: string
}

export function announceTakeover(devices: Devices, { computerId, epoch, runId, hostname }: Connection): void {
  devices.nats.connection.publish(
    SUBJECT,
    JSON.stringify({ computerId, epoch: String(epoch), runId, hostname } satisfies Takeover),
  )
}

export function listenForTakeovers(service: ServiceProcess, devices: Devices): void {
  const subscription = devices.nats.connection.subscribe(SUBJECT, {
    callback: (_error, message) => {
      const { computerId, epoch, ...newest } = message.json<Takeover>()
      const connection = devices.connections.get(computerId)
      if (connection && connection.epoch < BigInt(epoch)) supersede(devices, connection, newest)
    },
  })
  service.onStop('takeovers', () => subscription.unsubscribe())
}

/**
 * Ends an older stream of the same agent, which has abandoned it itself, or reconnects if the abandoned hello arrived
 * late. A different agent with the same credential gets `superseded`. It is granted nothing more, reports the jobs that
 * its spooler has, and then ends the stream.
 *
 * @param newest the newest stream of the computer.
 */
export function supersede(
  { connections }: Devices,
  older: Connection,
  { runId, hostname }: Pick<Connection, 'runId' | 'hostname'>,
): void {
  older.reconnecting = true
  if (runId !== '' && runId === older.runId) older.end('superseded')
  else {
    older.endedBecause = 'superseded'
    older.send({ case: 'superseded', value: { hostname } })
    connections.supersede(older)?.end('superseded')
  }
}
