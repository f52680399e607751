import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { combineSpoolers } from '../../spoolers/combine-spoolers.ts'
import { type Spooler, SpoolerRefusal, type SpoolerState } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'

/** A spooler that prints nothing and records its calls. */
function createSpooler(...osNames: string[]) {
  const script = { printers: async () => osNames.map((osName) => ({ osName, name: osName })), calls: [] as string[] }
  const record = <T>(call: string, result: T) => {
    script.calls.push(call)
    return Promise.resolve(result)
  }
  const held: SpoolerState = { is: 'held', reasons: [] }
  const spooler: Spooler = {
    printers: () => script.printers(),
    submitHeld: ({ token, printerOsName }) =>
      record(`submit ${token} ${printerOsName}`, { spoolerJobId: `7:${token}`, warnings: ['colour was dropped'] }),
    release: (id) => record(`release ${id}`, undefined),
    remove: (id) => record(`remove ${id}`, undefined),
    find: (token) => record(`find ${token}`, { spoolerJobId: `7:${token}`, state: held }),
    state: (id) => record(`state ${id}`, held),
    async *watch(id) {
      yield await record(`watch ${id}`, { is: 'completed', reasons: [] } as const)
    },
  }
  return { script, spooler }
}

function combine(spoolers: Record<string, { spooler: Spooler }>, file = join(makeDataDir(), 'printers.json')) {
  const all = Object.fromEntries(Object.entries(spoolers).map(([name, { spooler }]) => [name, spooler]))
  const spooler = combineSpoolers(all, { file, log: pino({ level: 'silent' }), answerTimeoutMs: 50 })
  const listNames = async () => (await spooler.printers()).map(({ osName }) => osName)
  const job = { token: 'token', title: 'Label', file: '/nowhere', contentType: 'raw_base64', qty: 1, options: {} }
  return { spooler, listNames, submit: (printerOsName: string) => spooler.submitHeld({ ...job, printerOsName }) }
}

const createTwo = () => ({ cups: createSpooler('Laser'), network: createSpooler('Zebra') })
const fail = () => Promise.reject(new Error('the spooler fails'))

test('the printers of all spoolers are listed, and each call is sent to the spooler of the printer', async () => {
  const { cups, network } = createTwo()
  const { spooler, listNames, submit } = combine({ cups, network })
  expect(await listNames()).toEqual(['Laser', 'Zebra'])
  const { spoolerJobId, warnings } = await submit('Zebra')
  expect(warnings).toEqual(['colour was dropped'])
  await spooler.release(spoolerJobId)
  await spooler.state(spoolerJobId)
  for await (const { is } of spooler.watch(spoolerJobId, new AbortController().signal)) expect(is).toBe('completed')
  await spooler.remove(spoolerJobId)
  expect((await spooler.find('token', 'Zebra'))?.spoolerJobId).toBe(spoolerJobId)
  expect(cups.script.calls).toEqual([])
  const later = ['release', 'state', 'watch', 'remove'].map((call) => `${call} 7:token`)
  expect(network.script.calls).toEqual(['submit token Zebra', ...later, 'find token'])
})

test('a spooler that fails or does not respond keeps its printers, also after a restart, and printers of other spoolers change', async () => {
  const { cups, network } = createTwo()
  const file = join(makeDataDir(), 'printers.json')
  await combine({ cups, network }, file).listNames()
  cups.script.printers = fail
  const { listNames, submit } = combine({ cups, network }, file)
  expect(await listNames()).toEqual(['Laser', 'Zebra'])
  cups.script.printers = () => new Promise(() => undefined)
  network.script.printers = async () => []
  expect(await listNames()).toEqual(['Laser'])
  expect((await submit('Laser')).spoolerJobId).toBe('cups:7:token')
})

test('printers that could not be stored are stored later, also if they did not change', async () => {
  const { cups } = createTwo()
  const dir = join(makeDataDir(), 'missing')
  const { listNames } = combine({ cups }, join(dir, 'printers.json'))
  await listNames()
  mkdirSync(dir)
  await listNames()
  cups.script.printers = fail
  expect(await combine({ cups }, join(dir, 'printers.json')).listNames()).toEqual(['Laser'])
})

test('a spooler that never responded does not affect others; without any response the list fails', async () => {
  const { cups, network } = createTwo()
  cups.script.printers = fail
  const { listNames, submit } = combine({ cups, network })
  expect(await listNames()).toEqual(['Zebra'])
  await expect(submit('Laser')).rejects.not.toBeInstanceOf(SpoolerRefusal)
  await expect(combine({ cups }).listNames()).rejects.toThrow(/cannot be listed: the spooler fails$/)
})

test('an unknown printer is refused after all spoolers have responded, and its jobs are searched in all spoolers', async () => {
  const { spooler, submit } = combine({ cups: createSpooler('Laser') })
  await expect(submit('Other')).rejects.toMatchObject({ reasons: ['printer-not-found'] })
  expect(await spooler.find('token', 'Other')).toMatchObject({ spoolerJobId: 'cups:7:token' })
})

test('a printer name that two spoolers have belongs to the first one', async () => {
  const { listNames, submit } = combine({ cups: createSpooler('Zebra'), network: createSpooler('Zebra', 'Other') })
  expect(await listNames()).toEqual(['Zebra', 'Other'])
  expect((await submit('Zebra')).spoolerJobId).toMatch(/^cups:/)
})

test('a job of a spooler that no longer exists is unknown', async () => {
  const { spooler } = combine({ cups: createSpooler('Laser') })
  expect(await spooler.state('virtual:1')).toBeUndefined()
  for await (const state of spooler.watch('virtual:1', new AbortController().signal)) expect.fail(state.is)
  await spooler.remove('virtual:1')
  await expect(spooler.release('virtual:1')).rejects.toThrow('no longer exists')
})
