/** Reading and changing what an organization has. How resources are shown is tested in `tables/resources.test.ts`. */
import { newOrganization } from '@platen/test/harness/organization.ts'
import { describe, expect, test } from 'vitest'
import { expectError, newPrinting, UNKNOWN_ID } from '../client.ts'

test('a printer, a computer, a job and its events are read by id, also in capital letters [endpoint.GET.printers.id endpoint.GET.computers.id endpoint.GET.printjobs.id]', async () => {
  const { api, printer, job } = await newPrinting()
  const created = await api.createJob(job())
  expect(await api.getJob(created.id.toUpperCase())).toEqual(created)
  expect((await api.get(`/v1/printers/${printer.id.toUpperCase()}`)).body).toMatchObject({ name: 'Laser', ...printer })
  expect((await api.get(`/v1/computers/${printer.computerId}`)).body).toMatchObject({
    name: 'Front desk',
    mode: 'live',
  })
  const { body } = await api.get(`/v1/printjobs/${created.id}/events`)
  expect(body.data).toEqual([
    { id: expect.any(String), state: 'queued', message: null, actor: 'api', createdAt: created.createdAt },
  ])
})

test.each<[string, string]>([
  [`/v1/printers/${UNKNOWN_ID} [error.404.not_found printer.get.404 printer.removed.404]`, 'printer'],
  ['/v1/printers/laser [convention.path-id.not-uuid]', 'printer'],
  ['/v1/printers/%zz', 'printer'],
  [`/v1/printers/${UNKNOWN_ID}/printjobs [printer.printjobs.404]`, 'printer'],
  [`/v1/computers/${UNKNOWN_ID} [computer.get.404]`, 'computer'],
  ['/v1/computers/7 [convention.path-id.not-uuid]', 'computer'],
  [`/v1/printjobs/${UNKNOWN_ID} [print-job.get.404]`, 'print job'],
  [`/v1/printjobs/${UNKNOWN_ID}0`, 'print job'],
  [`/v1/printjobs/${UNKNOWN_ID}/events [print-job.events.404]`, 'print job'],
  [`/v1/events/${UNKNOWN_ID}`, 'event'],
  ['/v1/events/event-1', 'event'],
  ['/v1/webhooks/nothing', 'webhook endpoint'],
  [`/v1/webhooks/${UNKNOWN_ID}`, 'webhook endpoint'],
])('%s is a 404', async (title, what) => {
  const { api } = await newOrganization()
  const [path = ''] = title.split(' ')
  expectError(await api.get(path), 404, 'not_found', new RegExp(`^There is no ${what} with this id`))
})

test("a printer of the organization's other mode is a 404, read or changed [tenant.other-mode.printer auth.test-key.printers printer.patch.404]", async () => {
  const { testApi, printer } = await newPrinting()
  for (const id of [printer.id, UNKNOWN_ID, '7'])
    for (const path of [`/v1/printers/${id}`, `/v1/printers/${id}/printjobs`])
      expectError(await testApi.get(path), 404, 'not_found')
  const patch = { body: '{}', headers: { 'content-type': 'application/json' } }
  expectError(await testApi.request('PATCH', `/v1/printers/${printer.id}`, patch), 404, 'not_found')
})

