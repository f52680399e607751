/**
 * The Debian package on a minimal Debian with the CUPS of the tests: installation, enrolment, prints, upgrade, removal
 * and purge.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { type Api, createApi } from '../../../test/harness/api.ts'
import { makePdf } from '../../../test/harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../../../test/harness/platen.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { buildPackages } from '../build-packages.ts'
import { root as repository } from '../paths.ts'
import { run, succeeds } from '../run.ts'
import { getTarget } from '../targets.ts'
import { version } from '../version.ts'
import { getPrivateBytes, IDLE_PRIVATE_MAX_BYTES } from './memory.ts'

/** The mounts are in a separate namespace and end with its last process. */
const ENTER = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"`

/** Timeout of debootstrap, and of apt-get to install it. */
const DEBOOTSTRAP_TIMEOUT_MS = 300_000

const DATA = '/var/lib/platen-agent'
const UNIT = 'platen-agent.service'
const NEWER_VERSION = `${version}+newer`
/** The version, as dpkg shows it. */
const NEWER_DEB_VERSION = NEWER_VERSION.replace('-', '~')
const START_TIMEOUT_MS = 90_000
const TEST_TIMEOUT_MS = 600_000

/** On the scale of systemd from 0 to 10. systemd rates values below 2 as "OK" and above 7.5 as "UNSAFE". */
const EXPOSURE_MAX = 2

describe.skipIf((await getCleanRootObstacle()) ?? (await whyNoCups()))('the Debian package', () => {
  const cleanups: (() => Promise<unknown>)[] = []
  let root: Awaited<ReturnType<typeof createCleanRoot>>
  let platen: Platen
  let cups: TestCups
  let api: Api
  let buildPackage: (version?: string) => Promise<string>

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'platen-built-'))
    cleanups.push(() => rm(dir, { recursive: true }))
    buildPackage = async (version) => {
      const [, deb = ''] = await buildPackages({ target: getTarget('linux', process.arch), out: dir, version })
      return deb
    }
    root = await createCleanRoot()
    cleanups.push(root.remove)
    platen = await startPlaten()
    cleanups.push(() => platen.stop().finally(() => removeDataDir(platen.dataDir)))
    cups = await startCups()
    cleanups.push(cups.stop)
    api = createApi(platen.credentials.baseUrl, platen.credentials.adminKey)
  }, TEST_TIMEOUT_MS)

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }, TEST_TIMEOUT_MS)

  test('has a valid and hardened service that is not restarted after exit code 3', async (context) => {
    if (!(await succeeds('systemd-analyze', '--version'))) return context.skip('systemd-analyze is not installed')
    const unit = join(import.meta.dirname, '../deb', UNIT)
    // The units of the system and the unit of the agent, with its program.
    const system = await mkdtemp(join(tmpdir(), 'platen-units-'))
    const units = join(system, 'usr/lib/systemd/system')
    await cp('/usr/lib/systemd/system', units, { recursive: true, verbatimSymlinks: true })
    await cp(unit, join(units, UNIT))
    await cp(join(import.meta.dirname, '../platen-agent.sh'), join(system, 'usr/bin/platen-agent'))
    // The exit code is 0 although systemd ignores a line.
    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', `--root=${system}`, '--man=no', UNIT])
    expect(stderr).toBe('')
    const score = await run('systemd-analyze', ['security', '--offline=true', `--root=${system}`, UNIT])
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(score)?.[1])).toBeLessThan(EXPOSURE_MAX)
    await rm(system, { recursive: true })
    const lines = readFileSync(unit, 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['Restart=always', 'RestartPreventExitStatus=3', 'User=platen-agent']))
  })

  test(
    'is installed, enrolled as root, prints as its own user, is upgraded with its jobs, removed and purged',
    async () => {
      const deb = await buildPackage()
      expect(await root.install(deb)).not.toMatch(/warning|error/i)
      expect(await root.run('platen-agent', '--version')).toBe(`${version}\n`)
      expect(await root.run('systemctl', '--version').catch(() => 'none')).toBe('none')
      const enabled = `etc/systemd/system/multi-user.target.wants/${UNIT}`
      expect(await root.run('readlink', `/${enabled}`)).toBe(`/lib/systemd/system/${UNIT}\n`)

      const { body } = await api.post('/v1/enrollments', {})
      const enroll = `platen-agent enroll --server ${platen.credentials.baseUrl} --token-file - --name Clean`
      const output = await root.run('sh', '-c', `echo ${body.token} | ${enroll}`)
      const computerId = /enrolled as (\S+)\./.exec(output)?.[1] ?? ''
      const owner = Number(await root.run('id', '-u', 'platen-agent'))
      expect(owner).not.toBe(0)
      const config = statSync(join(root.dir, DATA, 'agent.json'))
      expect([config.uid, config.mode & 0o777]).toEqual([owner, 0o600])

      const first = await startService(owner)
      const printerId = await getPrinterId(computerId)
      await print(printerId, makePdf('Printed by a package'))
      await waitFor(async () => expect(await getPrivateBytes(first.pid)).toBeLessThan(IDLE_PRIVATE_MAX_BYTES), 60_000)
      // All files belong to the user of the service, so that the next start can use them.
      for (const name of readdirSync(join(root.dir, DATA))) expect(statSync(join(root.dir, DATA, name)).uid).toBe(owner)

      // The upgrade replaces the files while the old agent runs with a job that waits for its printer.
      await cups.run('cupsdisable', QUEUES.laser)
      const waiting = await createJob(printerId, makePdf('Accepted by an older package'))
      await waitFor(async () => expect(await cups.run('lpstat', '-o', QUEUES.laser)).toContain(QUEUES.laser), 30_000)
      expect(await root.install(await buildPackage(NEWER_VERSION))).toContain(NEWER_DEB_VERSION)
      expect(await root.run('dpkg', '--status', 'platen-agent')).toContain(`\nVersion: ${NEWER_DEB_VERSION}\n`)
      await first.stop()
      const second = await startService(owner)
      expect(await getPrinterId(computerId)).toBe(printerId)
      const before = cups.laser.printed().length
      await cups.run('cupsenable', QUEUES.laser)
      expect(await api.waitUntilFinal(waiting.id, 60_000)).toMatchObject({ state: 'done' })
      expect(cups.laser.printed()).toHaveLength(before + 1)
      await second.stop()

      await root.run('dpkg', '--remove', 'platen-agent')
      expect(existsSync(join(root.dir, 'usr/lib/platen-agent'))).toBe(false)
      expect(existsSync(join(root.dir, DATA, 'agent.json'))).toBe(true)
      await root.install(deb)
      const third = await startService(owner)
      await print(printerId, makePdf('Printed after a removal'))
      await third.stop()

      await root.run('dpkg', '--purge', 'platen-agent')
      expect(existsSync(join(root.dir, DATA))).toBe(false)
      expect(existsSync(join(root.dir, enabled))).toBe(false)
      expect(await root.run('find', '/etc', '/var', '/usr', '-name', '*platen*')).toBe('')
    },
    TEST_TIMEOUT_MS,
  )

  /**
   * Starts the program as root like the unit, because systemd does not run here. Resolves when the agent is connected.
   */
  async function startService(owner: number) {
    const child = root.start({ CUPS_SERVER: cups.server }, 'platen-agent', 'run')
    const output = child.stdout ? text(child.stdout) : Promise.resolve('')
    await waitFor(async () => expect(await root.run('platen-agent', 'status')).toMatch(/connected/i), START_TIMEOUT_MS)
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    expect(Number(uid)).toBe(owner)
    return {
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGTERM')
        expect(await once(child, 'exit')).toEqual([0, null])
        expect(await output).not.toContain('"level":"fatal"')
      },
    }
  }

  const getPrinterId = (computerId: string) =>
    waitFor(async () => {
      const { body } = await api.get(`/v1/computers/${computerId}/printers`)
      const printer = body.data.find(({ name }: { name: string }) => name === QUEUES.laser)
      return String(printer?.id ?? expect.fail('the printer is not reported yet'))
    }, START_TIMEOUT_MS)

  function createJob(printerId: string, document: Buffer) {
    const content = document.toString('base64')
    return api.createJob({ printerId, title: 'Package', contentType: 'pdf_base64', content })
  }

  async function print(printerId: string, document: Buffer): Promise<void> {
    const before = cups.laser.printed().length
    const { id } = await createJob(printerId, document)
    expect(await api.waitUntilFinal(id, 60_000)).toMatchObject({ state: 'done' })
    expect(cups.laser.printed()).toHaveLength(before + 1)
  }
})

