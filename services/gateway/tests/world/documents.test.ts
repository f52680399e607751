/** Documents, deliveries and events of one job. */
import { glob, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { addGateway, base64, expectError, INLINE_BYTES, listFiles, newPrinting, pdfContent } from '../client.ts'

const DAY_MS = 24 * 3_600_000

/** Sizes on both sides of the limit of inline documents, and of several chunks. */
const SIZES: [where: string, sizeBytes: number][] = [
  ['in the database', 100],
  ['in the database, of the largest size', INLINE_BYTES],
  ['in the store', INLINE_BYTES + 1],
  ['in the store, of several chunks', 1_000_000],
]

test.each(SIZES)('a document %s is read as a download that no browser shows', async (_, sizeBytes) => {
  proves('endpoint.GET.printjobs.id.document', 'document.headers')
  const { api, job } = await newPrinting()
  const content = pdfContent(sizeBytes)
  const { id } = await api.createJob(job({ content }))
  const { status, headers, body } = await api.get(`/v1/printjobs/${id}/document`)
  expect(status).toBe(200)
  expect(base64(Buffer.from(body, 'latin1')) === content).toBe(true)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(sizeBytes),
    'content-disposition': `attachment; filename="${id}.bin"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const head = await api.request('HEAD', `/v1/printjobs/${id}/document`)
  expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, String(sizeBytes), ''])
})

test.each(SIZES.slice(2))('a damaged document %s is never sent completely', async (_, sizeBytes) => {
  proves('document.damaged')
  const { api, job, url, key, world } = await newPrinting()
  const before = new Set(await listFiles(world))
  const { id } = await api.createJob(job({ content: pdfContent(sizeBytes) }))
  const [name = ''] = (await listFiles(world)).filter((file) => !before.has(file))
  const [path] = await Promise.all([findFile(world.fileStoreUrl, name)])
  await writeFile(path, Buffer.alloc(sizeBytes, 'x'))
  const response = await fetch(`${url}/v1/printjobs/${id}/document`, { headers: { authorization: `Bearer ${key}` } })
  if (response.status === 200) await expect(response.arrayBuffer()).rejects.toThrow()
  else expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'storage_unavailable' } }])
})

async function findFile(fileStoreUrl: string, name: string): Promise<string> {
  const root = fileURLToPath(fileStoreUrl)
  for await (const found of glob(`**/${name}`, { cwd: root })) return join(root, found)
  throw new Error(`no file ${name}`)
}

test('a document is read until the end of its retention, and then it is a 404 that says why; so is one that was not fetched or is lost', async () => {
  proves('document.not-stored')
  const { api, job, world } = await newPrinting()
  const read = (id: string) => api.get(`/v1/printjobs/${id}/document`)
  const newEnded = async (changes: Record<string, unknown>) => {
    const { id } = await api.createJob(job(changes))
    await api.post(`/v1/printjobs/${id}/cancel`, {})
    return id
  }
  const { id: unfinished } = await api.createJob(job())
  const small = await newEnded({})
  const before = new Set(await listFiles(world))
  const large = await newEnded({ content: pdfContent(INLINE_BYTES + 1) })
  world.addHost('down.example.com', ['93.184.216.34'], 9)
  const byUrl = job({ contentType: 'pdf_uri', content: 'http://down.example.com/a.pdf' })
  const { id: failed } = await api.createJob(byUrl)
  await waitFor(async () => expect((await api.getJob(failed)).state).toBe('error'))
  expectError(await read(failed), 404, 'not_found', /could not be fetched from its URL/)

  world.advance(7 * DAY_MS - 1)
  for (const id of [small, large]) expect((await read(id)).status).toBe(200)
  for (const key of await listFiles(world)) if (!before.has(key)) await world.files.delete(key)
  expectError(await read(large), 404, 'not_found', /the document store does not have it/)
  world.advance(1)
  for (const id of [small, large])
    expectError(await read(id), 404, 'not_found', /it was deleted at .*Z, at the end of its retention/)
  expect((await read(unfinished)).status).toBe(200)
})

test('an operator can switch documents off', async () => {
  proves('document.off')
  const { job, key, api } = await newPrinting()
  const { id } = await api.createJob(job())
  const { url } = await addGateway({ documentPreview: false })
  expectError(await createApi(url, key).get(`/v1/printjobs/${id}/document`), 403, 'forbidden', /operator/)
})

test('the deliveries of a job are those of its events to all endpoints, and the feed is filtered by its id', async () => {
  proves('endpoint.GET.printjobs.id.deliveries', 'feed.resourceId')
  const { api, testApi, job, world, printer } = await newPrinting()
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const newEndpoint = async (path: string, events: string[]) =>
    (await api.post('/v1/webhooks', { url: `https://hooks.example.com/${path}`, events })).body.id
  const [all, one, deleted] = [
    await newEndpoint('all', ['printjob.queued', 'printjob.cancelled']),
    await newEndpoint('one', ['printjob.cancelled']),
    await newEndpoint('deleted', ['printjob.cancelled']),
  ]
  const { id } = await api.createJob(job())
  const other = await api.createJob(job())
  await api.post(`/v1/printjobs/${id}/cancel`, {})
  const path = `/v1/printjobs/${id}/deliveries`
  await waitFor(async () => expect((await api.get(path)).body.data).toHaveLength(4))
  await api.delete(`/v1/webhooks/${deleted}`)
  await untilVisible(world.pool)
  const listed = (await api.get(`${path}?dir=asc`)).body.data
  expect(listed.map((delivery: Delivery) => [delivery.webhookId, delivery.eventType])).toEqual(
    expect.arrayContaining([
      [all, 'printjob.queued'],
      [all, 'printjob.cancelled'],
      [one, 'printjob.cancelled'],
    ]),
  )
  expect(listed).toHaveLength(3)
  for (const delivery of listed) {
    const { payload } = (await api.get(`/v1/webhooks/${delivery.webhookId}/deliveries/${delivery.id}`)).body
    expect(payload.data.id).toBe(id)
  }
  const pages = []
  for (let after = ''; ; ) {
    const { body } = await api.get(`${path}?limit=1${after}`)
    pages.push(...body.data)
    if (!body.hasMore) break
    after = `&after=${body.nextCursor}`
  }
  expect(pages.map((delivery) => delivery.id).toReversed()).toEqual(listed.map((delivery: Delivery) => delivery.id))

  const types = async (query: string) =>
    (await api.get(`/v1/events?dir=asc&${query}`)).body.data.map((event: { type: string }) => event.type)
  expect(await types(`resourceId=${id.toUpperCase()}`)).toEqual(['printjob.queued', 'printjob.cancelled'])
  expect(await types(`resourceId=${id}&type=printjob.cancelled`)).toEqual(['printjob.cancelled'])
  expect(await types(`resourceId=${other.id}`)).toEqual(['printjob.queued'])
  expect(await types(`resourceId=${printer.id}`)).toEqual([])
  expect((await testApi.get(`/v1/events?resourceId=${id}`)).body.data).toEqual([])
  expectError(await api.get('/v1/events?resourceId=7'), 400, 'invalid_request', /`resourceId`: must be a UUID/)
  const { nextCursor } = (await api.get(`/v1/events?resourceId=${id}&limit=1`)).body
  expectError(await api.get(`/v1/events?after=${nextCursor}`), 400, 'invalid_request', /same filters/)
})

interface Delivery {
  id: string
  webhookId: string
  eventType: string
}
