import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'

let platen: Platen

beforeAll(async () => {
  platen = await startPlaten()
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
})

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function printPdf(printerName: string, title: string, pdf: Buffer, more: Record<string, unknown> = {}) {
  const printer = await platen.api.printer(printerName)
  const content = pdf.toString('base64')
  return await platen.api.createJob({ printerId: printer.id, title, contentType: 'pdf_base64', content, ...more })
}

describe('a PDF for the virtual laser printer', () => {
  test('is accepted with the full job object in queued', async () => {
    const pdf = makePdf('Hello')
    const printer = await platen.api.printer('Test A4 Laser')
    const job = await printPdf('Test A4 Laser', 'Invoice 1', pdf, { options: { duplex: 'long-edge' }, qty: 2 })
    expect(job).toEqual({
      id: expect.stringMatching(UUID_V7),
      printerId: printer.id,
      computerId: printer.computerId,
      title: 'Invoice 1',
      contentType: 'pdf_base64',
      source: 'api',
      qty: 2,
      options: { duplex: 'long-edge' },
      expireAfter: 86_400,
      expiresAt: expect.stringMatching(ISO),
      fileSize: pdf.length,
      fileSha256: sha256(pdf),
      mode: 'test',
      state: 'queued',
      stateMessage: null,
      stateReasons: [],
      createdAt: expect.stringMatching(ISO),
      sentAt: null,
      receivedAt: null,
      printingAt: null,
      finishedAt: null,
    })
    expect(Date.parse(job.expiresAt) - Date.parse(job.createdAt)).toBe(86_400_000)
  })

  test('walks through all states to done in about 3 s, each with its time and its event', async () => {
    const { id } = await printPdf('Test A4 Laser', 'Invoice 2', makePdf('Hello'))
    const job = await platen.api.waitUntilFinal(id)
    expect(job).toMatchObject({ state: 'done', stateMessage: null })
    const times = [job.createdAt, job.sentAt, job.receivedAt, job.printingAt, job.finishedAt]
    expect(times).toEqual(times.map(() => expect.stringMatching(ISO)))
    expect(times).toEqual(times.toSorted())
    const tookMs = Date.parse(job.finishedAt) - Date.parse(job.createdAt)
    expect(tookMs).toBeGreaterThan(2_000)
    // A busy machine takes its time; what has to be said again comes 30 s later at the earliest.
    expect(tookMs).toBeLessThan(15_000)

    const { status, body } = await platen.api.get(`/v1/printjobs/${id}/events`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data.map(({ state, actor }: { state: string; actor: string }) => [state, actor])).toEqual([
      ['queued', 'api'],
      ['sent', 'system'],
      ['received', 'agent'],
      ['printing', 'agent'],
      ['done', 'agent'],
    ])
    for (const event of body.data)
      expect(event).toEqual({
        id: expect.stringMatching(UUID_V7),
        state: expect.any(String),
        message: null,
        actor: expect.any(String),
        createdAt: expect.stringMatching(ISO),
      })
  })

  test('ends in error, with the reason, when its title contains [fail]', async () => {
    const { id } = await printPdf('Test A4 Laser', 'Invoice [fail] 3', makePdf('Hello'))
    const job = await platen.api.waitUntilFinal(id)
    expect(job).toMatchObject({
      state: 'error',
      stateMessage: expect.any(String),
      stateReasons: ['job-aborted-by-system'],
    })
    const before = ['queued', 'sent', 'received']
    // A busy agent may not have seen it print.
    expect(await platen.api.eventStates(id)).toBeOneOf([
      [...before, 'printing', 'error'],
      [...before, 'error'],
    ])
  })

  test('may have exactly 25 MB', async () => {
    const pdf = makePdf('Large', 26_214_400)
    const job = await printPdf('Test A4 Laser', 'Large', pdf)
    expect(job).toMatchObject({ fileSize: 26_214_400, fileSha256: sha256(pdf) })
    expect((await platen.api.waitUntilFinal(job.id)).state).toBe('done')
  })
})

test.each([
  ['Test Receipt 80mm', Buffer.from('\x1b@Thank you\n\x1dV\x00', 'latin1')],
  ['Test Label 4x6', Buffer.from('^XA^FO50,50^ADN,36,20^FDPlaten^FS^XZ')],
])('raw data for %s is printed', async (printerName, raw) => {
  const printer = await platen.api.printer(printerName)
  const content = raw.toString('base64')
  const job = await platen.api.createJob({ printerId: printer.id, title: 'Raw', contentType: 'raw_base64', content })
  expect(job).toMatchObject({ fileSize: raw.length, fileSha256: sha256(raw) })
  expect((await platen.api.waitUntilFinal(job.id)).state).toBe('done')
})

