/** Replacing PLATEN_SIGNING_KEY in three rollouts. Gateways of two successive rollouts run at the same time. */
import { createApi } from '@platen/test/harness/api.ts'
import { expect, test } from 'vitest'
import { addGateway, expectError, newPrinting } from '../client.ts'

const OLD = Buffer.from('the old signing key')
const NEW = Buffer.from('the new signing key')

test('cursors and idempotency keys of each rollout are accepted during the next and the previous one; after the last one those of the first are not', async () => {
  const { key, job, jobIds } = await newPrinting()
  const keyrings = [[OLD] as const, [OLD, NEW] as const, [NEW, OLD] as const, [NEW] as const]
  const gateways = await Promise.all(
    keyrings.map(async (signingKeys, n) => {
      const { url } = await addGateway({ signingKeys })
      const api = createApi(url, key)
      const create = (rollout: number, body: unknown = job()) =>
        api.post('/v1/printjobs', body, { 'idempotency-key': `rollout ${rollout}` })
      const page = (cursor?: string) => api.get(`/v1/printers${cursor ? `?after=${cursor}` : ''}`)
      const created = await create(n)
      expect(created.status).toBe(201)
      return { create, page, jobId: created.body.id, cursor: (await page()).body.nextCursor }
    }),
  )
  const ids = await jobIds()
  for (const [n, { create, page }] of gateways.entries())
    for (const [rollout, { jobId, cursor }] of gateways.entries())
      if (Math.abs(rollout - n) <= 1) {
        expect((await page(cursor)).status).toBe(200)
        const replay = await create(rollout)
        expect([replay.headers.get('idempotent-replayed'), replay.body.id]).toEqual(['true', jobId])
        expectError(await create(rollout, job({ title: 'Other' })), 422, 'idempotency_key_reused')
      }
  expect(await jobIds()).toEqual(ids)
  const [first, , , last] = gateways
  expectError(await (last?.page(first?.cursor) ?? expect.unreachable()), 400, 'invalid_request')
  expectError(await (last?.create(0) ?? expect.unreachable()), 422, 'idempotency_key_reused')
})
