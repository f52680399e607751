/**
 * The container image with minimal permissions: no capabilities, a read-only file system except for its volume, few
 * system calls.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '../../../test/harness/api.ts'
import { makePdf } from '../../../test/harness/pdf.ts'
import { removeDataDir, startPlaten } from '../../../test/harness/platen.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { buildPackages } from '../build-packages.ts'
import { buildImage, isEngineAvailable } from '../image.ts'
import { root as repository } from '../paths.ts'
import { run, succeeds } from '../run.ts'
import { getTarget } from '../targets.ts'
import { version } from '../version.ts'

const TAG = 'platen-test/agent'
/** Replaces the base image of the Dockerfile if it cannot be pulled. */
const LOCAL_BASE = 'platen-test/clean-root'
const PULL_TIMEOUT_MS = 15_000
const TEST_TIMEOUT_MS = 400_000

const isSkipped = process.platform !== 'linux' || !(await isEngineAvailable())
if (isSkipped) {
  const reason = 'tests of the container image need a Docker engine; `npm run test:long -- containers` starts one'
  if (process.env.PLATEN_TEST_SERVERS === 'containers') throw new Error(reason)
  console.log(reason)
}

test.skipIf(isSkipped)(
  'the container image enrols and prints with a read-only root, without capabilities, and with the system calls of the unit only',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'platen-image-test-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    const [archive = ''] = await buildPackages({ target: getTarget('linux', process.arch), out: dir })
    await buildImage({ archive, tag: TAG, baseImage: await resolveBaseImage(dir) })
    const platen = await startPlaten()
    onTestFinished(async () => {
      await platen.stop()
      await removeDataDir(platen.dataDir)
    })
    const api = createApi(platen.credentials.baseUrl, platen.credentials.adminKey)

    const volume = (await run('docker', ['volume', 'create'])).trim()
    onTestFinished(async () => void (await run('docker', ['volume', 'rm', volume])))
    const seccomp = join(dir, 'seccomp.json')
    await writeFile(seccomp, JSON.stringify(await createSeccompProfile()))
    const security = ['--security-opt=no-new-privileges', `--security-opt=seccomp=${seccomp}`]
    const options = ['--rm', '--network=host', '--read-only', '--cap-drop=ALL', ...security]
    const runOptions = [...options, '--volume', `${volume}:/var/lib/platen-agent`]
    const agent = (...args: string[]) => run('docker', ['run', ...runOptions, TAG, ...args])

    expect(await agent('--version')).toBe(`${version}\n`)
    const { body } = await api.post('/v1/enrollments', {})
    const token = `--env=PLATEN_ENROLL_TOKEN=${body.token}`
    const enroll = [TAG, 'enroll', '--server', platen.credentials.baseUrl, '--spooler', 'virtual']
    const output = await run('docker', ['run', ...runOptions, token, ...enroll])
    const computerId = /enrolled as (\S+)\./.exec(output)?.[1] ?? ''

    const name = `platen-agent-${process.pid}`
    const running = promisify(execFile)('docker', ['run', '--name', name, ...runOptions, TAG])
    const ended = once(running.child, 'exit')
    const printer = await waitFor(async () => {
      const answer = await api.get(`/v1/computers/${computerId}/printers`)
      const laser = answer.body.data.find(({ osName }: { osName: string }) => osName === 'Test A4 Laser')
      return laser ?? Promise.reject(new Error('no printers yet'))
    }, 90_000)
    expect(await run('docker', ['exec', name, '/usr/bin/platen-agent', 'status'])).toMatch(/connected/i)
    expect(await run('docker', ['exec', name, 'id', '-u'])).toBe('10001\n')
    const content = makePdf('Printed by a container').toString('base64')
    const job = await api.createJob({ printerId: printer.id, title: 'Image', contentType: 'pdf_base64', content })
    expect(await api.waitUntilFinal(job.id, 60_000)).toMatchObject({ state: 'done' })

    await run('docker', ['stop', '--time=10', name])
    expect(await ended).toEqual([0, null])
    expect((await running).stdout).not.toMatch(/EPERM|"level":[56]0/)
  },
  TEST_TIMEOUT_MS,
)

/** @returns a local base image, or undefined if the base image of the Dockerfile is available. */
async function resolveBaseImage(dir: string): Promise<string | undefined> {
  const dockerfile = await readFile(join(import.meta.dirname, '../image/Dockerfile'), 'utf8')
  const official = /^ARG BASE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''
  if (await succeeds('docker', 'image', 'inspect', official)) return undefined
  const pulled = promisify(execFile)('docker', ['pull', '--quiet', official], { timeout: PULL_TIMEOUT_MS })
  if (await pulled.then(() => true).catch(() => false)) return undefined
  const rootDir = join(dir, 'root')
  await run(join(repository, 'test/containers/clean-root.sh'), [rootDir])
  await run('sh', ['-c', 'tar -C "$0" -c . | docker import - "$1"', rootDir, LOCAL_BASE])
  return LOCAL_BASE
}

/** The system calls of the unit as a seccomp profile of Docker. Other calls fail with the same error. */
async function createSeccompProfile() {
  const unit = await readFile(join(import.meta.dirname, '../deb/platen-agent.service'), 'utf8')
  const groups = [...unit.matchAll(/^SystemCallFilter=~?(\S+)$/gm)].map(([, group = '']) => getSystemCalls(group))
  const [allowed = [], refused = []] = await Promise.all(groups)
  const names = allowed.filter((name) => !refused.includes(name))
  if (names.length < 100) throw new Error(`systemd-analyze lists only ${names.length} allowed system calls.`)
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: 1,
    archMap: [{ architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] }],
    syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }],
  }
}

/** systemd-analyze prints the name of a group, then its calls and nested groups. */
async function getSystemCalls(group: string): Promise<string[]> {
  const [, ...lines] = (await run('systemd-analyze', ['syscall-filter', group])).split('\n')
  const members = lines.map((line) => line.trim()).filter((line) => /^[@\w]/.test(line))
  return (await Promise.all(members.map((one) => (one.startsWith('@') ? getSystemCalls(one) : [one])))).flat()
}