describe('what a test key sees', () => {
  test('the virtual computer is online', async () => {
    const { body } = await platen.api.get('/v1/computers')
    expect(body).toMatchObject({ hasMore: false, nextCursor: expect.any(String) })
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        name: expect.any(String),
        hostname: expect.any(String),
        os: expect.any(String),
        osVersion: expect.any(String),
        arch: expect.any(String),
        agentVersion: expect.any(String),
        state: 'online',
        mode: 'test',
        lastSeenAt: expect.stringMatching(ISO),
        createdAt: expect.stringMatching(ISO),
      },
    ])
    const [computer] = body.data
    expect((await platen.api.get(`/v1/computers/${computer.id}`)).body).toMatchObject({ id: computer.id })
  })

  test('its four printers are online, with what they can do', async () => {
    const { body } = await platen.api.get('/v1/printers?dir=asc')
    const names = body.data.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['Test A4 Laser', 'Test Label 4x6', 'Test Letter Color', 'Test Receipt 80mm'])
    expect(body.data.map(({ state }: { state: string }) => state)).toEqual(['online', 'online', 'online', 'online'])
    const { id } = await platen.api.printer('Test Receipt 80mm')
    const { body: receipt } = await platen.api.get(`/v1/printers/${id}`)
    expect(receipt).toMatchObject({
      enabled: true,
      remarks: null,
      defaultOptions: {},
      customPapers: [],
      stateReasons: [],
    })
    expect(receipt.capabilities).toMatchObject({
      papers: { 'Roll 80mm': [800, null] },
      printrate: null,
      duplex: false,
      supports_custom_paper_size: true,
    })
    const { body: laser } = await platen.api.get(`/v1/printers/${(await platen.api.printer('Test A4 Laser')).id}`)
    expect(laser.capabilities).toMatchObject({
      bins: ['Automatically Select', 'Tray 1', 'Tray 2', 'Manual Feed'],
      medias: ['Plain', 'Thick', 'Labels', 'Envelope'],
      extent: [
        [762, 1270],
        [2160, 3560],
      ],
      printrate: { rate: 38, unit: 'ppm' },
    })
  })

  test('a page ends where it was asked to, and the next one goes on from there', async () => {
    const first = await platen.api.get('/v1/printers?limit=3')
    expect(first.body).toMatchObject({ hasMore: true })
    const second = await platen.api.get(`/v1/printers?limit=3&after=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ hasMore: false })
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(4)
    expect(ids).toEqual(ids.toSorted().reverse())
    const beyond = await platen.api.get(`/v1/printers?after=${second.body.nextCursor}`)
    expect(beyond.body).toEqual({ data: [], hasMore: false, nextCursor: second.body.nextCursor })
  })
})

test('with `dir=asc` the oldest is first, with `dir=desc` the newest, and no header tells how many there are', async () => {
  const createdIn = async (dir: string) => {
    const { body, headers } = await platen.api.get(`/v1/printers?dir=${dir}`)
    expect([...headers.keys()].filter((name) => name.startsWith('records-'))).toEqual([])
    return body.data.map(({ id }: { id: string }) => id)
  }
  const oldestFirst = await createdIn('asc')
  expect(oldestFirst).toHaveLength(4)
  // Ids are UUIDv7, so they sort by time.
  expect(oldestFirst).toEqual(oldestFirst.toSorted())
  expect(await createdIn('desc')).toEqual(oldestFirst.toReversed())
})

describe('authentication', () => {
  test('whoami names the organization, the mode and the key behind a Bearer key', async () => {
    const { status, body } = await platen.api.get('/v1/whoami')
    expect(status).toBe(200)
    expect(body).toEqual({
      organization: { id: platen.credentials.organizationId, name: expect.any(String) },
      mode: 'test',
      apiKey: {
        id: expect.stringMatching(UUID_V7),
        name: expect.any(String),
        prefix: platen.credentials.testKey.slice(0, 16),
        scopes: ['read', 'print', 'admin'],
        createdAt: expect.stringMatching(ISO),
      },
      user: null,
    })
  })

  test('the key may be the user name of HTTP Basic with an empty password', async () => {
    const basic = Buffer.from(`${platen.credentials.liveKey}:`).toString('base64')
    const { status, body } = await platen.api.get('/v1/whoami', { authorization: `Basic ${basic}` })
    expect([status, body.mode]).toEqual([200, 'live'])
  })

  test('a live key sees nothing of test mode', async () => {
    const authorization = `Bearer ${platen.credentials.liveKey}`
    const printer = await platen.api.printer('Test A4 Laser')
    expect((await platen.api.get('/v1/printers', { authorization })).body).toEqual({
      data: [],
      hasMore: false,
      nextCursor: null,
    })
    expect((await platen.api.get(`/v1/printers/${printer.id}`, { authorization })).status).toBe(404)
    expect((await platen.api.get('/v1/computers', { authorization })).body.data).toEqual([])
    expect((await platen.api.get(`/v1/computers/${printer.computerId}`, { authorization })).status).toBe(404)
    const { id } = await printPdf('Test A4 Laser', 'Mine', makePdf('Mine'))
    expect((await platen.api.get(`/v1/printjobs/${id}`, { authorization })).status).toBe(404)
    expect((await platen.api.get(`/v1/printjobs/${id}/events`, { authorization })).status).toBe(404)
  })
})

test('probes answer without a key', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(platen.credentials.baseUrl + path)
    expect([path, response.status]).toEqual([path, 200])
  }
})
