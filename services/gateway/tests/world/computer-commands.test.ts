/**
 * Commands of the dashboard to computers. The rules of commands are proven in `devices/tests/world/commands.test.ts`.
 */
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { connectTestAgent } from '../../../devices/tests/test-agent.ts'
import { expectError } from '../client.ts'

async function start() {
  const organization = await newOrganization()
  const admin = await signInAs(organization, 'admin')
  const { computerId, credential } = await organization.enroll()
  return { ...organization, admin, computerId, credential, path: `/account/computers/${computerId}` }
}

async function startOnline(...commands: string[]) {
  const started = await start()
  const agent = connectTestAgent(started.world.agentAddress, started.credential)
  agent.knows(...commands)
  agent.hello()
  await agent.waitForMessages('welcome')
  return { ...started, agent }
}

test('an offline computer executes no command', async () => {
  proves('error.409.command_failed')
  const { admin, path } = await start()
  expectError(await admin.post(`${path}/printer-search`), 409, 'command_failed', /offline/)
  expect(await admin.get(`${path}/network-printers`)).toMatchObject({
    status: 200,
    body: { data: null, refusal: null, askable: [], queues: [] },
  })
})

test('a paused computer shows it, its jobs and validations are explained by it, and it is resumed', async () => {
  proves('account.computers.pause', 'account.computers.resume', 'computer.pausedAt', 'explanation.computer-paused')
  const { admin, api, world, path, computerId, agent } = await startOnline()
  const [printer] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const pausedAt = world.clock.now().toISOString()
  expect(await admin.post(`${path}/pause`)).toMatchObject({ status: 200, body: { id: computerId, pausedAt } })
  world.advance(60_000)
  agent.heartbeat()
  const job = await api.createJob(printJob(printer.id))
  expect((await api.get(`/v1/printjobs/${job.id}/explanation`)).body).toMatchObject({
    code: 'computer-paused',
    paper: 'not_yet',
    cause: expect.stringMatching(/^Computer .* has been paused for 1 min\. The job expires/),
    since: pausedAt,
    actions: [{ kind: 'resume_computer', computerId }, { kind: 'print_elsewhere' }],
  })
  const request = { printerId: printer.id, title: 'Label', contentType: 'raw_base64' }
  expect((await api.post('/v1/printjobs/validate', request)).body).toMatchObject({
    refusal: null,
    warnings: [{ code: 'computer-paused', message: expect.stringContaining('has been paused for 1 min.') }],
  })
  expect(agent.prints()).toEqual([])
  expect((await admin.post(`${path}/resume`)).body).toMatchObject({ pausedAt: null })
  await waitFor(() => expect(agent.prints()).toEqual([job.id]))
})

test('a network printer is added, listed and removed by its agent', async () => {
  proves('account.computers.add', 'account.computers.printers', 'account.computers.remove')
  const { admin, path, agent } = await startOnline('addPrinter', 'listAddedPrinters', 'removePrinter')
  const printer = { osName: 'Zebra', uri: 'socket://10.0.0.8:9100' }
  /** @returns the command that the agent gets, which it answers with this result. */
  const answer = async (count: number, result: object) => {
    const { commandId, command } = (await agent.waitForMessages('command', count)).at(-1) ?? expect.fail('no command')
    agent.send({ case: 'commandResult', value: { commandId, result: result as never } })
    return command.value
  }
  const rasterize = { rawLanguage: 'zpl', width: 812 }
  const adding = admin.post(`${path}/network-printers`, { name: 'Zebra', uri: printer.uri, rasterize })
  expect(await answer(1, { case: 'addPrinter', value: printer })).toMatchObject({
    name: 'Zebra',
    uri: printer.uri,
    raster: rasterize,
  })
  expect(await adding).toMatchObject({ status: 201, body: printer })
  const listing = admin.get(`${path}/network-printers`)
  await answer(2, {
    case: 'listAddedPrinters',
    value: {
      printers: [printer, { osName: 'a', uri: 'file:///a' }],
      askable: ['Zebra'],
      queues: [
        { osName: 'Till', uri: 'socket://10.0.0.9' },
        { osName: 'Bar', uri: '' },
        { osName: 'a', uri: 'file:///a' },
      ],
    },
  })
  expect((await listing).body).toEqual({
    data: [printer],
    refusal: null,
    askable: ['Zebra'],
    queues: [
      { osName: 'Till', uri: 'socket://10.0.0.9' },
      { osName: 'Bar', uri: null },
    ],
  })
  const removing = admin.post(`${path}/network-printers/remove`, { osName: 'Zebra' })
  expect(await answer(3, { case: 'removePrinter', value: {} })).toMatchObject({ osName: 'Zebra' })
  expect((await removing).status).toBe(204)
  const refusing = admin.get(`${path}/network-printers`)
  await answer(4, { case: 'listAddedPrinters', value: { refusal: 'Not permitted.\u0000' } })
  expect((await refusing).body).toEqual({ data: [], refusal: 'Not permitted. ', askable: [], queues: [] })
})

