import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { combineSpoolers } from '../../spoolers/combine-spoolers.ts'
import { type Spooler, SpoolerRefusal } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'

/** Prints nothing, and tells what it was asked. */
function scripted(printers: string[]) {
  const script = { printers: async () => printers.map((osName) => ({ osName, name: osName })), calls: [] as string[] }
  const tell = (...words: string[]) => void script.calls.push(words.join(' '))
  const spooler: Spooler = {
    printers: () => script.printers(),
    async submitHeld({ token, printerOsName }) {
      tell('submit', token, printerOsName)
      return { spoolerJobId: `7:${token}`, warnings: ['colour was dropped'] }
    },
    release: async (id) => tell('release', id),
    remove: async (id) => tell('remove', id),
    async find(token) {
      tell('find', token)
      return { spoolerJobId: `7:${token}`, state: { is: 'held', reasons: [] } }
    },
    async state(id) {
      tell('state', id)
      return { is: 'held', reasons: [] }
    },
    async *watch(id) {
      tell('watch', id)
      yield { is: 'completed', reasons: [] }
    },
  }
  return { script, spooler }
}

function combine(spoolers: Record<string, Spooler>, file = join(makeDataDir(), 'printers.json')) {
  return { file, spooler: combineSpoolers(spoolers, { file, log: pino({ level: 'silent' }), answerWithinMs: 50 }) }
}

const namesOf = async (spooler: Spooler) => (await spooler.printers()).map(({ osName }) => osName)

const submission = (printerOsName: string, token = 'token') => ({
  token,
  title: 'Label',
  printerOsName,
  file: '/nowhere',
  contentType: 'raw_base64',
  qty: 1,
  options: {},
})

const away = () => Promise.reject(new Error('away'))

test('the printers of all spoolers are there, and a job goes to the one that has its printer', async () => {
  const [cups, network] = [scripted(['Laser']), scripted(['Zebra'])]
  const { spooler } = combine({ cups: cups.spooler, network: network.spooler })
  expect(await namesOf(spooler)).toEqual(['Laser', 'Zebra'])
  const { spoolerJobId, warnings } = await spooler.submitHeld(submission('Zebra'))
  expect(warnings).toEqual(['colour was dropped'])
  await spooler.release(spoolerJobId)
  await spooler.state(spoolerJobId)
  for await (const { is } of spooler.watch(spoolerJobId, new AbortController().signal)) expect(is).toBe('completed')
  await spooler.remove(spoolerJobId)
  const found = await spooler.find('token', 'Zebra')
  expect(found?.spoolerJobId).toBe(spoolerJobId)
  expect(cups.script.calls).toEqual([])
  expect(network.script.calls).toEqual([
    'submit token Zebra',
    ...['release', 'state', 'watch', 'remove'].map((call) => `${call} 7:token`),
    'find token',
  ])
})

test('a spooler that fails or hangs hides no printers, neither its own nor those of others', async () => {
  const [cups, network] = [scripted(['Laser']), scripted(['Zebra'])]
  const { spooler } = combine({ cups: cups.spooler, network: network.spooler })
  await spooler.printers()
  cups.script.printers = away
  expect(await namesOf(spooler)).toEqual(['Laser', 'Zebra'])
  cups.script.printers = () => new Promise(() => undefined)
  network.script.printers = async () => []
  expect(await namesOf(spooler)).toEqual(['Laser'])
  await expect(spooler.submitHeld(submission('Laser'))).resolves.toBeDefined()
})

test('a spooler that does not answer after a restart has the printers that it had', async () => {
  const [cups, network] = [scripted(['Laser']), scripted(['Zebra'])]
  const { spooler, file } = combine({ cups: cups.spooler, network: network.spooler })
  await spooler.printers()
  cups.script.printers = away
  const { spooler: later } = combine({ cups: cups.spooler, network: network.spooler }, file)
  expect(await namesOf(later)).toEqual(['Laser', 'Zebra'])
  expect((await later.submitHeld(submission('Laser'))).spoolerJobId).toBe('cups:7:token')
})

test('a spooler that has never answered does not hide the others; if none has, there is no list', async () => {
  const [cups, network] = [scripted(['Laser']), scripted(['Zebra'])]
  cups.script.printers = away
  const { spooler } = combine({ cups: cups.spooler, network: network.spooler })
  expect(await namesOf(spooler)).toEqual(['Zebra'])
  await expect(spooler.submitHeld(submission('Laser'))).rejects.not.toBeInstanceOf(SpoolerRefusal)
  await expect(combine({ cups: cups.spooler }).spooler.printers()).rejects.toThrow('No spooler')
})

test('a printer that nobody has is refused once all have answered, and its jobs are looked for everywhere', async () => {
  const { spooler } = combine({ cups: scripted(['Laser']).spooler })
  await expect(spooler.submitHeld(submission('Other'))).rejects.toMatchObject({ reasons: ['printer-not-found'] })
  expect(await spooler.find('token', 'Other')).toMatchObject({ spoolerJobId: 'cups:7:token' })
})

test('of two printers of one name the first spooler has it', async () => {
  const [cups, network] = [scripted(['Zebra']), scripted(['Zebra', 'Other'])]
  const { spooler } = combine({ cups: cups.spooler, network: network.spooler })
  expect(await namesOf(spooler)).toEqual(['Zebra', 'Other'])
  expect((await spooler.submitHeld(submission('Zebra'))).spoolerJobId).toMatch(/^cups:/)
})

test('a job of a spooler that is not there any more is not known', async () => {
  const { spooler } = combine({ cups: scripted(['Laser']).spooler })
  expect(await spooler.state('virtual:1')).toBeUndefined()
  const states = []
  for await (const state of spooler.watch('virtual:1', new AbortController().signal)) states.push(state)
  expect(states).toEqual([])
  await spooler.remove('virtual:1')
  await expect(spooler.release('virtual:1')).rejects.toThrow('not there any more')
})