describe('a list', () => {
  test('has data, hasMore and a cursor, with which it goes on [convention.list.shape]', async () => {
    const { api, addPrinter, printer } = await newPrinting()
    const second = await addPrinter()
    const first = await api.get('/v1/printers?limit=1')
    expect(first.body).toEqual({
      data: [expect.objectContaining({ id: second.id })],
      hasMore: true,
      nextCursor: expect.any(String),
    })
    const next = await api.get(`/v1/printers?after=${first.body.nextCursor}&dir=desc`)
    expect([next.body.data.map(({ id }: { id: string }) => id), next.body.hasMore]).toEqual([[printer.id], false])
    const ascending = await api.get('/v1/printers?limit=100&dir=asc')
    expect(ascending.body.data.map(({ id }: { id: string }) => id)).toEqual([printer.id, second.id])
  })

  test('has on an empty page the cursor that was sent, or null [convention.cursor.nothing-sent]', async () => {
    const { api } = await newPrinting()
    const { nextCursor } = (await api.get('/v1/printers')).body
    const empty = { data: [], hasMore: false }
    expect((await api.get(`/v1/printers?after=${nextCursor}`)).body).toEqual({ ...empty, nextCursor })
    expect((await api.get('/v1/printjobs')).body).toEqual({ ...empty, nextCursor: null })
  })

  test('goes on with the filters of its cursor, however they are spelled, and with no others [convention.cursor.malformed]', async () => {
    const { api, job } = await newPrinting()
    await api.createJob(job())
    const time = '2026-01-02T03:04:05'
    const { nextCursor } = (await api.get(`/v1/printjobs?state=queued&state=sent&createdAfter=${time}.000Z`)).body
    for (const same of [
      `state=sent&state=queued&createdAfter=${time}Z`,
      'limit=1&createdAfter=2026-01-02T04:04:05%2B01:00&state=queued&state=sent',
    ])
      expect((await api.get(`/v1/printjobs?${same}&after=${nextCursor}`)).status, same).toBe(200)
    const filters = `state=queued&state=sent&createdAfter=${time}`
    for (const other of [`${filters}.001Z`, `${filters}Z&dir=asc`, 'state=queued', 'state=queued&state=sent'])
      expectError(await api.get(`/v1/printjobs?${other}&after=${nextCursor}`), 400, 'invalid_request', /same filters/)
    for (const wrong of [nextCursor, `${nextCursor}A`, 'nonsense', ''])
      expectError(await api.get(`/v1/printers?after=${wrong}`), 400, 'invalid_request', /`after` must be the `next/)
  })

  test("of a printer's jobs has no others, and takes no filters [endpoint.GET.printers.id.printjobs]", async () => {
    const { api, job, printer, addPrinter } = await newPrinting()
    const created = await api.createJob(job())
    await api.createJob(job({ printerId: (await addPrinter()).id }))
    const path = `/v1/printers/${printer.id}/printjobs`
    const { body } = await api.get(path)
    expect(body).toEqual({ data: [created], hasMore: false, nextCursor: expect.any(String) })
    const capitals = `/v1/printers/${printer.id.toUpperCase()}/printjobs?after=${body.nextCursor}`
    expect((await api.get(capitals)).status).toBe(200)
    expectError(await api.get(`${path}?state=done`), 400, 'invalid_request', /`state`: not known here/)
  })
})

describe('a change of a printer', () => {
  async function newPatched() {
    const printing = await newPrinting()
    const path = `/v1/printers/${printing.printer.id}`
    const headers = { 'content-type': 'application/json' }
    const patch = (changes: unknown) => printing.api.request('PATCH', path, { body: JSON.stringify(changes), headers })
    return { ...printing, path, patch, before: (await printing.api.get(path)).body }
  }
  const papers = [{ name: 'Ticket', width: 800, height: 1200 }]

  test.each<[string, Record<string, unknown>]>([
    ['displayName [printer.patch.displayName]', { displayName: '🖨 Till' }],
    ['enabled [printer.patch.enabled]', { enabled: false }],
    ['remarks [printer.patch.remarks]', { remarks: 'Paper is in the\ncupboard' }],
    ['remarks, to null [printer.patch.remarks.null]', { remarks: null }],
    [
      'defaultOptions [printer.patch.defaultOptions]',
      { defaultOptions: { duplex: 'long-edge', copies: 2, color: null } },
    ],
    ['customPapers as a whole [printer.patch.customPapers]', { customPapers: papers }],
    ['nothing [printer.patch.empty]', {}],
  ])('is answered with the printer: %s', async (_, changes) => {
    const { api, path, patch, before, world } = await newPatched()
    await patch({ remarks: 'x', customPapers: [{ name: 'Roll', width: 1, height: 1 }, ...papers] })
    const { customPapers } = (await api.get(path)).body
    world.advance(1)
    const { status, body } = await patch(changes)
    const shown = { ...before, remarks: 'x', customPapers, ...changes, updatedAt: expect.any(String) }
    expect([status, body]).toEqual([200, shown])
    expect((await api.get(path)).body).toEqual(body)
  })

  test('is seen by the very next job, although printers are kept in memory', async () => {
    const { api, job, patch } = await newPatched()
    await api.createJob(job())
    await patch({ enabled: false })
    expectError(await api.post('/v1/printjobs', job()), 422, 'printer_disabled')
    await patch({ enabled: true, defaultOptions: { copies: 3 } })
    expect((await api.createJob(job())).options).toEqual({ copies: 3 })
  })
})

describe('a cancellation', () => {
  test.each([undefined, '', '{}', ' { } '])('with the body %j is answered with the cancelled job', async (body) => {
    const { api, job } = await newPrinting()
    const created = await api.createJob(job())
    const answer = await api.request('POST', `/v1/printjobs/${created.id}/cancel`, { body })
    expect([answer.status, answer.body]).toMatchObject([200, { id: created.id, state: 'cancelled' }])
  })

  test('with another body is refused, with one of more than 1 KiB for its size', async () => {
    const { api } = await newPrinting()
    const cancel = (body: string) => api.request('POST', `/v1/printjobs/${UNKNOWN_ID}/cancel`, { body })
    for (const body of ['{"reason": "typo"}', '[]', 'null', 'x'.repeat(1024)])
      expectError(await cancel(body), 400, 'invalid_request', /This takes no body/)
    expectError(await cancel('x'.repeat(1025)), 413, 'content_too_large')
    expectError(await cancel(' '.repeat(1024)), 404, 'not_found')
  })
})

test('the usage shows what the services count [endpoint.GET.usage]', async () => {
  const { api, testApi, id, job, addPrinter, world } = await newPrinting()
  await world.usage.setPlan({ organizationId: id, computersLimit: 0 })
  await testApi.createJob(job({ printerId: (await addPrinter('test')).id }))
  expect((await api.get('/v1/usage')).body).toMatchObject({
    prints: { used: 0, limit: null },
    computers: { used: 1, limit: 0 },
    plan: 'custom',
    testJobsToday: { used: 1, limit: 500 },
  })
})
