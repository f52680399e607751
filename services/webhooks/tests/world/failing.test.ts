/** Endpoints that keep failing. `alerts.test.ts` has the e-mails about them. */
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { disableFailing } from '../../disable-failing.ts'
import { sweepFailing } from '../../timers/sweep-failing.ts'
import { type AddedDeliveries, DAY_MS, startTestWebhooks } from '../webhooks-world.ts'

const FAILING_SINCE = new Date('2026-01-02T03:04:05.678Z')

/**
 * The timer of the service with a clock of the test: the clock of the world does not move by days. It serves all
 * organizations of the world.
 */
async function startFailing() {
  const testing = await startTestWebhooks()
  const { world, query, live } = testing
  const clock = createTestClock(FAILING_SINCE)
  const webhooks = { ...testing.webhooks, clock }
  return {
    ...testing,
    webhooks,
    clock,
    async addEndpoint(failingSince: Date | null = FAILING_SINCE) {
      const id = uuidv7()
      await query(
        `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, failing_since, created_at)
         VALUES ($1, $2, 'live', 'https://user.example.com/hook', '{printjob.done}', $3, $4)`,
        [id, live.organizationId, failingSince, FAILING_SINCE],
      )
      return id
    },
    /** Pending ones are not attempted during the test. */
    addDeliveries: (id: string, facts: AddedDeliveries) =>
      testing.addDeliveries(id, { nextAttemptAt: new Date(world.clock.now().getTime() + DAY_MS), ...facts }),
    sweep: () => sweepFailing(webhooks),
  }
}

describe('an endpoint that keeps failing', () => {
  test('is enabled just before 5 days and disabled after 5 days; its pending deliveries become `missed`', async () => {
    proves('failing.before-5-days', 'failing.5-days', 'missed.pending')
    const { addEndpoint, addDeliveries, readHealth, readStatuses, sweep, clock } = await startFailing()
    const [id, healthy] = [await addEndpoint(), await addEndpoint(null)]
    await addDeliveries(id, { count: 2, status: 'pending' })
    await addDeliveries(id, { status: 'failed' })
    clock.advance(5 * DAY_MS - 1)
    await sweep()
    expect(await readHealth(id)).toMatchObject({ enabled: true, disabled_reason: null })
    clock.advance(1)
    await sweep()
    expect(await readHealth(id)).toEqual({ enabled: false, disabled_reason: 'failures', failing_since: FAILING_SINCE })
    expect(await readStatuses(id)).toEqual(['failed', 'missed', 'missed'])
    expect(await readHealth(healthy)).toMatchObject({ enabled: true })
  })

  test('is disabled however many failed before it and are disabled', async () => {
    const { addEndpoint, readHealth, query, sweep, clock } = await startFailing()
    const before = await Promise.all(Array.from({ length: 100 }, () => addEndpoint(new Date(+FAILING_SINCE - 1))))
    await query('UPDATE webhooks.endpoint SET enabled = false WHERE id = ANY ($1)', [before])
    const id = await addEndpoint()
    clock.advance(5 * DAY_MS)
    await sweep()
    expect(await readHealth(id)).toMatchObject({ enabled: false, disabled_reason: 'failures' })
  })

  test('stays enabled if a success is recorded concurrently', async () => {
    const { world, webhooks, addEndpoint, readHealth, hold, clock } = await startFailing()
    const id = await addEndpoint()
    await addEndpoint()
    clock.advance(5 * DAY_MS)
    const commit = await hold('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [id])
    const disabling = disableFailing(webhooks, [id])
    await untilBlocked(world.pool)
    await commit()
    await disabling
    expect(await readHealth(id)).toMatchObject({ enabled: true, failing_since: null })
  })
})
