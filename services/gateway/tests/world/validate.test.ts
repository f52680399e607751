/** `POST /v1/printjobs/validate`: what a creation would do. */
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { connectTestAgent, LASER, type TestPrinter } from '../../../devices/tests/test-agent.ts'
import { newPrinting, UNKNOWN_ID } from '../client.ts'

const toPrinter = (osName: string, changes: object): TestPrinter => ({ ...LASER, osName, ...changes }) as TestPrinter

const capabilities = { copies: 99, nup: [1], papers: [{ name: 'A4', size: { width: 2100, height: 2970 } }] }

const PRINTERS = [
  toPrinter('laser', { capabilities }),
  toPrinter('raw', {}),
  toPrinter('stopped', { capabilities, state: 'offline' }),
  toPrinter('empty', { capabilities, stateReasons: ['media-empty'] }),
  toPrinter('low', { capabilities, stateReasons: ['toner-low'] }),
  toPrinter('label', { capabilities: { ...capabilities, formats: { names: ['raw'] } } }),
  toPrinter('archive', { capabilities: { formats: { names: ['pdf', 'raw'] } } }),
  toPrinter('office', { capabilities: { ...capabilities, formats: { names: ['pdf'] } } }),
  toPrinter('locked', { capabilities: { ...capabilities, formats: { names: [] } } }),
]

async function connect() {
  const printing = await newPrinting()
  const { world, api, enroll } = printing
  const { computerId, credential } = await enroll('live', 'Packing-3')
  const agent = connectTestAgent(world.agentAddress, credential)
  agent.hello(PRINTERS)
  await agent.waitForMessages('welcome')
  const { body } = await api.get(`/v1/computers/${computerId}/printers`)
  const find = (osName: string): string => body.data.find((one: { osName: string }) => one.osName === osName).id
  const validate = async (printerId: string, changes: object = {}) =>
    await api.post('/v1/printjobs/validate', { printerId, title: 'Invoice', contentType: 'pdf_base64', ...changes })
  return { ...printing, agent, computerId, find, validate }
}

test('a printer is named by its name or number; without one, or with several, the refusal is that of a creation', async () => {
  proves('create.printer')
  const { api, find } = await connect()
  const send = async (printer: unknown) =>
    (await api.post('/v1/printjobs/validate', { printer, title: 'Invoice', contentType: 'pdf_base64' })).body
  const { number } = (await api.get(`/v1/printers/${find('laser')}`)).body
  for (const printer of ['laser', number, `#${number}`])
    expect(await send(printer)).toMatchObject({ refusal: null, printer: { id: find('laser') } })
  expect(await send('lase')).toMatchObject({ refusal: { code: 'not_found' }, printer: null, jobsBefore: null })
})

const codes = ({ body }: { body: { warnings: { code: string }[] } }) => body.warnings.map(({ code }) => code)

test.each([
  ['label', ['raw'], /accepts only raw data/],
  ['archive', ['pdf', 'raw'], /^$/],
  ['office', ['pdf'], /does not accept raw data/],
  ['locked', [], /does not accept raw data|accepts only raw data/],
  ['laser', null, /^$/],
])(
  'the formats that its agent reports decide what the printer %s is warned of: %j',
  async (osName, formats, message) => {
    proves('validate.document-format-not-supported', 'capabilities.formats', 'capabilities.formats.null')
    const { api, find, validate } = await connect()
    const printerId = find(osName)
    expect((await api.get(`/v1/printers/${printerId}`)).body.capabilities.formats).toEqual(formats)
    for (const [contentType, format] of [
      ['pdf_base64', 'pdf'],
      ['image_uri', 'pdf'],
      ['raw_base64', 'raw'],
    ] as const) {
      const { body } = await validate(printerId, { contentType })
      const isTaken = formats === null || formats.includes(format)
      expect(codes({ body })).toEqual(isTaken ? [] : ['document-format-not-supported'])
      if (!isTaken) expect(body.warnings[0].message).toMatch(message)
    }
  },
)

test('a validation has the refusals, options and warnings of a creation, and creates nothing', async () => {
  proves(
    'endpoint.POST.printjobs.validate',
    'validate.nothing',
    'validate.content',
    'validate.refusal',
    'validate.options',
    'validate.jobsBefore',
    'validate.document-format-not-supported',
    'validate.option-ignored',
    'validate.waiting',
  )
  const { world, api, agent, find, computerId, job, validate } = await connect()
  const laser = find('laser')
  const fine = await validate(laser, { options: { color: false, bin: 'no such tray' } })
  expect(fine).toMatchObject({
    status: 200,
    body: {
      refusal: null,
      options: { color: false },
      jobsBefore: 0,
      printer: { id: laser },
      computer: { id: computerId },
    },
  })
  expect(fine.body.options).not.toHaveProperty('bin')
  expect(fine.body.printer).not.toHaveProperty('capabilities')
  expect(codes(fine)).toEqual(['option-ignored'])
  expect(fine.body.warnings[0].message).toContain('no such tray')

  expect(codes(await validate(find('raw')))).toEqual(['document-format-not-supported'])
  expect(codes(await validate(find('raw'), { contentType: 'raw_base64' }))).toEqual([])

  expect(codes(await validate(find('stopped')))).toEqual(['printer-offline'])
  expect(codes(await validate(find('empty')))).toEqual(['printer-waits'])
  expect(codes(await validate(find('low')))).toEqual([])

  expect((await validate(UNKNOWN_ID)).body).toMatchObject({
    refusal: { code: 'not_found' },
    printer: null,
    options: null,
  })
  expect((await validate(laser, { contentType: undefined, reprintOf: UNKNOWN_ID })).body).toMatchObject({
    refusal: { code: 'not_found' },
    printer: { id: laser },
  })
  const blocked = await validate(laser, { contentType: 'pdf_uri', content: 'ftp://files.example.com/a.pdf' })
  expect(blocked.body.refusal).toMatchObject({ code: 'invalid_content_url' })
  expect((await validate(laser, { title: '' })).status).toBe(400)
  expect((await validate(laser, { contentType: undefined })).status).toBe(400)

  agent.shutDown()
  await waitFor(async () => expect((await api.get(`/v1/computers/${computerId}`)).body.state).toBe('offline'))
  await api.createJob(job({ printerId: laser }))
  const waits = await validate(laser)
  expect(codes(waits)).toEqual(['computer-offline'])
  expect(waits.body.jobsBefore).toBe(1)
  await world.query(
    `UPDATE devices.computer SET refused_at = last_seen_at, last_seen_at = last_seen_at - interval '1 ms'
     WHERE id = $1`,
    [computerId],
  )
  expect(codes(await validate(laser))).toEqual(['computer-unauthorized'])

  await api.patch(`/v1/printers/${laser}`, { enabled: false })
  await waitFor(async () =>
    expect((await validate(laser)).body).toMatchObject({ refusal: { code: 'printer_disabled' }, warnings: [] }),
  )
  expect((await api.get('/v1/printjobs')).body.data).toHaveLength(1)
})
