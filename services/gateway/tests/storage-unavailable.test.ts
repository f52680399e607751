import { FILE_STORES, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { beginUpload } from './begin-upload.ts'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

describe.each(FILE_STORES)('while the document store of the kind %s is away', (kind) => {
  async function start() {
    const store = await startTestFileStore(kind)
    return { store, ...(await startTestGateway({ config: { fileStoreUrl: store.url } })) }
  }

  test('a creation is 503 storage_unavailable and makes no job, and succeeds when the store is back', async () => {
    const { store, api, services } = await start()
    await api.createJob(printJob())
    await store.cut()
    expectError(await api.post('/v1/printjobs', printJob()), 503, 'storage_unavailable', /Try again/)
    expect(services.createdJobs).toHaveLength(1)
    await store.heal()
    await waitFor(async () => expect((await api.post('/v1/printjobs', printJob())).status).toBe(201))
    expect(services.createdJobs).toHaveLength(2)
  })

  test('so is one whose document was coming in', async () => {
    const { store, api, baseUrl, key, services } = await start()
    await api.createJob(printJob())
    const large = printJob({ content: Buffer.alloc(15_000_000, '%PDF-').toString('base64') })
    const upload = beginUpload(baseUrl, key, 'key', JSON.stringify(large))
    await store.cut()
    const answer = await upload.finish()
    await store.heal()
    // A directory that is moved away takes what is written to its open files.
    if (kind === 'file' && answer.status === 201) return
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'storage_unavailable' } } })
    expect(services.createdJobs).toHaveLength(1)
  })

  test('a creation by URL does not need it', async () => {
    const { store, api } = await start()
    await store.cut()
    const byUrl = { contentType: 'pdf_uri', content: 'http://files.example.com/a.pdf' }
    expect((await api.post('/v1/printjobs', printJob(byUrl))).status).toBe(201)
    await store.heal()
  })
})
