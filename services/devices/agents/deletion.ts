/**
 * Announces a deleted computer, so that the replica with its stream ends it. By core NATS, so an announcement can be lost. Then the stream
 * ends when its heartbeats are written, and the next connect of the agent gets the same message.
 */
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'

const SUBJECT = 'platen.devices.deleted'

export function announceDeletion(devices: Devices, computerId: string): void {
  devices.nats.connection.publish(SUBJECT, computerId)
}

export function listenForDeletions(service: ServiceProcess, devices: Devices): void {
  const subscription = devices.nats.connection.subscribe(SUBJECT, {
    callback: (_error, message) => {
      const connection = devices.connections.get(message.string())
      connection?.send({ case: 'computerDeleted', value: {} })
      connection?.end()
    },
  })
  service.onStop('deletions', () => subscription.unsubscribe())
}
