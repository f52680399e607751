import { trackMetrics } from '@platen/test/harness/metrics.ts'
import { expect, test } from 'vitest'
import { startTestWebhooks } from '../webhooks-world.ts'

test('a recorded attempt is counted by its outcome', async () => {
  const { startDelivering, deliver, waitForDelivery } = await startTestWebhooks()
  const outcome = (name: string) => `platen_webhook_attempts_total{outcome="${name}"}`
  const counted = { [outcome('succeeded')]: 2, [outcome('status')]: 1 }
  const changes = await trackMetrics(Object.keys(counted))
  const working = await startDelivering()
  const failing = await startDelivering(() => 500)
  const delivered = await deliver(working.id, { count: 2 })
  const [failed] = await deliver(failing.id)
  for (const id of delivered) await waitForDelivery(id, { status: 'succeeded' })
  await waitForDelivery(failed, { attempts: 1 })
  // Endpoints of other tests can have attempts meanwhile.
  for (const [series, change] of Object.entries(await changes()))
    expect(change, series).toBeGreaterThanOrEqual(counted[series] ?? Number.NaN)
})
