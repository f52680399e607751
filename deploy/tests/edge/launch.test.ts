import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { administer } from '../../commands/admin/administer.ts'
import { openDataDirectory } from '../../launcher/data-directory.ts'
import { launch } from '../../launcher/launch.ts'
import { writePrivateJson } from '../../launcher/private-file.ts'
import { identify } from '../../launcher/process-identity.ts'
import { openSecrets } from '../../launcher/secrets.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const never = new AbortController().signal

async function environment(more: NodeJS.ProcessEnv = {}) {
  const directory = await temporaryDirectory()
  return {
    PLATEN_PORT: `${await freePort()}`,
    PLATEN_AGENT_PORT: `${await freePort()}`,
    PLATEN_DATA_DIR: directory,
    ...more,
  }
}

async function listen(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test.each(['PLATEN_PORT', 'PLATEN_AGENT_PORT'])(
  'a taken port is refused before anything is started: %s',
  async (name) => {
    const env = await environment({ [name]: String(await listen()) })
    await expect(launch(env, never)).rejects.toThrow(new RegExp(`^Port \\d+ is in use .*${name}=`))
    expect(await readdir(env.PLATEN_DATA_DIR)).not.toContain('run.json')
  },
)

test('a start that is refused leaves no process', async () => {
  const env = await environment({ PLATEN_PORT: String(await listen()) })
  const countChildren = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
  // Other tests of the worker can have some.
  const before = countChildren()
  await expect(launch(env, never)).rejects.toThrow('is in use')
  await waitFor(() => expect(countChildren()).toBeLessThanOrEqual(before))
})

test('the setup ends with its launcher, also while something keeps it alive', async () => {
  const setup = fork(new URL('../../launcher/setup.ts', import.meta.url), {
    env: { ...process.env, ...(await environment({ PLATEN_PORT: String(await listen()) })) },
    execArgv: ['--import', 'data:text/javascript,setInterval(() => undefined, 1e9)'],
  })
  onTestFinished(() => void setup.kill('SIGKILL'))
  setup.send({ step: 'prepare', input: [] })
  await once(setup, 'message')
  const ended = once(setup, 'exit')
  setup.disconnect()
  expect(await ended).toEqual([0, null])
})

/** /proc accepts no directory, and answers as if a parent were missing. */
const UNUSABLE = ['/dev/null/data', ...(process.platform === 'linux' ? ['/proc/data', '/proc/data/below'] : [])]

test.each(UNUSABLE)('an unusable data directory is refused: %s', async (directory) => {
  const env = await environment({ PLATEN_DATA_DIR: directory })
  const failure = await launch(env, never).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'Error', message: expect.stringContaining('PLATEN_DATA_DIR') })
  expect(String(failure)).toContain(`The data directory ${directory} cannot be used (`)
})

test('a data directory is created with its parents, for its owner only', async () => {
  const path = join(await temporaryDirectory(), 'above', 'data')
  await openDataDirectory(path)
  const { logs } = await openDataDirectory(path)
  expect((await stat(logs)).mode & 0o777).toBe(0o700)
})

test('a second start on the same data is refused while the first lives', async () => {
  const env = await environment()
  const identities = { [process.pid]: identify(process.pid) }
  writePrivateJson(join(env.PLATEN_DATA_DIR, 'run.json'), { pid: process.pid, processes: {}, ports: {}, identities })
  await expect(launch(env, never)).rejects.toThrow(/^Platen is already running/)
})

test('a pid that another process has reused is not a process of the previous run', async () => {
  const taken = await listen()
  const env = await environment({ PLATEN_PORT: String(taken) })
  const record = { pid: process.pid, processes: { postgres: process.ppid }, ports: {}, identities: {} }
  const identities = { [process.pid]: 'another', [process.ppid]: 'another' }
  writePrivateJson(join(env.PLATEN_DATA_DIR, 'run.json'), { ...record, identities })
  await expect(launch(env, never)).rejects.toThrow(`Port ${taken} is in use`)
})

test('admin prints why it reaches no installation', async () => {
  const env = await environment()
  const directory = env.PLATEN_DATA_DIR
  const refusal = (of = env) => expect(administer(['orgs', 'list'], of)).rejects
  const notRunning = `Platen is not running in ${directory}. Start it or set PLATEN_DATA_DIR.`
  await refusal().toThrow(notRunning)
  await openSecrets(join(directory, 'secrets.json'))
  const own = { [process.pid]: identify(process.pid) }
  const record = { pid: process.pid, processes: {}, ports: { postgres: 0 }, identities: own }
  writePrivateJson(join(directory, 'run.json'), record)
  await refusal().toThrow('An earlier release of Platen is running.')
  writePrivateJson(join(directory, 'run.json'), { ...record, opsUrl: `http://127.0.0.1:${await freePort()}` })
  await refusal().toThrow(`Platen does not respond. See ${directory}/logs.`)
  writePrivateJson(join(directory, 'run.json'), { ...record, identities: { [process.pid]: 'a killed launcher' } })
  await refusal().toThrow(notRunning)
  await writeFile(join(directory, 'run.json'), '{')
  await refusal().toThrow(/^The files .* cannot be read/)
})
