import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { firstPrint } from '../../first-print.ts'

test('the first start asks for its printer less often than the rate limit of its key permits, 20 requests per second', async () => {
  const askedAt: number[] = []
  const gateway = createServer((_request, response) => {
    askedAt.push(performance.now())
    const data = askedAt.length < 3 ? [] : [{ id: 'laser', name: 'Test A4 Laser' }]
    response.end(JSON.stringify({ data }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const credentials = { baseUrl, agentUrl: '', organizationId: '', testKey: 'key', liveKey: '' }
  expect(await firstPrint(credentials, new AbortController().signal)).toContain('"printerId":"laser"')
  const [first = 0, , third = 0] = askedAt
  expect(third - first).toBeGreaterThan(2 * (1_000 / 20))
})
