/** Reads and changes of resources. Their JSON is tested in `tables/resources.test.ts`. */
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { addGateway, expectError, newPrinting, UNKNOWN_ID, unavailable } from '../client.ts'

test('a printer, a computer, a job and its events are read by id, also in capital letters', async () => {
  proves('endpoint.GET.printers.id', 'endpoint.GET.computers.id', 'endpoint.GET.printjobs.id')
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
  [`/v1/printers/${UNKNOWN_ID}`, 'printer'],
  ['/v1/printers/laser', 'printer'],
  ['/v1/printers/%zz', 'printer'],
  [`/v1/printers/${UNKNOWN_ID}/printjobs`, 'printer'],
  [`/v1/computers/${UNKNOWN_ID}`, 'computer'],
  ['/v1/computers/seven', 'computer'],
  [`/v1/destinations/${UNKNOWN_ID}`, 'destination'],
  [`/v1/printjobs/${UNKNOWN_ID}`, 'print job'],
  [`/v1/printjobs/${UNKNOWN_ID}0`, 'print job'],
  [`/v1/printjobs/${UNKNOWN_ID}/events`, 'print job'],
  ['/v1/events/event-1', 'event'],
  ['/v1/events/1', 'event'],
  ['/v1/printjobs/0', 'print job'],
  ['/v1/printjobs/2147483648', 'print job'],
  ['/v1/printjobs/1.0', 'print job'],
  ['/v1/printjobs/-1', 'print job'],
  ['/v1/webhooks/nothing', 'webhook endpoint'],
])('%s is a 404', async (title, what) => {
  proves(
    'error.404.not_found',
    'printer.get.404',
    'printer.removed.404',
    'convention.path-id.not-uuid',
    'printer.printjobs.404',
    'computer.get.404',
    'destination.404',
    'print-job.get.404',
    'print-job.events.404',
  )
  const { api } = await newOrganization()
  const [path = ''] = title.split(' ')
  expectError(await api.get(path), 404, 'not_found', new RegExp(`^There is no ${what} with this id`))
})

test('a number is accepted in place of an id in filters; one that no resource has matches nothing', async () => {
  proves('print-jobs.filter.by-number')
  const { api, job, printer } = await newPrinting()
  const created = await api.createJob(job())
  const { body } = await api.get(`/v1/printers/${printer.id}`)
  const computer = (await api.get(`/v1/computers/${body.computerId}`)).body
  const list = async (query: string) =>
    (await api.get(`/v1/printjobs?${query}`)).body.data.map(({ id }: { id: string }) => id)
  for (const query of [
    `printerId=${printer.id.toUpperCase()}`,
    `printerId=${body.number}`,
    `printerId=%23${body.number}`,
    `computerId=${computer.number}`,
  ])
    await waitFor(async () => expect(await list(query)).toEqual([created.id]))
  expect(await list('printerId=999')).toEqual([])
  expectError(
    await api.get('/v1/printjobs?printerId=laser'),
    400,
    'invalid_request',
    /`printerId`: must be a UUID or a/,
  )
  expectError(await api.get('/v1/statistics?computerId=0'), 400, 'invalid_request', /`computerId`/)
  expect((await api.get(`/v1/statistics?printerId=${body.number}`)).status).toBe(200)
})

test('a number is accepted in place of an id in paths, of the organization and mode of the caller; answers and audit log have ids', async () => {
  proves('convention.path-id.number', 'convention.path-id.number.own', 'convention.path-id.number.answer')
  const organization = await newPrinting()
  const { api, testApi, printer, job } = organization
  const created = await api.createJob(job())
  const { number } = created
  for (const text of [number, `%23${number}`, `0${number}`]) {
    expect((await api.get(`/v1/printjobs/${text}`)).body).toMatchObject({ id: created.id, number })
    expect((await api.get(`/v1/printjobs/${text}/explanation`)).body).toMatchObject({ jobId: created.id })
  }
  for (const [kind, id] of [
    ['printers', printer.id],
    ['computers', printer.computerId],
  ] as const) {
    const { body } = await api.get(`/v1/${kind}/${id}`)
    expect((await api.get(`/v1/${kind}/${body.number}`)).body).toEqual(body)
  }
  const other = (await newPrinting()).api
  for (const [reader, mode] of [
    [testApi, 'test'],
    [other, 'live'],
  ] as const)
    expectError(
      await reader.get(`/v1/printjobs/${number}`),
      404,
      'not_found',
      new RegExp(`^There is no print job with this number in ${mode} mode`),
    )
  expect((await api.request('POST', `/v1/printjobs/${number}/cancel`, {})).body).toMatchObject({
    id: created.id,
    state: 'cancelled',
  })
  const patch = { body: '{}', headers: { 'content-type': 'application/json' } }
  expect((await api.request('PATCH', '/v1/printers/1', patch)).status).toBe(200)
  const reader = await signInAs(organization, 'admin')
  const { body } = await reader.get('/account/audit?action=updatePrinter')
  expect(body.data).toMatchObject([{ target: printer.id }])
})

