/** Test mode: the virtual test computer of each organization and its printers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { readError } from '../harness/api.ts'
import { proves } from '../harness/rules.ts'
import { ISO_TIME, newJob, newOrganization, type Organization, UUID_V7 } from './installation.ts'

const ORGANIZATIONS = 20

/** For tests that change nothing. */
let shop: Organization

beforeAll(async () => {
  shop = await newOrganization()
  await shop.testApi.get('/v1/printers')
})

test('a test job with [slow] can be cancelled, one with [not-printed] fails without paper', async () => {
  proves('test-mode.slow', 'test-mode.not-printed')
  const { testApi } = shop
  const { id: printerId } = await testApi.printer('Test A4 Laser')
  const slow = await testApi.createJob(newJob(printerId, { title: 'Invoice [slow]' }))
  const next = await testApi.createJob(newJob(printerId, { title: 'Invoice [not-printed]' }))
  expect(await testApi.waitUntilFinal(next.id)).toMatchObject({
    state: 'error',
    stateReasons: ['job-refused-by-system'],
  })
  expect((await testApi.get(`/v1/printjobs/${next.id}/explanation`)).body).toMatchObject({ paper: 'none' })
  const cancelled = await testApi.request('POST', `/v1/printjobs/${slow.id}/cancel`, {})
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } })
})

test('the first request of test mode shows four printers, online, each with its capabilities', async () => {
  proves(
    'test-mode.printers',
    'endpoint.GET.printers',
    'printer.state.online',
    'printer.new.enabled',
    'test-mode.laser',
    'test-mode.color',
    'test-mode.receipt',
    'test-mode.label',
  )
  const { testApi } = await newOrganization()
  const { status, body } = await testApi.get('/v1/printers')
  const printers: Record<string, unknown>[] = body.data
  expect([status, printers.map(({ state, enabled }) => [state, enabled])]).toEqual([
    200,
    Array(4).fill(['online', true]),
  ])
  const capabilities = Object.fromEntries(printers.map(({ name, capabilities }) => [name, capabilities]))
  // Tenths of a millimetre; a label has 4 x 6 inches.
  expect(capabilities).toMatchObject({
    'Test A4 Laser': { papers: { A4: [2100, 2970] }, duplex: true, color: false },
    'Test Letter Color': { papers: { Letter: [2159, 2794] }, duplex: true, color: true },
    'Test Receipt 80mm': { papers: { 'Roll 80mm': [800, null] }, duplex: false },
    'Test Label 4x6': { papers: { '4x6': [1016, 1524] }, duplex: false, color: false },
  })
})

test('the virtual computer is the only one, online, and cannot be deleted', async () => {
  proves('endpoint.GET.computers', 'computer.online', 'convention.cursor.last-page')
  const { body } = await shop.testApi.get('/v1/computers')
  const computer = { id: UUID_V7, state: 'online', mode: 'test', lastSeenAt: ISO_TIME, createdAt: ISO_TIME }
  expect(body).toMatchObject({ data: [computer], hasMore: false, nextCursor: expect.any(String) })
  const path = `/v1/computers/${body.data[0].id}`
  expect(readError(await shop.testApi.delete(path))).toEqual([403, 'forbidden'])
  expect((await shop.testApi.get(path)).body).toMatchObject({ id: body.data[0].id })
  expect(readError(await shop.api.delete(path))).toEqual([404, 'not_found'])
})

describe.concurrent('the list of printers', () => {
  const list = async (query: string) => {
    const { body, headers } = await shop.testApi.get(`/v1/printers?${query}`)
    const ids: string[] = body.data.map(({ id }: { id: string }) => id)
    return { ...body, ids, headers }
  }

  test('ends a page at the limit and continues after it', async () => {
    proves('printers.paged', 'page.limit.size', 'page.after', 'page.dir.default', 'convention.cursor.empty-page')
    const first = await list('limit=3')
    const second = await list(`limit=3&after=${first.nextCursor}`)
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    const ids = [...first.ids, ...second.ids]
    expect(new Set(ids).size).toBe(4)
    expect(ids).toEqual(ids.toSorted().reverse())
    const beyond = await list(`after=${second.nextCursor}`)
    expect(beyond).toMatchObject({ data: [], hasMore: false, nextCursor: second.nextCursor })
  })

  test('begins with the oldest for `dir=asc`, with the newest for `dir=desc`, and no header has a count', async () => {
    proves('page.dir.asc', 'page.dir.desc', 'page.no-records-headers')
    const { ids, headers } = await list('dir=asc')
    expect([...headers.keys()].filter((name) => name.startsWith('records-'))).toEqual([])
    // Ids are UUIDv7, so they sort by time.
    expect(ids).toEqual(ids.toSorted())
    expect((await list('dir=desc')).ids).toEqual(ids.toReversed())
  })

  test('is empty for a live key, without a cursor', async () => {
    proves('auth.live-key.data')
    expect((await shop.api.get('/v1/printers')).body).toEqual({ data: [], hasMore: false, nextCursor: null })
    expect((await shop.api.get('/v1/computers')).body.data).toEqual([])
  })
})

test(`${ORGANIZATIONS} organizations use test mode at once: each job ends as its title requests, and each organization sees only its own jobs`, async () => {
  const shops = await Promise.all(
    Array.from({ length: ORGANIZATIONS }, async () => {
      const { testApi } = await newOrganization()
      return { testApi, printers: (await testApi.get('/v1/printers')).body.data }
    }),
  )
  const all = shops.flatMap(({ printers }) => printers)
  expect(new Set(all.map(({ id }) => id)).size).toBe(4 * ORGANIZATIONS)
  expect(new Set(all.map(({ computerId }) => computerId)).size).toBe(ORGANIZATIONS)
  await Promise.all(
    shops.map(async ({ testApi, printers }, n) => {
      const { id: printerId } = printers[n % 4]
      const good = await testApi.createJob(newJob(printerId))
      const bad = await testApi.createJob(newJob(printerId, { title: `Invoice ${n} [fail]` }))
      expect(await testApi.waitUntilFinal(good.id)).toMatchObject({ state: 'done' })
      expect(await testApi.waitUntilFinal(bad.id)).toMatchObject({ state: 'error' })
      const { body } = await testApi.get('/v1/printjobs?dir=asc')
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([good.id, bad.id])
    }),
  )
})
