import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addGateway, expectError, jsonHead, newPrinting, sendRaw } from '../client.ts'

function fillDisk() {
  const full = { bsize: 1, blocks: 100 * 1024 ** 3, bavail: 2 * 1024 ** 3 - 1 }
  vi.spyOn(promises, 'statfs').mockResolvedValue(full as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

test('below the reserve of free disk space creations are refused before their body is sent, also those of small documents [storage.reserve]', async () => {
  const gateway = await addGateway()
  const { api, key, job, jobIds } = await newPrinting('live', gateway.url)
  fillDisk()
  const answer = await api.post('/v1/printjobs', job())
  expectError(answer, 503, 'storage_unavailable', /space/)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await sendRaw(gateway.port, jsonHead(key, 1_000_000, 'Expect: 100-continue'))).toMatch(/^HTTP\/1.1 503 /)
  expect(await jobIds()).toEqual([])
})
