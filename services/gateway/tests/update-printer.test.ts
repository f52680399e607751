import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'
import { makePrinter, PRINTER_ID } from './start-test-services.ts'

const PATH = `/v1/printers/${PRINTER_ID}`

type Started = Awaited<ReturnType<typeof startTestGateway>>

const patch = ({ api }: Started, body: unknown, path = PATH) =>
  api.request('PATCH', path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const papers = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Paper ${n}`, width: 1 + n, height: 1 }))

test.each<[string, Record<string, unknown>]>([
  ['displayName', { displayName: 'Till' }],
  ['displayName of 1 character', { displayName: '🖨' }],
  ['displayName of 255 characters', { displayName: '🖨'.repeat(255) }],
  ['enabled', { enabled: false }],
  ['remarks', { remarks: 'Paper is in the\ncupboard' }],
  ['remarks null', { remarks: null }],
  ['remarks of 0 characters', { remarks: '' }],
  ['remarks of 2000 characters', { remarks: 'é'.repeat(2000) }],
  ['defaultOptions', { defaultOptions: { duplex: 'long-edge', copies: 2, color: null } }],
  ['defaultOptions of none', { defaultOptions: {} }],
  ['customPapers of 50', { customPapers: papers(50) }],
  ['customPapers of none', { customPapers: [] }],
  ['a custom paper with a name of 1 character', { customPapers: [{ name: 'x', width: 1, height: 1 }] }],
  ['a custom paper with a name of 64 characters', { customPapers: [{ name: 'x'.repeat(64), width: 1, height: 1 }] }],
  [
    'all at once',
    { displayName: 'A', enabled: true, remarks: 'B', defaultOptions: { nup: 2 }, customPapers: papers(1) },
  ],
])('%s is changed, and the answer is the printer', async (_, changes) => {
  const started = await startTestGateway()
  const { body: before } = await started.api.get(PATH)
  const { status, body } = await patch(started, changes)
  expect([status, body]).toEqual([200, { ...before, ...changes }])
  expect((await started.api.get(PATH)).body).toEqual(body)
})

test('`customPapers` are replaced as a whole', async () => {
  const started = await startTestGateway()
  await patch(started, { customPapers: papers(3) })
  const { body } = await patch(started, { customPapers: [{ name: 'Ticket', width: 800, height: 1200 }] })
  expect(body.customPapers).toEqual([{ name: 'Ticket', width: 800, height: 1200 }])
})

test('an empty object is a 200 and changes nothing', async () => {
  const started = await startTestGateway()
  const { body: before } = await started.api.get(PATH)
  expect(await patch(started, {})).toMatchObject({ status: 200, body: before })
})

describe('is refused by name, and nothing is changed', () => {
  const paper = { name: 'Ticket', width: 800, height: 1200 }
  test.each<[string, unknown, RegExp]>([
    ['a field that cannot be edited', { name: 'x' }, /`name`: not known here/],
    ['another one', { state: 'online', id: PRINTER_ID }, /`state`, `id`: not known here/],
    ['an unknown field', { colour: 1, displayName: 'x' }, /`colour`/],
    ['displayName of 0 characters', { displayName: '' }, /`displayName`: must have 1 to 255/],
    ['displayName of 256 characters', { displayName: 'x'.repeat(256) }, /`displayName`/],
    ['displayName null', { displayName: null }, /`displayName`/],
    ['displayName with a NUL', { displayName: 'a\0' }, /`displayName`/],
    ['displayName with a lone surrogate', '{"displayName":"\\ud800"}', /`displayName`/],
    ['remarks of 2001 characters', { remarks: 'x'.repeat(2001) }, /`remarks`: must have 0 to 2000/],
    ['enabled as a text', { enabled: 'true' }, /`enabled`: must be true or false/],
    ['an unknown option', { defaultOptions: { stapled: true } }, /`defaultOptions.stapled`: not known here/],
    ['a malformed option', { defaultOptions: { rotate: 45 } }, /`defaultOptions.rotate`/],
    ['defaultOptions null', { defaultOptions: null }, /`defaultOptions`/],
    ['customPapers of 51', { customPapers: papers(51) }, /`customPapers`: must have at most 50 entries/],
    ['two papers of one name', { customPapers: [paper, { ...paper, width: 1 }] }, /`customPapers`: .*one name/],
    ['a paper with an empty name', { customPapers: [{ ...paper, name: '' }] }, /`customPapers.0.name`/],
    ['a paper with a name of 65 characters', { customPapers: [{ ...paper, name: 'x'.repeat(65) }] }, /name`/],
    ['a width of 0', { customPapers: [{ ...paper, width: 0 }] }, /`customPapers.0.width`/],
    ['a height of 0', { customPapers: [{ ...paper, height: 0 }] }, /`customPapers.0.height`/],
    ['a width that is no integer', { customPapers: [{ ...paper, width: 1.5 }] }, /width`/],
    ['a width over the limit', { customPapers: [{ ...paper, width: 2 ** 31 }] }, /width`/],
    ['a paper without a height', { customPapers: [{ name: 'x', width: 1 }] }, /height`/],
    ['a paper with an unknown field', { customPapers: [{ ...paper, unit: 'mm' }] }, /`customPapers.0.unit`/],
    ['customPapers as an object', { customPapers: {} }, /`customPapers`: must be an array/],
    ['an array', [], /must be a JSON object/],
    ['a field that stands twice', '{"enabled":true,"enabled":false}', /\w/],
  ])('%s', async (_, body, message) => {
    const started = await startTestGateway()
    const { body: before } = await started.api.get(PATH)
    expectError(await patch(started, body), 400, 'invalid_request', message)
    expect((await started.api.get(PATH)).body).toEqual(before)
  })
})

test('a body of more than 64 KB is a 413', async () => {
  const started = await startTestGateway()
  expectError(await patch(started, { remarks: 'x'.repeat(65_536) }), 413, 'content_too_large')
})

test('a printer that does not exist, or is of the other mode, is a 404', async () => {
  const started = await startTestGateway()
  expectError(await patch(started, {}, '/v1/printers/01890a5d-ac96-774b-bcce-b302099a8057'), 404, 'not_found')
  expectError(await patch(started, {}, '/v1/printers/7'), 404, 'not_found')
  started.services.printers = [makePrinter({ mode: 'live' })]
  expectError(await patch(started, {}), 404, 'not_found')
})

test.each([['read'], ['print']])('a key with the scope %s alone may not', async (scope) => {
  const started = await startTestGateway()
  const key = started.services.makeKey('test', [scope])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  expectError(await started.api.request('PATCH', PATH, { body: '{}', headers }), 403, 'insufficient_scope')
})

test('a change is seen by the very next job, although printers are remembered', async () => {
  const started = await startTestGateway()
  const { api } = started
  await api.createJob(printJob())
  await patch(started, { enabled: false })
  expectError(await api.post('/v1/printjobs', printJob()), 422, 'printer_disabled')
  await patch(started, { enabled: true, defaultOptions: { copies: 3 } })
  expect((await api.createJob(printJob())).options).toEqual({ copies: 3 })
})

test('a job is created with its options merged, those that are honoured, and a warning of the others', async () => {
  const started = await startTestGateway()
  await patch(started, { defaultOptions: { copies: 2, color: true } })
  const { options } = await started.api.createJob(printJob({ options: { nup: 2, bin: 'tray-9' } }))
  expect(options).toEqual({ nup: 2, bin: 'tray-9', copies: 2, color: true })
  expect(started.services.createdJobs.at(-1)).toMatchObject({
    options,
    effectiveOptions: { nup: 2, copies: 2 },
    optionWarning:
      'Ignored options: color true (not offered by this printer); bin `tray-9` (not offered by this printer).',
  })
})

test('what a Windows computer ignores is dropped for PDFs', async () => {
  const { api, services } = await startTestGateway()
  services.os = 'windows'
  await api.createJob(printJob({ options: { nup: 2 } }))
  expect(services.createdJobs.at(-1)).toMatchObject({
    options: { nup: 2 },
    effectiveOptions: {},
    optionWarning: 'Ignored options: nup 2 (not available on Windows).',
  })
  await api.createJob(printJob({ options: { nup: 2 }, contentType: 'raw_base64' }))
  expect(services.createdJobs.at(-1)).toMatchObject({ options: { nup: 2 }, effectiveOptions: {} })
  expect(services.createdJobs.at(-1)?.optionWarning).toBeUndefined()
})
