/** `platen-agent update` and automatic updates, with the launcher of the packages. */
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { AgentConfig } from '../../config.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ReleaseKey } from '../../packages/minisign.ts'
import { runAgent } from '../../run.ts'
import { openSpooler } from '../../spoolers/open-spooler.ts'
import { installUpdate } from '../../update/install-update.ts'
import { createProgramDir, hasNext, readFailure, setNext } from '../../update/programs.ts'
import { openUpdates } from '../../update/updates.ts'
import {
  bundleVersions,
  installPackage,
  makePackage,
  makeReleaseKey,
  offerPackages,
  superviseAgent,
} from '../offer-packages.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { makeDataDir, QUICK } from '../start-agent.ts'
import { makeEnrolledDir, setEnvironment } from '../start-program.ts'

const service = useService()

/** A program that prints its version, whatever it is asked. */
const print = (version: string) => `#!/bin/sh\necho ${version}\n`
const makeTinyPackage = (version: string) => makePackage(version, '', print(version))

let key: ReleaseKey
let server: Awaited<ReturnType<typeof offerPackages>>
beforeAll(async () => {
  key = await makeReleaseKey()
})
beforeEach(async () => {
  server = await offerPackages(key)
})

const toUpdate = (dataDir: string) => ({ dataDir, base: '7.0.0', serverUrl: server.url, releaseKey: key.public })

describe('an update is refused, nothing is installed, and the reason is recorded', () => {
  const refuse = async (reason: RegExp, version = '7.1.0', isFinal = true) => {
    const dataDir = makeDataDir()
    await expect(installUpdate(toUpdate(dataDir))).rejects.toThrow(reason)
    expect(await hasNext(dataDir)).toBe(false)
    expect(readFailure(dataDir)).toEqual({ version, reason: expect.stringMatching(reason), isFinal })
    expect(existsSync(join(dataDir, 'program')) ? readdirSync(join(dataDir, 'program')) : []).toEqual([])
  }

  test('with a wrong checksum', async () => {
    proves('agent.update.checksum')
    const name = server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    server.files.set(name, await makeTinyPackage('7.1.1'))
    await refuse(/is damaged: its checksum is not that of SHA256SUMS/)
  })

  test('with a list that was changed after it was signed', async () => {
    const archive = await makeTinyPackage('7.1.0')
    server.offer('7.0.9', archive)
    const signature = server.files.get('SHA256SUMS.minisig') ?? ''
    server.offer('7.1.0', archive)
    server.files.set('SHA256SUMS.minisig', signature)
    await refuse(/the signature does not match\. Nothing was installed\.$/)
  })

  test('with the signature of another key', async () => {
    proves('agent.update.signature')
    const other = await offerPackages(await makeReleaseKey())
    other.offer('7.1.0', await makeTinyPackage('7.1.0'))
    for (const [name, file] of other.files) server.files.set(name, file)
    await refuse(/the signature is of another key/)
  })

  test('without a signature', async () => {
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    server.files.delete('SHA256SUMS.minisig')
    await refuse(/are not signed/)
  })

  test('to an older version, unless it is asked for', async () => {
    proves('agent.update.downgrade')
    server.offer('0.1.0', await makeTinyPackage('0.1.0'))
    await refuse(/is older than .*--allow-downgrade/, '0.1.0')
    const dataDir = makeDataDir()
    expect(await installUpdate({ ...toUpdate(dataDir), allowDowngrade: true })).toBe('0.1.0')
  })

  test('to a program that does not run here, or has another version', async () => {
    proves('agent.update.runs')
    server.offer('7.1.0', await makePackage('7.1.0', '', '#!/nowhere/sh\n'))
    await refuse(/Version 7\.1\.0 does not run on this computer: /)
    server.offer('7.1.0', await makeTinyPackage('7.0.5'))
    await refuse(/contains 7\.0\.5/)
  })

  test('from a service that offers nothing for this computer, or does not answer, which is tried again', async () => {
    await refuse(/offers no packages of the agent/, '')
    server.files.set('SHA256SUMS', `${'0'.repeat(64)}  platen-agent-7.1.0-windows-x64.zip\n`)
    await refuse(/offers no package for linux/, '')
    const dataDir = makeDataDir()
    const update = installUpdate({ ...toUpdate(dataDir), serverUrl: 'http://127.0.0.1:1' })
    await expect(update).rejects.toThrow(/Nothing listens/)
    expect(readFailure(dataDir)).toMatchObject({ isFinal: false })
  })
})