test("a printer of the organization's other mode is a 404, read or changed", async () => {
  proves('tenant.other-mode.printer', 'auth.test-key.printers', 'printer.patch.404')
  const { testApi, printer } = await newPrinting()
  for (const id of [printer.id, UNKNOWN_ID, '7'])
    for (const path of [`/v1/printers/${id}`, `/v1/printers/${id}/printjobs`])
      expectError(await testApi.get(path), 404, 'not_found')
  const patch = { body: '{}', headers: { 'content-type': 'application/json' } }
  expectError(await testApi.request('PATCH', `/v1/printers/${printer.id}`, patch), 404, 'not_found')
})

test('a printer is purged without a body, or with one that includes jobs in `printing`; another printer is a 404', async () => {
  proves('endpoint.POST.printers.id.purge', 'printer.purge.404')
  const { api, testApi, printer, job, world } = await newPrinting()
  const path = `/v1/printers/${printer.id}/purge`
  const { id } = await api.createJob(job())
  expect(await api.request('POST', path, {})).toMatchObject({ status: 200, body: { cancelled: 1, ended: 0 } })
  expect(await api.getJob(id)).toMatchObject({ state: 'cancelled', stateReasons: ['purged'] })
  const printing = await api.createJob(job())
  await world.query(`UPDATE jobs.job SET state = 'printing' WHERE id = $1`, [printing.id])
  expect((await api.post(path, {})).body).toEqual({ cancelled: 0, ended: 0 })
  expect((await api.post(path, { includePrinting: true })).body).toEqual({ cancelled: 0, ended: 1 })
  expectError(await api.post(path, { includePrinting: 1 }), 400, 'invalid_request', /`includePrinting`/)
  for (const other of [path, `/v1/printers/${UNKNOWN_ID}/purge`])
    expectError(await testApi.post(other, {}), 404, 'not_found')
})

