/**
 * Tells the replica that holds a deleted computer's stream to end it. By core NATS: what gets lost is caught when the agent's
 * heartbeats are written, and by its next connect, which is told the same.
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
      const held = devices.connections.get(message.string())
      held?.send({ case: 'computerDeleted', value: {} })
      held?.end()
    },
  })
  service.onStop('deletions', () => subscription.unsubscribe())
}
