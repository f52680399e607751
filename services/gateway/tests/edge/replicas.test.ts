import { createApi } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { addGateway, expectError, newPrinting } from '../client.ts'

test('the same key at two gateways at once makes one job; the other answer is a replay, or a 422 for another body', async () => {
  proves('idempotency.in-progress.replica')
  const { api, key, job, jobIds } = await newPrinting()
  const gateways = [api, createApi((await addGateway()).url, key)]
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all(
      gateways.map((gateway, at) =>
        gateway.post('/v1/printjobs', job({ title: n % 2 ? 'Same' : `Title ${at}` }), {
          'idempotency-key': `key ${n}`,
        }),
      ),
    )
    const [first, second] = answers.toSorted((a, b) => rank(a) - rank(b))
    expect(first, JSON.stringify(answers)).toMatchObject({ status: 201 })
    expect(first?.headers.has('idempotent-replayed')).toBe(false)
    if (n % 2) {
      expect([second?.status, second?.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect(second?.body.id).toBe(first?.body.id)
    } else if (second) expectError(second, 422, 'idempotency_key_reused')
    expect(await jobIds()).toHaveLength(n + 1)
  }
})

const rank = ({ status, headers }: { status: number; headers: Headers }) =>
  status + (headers.has('idempotent-replayed') ? 1 : 0)