describe('a list', () => {
  test('has on an empty page the cursor that was sent, or null', async () => {
    proves('convention.cursor.nothing-sent', 'convention.list.shape')
    const { api, world } = await newPrinting()
    await untilVisible(world.pool)
    const { nextCursor } = (await api.get('/v1/printers?limit=1&dir=asc')).body
    const empty = { data: [], hasMore: false }
    expect((await api.get(`/v1/printers?after=${nextCursor}&dir=asc`)).body).toEqual({ ...empty, nextCursor })
    expect((await api.get('/v1/printjobs')).body).toEqual({ ...empty, nextCursor: null })
  })

  test('goes on with the filters of its cursor, however they are spelled, and with no others', async () => {
    proves('convention.cursor.malformed')
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

  test("of a printer's jobs has no others, and takes no filters", async () => {
    proves('endpoint.GET.printers.id.printjobs')
    const { api, job, printer, addPrinter } = await newPrinting()
    const created = await api.createJob(job())
    await api.createJob(job({ printerId: (await addPrinter()).id }))
    const path = `/v1/printers/${printer.id}/printjobs`
    const { body } = await api.get(path)
    expect(body).toEqual({ data: [created], hasMore: false, nextCursor: expect.any(String) })
    const capitals = `/v1/printers/${printer.id.toUpperCase()}/printjobs?after=${body.nextCursor}`
    expect((await api.get(capitals)).status).toBe(200)
    expectError(await api.get(`${path}?state=done`), 400, 'invalid_request', /Unknown parameter `state`/)
  })
})

describe('a change of a printer', () => {
  async function newPatched() {
    const printing = await newPrinting()
    const path = `/v1/printers/${printing.printer.id}`
    const headers = { 'content-type': 'application/json' }
    const patch = (changes: object) => printing.api.request('PATCH', path, { body: JSON.stringify(changes), headers })
    const { resolvePrinter } = DevicesService.method
    /** Waits until a creation does not ask devices for the printer. */
    async function isCached(create: () => Promise<unknown>) {
      let calls = 0
      printing.world.intercept(resolvePrinter, (request, next) => {
        calls++
        return next(request)
      })
      await waitFor(async () => {
        calls = 0
        await create()
        expect(calls).toBe(0)
      })
    }
    const create = async () => (await printing.api.post('/v1/printjobs', printing.job())).status
    /** Without an announcement. */
    const setEnabled = (enabled: boolean) =>
      printing.world.query('UPDATE devices.printer SET enabled = $2 WHERE id = $1', [printing.printer.id, enabled])
    return { ...printing, path, patch, isCached, create, setEnabled }
  }
  const FIELDS = ['displayName', 'enabled', 'remarks', 'defaultOptions', 'customPapers', 'defaultExpireAfter']

  test('is answered with the printer', async () => {
    proves(...FIELDS.map((field) => `printer.patch.${field}`), 'printer.patch.remarks.null', 'printer.patch.empty')
    proves('printer.patch.defaultExpireAfter.null')
    const { api, path, patch } = await newPatched()
    let shown = (await api.get(path)).body
    for (const changes of [
      { displayName: '🖨 Till', enabled: false, remarks: 'In the\ncupboard', defaultExpireAfter: 60 },
      { defaultOptions: { copies: 2, color: null }, customPapers: [{ name: 'Ticket', width: 800, height: 1200 }] },
      { remarks: null, defaultExpireAfter: null, customPapers: [{ name: 'Roll', width: 1, height: 1 }] },
      {},
    ]) {
      shown = { ...shown, ...changes, updatedAt: expect.any(String) }
      const { status, body } = await patch(changes)
      expect([status, body]).toEqual([200, shown])
      expect((await api.get(path)).body).toEqual(body)
    }
  })

  test('is seen by the very next job at its gateway, and soon at the others, although they cache printers', async () => {
    const { world, liveKey, job, printer, patch, isCached } = await newPatched()
    const second = await addGateway()
    const [api, other] = [world.gatewayUrl, second.url].map((url) => createApi(url, liveKey)) as [Api, Api]
    const capitals = job({ printerId: printer.id.toUpperCase() })
    const create = async (at: Api, body = job()) => {
      const { status, body: answer } = await at.post('/v1/printjobs', body)
      return status === 201 ? answer.options : answer.error.code
    }
    for (const at of [api, other]) await isCached(() => create(at))
    await patch({ enabled: false })
    for (const body of [job(), capitals]) expect(await create(api, body)).toBe('printer_disabled')
    await waitFor(async () => expect(await create(other)).toBe('printer_disabled'))
    await patch({ enabled: true, defaultOptions: { copies: 3 } })
    for (const body of [job(), capitals]) expect(await create(api, body)).toEqual({ copies: 3 })
    await waitFor(async () => expect(await create(other, capitals)).toEqual({ copies: 3 }))
  })

  test('whose announcement and response are lost applies to the next job at the same gateway', async () => {
    const { world, patch, create, setEnabled, isCached } = await newPatched()
    await isCached(create)
    world.intercept(DevicesService.method.updatePrinter, async () => {
      await setEnabled(false)
      throw unavailable()
    })
    expect((await patch({ enabled: false })).status).toBe(503)
    expect(await create()).toBe(422)
  })

  test('whose announcement is lost applies to jobs after 30 s, or to the next job if it enables the printer', async () => {
    const { world, create, setEnabled, isCached } = await newPatched()
    await isCached(create)
    await setEnabled(false)
    world.advance(29_999)
    expect(await create()).toBe(201)
    world.advance(1)
    expect(await create()).toBe(422)
    await setEnabled(true)
    expect(await create()).toBe(201)
  })
})

test('a cancellation takes an empty body alone, of 1 KiB at most', async () => {
  const { api, job } = await newPrinting()
  const cancel = (id: string, body?: string) => api.request('POST', `/v1/printjobs/${id}/cancel`, { body })
  for (const body of [undefined, '', '{}', ' { } ']) {
    const { id } = await api.createJob(job())
    expect(await cancel(id, body)).toMatchObject({ status: 200, body: { id, state: 'cancelled' } })
  }
  for (const body of ['{"reason": "typo"}', '[]', 'null', 'x'.repeat(1024)])
    expectError(await cancel(UNKNOWN_ID, body), 400, 'invalid_request', /has no body/)
  expectError(await cancel(UNKNOWN_ID, 'x'.repeat(1025)), 413, 'content_too_large')
  expectError(await cancel(UNKNOWN_ID, ' '.repeat(1024)), 404, 'not_found')
})

test('the usage is what the services count, with null for no limit', async () => {
  proves('endpoint.GET.usage', 'usage.prints.limit')
  const { api, testApi, id, job, addPrinter, world } = await newPrinting()
  await world.usage.setPlan({ organizationId: id, computersLimit: 0 })
  await testApi.createJob(job({ printerId: (await addPrinter('test')).id }))
  const counts = { prints: { used: 0, limit: null }, computers: { used: 1, limit: 0 } }
  expect((await api.get('/v1/usage')).body).toMatchObject({ ...counts, plan: 'custom', testJobsToday: { used: 1 } })
})
