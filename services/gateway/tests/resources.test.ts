import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ComputerSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { createCursors, packPlace } from '@platen/runtime/paging.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'
import { AT, COMPUTER_ID, makePrinter, ORGANIZATION_ID, PLACE, PRINTER_ID } from './start-test-services.ts'

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const CREATED_AT = AT.toISOString()

/** As the gateway makes it for a test key. */
const cursorOf = (path: string, id: string, dir = 'desc') =>
  createCursors('a secret of the test installation').sign(
    [ORGANIZATION_ID, 'test', path, dir, []],
    packPlace({ place: PLACE, id }),
  )

test('a printer is shown as the specification has it', async () => {
  const { api } = await startTestGateway()
  const { status, body } = await api.get(`/v1/printers/${PRINTER_ID}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: PRINTER_ID,
    computerId: COMPUTER_ID,
    name: 'Laser',
    osName: 'laser',
    description: 'A4 laser',
    displayName: 'Front desk',
    remarks: null,
    enabled: true,
    isDefault: false,
    state: 'online',
    stateDetail: '',
    stateReasons: [],
    capabilities: {
      papers: { A4: [2100, 2970], Roll: [800, null] },
      bins: [],
      dpis: ['600x600'],
      medias: [],
      extent: null,
      printrate: null,
      duplex: true,
      color: false,
      collate: false,
      copies: 99,
      nup: [1, 2],
      supports_custom_paper_size: false,
    },
    defaultOptions: {},
    customPapers: [],
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
  })
})

test('a computer is shown as the specification has it', async () => {
  const { api, services } = await startTestGateway()
  const facts = {
    id: COMPUTER_ID,
    name: 'Till',
    hostname: 'till-1',
    os: 'linux',
    osVersion: '12',
    arch: 'x64',
    agentVersion: '1.0.0',
    state: 'online',
    mode: 'test',
  }
  services.computers.push(create(ComputerSchema, { ...facts, createdAt: timestampFromDate(AT) }))
  const shown = { ...facts, lastSeenAt: null, createdAt: CREATED_AT }
  expect((await api.get(`/v1/computers/${COMPUTER_ID}`)).body).toEqual(shown)
  expect((await api.get('/v1/computers')).body).toEqual({
    data: [shown],
    hasMore: false,
    nextCursor: cursorOf('/v1/computers', COMPUTER_ID),
  })
})

test('a job and its events are shown as the specification has them', async () => {
  const { api } = await startTestGateway()
  const created = await api.createJob(printJob({ options: { color: null, copies: 2 }, expireAfter: 60 }))
  const job = await api.getJob(created.id.toUpperCase())
  expect(job).toEqual(created)
  expect(job).toMatchObject({ options: { color: null, copies: 2 }, expireAfter: 60, stateMessage: null, sentAt: null })
  expect(job).not.toHaveProperty('content')
  expect((await api.get(`/v1/printjobs/${job.id}/events`)).body).toEqual({
    data: [{ id: 'event-1', state: 'queued', message: null, actor: 'api', createdAt: CREATED_AT }],
  })
})

test.each([
  `/v1/printers/${UNKNOWN_ID}`,
  `/v1/computers/${UNKNOWN_ID}`,
  `/v1/printjobs/${UNKNOWN_ID}`,
  '/v1/printers/laser',
  '/v1/printers/%zz',
  '/v1/computers/7',
  `/v1/printjobs/${UNKNOWN_ID}0`,
])('%s does not exist', async (path) => {
  const { api } = await startTestGateway()
  expectError(await api.get(path), 404, 'not_found', /^There is no (printer|computer|print job) with this id\.$/)
})

test("a printer of the organization's other mode does not exist", async () => {
  const { api, services } = await startTestGateway()
  services.printers = [makePrinter({ mode: 'live' })]
  expectError(await api.get(`/v1/printers/${PRINTER_ID}`), 404, 'not_found')
})

describe('pages', () => {
  test.each([
    ['', { limit: 25, ascending: false }],
    ['?limit=1', { limit: 1, ascending: false }],
    ['?limit=100&dir=asc', { limit: 100, ascending: true }],
    [
      `?after=${cursorOf('/v1/printers', UNKNOWN_ID)}&dir=desc`,
      { limit: 25, ascending: false, after: new Uint8Array(packPlace({ place: PLACE, id: UNKNOWN_ID })) },
    ],
  ])('"%s" is passed on', async (query, page) => {
    const { api, services } = await startTestGateway()
    expect((await api.get(`/v1/printers${query}`)).status).toBe(200)
    expect(services.pageRequests).toEqual([expect.objectContaining(page)])
  })

  test.each([
    ['limit=0', /`limit`: must be an integer from 1 to 100/],
    ['limit=101', /`limit`/],
    ['limit=', /`limit`/],
    ['limit=1.5', /`limit`/],
    ['limit=1&limit=2', /`limit`/],
    ['dir=up', /`dir`: must be `asc` or `desc`/],
    ['after=', /`after`/],
    ['after=nonsense', /`after`/],
    ['after=a&after=b', /`after`/],
    [`after=${cursorOf('/v1/printers', UNKNOWN_ID)}A`, /`after` must be the `nextCursor`/],
    [`after=${cursorOf('/v1/printers', UNKNOWN_ID)}&dir=asc`, /`after`.*the same `dir`/],
    [`after=${cursorOf('/v1/computers', UNKNOWN_ID)}`, /`after`.*of this list/],
  ])('"%s" is refused by name', async (query, message) => {
    const { api } = await startTestGateway()
    expectError(await api.get(`/v1/printers?${query}`), 400, 'invalid_request', message)
  })

  test('an empty page has the cursor that was sent, or null', async () => {
    const { api, services } = await startTestGateway()
    const after = cursorOf('/v1/printers', UNKNOWN_ID)
    expect((await api.get(`/v1/printers?after=${after}`)).body).toEqual({ data: [], hasMore: false, nextCursor: after })
    services.printers = []
    expect((await api.get('/v1/printers')).body).toEqual({ data: [], hasMore: false, nextCursor: null })
  })
})
