/** The container image, with as little leave as Docker can give: no capability, nothing to write but its volume, few system calls. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApi } from '../../../test/harness/api.ts'
import { makePdf } from '../../../test/harness/pdf.ts'
import { removeDataDir, startPlaten } from '../../../test/harness/platen.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { bundleAgent } from '../bundle.ts'
import { buildImage, isEngineThere } from '../image.ts'
import { root as repository } from '../places.ts'
import { run, works } from '../run.ts'
import { version } from '../version.ts'

const TAG = 'platen-test/agent'
/** Docker names it so; what it stands for is in the Dockerfile. */
const STAND_IN = 'platen-test/clean-root'
const PULL_LIMIT_MS = 15_000
const SLOW_MS = 400_000

/** `npm run test:containers` has an engine, and there it must answer. */
async function whyNoEngine(): Promise<string | undefined> {
  if (process.platform === 'linux' && (await isEngineThere())) return undefined
  const why = 'no Docker engine answers; `npm run test:containers` starts one'
  if (process.env.PLATEN_TEST_SERVERS === 'containers') throw new Error(why)
  console.log(`tests of the container image are left out: ${why}`)
  return why
}

describe.skipIf(await whyNoEngine())('the container image', () => {
  test(
    'it enrols, and prints with a read-only root, without capabilities, by the system calls that the service may make',
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
      const options = [
        '--rm',
        '--network=host',
        '--read-only',
        '--cap-drop=ALL',
        '--volume',
        `${volume}:/var/lib/platen-agent`,
      ]
      const confined = [...options, '--security-opt=no-new-privileges', `--security-opt=seccomp=${seccomp}`]
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
})

/** @returns the name of what stands in for the Dockerfile's base where that cannot be had. */
async function standIn(dir: string): Promise<string | undefined> {
  const dockerfile = await readFile(join(import.meta.dirname, '../image/Dockerfile'), 'utf8')
  const official = /^ARG BASE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''
  if (await works('docker', 'image', 'inspect', official)) return undefined
  const pulled = promisify(execFile)('docker', ['pull', '--quiet', official], { timeout: PULL_LIMIT_MS })
  if (await pulled.then(() => true).catch(() => false)) return undefined
  const rootDir = join(dir, 'root')
  await run(join(repository, 'test/containers/clean-root.sh'), [rootDir])
  await run('sh', ['-c', 'tar -C "$0" -c . | docker import - "$1"', rootDir, STAND_IN])
  return STAND_IN
}

/** The system calls that the unit allows, as Docker wants to be told; all others fail as they do there. */
async function unitFilter() {
  const unit = await readFile(join(import.meta.dirname, '../deb/platen-agent.service'), 'utf8')
  const [allowed = '', refused = ''] = [...unit.matchAll(/^SystemCallFilter=~?(\S+)$/gm)].map(([, group]) => group)
  const groups = parseGroups(await run('systemd-analyze', ['syscall-filter']))
  const without = new Set(callsOf(groups, refused))
  const names = callsOf(groups, allowed).filter((name) => !without.has(name))
  if (names.length < 100) throw new Error(`systemd knows only ${names.length} system calls of ${allowed}.`)
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: 1,
    archMap: [{ architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] }],
    syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }],
  }
}

/** Each begins at the margin with its name; its calls, and groups within it, are indented below. */
function parseGroups(text: string): Map<string, string[]> {
  const blocks = text.split(/^(?=@)/m).filter((block) => block.startsWith('@'))
  return new Map(
    blocks.map((block) => {
      const [name = '', ...members] = block.split('\n').map((line) => line.trim())
      return [name, members.filter((member) => /^[@\w]/.test(member))]
    }),
  )
}

function callsOf(groups: Map<string, string[]>, name: string): string[] {
  return (groups.get(name) ?? []).flatMap((member) => (member.startsWith('@') ? callsOf(groups, member) : [member]))
}
