/** A label printer on the network that no operating system knows, seen through the REST API. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRawPrinter } from '../../agent/tests/raw-printer.ts'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startLiveVirtualAgent } from './live-virtual-agent.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
})

afterAll(async () => {
  await system?.stop()
})

test('a raw job reaches a network printer byte for byte, a PDF is refused, and a printer that is switched off is offline', async () => {
  const device = await startRawPrinter()
  const api = createApi(system.baseUrl, await system.addKey(await system.createOrganization(), 'live', ['admin']))
  const { token } = (await api.post('/v1/enrollments', {})).body
  await startLiveVirtualAgent(system, (await system.enroll(token)).credential, {
    printers: [{ name: 'Zebra', uri: device.uri, papers: { '4x6': [1016, 1524] }, dpis: ['203x203'] }],
  })
  // A busy agent may not have reached it in time for its first report.
  const printer = await waitFor(async () => {
    const found = await api.printer('Zebra')
    expect(found).toMatchObject({
      name: 'Zebra',
      state: 'online',
      capabilities: { papers: { '4x6': [1016, 1524] }, dpis: ['203x203'], color: false, duplex: false },
    })
    return found
  }, 30_000)

  const label = Buffer.concat([Buffer.from('^XA^FDParcel^FS^XZ'), randomBytes(10_000)])
  const job = { printerId: printer.id, title: 'Label', contentType: 'raw_base64', content: label.toString('base64') }
  const { id } = await api.createJob({ ...job, qty: 2 })
  expect(await api.waitUntilFinal(id)).toMatchObject({ state: 'done', stateReasons: [] })
  expect(device.printed()).toEqual([Buffer.concat([label, label])])

  const content = makePdf('Invoice').toString('base64')
  const pdf = await api.createJob({ printerId: printer.id, title: 'Invoice', contentType: 'pdf_base64', content })
  expect(await api.waitUntilFinal(pdf.id)).toMatchObject({
    state: 'error',
    stateReasons: ['document-format-not-supported'],
  })

  device.switchOff()
  const late = await api.createJob(job)
  await waitFor(async () => expect((await api.get(`/v1/printjobs/${late.id}`)).body.state).toBe('printing'))
  await waitFor(
    async () => expect((await api.get(`/v1/printers/${printer.id}`)).body).toMatchObject({ state: 'offline' }),
    30_000,
  )
  await device.switchOn()
  expect(await api.waitUntilFinal(late.id, 60_000)).toMatchObject({ state: 'done' })
  expect(device.printed()).toHaveLength(2)
})