/**
 * The reason why packages cannot be installed in a clean root on this machine; undefined if they can. For
 * `describe.skipIf(…)`. Also prints the reason.
 *
 * @throws in CI, where a skipped test is a failure.
 */
async function getCleanRootObstacle(): Promise<string | undefined> {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (isRoot && (await succeeds('apt-get', '--version')) && (await succeeds('unshare', '--mount', 'true')))
    return undefined
  const reason = 'tests of the Debian package need root on Debian and the permission to mount'
  if (process.env.CI) throw new Error(reason)
  console.log(reason)
  return reason
}

/**
 * Creates a minimal Debian. `run` and `start` run commands in it as root, with only `PATH` of the environment of the
 * test.
 */
async function createCleanRoot() {
  const dir = await mkdtemp(join(tmpdir(), 'platen-root-'))
  await promisify(execFile)(join(repository, 'test/containers/clean-root.sh'), [dir], {
    timeout: DEBOOTSTRAP_TIMEOUT_MS,
  })
  // It uses the network and the host names of this machine.
  for (const file of ['hosts', 'resolv.conf']) await copyFile(join('/etc', file), join(dir, 'etc', file))
  const toArguments = (command: string[]) => ['--mount', '--propagation=private', 'sh', '-c', ENTER, dir, ...command]
  const runInside = (...command: string[]) => run('unshare', toArguments(command), { LC_ALL: 'C' })
  return {
    dir,
    run: runInside,
    /** Starts a process that is killed at the end of the test. */
    start(extraEnv: NodeJS.ProcessEnv, ...command: string[]) {
      const env = { PATH: process.env.PATH, ...extraEnv }
      const child = spawn('unshare', toArguments(command), { env, stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    /** Installs or upgrades the package. */
    async install(deb: string) {
      await copyFile(deb, join(dir, 'tmp', basename(deb)))
      return await runInside('dpkg', '--install', join('/tmp', basename(deb)))
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