/** What the launcher starts. */
const start = (launcher: string, dataDir: string) =>
  execFileSync(launcher, ['run', '--data-dir', dataDir], { encoding: 'utf8' }).trim()

describe('the launcher', () => {
  test('starts the program of the package, once the new one, and then the former one unless the new one has connected', async () => {
    const dataDir = makeDataDir()
    const launcher = installPackage(await makeTinyPackage('7.0.0'))
    expect(start(launcher, dataDir)).toBe('7.0.0')
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    await installUpdate(toUpdate(dataDir))
    expect([1, 2, 3].map(() => start(launcher, dataDir))).toEqual(['7.1.0', '7.0.0', '7.0.0'])
    // A program does so at its first Welcome.
    await installUpdate(toUpdate(dataDir))
    expect(start(launcher, dataDir)).toBe('7.1.0')
    await promises.rename(join(dataDir, 'program/trying'), join(dataDir, 'program/current'))
    expect([1, 2].map(() => start(launcher, dataDir))).toEqual(['7.1.0', '7.1.0'])
    expect(execFileSync(launcher, ['--version', '--data-dir', dataDir], { encoding: 'utf8' })).toBe('7.1.0\n')
  })

  test('starts the program of a package that was installed later', async () => {
    const dataDir = makeDataDir()
    const launcher = installPackage(await makeTinyPackage('7.0.0'))
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    await installUpdate(toUpdate(dataDir))
    installPackage(await makeTinyPackage('7.0.1'), join(launcher, '../../..'))
    expect(start(launcher, dataDir)).toBe('7.0.1')
  })

  test.skipIf(process.getuid?.() !== 0)('runs no program of another user as root', async () => {
    const dataDir = makeDataDir()
    const launcher = installPackage(await makeTinyPackage('7.0.0'))
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    await installUpdate(toUpdate(dataDir))
    await promises.rename(join(dataDir, 'program/next'), join(dataDir, 'program/current'))
    const support = () => execFileSync(launcher, ['support-bundle', '--data-dir', dataDir], { encoding: 'utf8' }).trim()
    expect(support()).toBe('7.1.0')
    await promises.chown(dataDir, 65534, 65534)
    expect(support()).toBe('7.0.0')
  })
})

test('after a power failure at any step of an update, the former or the complete new program starts', async () => {
  proves('agent.update.power')
  const launcher = installPackage(await makeTinyPackage('7.0.0'))
  const dataDir = makeDataDir()
  server.offer('7.1.0', await makeTinyPackage('7.1.0'))
  const failures: string[] = []
  /** What a power failure keeps: names, and the contents of the files that were synchronized. */
  const keep = () => {
    const copy = makeDataDir()
    if (existsSync(join(dataDir, 'program')))
      cpSync(join(dataDir, 'program'), join(copy, 'program'), { recursive: true, verbatimSymlinks: true })
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      const path = realpathSync(join(entry.parentPath, entry.name))
      if (entry.isFile() && !synced.has(path.replace(copy, dataDir))) truncateSync(path)
    }
    failures.push(copy)
  }
  const synced = new Set<string>()
  const { open } = promises
  const spies = [
    vi.spyOn(promises, 'open').mockImplementation(async (path, ...more) => {
      const handle = await open(path, ...more)
      vi.spyOn(handle, 'sync').mockImplementation(async () => {
        synced.add(String(path))
        keep()
      })
      return handle
    }),
    ...(['mkdtemp', 'writeFile', 'symlink', 'rename', 'rm'] as const).map((name) => {
      const call = promises[name] as (...args: unknown[]) => Promise<unknown>
      return vi.spyOn(promises, name).mockImplementation(async (...args: unknown[]) => {
        keep()
        const result = await call(...args)
        keep()
        return result as never
      })
    }),
  ]
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  })
  await installUpdate(toUpdate(dataDir))
  const started = failures.map((copy) => start(launcher, copy))
  expect(new Set(started)).toEqual(new Set(['7.0.0', '7.1.0']))
  expect(started.length).toBeGreaterThan(15)
})

