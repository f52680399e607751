/** The agent as people run it, beside a real CUPS: what happens to printers reaches the service soon. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { makeDataDir } from '../start-agent.ts'

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const MAIN = join(import.meta.dirname, '..', '..', 'main.ts')

/** As it was promised. */
const NOTICED_WITHIN_MS = 10_000

describe.skipIf(await whyNoCups())('printers of CUPS and of the configuration', () => {
  let cups: TestCups
  beforeAll(async () => {
    cups = await startCups()
  })
  afterAll(() => cups?.stop())

  async function start(service: ScriptedService, printers: object[]) {
    const dataDir = makeDataDir()
    const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'system', printers }
    writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
    const env = { ...process.env, PLATEN_LOG_LEVEL: 'silent', CUPS_SERVER: cups.server }
    const child = spawn(process.execPath, [MAIN, 'run', '--data-dir', dataDir], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'message')
  }

  test('are reported together, and each change of them within 10 s', async () => {
    const [service, device] = await Promise.all([startScriptedService(), startRawPrinter()])
    onTestFinished(() => void service.stop())
    await start(service, [{ name: 'Zebra', uri: device.uri }])
    const latest = () => service.heard('printers').at(-1) ?? service.heard('hello').at(-1)?.printers
    const printer = (osName: string) => latest()?.printers.find((one) => one.osName === osName)
    const all = expect.arrayContaining([...Object.values(QUEUES), 'Zebra'])
    // A spooler that is late is left out of the hello.
    await waitFor(() => expect(latest()?.printers.map(({ osName }) => osName)).toEqual(all))
    const isNoticed = (assertion: () => void) => waitFor(assertion, NOTICED_WITHIN_MS)

    await cups.run('cupsdisable', QUEUES.null)
    await isNoticed(() => expect(printer(QUEUES.null)).toMatchObject({ state: 'offline' }))

    await cups.run('lpadmin', '-p', 'Added', '-E', '-v', device.uri)
    await isNoticed(() => expect(printer('Added')).toBeDefined())

    await cups.run('lpadmin', '-d', 'Added')
    await isNoticed(() => expect(printer('Added')).toMatchObject({ isDefault: true }))

    await cups.run('lpadmin', '-x', 'Added')
    await isNoticed(() => expect(printer('Added')).toBeUndefined())
    await isNoticed(() => expect(printer('Zebra')).toMatchObject({ state: 'online' }))

    // CUPS goes away: nobody is told that its printers are gone.
    const told = service.heard('printers').length
    await cups.shutDown()
    await cups.start()
    await cups.run('cupsenable', QUEUES.null)
    await isNoticed(() => expect(printer(QUEUES.null)).toMatchObject({ state: 'online' }))
    for (const { printers } of service.heard('printers').slice(told))
      expect(printers.map(({ osName }) => osName)).toEqual(all)
  })
})
