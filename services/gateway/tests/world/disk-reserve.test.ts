import { mockDisk } from '@platen/test/harness/disk.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { addGateway, expectError, jsonHead, newPrinting, sendRaw } from '../client.ts'

test('below the reserve of free disk space creations are refused before their body is sent, also those of small documents', async () => {
  proves('storage.reserve')
  const gateway = await addGateway()
  const { api, key, job, jobIds } = await newPrinting('live', gateway.url)
  mockDisk(() => ({ total: 100 * 1024 ** 3, free: 2 * 1024 ** 3 - 1 }))
  const answer = await api.post('/v1/printjobs', job())
  expectError(answer, 503, 'storage_unavailable', /space/)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await sendRaw(gateway.port, jsonHead(key, 1_000_000, 'Expect: 100-continue'))).toMatch(/^HTTP\/1.1 503 /)
  expect(await jobIds()).toEqual([])
})