describe('the running agent', () => {
  let versions: (version: string) => string
  let launcher: string
  let dataDir: string

  beforeAll(async () => {
    versions = await bundleVersions(key)
  })
  beforeEach(async () => {
    launcher = installPackage(await makePackage('7.0.0', versions('7.0.0')))
    dataDir = makeEnrolledDir({ agentUrl: service.url, serverUrl: server.url })
  })

  const update = () =>
    promisify(execFile)(launcher, ['update', '--data-dir', dataDir]).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }) => ({ code, text: String(stderr) }),
    )
  const waitForHello = (agentVersion: string, nth = 1) =>
    waitFor(() => {
      const hellos = service.getMessages('hello')
      expect(hellos).toHaveLength(nth)
      expect(hellos.at(-1)).toMatchObject({ agentVersion })
      return hellos.at(-1)
    })

  test('restarts with the new version, and prints each job once', async () => {
    proves('agent.update.jobs')
    const agent = superviseAgent(launcher, dataDir)
    await waitForHello('7.0.0')
    server.offer('7.1.0', await makePackage('7.1.0', versions('7.1.0')))
    const jobs = Array.from({ length: 10 }, () => service.print())
    expect(await update()).toEqual({ code: 0, text: expect.stringMatching(/connected with version 7\.1\.0\.\n$/) })
    expect(await waitForHello('7.1.0', 2)).toMatchObject({ updateState: { isAutomatic: false, failure: '' } })
    jobs.push(service.print())
    for (const { jobId } of jobs)
      await waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(ReportedState.DONE))
    const printed = readdirSync(join(dataDir, 'virtual'), { recursive: true }).map(String)
    for (const { jobId } of jobs) expect(printed.filter((name) => name.includes(jobId)).length, jobId).toBeLessThan(3)
    expect(agent.codes).toEqual([4])
    expect(readlinkSync(join(dataDir, 'program/current'))).toMatch(/^7\.1\.0-/)
    expect(await update()).toEqual({ code: 0, text: 'The agent has version 7.1.0, which the service offers.\n' })
    server.offer('7.2.0', await makePackage('7.2.0', versions('7.2.0')))
    expect(await update()).toMatchObject({ code: 0 })
    const kept = () => readdirSync(join(dataDir, 'program')).filter((name) => name !== 'current')
    await waitFor(() => expect(kept()).toEqual([expect.stringMatching(/^7\.2\.0-/)]))
  })

  test('runs the former version again if the new one ends before it connects, and reports why', async () => {
    proves('agent.update.ended')
    superviseAgent(launcher, dataDir)
    await waitForHello('7.0.0')
    const broken = `if (process.argv[2] === '--version') console.log('7.1.0'); else process.exit(1)`
    server.offer('7.1.0', await makePackage('7.1.0', broken))
    expect(await update()).toEqual({ code: 1, text: expect.stringMatching(/^The new version ended.* 7\.0\.0 again/) })
    expect(await waitForHello('7.0.0', 2)).toMatchObject({
      updateState: { failedVersion: '7.1.0', failure: expect.stringMatching(/^The new version ended/) },
    })
  })

  test('runs the former version again if the new one does not connect within 120 s, and reports why', async () => {
    proves('agent.update.120s')
    const bin = makeDataDir()
    writeFileSync(join(bin, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.02\n', { mode: 0o755 })
    superviseAgent(launcher, dataDir, { PATH: `${bin}:${process.env.PATH}` })
    await waitForHello('7.0.0')
    service.script.hello = ({ agentVersion }) => {
      if (agentVersion === '7.0.0') return { case: 'welcome', value: { computerId: 'computer', heartbeatSeconds: 20 } }
      service.failStreams()
      return undefined
    }
    server.offer('7.1.0', await makePackage('7.1.0', versions('7.1.0')))
    const reason = /^Version 7\.1\.0 did not connect within 2 minutes: .*cut/
    expect(await update()).toEqual({ code: 1, text: expect.stringMatching(reason) })
    await waitFor(() =>
      expect(service.getMessages('hello').at(-1)).toMatchObject({
        agentVersion: '7.0.0',
        updateState: { failedVersion: '7.1.0', failure: expect.stringMatching(reason) },
      }),
    )
  })

  test('reports at once why an update was refused', async () => {
    superviseAgent(launcher, dataDir)
    await waitForHello('7.0.0')
    const name = server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    server.files.set(name, 'changed')
    expect(await update()).toMatchObject({ code: 1, text: expect.stringContaining('is damaged') })
    await waitFor(() =>
      expect(service.getMessages('updateState')).toMatchObject([
        { failedVersion: '7.1.0', failure: expect.stringContaining('is damaged') },
      ]),
    )
  })
})

