/** Tells the other replicas that a computer has a newer stream here, so that they end theirs. By core NATS: what gets lost is caught by the epoch. */

import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'

const SUBJECT = 'platen.devices.takeover'

export function announceTakeover(devices: Devices, { computerId, epoch }: Connection): void {
  devices.nats.connection.publish(SUBJECT, JSON.stringify({ computerId, epoch: String(epoch) }))
}

export function listenForTakeovers(service: ServiceProcess, devices: Devices): void {
  const subscription = devices.nats.connection.subscribe(SUBJECT, {
    callback: (_error, message) => {
      const { computerId, epoch } = message.json<{ computerId: string; epoch: string }>()
      const held = devices.connections.get(computerId)
      if (held && held.epoch < BigInt(epoch)) supersede(held)
    },
  })
  service.onStop('takeovers', () => subscription.unsubscribe())
}

/** The newest stream wins; the older one's agent is told not to come back. */
export function supersede(older: Connection): void {
  older.reconnecting = true
  older.send({ case: 'superseded', value: {} })
  older.end()
}
