/** The container image, with as little leave as Docker can give: no capability, nothing to write but its volume, few system calls. */
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
import { bundleAgent } from '../bundle.ts'
import { buildImage, isEngineAvailable } from '../image.ts'
import { root as repository } from '../paths.ts'
import { run, succeeds } from '../run.ts'
import { version } from '../version.ts'

const TAG = 'platen-test/agent'
/** Docker names it so; what it stands for is in the Dockerfile. */
const STAND_IN = 'platen-test/clean-root'
const PULL_LIMIT_MS = 15_000
const SLOW_MS = 400_000

const isSkipped = process.platform !== 'linux' || !(await isEngineAvailable())
if (isSkipped) {
  const why = 'tests of the container image need a Docker engine; `npm run test:containers` starts one'
  if (process.env.PLATEN_TEST_SERVERS === 'containers') throw new Error(why)
  console.log(why)
}

test.skipIf(isSkipped)(
  'the container image enrols, and prints with a read-only root, without capabilities, by the system calls that the service may make',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'platen-image-test-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    await buildImage({ bundle: await bundleAgent('linux', dir), tag: TAG, baseImage: await standIn(dir) })
    const platen = await startPlaten()
    onTestFinished(async () => {
      await platen.stop()
      await removeDataDir(platen.dataDir)
    })
    const api = createApi(platen.credentials.baseUrl, platen.credentials.liveKey)

    const volume = (await run('docker', ['volume', 'create'])).trim()
    onTestFinished(async () => void (await run('docker', ['volume', 'rm', volume])))
    const seccomp = join(dir, 'seccomp.json')
    await writeFile(seccomp, JSON.stringify(await unitFilter()))
    const security = ['--security-opt=no-new-privileges', `--security-opt=seccomp=${seccomp}`]
    const options = ['--rm', '--network=host', '--read-only', '--cap-drop=ALL', ...security]
    const confined = [...options, '--volume', `${volume}:/var/lib/platen-agent`]
    const agent = (...args: string[]) => run('docker', ['run', ...confined, TAG, ...args])

    expect(await agent('--version')).toBe(`${version}\n`)
    const { body } = await api.post('/v1/enrollments', {})
    const server = ['--server', platen.credentials.baseUrl, '--token', body.token]
    const said = await agent('enroll', ...server, '--spooler', 'virtual')
    const computerId = /enrolled as (\S+)\./.exec(said)?.[1] ?? ''

    const name = `platen-agent-${process.pid}`
    const running = promisify(execFile)('docker', ['run', '--name', name, ...confined, TAG])
    const ended = once(running.child, 'exit')
    const printer = await waitFor(async () => {
      const answer = await api.get(`/v1/computers/${computerId}/printers`)
      return answer.body.data[0] ?? Promise.reject(new Error('no printers yet'))
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
  SLOW_MS,
)

/** @returns the name of what stands in for the Dockerfile's base where that cannot be had. */
async function standIn(dir: string): Promise<string | undefined> {
  const dockerfile = await readFile(join(import.meta.dirname, '../image/Dockerfile'), 'utf8')
  const official = /^ARG BASE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''
  if (await succeeds('docker', 'image', 'inspect', official)) return undefined
  const pulled = promisify(execFile)('docker', ['pull', '--quiet', official], { timeout: PULL_LIMIT_MS })
  if (await pulled.then(() => true).catch(() => false)) return undefined
  const rootDir = join(dir, 'root')
  await run(join(repository, 'test/containers/clean-root.sh'), [rootDir])
  await run('sh', ['-c', 'tar -C "$0" -c . | docker import - "$1"', rootDir, STAND_IN])
  return STAND_IN
}

/** The system calls that the unit allows, in Docker's format; all others fail as they do there. */
async function unitFilter() {
  const unit = await readFile(join(import.meta.dirname, '../deb/platen-agent.service'), 'utf8')
  const groups = [...unit.matchAll(/^SystemCallFilter=~?(\S+)$/gm)].map(([, group = '']) => callsOf(group))
  const [allowed = [], refused = []] = await Promise.all(groups)
  const names = allowed.filter((name) => !refused.includes(name))
  if (names.length < 100) throw new Error(`systemd knows only ${names.length} of the allowed system calls.`)
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: 1,
    archMap: [{ architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] }],
    syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }],
  }
}

/** systemd prints a group's name, and below it its calls and the groups within it. */
async function callsOf(group: string): Promise<string[]> {
  const [, ...lines] = (await run('systemd-analyze', ['syscall-filter', group])).split('\n')
  const members = lines.map((line) => line.trim()).filter((line) => /^[@\w]/.test(line))
  return (await Promise.all(members.map((one) => (one.startsWith('@') ? callsOf(one) : [one])))).flat()
}
