import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'
import { makePrinter, ORGANIZATION_ID, PRINTER_ID } from './start-test-services.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const at = (text: string) => timestampFromDate(new Date(text))

describe('filters of jobs', () => {
  test.each([
    ['', { states: [] }],
    ['?state=done', { states: ['done'] }],
    ['?state=sent&state=done&state=sent', { states: ['done', 'sent'] }],
    [`?printerId=${ID.toUpperCase()}`, { printerId: ID }],
    [`?computerId=${ID}`, { computerId: ID }],
    ['?source=till%207', { source: 'till 7' }],
    [`?source=${encodeURIComponent('🖨'.repeat(255))}`, { source: '🖨'.repeat(255) }],
    ['?createdAfter=2026-01-02T03:04:05.678Z', { createdFrom: at('2026-01-02T03:04:05.678Z') }],
    ['?createdAfter=2026-01-02T03:04:05%2B02:00', { createdFrom: at('2026-01-02T01:04:05Z') }],
    ['?createdBefore=2026-01-02T03:04:05.6Z', { createdBefore: at('2026-01-02T03:04:05.600Z') }],
    [
      '?state=error&limit=7&dir=asc',
      { states: ['error'], page: expect.objectContaining({ limit: 7, ascending: true }) },
    ],
  ])('"%s" is passed on', async (query, expected) => {
    const { api, services } = await startTestGateway()
    expect((await api.get(`/v1/printjobs${query}`)).status).toBe(200)
    expect(services.listedJobs).toEqual([
      expect.objectContaining({ organizationId: ORGANIZATION_ID, mode: 'test', ...expected }),
    ])
  })

  test.each([
    ['state=finished', /`state`: must be one of `queued`, /],
    ['state=', /`state`/],
    ['state=done&state=Done', /`state/],
    ['printerId=laser', /`printerId`: must be a UUID/],
    [`printerId=${ID}&printerId=${ID}`, /`printerId`/],
    ['computerId=7', /`computerId`: must be a UUID/],
    ['source=', /`source`: must have 1 to 255 characters/],
    [`source=${encodeURIComponent('🖨'.repeat(256))}`, /`source`/],
    ['source=a%00b', /`source`: must not contain NUL/],
    ['createdAfter=yesterday', /`createdAfter`: must be an ISO 8601 time/],
    ['createdAfter=2026-01-02', /`createdAfter`/],
    ['createdAfter=2026-01-02T03:04:05', /`createdAfter`/],
    ['createdAfter=2026-01-02T03:04Z', /`createdAfter`/],
    ['createdAfter=2026-02-30T03:04:05Z', /`createdAfter`/],
    ['createdAfter=2026-01-02T03:04:05.6789Z', /`createdAfter`.*at most milliseconds/],
    ['createdAfter=2026-01-02T03:04:05+02:00', /`createdAfter`.*%2B/],
    ['createdBefore=1767322800', /`createdBefore`/],
    ['colour=red', /`colour`: not known here/],
  ])('"%s" is refused by name', async (query, message) => {
    const { api, services } = await startTestGateway()
    expectError(await api.get(`/v1/printjobs?${query}`), 400, 'invalid_request', message)
    expect(services.listedJobs).toEqual([])
  })

  test('a cursor goes on with the filters that it was given for, however they are spelled, and with no others', async () => {
    const { api } = await startTestGateway()
    await api.createJob(printJob())
    const from = '2026-01-02T03:04:05'
    const { body } = await api.get(`/v1/printjobs?state=done&state=sent&createdAfter=${from}.000Z`)
    const after = body.nextCursor
    for (const right of [
      `state=sent&state=done&createdAfter=${from}Z`,
      `limit=1&createdAfter=2026-01-02T04:04:05%2B01:00&state=done&state=sent`,
    ])
      expect((await api.get(`/v1/printjobs?${right}&after=${after}`)).status).toBe(200)
    for (const wrong of ['state=done', `state=done&state=sent`, `state=done&state=sent&createdAfter=${from}.001Z`])
      expectError(await api.get(`/v1/printjobs?${wrong}&after=${after}`), 400, 'invalid_request', /same filters/)
    expectError(await api.get(`/v1/printers?after=${after}`), 400, 'invalid_request', /`after`/)
  })
})

describe("a printer's jobs", () => {
  test('are those of this printer, and take no filters', async () => {
    const { api, services } = await startTestGateway()
    const path = `/v1/printers/${PRINTER_ID}/printjobs`
    const created = await api.createJob(printJob())
    const { status, body } = await api.get(path)
    expect([status, body.data]).toEqual([200, [created]])
    expect(services.listedJobs).toEqual([
      expect.objectContaining({ organizationId: ORGANIZATION_ID, mode: 'test', printerId: PRINTER_ID }),
    ])
    expectError(await api.get(`${path}?state=done`), 400, 'invalid_request', /`state`: not known here/)
    const upperCase = `/v1/printers/${PRINTER_ID.toUpperCase()}/printjobs?after=${body.nextCursor}`
    expect((await api.get(upperCase)).status).toBe(200)
  })

  test('are a 404 with the printer', async () => {
    const { api, services } = await startTestGateway()
    expectError(await api.get(`/v1/printers/${ID}/printjobs`), 404, 'not_found')
    expectError(await api.get('/v1/printers/laser/printjobs'), 404, 'not_found')
    services.printers = [makePrinter({ mode: 'live' })]
    expectError(await api.get(`/v1/printers/${PRINTER_ID}/printjobs`), 404, 'not_found')
  })
})

describe('a cancel', () => {
  test.each([undefined, '', '{}', ' { } '])('with the body %j is answered by the cancelled job', async (body) => {
    const { api } = await startTestGateway()
    const job = await api.createJob(printJob())
    const answer = await api.request('POST', `/v1/printjobs/${job.id}/cancel`, body === undefined ? {} : { body })
    expect([answer.status, answer.body]).toEqual([200, { ...job, state: 'cancelled' }])
  })

  test.each(['{"reason": "typo"}', '[]', 'null', 'x'])('with the body %s is refused', async (body) => {
    const { api } = await startTestGateway()
    const job = await api.createJob(printJob())
    const answer = await api.request('POST', `/v1/printjobs/${job.id}/cancel`, { body })
    expectError(answer, 400, 'invalid_request', /This takes no body/)
  })

  test('with a body of 1 KiB is refused for what it says, with one byte more for its size', async () => {
    const { api } = await startTestGateway()
    const send = (body: string) => api.request('POST', `/v1/printjobs/${ID}/cancel`, { body })
    expectError(await send('x'.repeat(1024)), 400, 'invalid_request')
    expectError(await send('x'.repeat(1025)), 413, 'content_too_large')
    expectError(await send(' '.repeat(1024)), 404, 'not_found')
  })

  test('needs the scope print', async () => {
    const { baseUrl, services } = await startTestGateway()
    const cancel = (scopes: string[]) =>
      fetch(`${baseUrl}/v1/printjobs/${ID}/cancel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${services.makeKey('test', scopes)}` },
      })
    expect((await cancel(['read'])).status).toBe(403)
    expect((await cancel(['print'])).status).toBe(404)
    expect((await cancel(['admin'])).status).toBe(404)
  })
})
