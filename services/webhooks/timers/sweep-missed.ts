import { LockMode } from '@mikro-orm/core'
import { missPending, PENDING_MAX } from '../disable-endpoint.ts'
import { EndpointEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

const WITH_PENDING = `
SELECT id FROM webhooks.endpoint
WHERE NOT enabled AND EXISTS (SELECT FROM webhooks.delivery WHERE endpoint_id = endpoint.id AND status = 'pending')`

/**
 * Makes deliveries `missed` that `disableEndpoint` left pending: above its limit, in progress, or added concurrently.
 */
export async function sweepMissed({ orm }: Pick<Webhooks, 'orm'>): Promise<void> {
  const found = await orm.em.fork().execute<{ id: string }[]>(WITH_PENDING)
  for (const { id } of found) {
    const missSome = () =>
      orm.em.fork().transactional(async (em) => {
        // The lock prevents that the endpoint is enabled concurrently.
        const where = { id, enabled: false }
        const endpoint = await em.findOne(EndpointEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
        return endpoint ? await missPending(em, id) : 0
      })
    while ((await missSome()) === PENDING_MAX);
  }
}