test('the language of a printer is set by its agent', async () => {
  proves('account.printers.language')
  const { admin, api, agent, computerId } = await startOnline('setPrinterLanguage')
  const [printer] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const set = async (body: object, count: number) => {
    const setting = admin.post(`/account/printers/${printer.id}/language`, body)
    const { commandId, command } = (await agent.waitForMessages('command', count)).at(-1) ?? expect.fail('no command')
    agent.send({ case: 'commandResult', value: { commandId, result: { case: 'setPrinterLanguage', value: {} } } })
    expect((await setting).status).toBe(204)
    return command.value
  }
  const { osName } = printer
  expect(await set({ language: 'zpl', dpi: 300 }, 1)).toMatchObject({
    osName,
    raster: { rawLanguage: 'zpl', dpi: 300 },
  })
  expect(await set({ language: null }, 2)).not.toHaveProperty('raster')
  expectError(await admin.post(`/account/printers/${printer.id}/language`, { language: 'pcl' }), 400, 'invalid_request')
})

test('a printer is asked for its language by its agent, by name or address', async () => {
  proves('account.computers.ask')
  const { admin, path, agent } = await startOnline('askPrinter')
  const ask = async (body: object, count: number, value: object) => {
    const asking = admin.post(`${path}/printer-questions`, body)
    const { commandId, command } = (await agent.waitForMessages('command', count)).at(-1) ?? expect.fail('no command')
    agent.send({ case: 'commandResult', value: { commandId, result: { case: 'askPrinter', value } } })
    const { status, body: answer } = await asking
    return { status, answer, printer: (command.value as { printer: unknown }).printer }
  }
  expect(await ask({ osName: 'Till' }, 1, { raster: { rawLanguage: 'escpos', dpi: 180 } })).toMatchObject({
    status: 200,
    answer: { language: 'escpos', dpi: 180, width: null },
    printer: { case: 'osName', value: 'Till' },
  })
  const uri = 'socket://10.0.0.8:9100'
  const none = { language: null, dpi: null, width: null }
  expect(await ask({ uri }, 2, {})).toMatchObject({ answer: none, printer: { case: 'uri', value: uri } })
  // An agent that lies is not passed on.
  expect(await ask({ uri }, 3, { raster: { rawLanguage: 'pcl', dpi: 1 } })).toMatchObject({ answer: none })
  for (const body of [{}, { uri, osName: 'Till' }])
    expectError(await admin.post(`${path}/printer-questions`, body), 400, 'invalid_request')
})

test('the printers that the agent finds are listed', async () => {
  proves('account.computers.find')
  const { admin, path, agent } = await startOnline('findPrinters')
  const answer = admin.post(`${path}/printer-search`)
  const [{ commandId } = expect.fail('no command')] = await agent.waitForMessages('command')
  const printers = [
    { name: 'Office', uri: 'ipp://10.0.0.9/ipp/print', model: 'Laser 4', supportsPdf: true },
    { name: 'Zebra', uri: 'socket://10.0.0.8:9100', hasPageLanguage: true },
    { name: 'Star', uri: 'socket://10.0.0.7:9100', model: 'Star TSP654', raster: { rawLanguage: 'star' } },
  ]
  agent.send({ case: 'commandResult', value: { commandId, result: { case: 'findPrinters', value: { printers } } } })
  expect(await answer).toMatchObject({
    status: 200,
    body: {
      data: [
        printers[0],
        { ...printers[1], model: '', supportsPdf: null, language: null },
        { name: 'Star', raster: null, language: 'star' },
      ],
    },
  })
})

test('an admin begins the update of an agent', async () => {
  proves('account.computers.update-agent')
  const { admin, path, agent } = await startOnline('updateAgent')
  const answer = admin.post(`${path}/agent-update`)
  const [{ commandId } = expect.fail('no command')] = await agent.waitForMessages('command')
  agent.send({ case: 'commandResult', value: { commandId, result: { case: 'updateAgent', value: {} } } })
  expect((await answer).status).toBe(204)
})

test('an admin asks for diagnostics, which are kept', async () => {
  proves('account.computers.diagnose', 'account.computers.diagnostics')
  const { admin, path, agent } = await startOnline('collectDiagnostics')
  const answer = admin.post(`${path}/diagnostics`)
  const [{ commandId } = expect.fail('no command')] = await agent.waitForMessages('command')
  const result = { case: 'collectDiagnostics', value: { text: 'ok  stream\n<b>' } } as const
  agent.send({ case: 'commandResult', value: { commandId, result } })
  const { status, body } = await answer
  expect([status, body]).toMatchObject([201, { text: 'ok  stream\n<b>', createdAt: expect.any(String) }])
  expect((await admin.get(`${path}/diagnostics`)).body).toEqual({ data: [body] })
})