describe('automatic updates', () => {
  /** An agent of this process, as its launcher would start it. */
  async function startAutomatic(offeredVersion: string, update?: AgentConfig['update'], updateSpreadMs = 0) {
    const dataDir = makeDataDir()
    const { releaseKey } = manifest
    manifest.releaseKey = key.public
    onTestFinished(() => {
      manifest.releaseKey = releaseKey
    })
    setEnvironment({ PLATEN_AGENT_BASE: '7.0.0', PLATEN_VIRTUAL_PRINT_MS: '200' })
    service.script.hello = () => ({
      case: 'welcome',
      value: { computerId: 'computer', heartbeatSeconds: 1, offeredVersion },
    })
    const config = {
      agentUrl: service.url,
      credential: CREDENTIAL,
      spooler: 'virtual',
      serverUrl: server.url,
      update,
    } as const
    const log = pino({ level: 'silent' })
    const updates = await openUpdates({ dataDir, config, log })
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const end = runAgent({
      dataDir,
      config,
      ...openSpooler(config, dataDir, log),
      log,
      signal: stop.signal,
      timings: { ...QUICK, updateSpreadMs },
      updates,
    })
    return { dataDir, end, updates, stop }
  }

  test('an agent whose owner permits it installs the offered version and ends for a restart', async () => {
    proves('agent.update.automatic')
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    const { dataDir, end, updates } = await startAutomatic('7.1.0', 'automatic')
    expect(await end).toBe('stopped')
    expect([updates?.isRestarting(), await hasNext(dataDir)]).toEqual([true, true])
    expect(service.getMessages('hello')).toMatchObject([{ updateState: { isAutomatic: true } }])
  })

  /** @returns the answer of the agent to the command of the dashboard. */
  async function sendCommand() {
    await waitFor(() => expect(service.getMessages('hello')).toHaveLength(1))
    const commandId = randomUUID()
    service.send({ case: 'command', value: { commandId, command: { case: 'updateAgent', value: {} as never } } })
    return await waitFor(() => service.getMessages('commandResult')[0]?.result ?? expect.fail('no result'))
  }

  test('a command of the dashboard installs the version at once if the owner permits updates', async () => {
    proves('agent.update.command')
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    const { dataDir, end } = await startAutomatic('7.1.0', 'automatic', 3_600_000)
    expect(await sendCommand()).toMatchObject({ case: 'updateAgent' })
    expect(await end).toBe('stopped')
    expect(await hasNext(dataDir)).toBe(true)
  })

  test('a command of the dashboard is refused if the owner does not permit updates', async () => {
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    await startAutomatic('7.1.0', 'manual')
    const message = expect.stringMatching(/owner of the computer has not permitted.*sudo platen-agent update/)
    expect(await sendCommand()).toMatchObject({ case: 'failure', value: { message } })
    expect(server.requests).toEqual([])
  })

  test('a version that was refused is not tried again', async () => {
    proves('agent.update.once')
    const name = server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    server.files.set(name, 'changed')
    const { dataDir } = await startAutomatic('7.1.0', 'automatic')
    await waitFor(() => expect(service.getMessages('updateState')).toHaveLength(1))
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    const requests = server.requests.length
    service.failStreams()
    await waitFor(() => expect(service.getMessages('hello')).toHaveLength(2))
    await printJob()
    expect([await hasNext(dataDir), server.requests.length]).toEqual([false, requests])
  })

  test.each([
    ['without permission', '7.1.0', undefined],
    ['of an older version', '0.0.1', 'automatic'],
    ['of something that is no version', '../7.1.0', 'automatic'],
  ] as const)('nothing is requested %s', async (_, version, update) => {
    server.offer('7.1.0', await makeTinyPackage('7.1.0'))
    const { dataDir } = await startAutomatic(version, update)
    await waitFor(() => expect(service.getMessages('hello')).toHaveLength(1))
    await printJob()
    expect([server.requests, readFailure(dataDir)]).toEqual([[], undefined])
  })
})

/** Takes longer than an update needs to begin. */
async function printJob(): Promise<void> {
  const { jobId } = service.print()
  await waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(ReportedState.DONE))
}

test('an unused directory of an update is deleted after an hour', async () => {
  const dataDir = makeDataDir()
  const unused = await createProgramDir(dataDir, '7.1.0')
  await createProgramDir(dataDir, '7.1.1')
  expect(existsSync(unused)).toBe(true)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await promises.utimes(unused, anHourAgo, anHourAgo)
  const used = await createProgramDir(dataDir, '7.1.2')
  expect(existsSync(unused)).toBe(false)
  mkdirSync(join(used, 'usr'))
  await setNext(dataDir, join(used, 'usr'), '7.0.0')
  await promises.utimes(used, anHourAgo, anHourAgo)
  await createProgramDir(dataDir, '7.1.3')
  expect(existsSync(used)).toBe(true)
})
