/** The Debian package on a computer that has nothing else, and a CUPS beside it: installed, enrolled, printing, upgraded, removed, purged. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { type Api, createApi } from '../../../test/harness/api.ts'
import { makePdf } from '../../../test/harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../../../test/harness/platen.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type Bundle, bundleAgent } from '../bundle.ts'
import { buildDeb } from '../deb.ts'
import { run, works } from '../run.ts'
import { version } from '../version.ts'
import { makeCleanRoot, whyNoCleanRoot } from './clean-root.ts'
import { IDLE_OWN_MAX_BYTES, ownBytes } from './memory.ts'

const DATA = '/var/lib/platen-agent'
const UNIT = 'platen-agent.service'
const NEWER = `${version}+newer`
const STARTED_WITHIN_MS = 90_000
const SLOW_MS = 600_000

/** Of systemd's scale from 0 to 10; below 2 it says "OK" and above 7.5 "UNSAFE". */
const EXPOSURE_MAX = 2

describe.skipIf((await whyNoCleanRoot()) ?? (await whyNoCups()))('the Debian package', () => {
  let root: Awaited<ReturnType<typeof makeCleanRoot>>
  let platen: Platen
  let cups: TestCups
  let api: Api
  let built: string
  let deb: string
  let bundle: Bundle

  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'platen-built-'))
    bundle = await bundleAgent('linux', built)
    const made = await Promise.all([
      makeCleanRoot(),
      buildDeb({ bundle, dir: built, compression: 'none' }),
      startPlaten(),
      startCups(),
    ])
    ;[root, deb, platen, cups] = made
    api = createApi(platen.credentials.baseUrl, platen.credentials.liveKey)
  }, SLOW_MS)

  afterAll(async () => {
    await cups?.stop()
    await platen?.stop()
    if (platen) await removeDataDir(platen.dataDir)
    await root?.remove()
    await rm(built, { recursive: true })
  }, SLOW_MS)

  test('its service is valid, hardened, and does not come back after exit code 3', async (context) => {
    if (!(await works('systemd-analyze', '--version'))) return context.skip('there is no systemd-analyze')
    const unit = join(import.meta.dirname, '../deb', UNIT)
    // The units that every system has, and ours, with a program that is there.
    const system = await mkdtemp(join(tmpdir(), 'platen-units-'))
    const units = join(system, 'usr/lib/systemd/system')
    await cp('/usr/lib/systemd/system', units, { recursive: true, verbatimSymlinks: true })
    await cp(unit, join(units, UNIT))
    await cp(join(import.meta.dirname, '../platen-agent.sh'), join(system, 'usr/bin/platen-agent'))
    // What it does not understand it tells and leaves out, and ends with 0.
    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', `--root=${system}`, '--man=no', UNIT])
    expect(stderr).toBe('')
    const score = await run('systemd-analyze', ['security', '--offline=true', `--root=${system}`, UNIT])
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(score)?.[1])).toBeLessThan(EXPOSURE_MAX)
    await rm(system, { recursive: true })
    const lines = readFileSync(unit, 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['Restart=always', 'RestartPreventExitStatus=3', 'User=platen-agent']))
  })

  test(
    'it installs, enrols as root, prints as its own user, is upgraded with its jobs, removed and purged',
    async () => {
      const said = await root.install(deb)
      expect(said).not.toMatch(/warning|error/i)
      expect(await root.run('platen-agent', '--version')).toBe(`${version}\n`)
      expect(await root.run('systemctl', '--version').catch(() => 'none')).toBe('none')
      const enabled = `etc/systemd/system/multi-user.target.wants/${UNIT}`
      expect(await root.run('readlink', `/${enabled}`)).toBe(`/lib/systemd/system/${UNIT}\n`)

      const computerId = await enrol()
      const owner = Number(await root.run('id', '-u', 'platen-agent'))
      expect(owner).not.toBe(0)
      const config = statSync(join(root.dir, DATA, 'agent.json'))
      expect([config.uid, config.mode & 0o777]).toEqual([owner, 0o600])

      const first = await startService(owner)
      const printerId = await printerOf(computerId)
      await print(printerId, makePdf('Printed by a package'))
      const residentBytes = await waitFor(() => expectSmall(first.pid), 60_000)
      console.log(`connected and with the printers of CUPS: ${(residentBytes / 1e6).toFixed(1)} MB`)
      // As the service's user all files are its own, so that the next start can use them.
      for (const name of readdirSync(join(root.dir, DATA))) expect(statSync(join(root.dir, DATA, name)).uid).toBe(owner)

      // The new files are laid while the old agent runs, and has a job that waits for its printer.
      await cups.run('cupsdisable', QUEUES.laser)
      const waiting = await createJob(printerId, makePdf('Accepted by an older package'))
      await waitFor(async () => expect(await cups.run('lpstat', '-o', QUEUES.laser)).toContain(QUEUES.laser), 30_000)
      expect(await root.install(await buildDeb({ bundle, dir: built, version: NEWER, compression: 'none' }))).toContain(
        NEWER,
      )
      expect(await root.run('dpkg', '--status', 'platen-agent')).toContain(`\nVersion: ${NEWER}\n`)
      await first.stop()
      const second = await startService(owner)
      expect(await printerOf(computerId)).toBe(printerId)
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
      await print(printerId, makePdf('Printed after it was away'))
      await third.stop()

      await root.run('dpkg', '--purge', 'platen-agent')
      expect(existsSync(join(root.dir, DATA))).toBe(false)
      expect(existsSync(join(root.dir, enabled))).toBe(false)
      expect(await root.run('find', '/etc', '/var', '/usr', '-name', '*platen*')).toBe('')
    },
    SLOW_MS,
  )

  /** @returns the computer's id. */
  async function enrol(): Promise<string> {
    const { body } = await api.post('/v1/enrollments', {})
    const server = ['--server', platen.credentials.baseUrl, '--token', body.token, '--name', 'Clean']
    const said = await root.run('platen-agent', 'enroll', ...server)
    return /enrolled as (\S+)\./.exec(said)?.[1] ?? ''
  }

  /** As the unit starts it, by root, since systemd does not run here. @returns once it is connected. */
  async function startService(owner: number) {
    const child = root.start({ CUPS_SERVER: cups.server }, 'platen-agent', 'run')
    const output = child.stdout ? text(child.stdout) : Promise.resolve('')
    await waitFor(async () => expect(await root.run('platen-agent', 'status')).toMatch(/connected/i), STARTED_WITHIN_MS)
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    expect(Number(uid)).toBe(owner)
    return {
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGTERM')
        expect(await once(child, 'exit')).toEqual([0, null])
        expect(await output).not.toContain('"level":60')
      },
    }
  }

  async function expectSmall(pid: number): Promise<number> {
    const bytes = await ownBytes(pid)
    expect(bytes).toBeLessThan(IDLE_OWN_MAX_BYTES)
    return bytes
  }

  async function printerOf(computerId: string): Promise<string> {
    const { body } = await waitFor(async () => {
      const answer = await api.get(`/v1/computers/${computerId}/printers`)
      expect(answer.body.data.map(({ name }: { name: string }) => name)).toContain(QUEUES.laser)
      return answer
    }, STARTED_WITHIN_MS)
    return body.data.find(({ name }: { name: string }) => name === QUEUES.laser).id
  }

  async function createJob(printerId: string, document: Buffer) {
    const content = document.toString('base64')
    return await api.createJob({ printerId, title: 'Package', contentType: 'pdf_base64', content })
  }

  async function print(printerId: string, document: Buffer): Promise<void> {
    const before = cups.laser.printed().length
    const { id } = await createJob(printerId, document)
    expect(await api.waitUntilFinal(id, 60_000)).toMatchObject({ state: 'done' })
    expect(cups.laser.printed()).toHaveLength(before + 1)
  }
})
