/**
 * Names the permissions that the user of a service lacks in NATS, which otherwise shows only as messages that do not
 * arrive.
 */
import { type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { createExpiringMap } from '../cache.ts'
import type { ServiceProcess } from '../process.ts'

/** A service tries again what is refused. */
const LOG_EVERY_MS = 60_000
const SUBJECTS_MAX = 1_000

/** Until the connection is closed: one line per minute and subject. */
export function logRefusals({ log }: Pick<ServiceProcess, 'log'>, connection: NatsConnection): void {
  const logged = createExpiringMap<true>({ ttlMs: LOG_EVERY_MS, max: SUBJECTS_MAX })
  async function follow(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
      const { operation, subject } = status.error
      const key = `${operation} ${subject}`
      if (logged.has(key)) continue
      logged.set(key, true)
      const action = operation === 'publish' ? 'publish to' : 'subscribe to'
      log.error(
        { subject },
        `NATS does not permit the user of this service to ${action} ${subject}: see docs/operations/nats-permissions.md`,
      )
    }
  }
  follow().catch((error: unknown) => log.warn({ err: error }, 'refusals of NATS are not logged'))
}
