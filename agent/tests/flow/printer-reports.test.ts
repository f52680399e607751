/** Reports of the computer's printers. */
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { PrinterList } from '../../uplink/printer-reports.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir, virtualSpooler } from '../start-agent.ts'

const service = useService()

/** A connected agent whose spooler has these printers. */
async function connect(printers: () => PrinterList | Promise<PrinterList>) {
  const script = { printers, asked: 0, askedAtOnce: 0, maxConnections: 0 }
  const spooler = {
    ...virtualSpooler(makeDataDir()),
    async printers() {
      script.asked++
      script.maxConnections = Math.max(script.maxConnections, ++script.askedAtOnce)
      return await Promise.resolve(script.printers()).finally(() => script.askedAtOnce--)
    },
  }
  await connectAgent(service, { spooler })
  return script
}

const away = () => Promise.reject(new Error('the spooler is away'))

const LABEL = { osName: 'label', name: 'Label', state: 'online', stateReasons: [], capabilities: { dpis: ['203x203'] } }
const RECEIPT = { ...LABEL, osName: 'receipt', name: 'Receipt' }

const asked = (script: { asked: number }, times: number) => {
  const from = script.asked
  return waitFor(() => expect(script.asked).toBeGreaterThanOrEqual(from + times))
}

const reported = () => service.heard('printers').map(({ printers }) => printers.map(({ osName }) => osName))

test.each<[string, PrinterList]>([
  ['comes', [LABEL, RECEIPT]],
  ['goes', []],
  ['becomes the default', [{ ...LABEL, isDefault: true }]],
  ['goes offline', [{ ...LABEL, state: 'offline', stateReasons: ['connecting-to-device'] }]],
  ['has another reason', [{ ...LABEL, stateReasons: ['media-empty'] }]],
  ['can do something else', [{ ...LABEL, capabilities: { dpis: ['203x203', '300x300'] } }]],
])('when a printer %s, all printers are reported once', async (_change, changed) => {
  const script = await connect(() => [{ ...LABEL }])
  expect(service.heard('hello')[0]?.printers?.printers).toMatchObject([LABEL])
  await asked(script, 3)
  expect(reported()).toEqual([])
  script.printers = () => structuredClone(changed)
  await waitFor(() => expect(service.heard('printers')).toHaveLength(1))
  await asked(script, 3)
  expect(service.heard('printers')).toMatchObject([{ printers: changed }])
})

test('a spooler that fails delays no connection and reports no empty list', async () => {
  const script = await connect(away)
  expect(service.heard('hello')[0]?.printers).toBeUndefined()
  await asked(script, 3)
  expect(reported()).toEqual([])
  for (const printers of [() => [LABEL], away, () => [LABEL]]) {
    script.printers = printers
    await asked(script, 3)
  }
  expect(reported()).toEqual([['label']])
})

test('a spooler that hangs delays the hello by 5 s, and has one call at a time', async () => {
  const answer = Promise.withResolvers<PrinterList>()
  const script = await connect(() => answer.promise)
  expect(service.heard('hello')[0]?.printers).toBeUndefined()
  service.cut()
  await waitFor(() => expect(service.heard('hello')).toHaveLength(2))
  expect(script.asked).toBe(1)
  script.printers = () => [LABEL, RECEIPT]
  answer.resolve([LABEL])
  await waitFor(() => expect(reported().at(-1)).toEqual(['label', 'receipt']))
  expect(script.maxConnections).toBe(1)
})

test('a change while the agent is disconnected is in the next hello', async () => {
  const script = await connect(() => [LABEL])
  script.printers = () => [RECEIPT]
  service.cut()
  await waitFor(() => expect(service.heard('hello').at(-1)?.printers?.printers).toMatchObject([RECEIPT]))
  await asked(script, 3)
  expect(service.heard('hello').length + service.heard('printers').length).toBeLessThanOrEqual(3)
})
