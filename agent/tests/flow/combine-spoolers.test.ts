import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { combineSpoolers } from '../../spoolers/combine-spoolers.ts'
import { type Spooler, SpoolerRefusal, type SpoolerState } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'

/** Prints nothing, and records its calls. */
function scripted(...osNames: string[]) {
  const script = { printers: async () => osNames.map((osName) => ({ osName, name: osName })), calls: [] as string[] }
  const note = <T>(call: string, answer: T) => {
    script.calls.push(call)
    return Promise.resolve(answer)
  }
  const held: SpoolerState = { is: 'held', reasons: [] }
  const spooler: Spooler = {
    printers: () => script.printers(),
    submitHeld: ({ token, printerOsName }) =>
      note(`submit ${token} ${printerOsName}`, { spoolerJobId: `7:${token}`, warnings: ['colour was dropped'] }),
    release: (id) => note(`release ${id}`, undefined),
    remove: (id) => note(`remove ${id}`, undefined),
    find: (token) => note(`find ${token}`, { spoolerJobId: `7:${token}`, state: held }),
    state: (id) => note(`state ${id}`, held),
    async *watch(id) {
      yield await note(`watch ${id}`, { is: 'completed', reasons: [] } as const)
    },
  }
  return { script, spooler }
}

function combine(spoolers: Record<string, { spooler: Spooler }>, file = join(makeDataDir(), 'printers.json')) {
  const all = Object.fromEntries(Object.entries(spoolers).map(([name, { spooler }]) => [name, spooler]))
  const spooler = combineSpoolers(all, { file, log: pino({ level: 'silent' }), answerTimeoutMs: 50 })
  const names = async () => (await spooler.printers()).map(({ osName }) => osName)
  const job = { token: 'token', title: 'Label', file: '/nowhere', contentType: 'raw_base64', qty: 1, options: {} }
  return { spooler, names, submit: (printerOsName: string) => spooler.submitHeld({ ...job, printerOsName }) }
}

const scriptTwo = () => ({ cups: scripted('Laser'), network: scripted('Zebra') })
const away = () => Promise.reject(new Error('away'))

test('the printers of all spoolers are listed, and each call goes to the spooler of the printer', async () => {
  const { cups, network } = scriptTwo()
  const { spooler, names, submit } = combine({ cups, network })
  expect(await names()).toEqual(['Laser', 'Zebra'])
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

test('a spooler that fails or hangs keeps its printers, also after a restart, and those of others change', async () => {
  const { cups, network } = scriptTwo()
  const file = join(makeDataDir(), 'printers.json')
  await combine({ cups, network }, file).names()
  cups.script.printers = away
  const { names, submit } = combine({ cups, network }, file)
  expect(await names()).toEqual(['Laser', 'Zebra'])
  cups.script.printers = () => new Promise(() => undefined)
  network.script.printers = async () => []
  expect(await names()).toEqual(['Laser'])
  expect((await submit('Laser')).spoolerJobId).toBe('cups:7:token')
})

test('a spooler that never answered hides no others; without any answer there is no list', async () => {
  const { cups, network } = scriptTwo()
  cups.script.printers = away
  const { names, submit } = combine({ cups, network })
  expect(await names()).toEqual(['Zebra'])
  await expect(submit('Laser')).rejects.not.toBeInstanceOf(SpoolerRefusal)
  await expect(combine({ cups }).names()).rejects.toThrow('No spooler')
})

test('an unknown printer is refused once all spoolers have answered, and its jobs are searched everywhere', async () => {
  const { spooler, submit } = combine({ cups: scripted('Laser') })
  await expect(submit('Other')).rejects.toMatchObject({ reasons: ['printer-not-found'] })
  expect(await spooler.find('token', 'Other')).toMatchObject({ spoolerJobId: 'cups:7:token' })
})

test('the first spooler has a printer whose name is used twice', async () => {
  const { names, submit } = combine({ cups: scripted('Zebra'), network: scripted('Zebra', 'Other') })
  expect(await names()).toEqual(['Zebra', 'Other'])
  expect((await submit('Zebra')).spoolerJobId).toMatch(/^cups:/)
})

test('a job of a spooler that does not exist any more is unknown', async () => {
  const { spooler } = combine({ cups: scripted('Laser') })
  expect(await spooler.state('virtual:1')).toBeUndefined()
  for await (const state of spooler.watch('virtual:1', new AbortController().signal)) expect.fail(state.is)
  await spooler.remove('virtual:1')
  await expect(spooler.release('virtual:1')).rejects.toThrow('no longer exists')
})
