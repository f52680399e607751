import { startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { beginUpload, expectError, INLINE_BYTES, newPrinting, pdfContent } from '../client.ts'
import { startRunningGateway } from './start-gateway.ts'

/** `file-store.server.test.ts` of runtime tests each kind of unavailable store. */
describe('while the document store is away', () => {
  async function start() {
    const store = await startTestFileStore('s3')
    const { url } = await startRunningGateway({ fileStoreUrl: store.url })
    const printing = await newPrinting('live', url)
    const large = (changes = {}) => printing.job({ content: pdfContent(INLINE_BYTES + 1), ...changes })
    await printing.api.createJob(large())
    return { store, large, ...printing }
  }

  test('a creation with a document of more than 64 KiB is 503 and makes no job; it releases its key, and succeeds when the store is back', async () => {
    proves('error.503.storage_unavailable', 'idempotency.released.5xx')
    const { store, api, job, large, jobIds } = await start()
    const create = () => api.post('/v1/printjobs', large(), { 'idempotency-key': 'k' })
    await store.cut()
    expectError(await create(), 503, 'storage_unavailable', /Try again/)
    expect(await jobIds()).toHaveLength(1)
    const byUrl = job({ contentType: 'pdf_uri', content: 'http://files.example.com/a.pdf' })
    for (const body of [job(), byUrl]) await api.createJob(body)
    await store.heal()
    await waitFor(async () => expect((await create()).status).toBe(201))
    expect(await jobIds()).toHaveLength(4)
  })

  test('so is one whose document was coming in', async () => {
    const { store, url, key, job, jobIds } = await start()
    const upload = beginUpload(url, key, 'key', job({ content: pdfContent(15_000_000) }))
    await store.cut()
    const answer = await upload.finish()
    await store.heal()
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'storage_unavailable' } } })
    expect(await jobIds()).toHaveLength(1)
  })
})
