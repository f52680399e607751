/**
 * Announces a deleted computer, so that the replicas with its streams end them. By core NATS, so an announcement can be
 * lost. Then the stream ends when its heartbeats are written, and the next connect of the agent gets the same message.
 */
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'

const SUBJECT = 'platen.devices.deleted'

export function announceDeletion(devices: Devices, computerId: string): void {
  devices.nats.connection.publish(SUBJECT, computerId)
}

export function listenForDeletions(service: ServiceProcess, devices: Devices): void {
  let checks: Promise<unknown> = Promise.resolve()
  const subscription = devices.nats.connection.subscribe(SUBJECT, {
    callback(_error, message) {
      const check = endStream(devices, message.string()).catch((error: unknown) =>
        devices.log.warn({ err: error }, 'deletion of a computer not checked, its stream ends with its next heartbeat'),
      )
      checks = Promise.all([checks, check]).then(() => undefined)
    },
  })
  service.onStop('deletions', async () => {
    subscription.unsubscribe()
    // A query that begins while the database is being closed would keep its connection.
    await checks
  })
}

/** Checks the announcement, because an agent that is told of its deletion drops its jobs. */
async function endStream({ connections, orm }: Devices, computerId: string): Promise<void> {
  const getStreams = () => connections.all().filter((connection) => connection.computerId === computerId)
  if (getStreams().length === 0) return
  const isDeleted = await orm.em.fork().count(ComputerEntity, { id: computerId, deletedAt: { $ne: null } })
  if (!isDeleted) return
  for (const connection of getStreams()) {
    connection.send({ case: 'computerDeleted', value: {} })
    connection.end('deleted')
  }
}
