/**
 * `npm run test:long -- update`: updates an installed Debian package in a fresh Debian with systemd and CUPS, while 200
 * jobs are printed there, and compares the paper. Then offers a damaged package, one with a wrong signature, and a
 * version that does not connect within two minutes: the version before runs on, and the API shows why. As root on
 * Debian. Exits with 1 after a failure.
 */
import { deepStrictEqual, match, strictEqual } from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toSignedComment } from '@platen/proto/agent-packages.ts'
import { createApi } from '../../../../test/harness/api.ts'
import { removeDataDir, startPlaten } from '../../../../test/harness/platen.ts'
import { waitFor } from '../../../../test/harness/wait-for.ts'
import { buildPackages } from '../../build-packages.ts'
import { type ReleaseKey, readReleaseKey } from '../../minisign.ts'
import { signChecksums, writeChecksums } from '../../release-files.ts'
import { run } from '../../run.ts'
import { getTarget } from '../../targets.ts'
import { startDebian } from '../systemd/debian.ts'

const JOBS = 200
const JOB_INTERVAL_MS = 100
const [FORMER, NEXT, BROKEN, LAST] = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'] as const
const STEP_TIMEOUT_MS = 300_000
const REPORT_TIMEOUT_MS = 30_000

/** A queue that appends the document of each job to a file. */
const PAPER = '/var/tmp/paper'
const ADD_PAPER = [
  `printf '%s\\n' '#!/bin/sh' '[ $# -gt 0 ] || exit 0' 'cat "\${6:--}" >> ${PAPER}' > /usr/lib/cups/backend/paper`,
  'chmod 700 /usr/lib/cups/backend/paper',
  'lpadmin -p Paper -E -v paper:/',
].join(' && ')

/** Runs `platen-agent update` with the restrictions of the service, as an automatic update does. */
const UPDATE_AS_SERVICE = [
  `sed 's/ run --data-dir/ update --data-dir/; s/^Type=.*/Type=oneshot/; /^Restart/d' /usr/lib/systemd/system/platen-agent.service > /run/systemd/system/platen-update.service`,
  'systemctl daemon-reload',
  'systemctl start platen-update || { journalctl -u platen-update; exit 1; }',
].join(' && ')

/** Lets a program start, and refuses each of its connections. */
const NEVER_CONNECT = `if (process.argv[2] === 'run') require('node:net').Socket.prototype.connect = function () {
  setImmediate(() => this.destroy(new Error('this version never connects')));
  return this;
};\n`

