/** `retain` of print jobs: what is left in the database and in the store. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { base64, expectError, INLINE_BYTES, listFiles, newPrinting, pdfContent } from '../client.ts'

const PDF = '%PDF-1.7\n'
const LARGE = pdfContent(INLINE_BYTES + 1)

async function newRetaining() {
  const printing = await newPrinting()
  const { api, world } = printing
  const before = new Set(await listFiles(world))
  return {
    ...printing,
    sweep: () => world.sweep('jobs', 'discarded documents'),
    /** Whether the documents of these jobs are in the database, and how many files there are. */
    async stored(...ids: string[]) {
      const rows = await world.query<{ job_id: string }>('SELECT job_id FROM jobs.document WHERE job_id = ANY ($1)', [
        ids,
      ])
      const inline = new Set(rows.map(({ job_id }) => job_id))
      return [...ids.map((id) => inline.has(id)), (await listFiles(world)).filter((key) => !before.has(key)).length]
    },
    read: (id: string) => api.get(`/v1/printjobs/${id}/document`),
  }
}

/** The statement of `changeStates` ends jobs in production; here their end is what matters. */
const END = `UPDATE jobs.job SET state = $2, final_state = $2, finished_at = now() WHERE id = $1`

test.each(['done', 'error', 'cancelled', 'expired'])(
  'documents in the database and in the store are deleted after a job has ended in %s, not before; others stay',
  async (state) => {
    proves('create.retain', 'retain.deleted', 'retain.read')
    const { api, job, sweep, stored, read, world } = await newRetaining()
    const create = async (changes: Record<string, unknown>) => (await api.createJob(job(changes))).id as string
    const [small, large, kept] = [
      await create({ retain: false }),
      await create({ retain: false, content: LARGE }),
      await create({ retain: true }),
    ]
    await sweep()
    expect(await stored(small, large, kept)).toEqual([true, false, true, 1])
    expect((await read(large)).status).toBe(200)
    for (const id of [small, large, kept]) await world.query(END, [id, state])
    await sweep()
    expect(await stored(small, large, kept)).toEqual([false, false, true, 0])
    for (const id of [small, large]) expectError(await read(id), 410, 'file_expired', /`retain` is false/)
    expect((await read(kept)).status).toBe(200)
    expect((await api.getJob(small)).retain).toBe(false)
  },
)

test('a cancelled and a purged job end as any other', async () => {
  const { api, job, sweep, stored, printer } = await newRetaining()
  const create = async () => (await api.createJob(job({ retain: false }))).id as string
  const [cancelled, purged] = [await create(), await create()]
  await api.post(`/v1/printjobs/${cancelled}/cancel`, {})
  await api.post(`/v1/printers/${printer.id}/purge`, {})
  await sweep()
  expect(await stored(cancelled, purged)).toEqual([false, false, 0])
})

test('a fetched document is deleted as well', async () => {
  const { api, job, sweep, stored, world, read } = await newRetaining()
  const server = createServer((_, response) => response.end(PDF)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await waitFor(() => expect(server.address()).not.toBeNull())
  world.addHost('kept.example.com', ['93.184.216.34'], (server.address() as AddressInfo).port)
  const { id } = await api.createJob(
    job({ retain: false, contentType: 'pdf_uri', content: 'http://kept.example.com/a' }),
  )
  await waitFor(async () => expect((await api.getJob(id)).fileSize).toBe(PDF.length))
  expect(await stored(id)).toEqual([false, 1])
  await world.query(END, [id, 'done'])
  await sweep()
  expect(await stored(id)).toEqual([false, 0])
  expectError(await read(id), 410, 'file_expired')
})

test('a job that does not keep its document has no reprint, and as a reprint leaves the document of its original', async () => {
  proves('retain.reprint', 'retain.original')
  const { api, job, sweep, stored, read, printer, world } = await newRetaining()
  const { id: original } = await api.createJob(job({ content: LARGE }))
  const reprint = (reprintOf: string, retain: boolean) =>
    api.post('/v1/printjobs', { printerId: printer.id, title: 'Again', reprintOf, retain })
  const { id } = (await reprint(original, false)).body
  expectError(await reprint(id, true), 410, 'file_expired', /`retain`/)
  await world.query(END, [id, 'done'])
  await sweep()
  expect(await stored(original)).toEqual([false, 1])
  expectError(await read(id), 410, 'file_expired')
  expect((await read(original)).status).toBe(200)
  expect((await reprint(original, true)).status).toBe(201)
})

test('`retain` must be a boolean, also in a form', async () => {
  proves('create.retain.type')
  const { api, job, url, key, printer } = await newRetaining()
  expectError(await api.post('/v1/printjobs', job({ retain: 'no' })), 400, 'invalid_request', /`retain`.*boolean/)
  const send = async (retain: string) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ printerId: printer.id, title: 'Invoice', retain }))
      form.set(name, value)
    form.set('file', new Blob([PDF]), 'a.pdf')
    const response = await fetch(`${url}/v1/printjobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }
  expect(await send('false')).toMatchObject({ status: 201, body: { retain: false } })
  expect(await send('no')).toMatchObject({ status: 400 })
})

test('an owner makes it the default of the organization, for keys and sessions, and a creation can choose otherwise', async () => {
  proves('create.retain.default')
  const organization = await newOrganization()
  const { addPrinter, liveKey, world, id } = organization
  const owner = await signInAs(organization, 'owner')
  const api = createApi(world.gatewayUrl, liveKey)
  const printer = await addPrinter('live')
  const create = async (changes: object = {}) =>
    (
      await api.createJob({
        printerId: printer.id,
        title: 'x',
        contentType: 'pdf_base64',
        content: base64(PDF),
        ...changes,
      })
    ).retain
  expect(await create()).toBe(true)
  const changed = await owner.request('PATCH', '/account/organization', { body: { retainsDocuments: false } })
  expect(changed.body).toMatchObject({ id, retainsDocuments: false })
  world.advance(5_000)
  expect([await create(), await create({ retain: true })]).toEqual([false, true])
})
