/**
 * `npm run test:long -- lines`: an agent behind slow and lossy lines enrols and prints. Runs itself in namespaces of
 * its own, so that the network of the computer stays as it is. Exits with 1 if a fact does not hold.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChecks } from '../harness/checks.ts'
import { addNamespace, HOST, HOST_ADDRESSES } from './line.ts'
import { runLines } from './run-lines.ts'

const INSIDE = '--inside'
const UNSHARE = ['unshare', '--net', '--mount', '--pid', '--mount-proc', '--kill-child', '--fork']
const NEEDED = 'ip netns list && python3 --version && test -w /dev/net/tun'

if (process.argv.includes(INSIDE)) await runInside()
else runInNamespaces()

function runInNamespaces(): void {
  const [program = '', ...args] = UNSHARE
  if (spawnSync(program, [...args, 'sh', '-c', NEEDED], { stdio: 'ignore' }).status === 0) {
    const command = [...args, process.execPath, '--no-warnings', import.meta.filename, INSIDE]
    process.exitCode = spawnSync(program, command, { stdio: 'inherit' }).status ?? 1
    return
  }
  console.log('skipped: needs root on Linux with network namespaces, /dev/net/tun, ip (Debian: iproute2) and python3')
  console.log('0 passed, 0 failed')
  process.exitCode = process.env.PLATEN_TEST_SKIPS === 'fail' ? 1 : 0
}

async function runInside(): Promise<never> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-lines-'))
  const hosts = join(dir, 'hosts')
  writeFileSync(hosts, ['127.0.0.1 localhost', ...HOST_ADDRESSES.map((address) => `${address} ${HOST}`), ''].join('\n'))
  spawnSync('mount', ['--bind', hosts, '/etc/hosts'], { stdio: 'inherit' })
  addNamespace()
  const checks = createChecks()
  await checks.shows('an installation prints behind each line', () => runLines(dir, checks))
  await rm(dir, { recursive: true, force: true })
  // All processes of the namespace end with this one.
  process.exit(checks.end())
}
