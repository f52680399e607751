/** Reports of the printers of a computer. */

import { DOCUMENT_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { mockDisk } from '../../../test/harness/disk.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { SpoolerProblem } from '../../spoolers/spooler-problem.ts'
import { cutPrinters, type PrinterList } from '../../uplink/printer-reports.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, createQuickSpooler, makeDataDir } from '../start-agent.ts'

const service = useService()

/** A connected agent whose spooler has these printers. */
async function connect(printers: () => PrinterList | Promise<PrinterList>) {
  const script = { printers, polls: 0, concurrentPolls: 0, maxConcurrentPolls: 0 }
  const spooler = {
    ...createQuickSpooler(makeDataDir()),
    async printers() {
      script.polls++
      script.maxConcurrentPolls = Math.max(script.maxConcurrentPolls, ++script.concurrentPolls)
      return await Promise.resolve(script.printers()).finally(() => script.concurrentPolls--)
    },
  }
  await connectAgent(service, { spooler })
  return script
}

const fail = () => Promise.reject(new Error('the spooler fails'))

const LABEL = { osName: 'label', name: 'Label', state: 'online', stateReasons: [], capabilities: { dpis: ['203x203'] } }
const RECEIPT = { ...LABEL, osName: 'receipt', name: 'Receipt' }

const waitForPolls = (script: { polls: number }, count: number) => {
  const before = script.polls
  return waitFor(() => expect(script.polls).toBeGreaterThanOrEqual(before + count))
}

const getReported = () => service.getMessages('printers').map(({ printers }) => printers.map(({ osName }) => osName))

test.each<[string, PrinterList]>([
  ['is added', [LABEL, RECEIPT]],
  ['is removed', []],
  ['becomes the default', [{ ...LABEL, isDefault: true }]],
  ['becomes offline', [{ ...LABEL, state: 'offline', stateReasons: ['connecting-to-device'] }]],
  ['has other state reasons', [{ ...LABEL, stateReasons: ['media-empty'] }]],
  ['has other capabilities', [{ ...LABEL, capabilities: { dpis: ['203x203', '300x300'] } }]],
])('all printers are reported once when a printer %s', async (_change, changed) => {
  const script = await connect(() => [{ ...LABEL }])
  expect(service.getMessages('hello')[0]?.printers?.printers).toMatchObject([LABEL])
  await waitForPolls(script, 3)
  expect(getReported()).toEqual([])
  script.printers = () => structuredClone(changed)
  await waitFor(() => expect(service.getMessages('printers')).toHaveLength(1))
  await waitForPolls(script, 3)
  expect(service.getMessages('printers')).toMatchObject([{ printers: changed }])
})

test('while the disk is full all printers say so, until the largest document fits', async () => {
  proves('printer.computer-disk-full')
  const empty = { ...LABEL, stateReasons: ['media-empty'], stateDetail: 'No paper.' }
  const disk = { total: 100e9, free: 500e6 }
  mockDisk(() => disk)
  const script = await connect(() => [structuredClone(empty)])
  disk.free--
  const stateDetail = expect.stringMatching(/^No paper\. The disk of the computer is full\./)
  const full = { printers: [{ stateReasons: ['media-empty', 'computer-disk-full'], stateDetail }] }
  await waitFor(() => expect(service.getMessages('printers')).toMatchObject([full]))
  disk.free = 500e6 + DOCUMENT_MAX_BYTES - 1
  await waitForPolls(script, 3)
  expect(service.getMessages('printers')).toHaveLength(1)
  disk.free++
  await waitFor(() => expect(service.getMessages('printers')).toMatchObject([full, { printers: [empty] }]))
})

test('a full disk removes no printer of a list that has the maximum size', async () => {
  mockDisk(() => ({ total: 100e9, free: 0 }))
  const printers = Array.from({ length: 256 }, (_, n) => ({
    ...LABEL,
    osName: `label-${n}`,
    description: 'x'.repeat(930),
  }))
  expect(cutPrinters(printers)).toHaveLength(256)
  await connect(() => structuredClone(printers))
  expect(service.getMessages('hello')[0]?.printers?.printers).toMatchObject(printers)
})

test('a failing spooler delays no connection and causes no empty report', async () => {
  const script = await connect(fail)
  expect(service.getMessages('hello')[0]?.printers).toBeUndefined()
  await waitForPolls(script, 3)
  expect(getReported()).toEqual([])
  for (const printers of [() => [LABEL], fail, () => [LABEL]]) {
    script.printers = printers
    await waitForPolls(script, 3)
  }
  expect(getReported()).toEqual([['label']])
})

test('a spooler that does not respond delays the hello by 5 s, and is called once at a time', async () => {
  const answer = Promise.withResolvers<PrinterList>()
  const script = await connect(() => answer.promise)
  expect(service.getMessages('hello')[0]?.printers).toBeUndefined()
  service.failStreams()
  await waitFor(() => expect(service.getMessages('hello')).toHaveLength(2))
  expect(script.polls).toBe(1)
  script.printers = () => [LABEL, RECEIPT]
  answer.resolve([LABEL])
  await waitFor(() => expect(getReported().at(-1)).toEqual(['label', 'receipt']))
  expect(script.maxConcurrentPolls).toBe(1)
})

test('a change during a disconnection is reported in the next hello', async () => {
  const script = await connect(() => [LABEL])
  script.printers = () => [RECEIPT]
  service.failStreams()
  await waitFor(() => expect(service.getMessages('hello').at(-1)?.printers?.printers).toMatchObject([RECEIPT]))
  await waitForPolls(script, 3)
  expect(service.getMessages('hello').length + service.getMessages('printers').length).toBeLessThanOrEqual(3)
})

test('of more than 500 printers the first 500 by name are reported', async () => {
  proves('agent.bounds.printers')
  const printers = Array.from({ length: 501 }, (_, n) => ({
    ...LABEL,
    osName: `printer ${String(500 - n).padStart(3, '0')}`,
  }))
  expect(cutPrinters(printers.slice(1))).toEqual(printers.slice(1))
  await connect(() => printers)
  const names = service.getMessages('hello')[0]?.printers?.printers.map(({ osName }) => osName)
  expect(names).toHaveLength(500)
  expect(names).not.toContain('printer 500')
})

test('a problem of the spooler is reported in the hello, and once at each change', async () => {
  const problem = new SpoolerProblem('not-running', 'CUPS does not run.')
  const script: { problem: SpoolerProblem | undefined } = { problem }
  const quick = createQuickSpooler(makeDataDir())
  const printers = () => (script.problem ? Promise.reject(script.problem) : quick.printers())
  await connectAgent(service, { spooler: { ...quick, printers, problem: () => script.problem } })
  const expected = { code: 'not-running', message: 'CUPS does not run.' }
  expect(service.getMessages('hello')[0]).toMatchObject({ spoolerState: expected })
  expect(service.getMessages('hello')[0]?.printers).toBeUndefined()
  script.problem = undefined
  await waitFor(() => expect(service.getMessages('printers')).toHaveLength(1))
  expect(service.getMessages('spoolerState')).toMatchObject([{ code: '', message: '' }])
  script.problem = problem
  await waitFor(() => expect(service.getMessages('spoolerState')).toHaveLength(2))
  expect(service.getMessages('spoolerState')[1]).toMatchObject(expected)
})