const started = performance.now()
function report(step: string): void {
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${step}`)
}

const dir = await mkdtemp(join(tmpdir(), 'platen-update-'))
const offered = join(dir, 'offered')
await mkdir(offered)
const key = await makeKey('key')
await offer(FORMER)
const platen = await startPlaten({ env: { PLATEN_AGENT_PACKAGES_DIR: offered } })
report('Platen runs')
const debian = await startDebian(process.arch === 'arm64' ? 'arm64' : 'amd64')
try {
  await waitFor(() => debian.run(ADD_PAPER), STEP_TIMEOUT_MS)
  report('a fresh Debian with systemd and CUPS runs')
  await testUpdates()
} finally {
  await debian.stop()
  await platen.stop()
  await removeDataDir(platen.dataDir)
  await rm(dir, { recursive: true })
}

async function testUpdates(): Promise<void> {
  const { baseUrl, adminKey } = platen.credentials
  const api = createApi(baseUrl, adminKey)
  const { token } = (await api.post('/v1/enrollments', {})).body
  await debian.run(
    `echo ${token} > token && curl -fsSL ${baseUrl}/agents/install.sh | sh -s -- --server ${baseUrl} --token-file token`,
  )
  const getComputer = async () => (await api.get('/v1/computers')).body.data[0]
  strictEqual((await getComputer()).agentVersion, FORMER)
  const printer = await waitFor(async () => {
    const { data } = (await api.get('/v1/printers')).body
    return data.find(({ name }: { name: string }) => name === 'Paper') ?? Promise.reject(new Error('no printer yet'))
  }, STEP_TIMEOUT_MS)
  report(`version ${FORMER} is installed by install.sh and connected`)

  /** @returns the exit code and the output of `platen-agent update`. */
  async function update(): Promise<{ code: number; shown: string }> {
    const shown = await debian.run('platen-agent update 2>&1; echo "ended with $?"')
    for (const line of shown.trim().split('\n')) console.log(`           | ${line}`)
    return { code: Number(/ended with (\d+)\s*$/.exec(shown)?.[1]), shown }
  }
  /** The agent runs on with the version, and the computer shows why it was not updated. */
  async function expectRefused(runs: string, reason: RegExp): Promise<void> {
    strictEqual((await update()).code, 1)
    const { state, agentVersion, agentUpdate } = await waitFor(async () => {
      const computer = await getComputer()
      match(computer.agentUpdate.failure ?? '', reason)
      return computer
    }, REPORT_TIMEOUT_MS)
    deepStrictEqual([state, agentVersion], ['online', runs])
    report(`${agentVersion} runs on: "${agentUpdate.failure}"`)
  }

  await offer(NEXT)
  const jobs: string[] = []
  const printing = (async () => {
    for (let n = 0; n < JOBS; n++) {
      const content = Buffer.from(`job ${n}\n`).toString('base64')
      const job = { printerId: printer.id, title: `Job ${n}`, contentType: 'raw_base64', content }
      jobs.push((await api.createJob(job)).id)
      await sleep(JOB_INTERVAL_MS)
    }
  })()
  await waitFor(() => strictEqual(jobs.length > JOBS / 10, true), STEP_TIMEOUT_MS)
  const beganAtMs = performance.now()
  strictEqual((await update()).code, 0)
  const updateMs = performance.now() - beganAtMs
  const createdDuring = jobs.length
  await printing
  for (const id of jobs) strictEqual((await api.waitUntilFinal(id, STEP_TIMEOUT_MS)).state, 'done')
  const paper = (await debian.read(PAPER)).toString().trim().split('\n')
  const expected = Array.from({ length: JOBS }, (_, n) => `job ${n}`)
  deepStrictEqual(paper.toSorted(), expected.toSorted())
  strictEqual((await getComputer()).agentVersion, NEXT)
  report(
    `${FORMER} was updated to ${NEXT} in ${(updateMs / 1000).toFixed(1)} s while jobs ${Math.ceil(JOBS / 10)} to ${createdDuring} were created: ${paper.length} jobs on paper, each once`,
  )
  const events = (await api.get(`/v1/events?limit=100&type=computer.offline`)).body.data
  report(`events computer.offline: ${events.length}`)

  await offer(BROKEN, { isDamaged: true })
  await expectRefused(NEXT, /is damaged: its checksum is not/)
  await offer(BROKEN, { by: await makeKey('other') })
  await expectRefused(NEXT, /the signature is of another key/)
  await offer(FORMER)
  await expectRefused(NEXT, /is older than/)
  await offer(BROKEN, { prefix: NEVER_CONNECT })
  await expectRefused(NEXT, /^Version 1\.2\.0 did not connect within 2 minutes: .*never connects/)

  await offer(LAST)
  await debian.run(UPDATE_AS_SERVICE)
  deepStrictEqual([(await getComputer()).agentVersion, (await getComputer()).agentUpdate.failure], [LAST, null])
  report(`the service itself can install version ${LAST}`)

  const { id } = await api.createJob({
    ...{ printerId: printer.id, title: 'Last', contentType: 'raw_base64' },
    content: Buffer.from('last\n').toString('base64'),
  })
  strictEqual((await api.waitUntilFinal(id, STEP_TIMEOUT_MS)).state, 'done')
  strictEqual(await debian.run('dpkg --verify platen-agent'), '')
  report('it prints, and dpkg finds no changed file')
}

async function makeKey(name: string): Promise<ReleaseKey> {
  const file = join(dir, `${name}.pem`)
  await writeFile(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return await readReleaseKey(file)
}

/** Replaces the packages that Platen offers. */
async function offer(
  version: string,
  { by = key, isDamaged = false, prefix = '' }: { by?: ReleaseKey; isDamaged?: boolean; prefix?: string } = {},
): Promise<void> {
  const out = join(dir, `new-${version}`)
  await mkdir(out)
  const target = getTarget('linux', process.arch)
  const [archive = ''] = await buildPackages({ target, out, version, releaseKey: key.public })
  if (prefix) await prefixProgram(archive, prefix)
  for (const name of ['install.sh', 'install.ps1'])
    await writeFile(join(out, name), await readFile(join(import.meta.dirname, '../../served', name)))
  await writeChecksums(out)
  await signChecksums(out, toSignedComment(version), by)
  if (isDamaged)
    await writeFile(
      archive,
      createHash('sha256')
        .update(await readFile(archive))
        .digest(),
    )
  await rm(offered, { recursive: true })
  await rename(out, offered)
}

async function prefixProgram(archive: string, prefix: string): Promise<void> {
  const tree = join(dir, 'tree')
  await mkdir(tree)
  await run('tar', ['-xzf', archive, '-C', tree])
  const program = join(tree, 'usr/lib/platen-agent/platen-agent.cjs')
  // Behind the first line, which names the interpreter.
  await writeFile(
    program,
    (await readFile(program, 'utf8')).replace('\n', () => `\n${prefix}`),
  )
  await run('tar', ['-czf', archive, '-C', tree, '.'])
  await rm(tree, { recursive: true })
}
