/** The commands status, printers, doctor and support-bundle in the process of the test. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { mockDisk } from '../../../test/harness/disk.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openLogFile, readLastLines } from '../../log-file.ts'
import { askStatus, getStatusAddress } from '../../status/ask-status.ts'
import { tar } from '../../support/tar.ts'
import { startProxy } from '../connect-proxy.ts'
import { refuseCall, refuseDirectorySync } from '../refuse-calls.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { makeDataDir, readSpoolerCalls } from '../start-agent.ts'
import { makeEnrolledDir as makeDir, runCommand, setEnvironment, startCommand, writeConfig } from '../start-program.ts'
import { getTestAuthority, startTlsFront } from '../tls-front.ts'

const service = useService()
let apiUrl: string
let apiClockOffsetMs: number

beforeEach(async () => {
  apiClockOffsetMs = 0
  const api = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() + apiClockOffsetMs).toUTCString())
    response.end('{}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  return () => void api.close()
})

const makeEnrolledDir = (changes: object = {}) => makeDir({ agentUrl: service.url, serverUrl: apiUrl, ...changes })
const runIn = (dataDir: string, command: string, ...more: string[]) =>
  runCommand(command, '--data-dir', dataDir, ...more)

async function startRun(dataDir: string, printMs = 80) {
  setEnvironment({ PLATEN_VIRTUAL_PRINT_MS: String(printMs) })
  const agent = startCommand('run', '--data-dir', dataDir)
  await agent.ready
  return agent
}

test('status shows whether the agent of --data-dir runs and is connected, since when, and its jobs', async () => {
  proves('agent.data-dir')
  const dataDir = makeEnrolledDir()
  expect(await runIn(dataDir, 'status')).toMatchObject({ code: 1, stdout: expect.stringMatching(/not running: start/) })
  const agent = await startRun(dataDir, 3_600_000)
  const { jobId } = service.print({ title: 'Secret title' })
  await waitFor(() => expect(readSpoolerCalls(dataDir, 'release')).toHaveLength(1))
  const { code, stdout } = await runIn(dataDir, 'status')
  expect(code).toBe(0)
  expect(stdout).toMatch(/connected since \d{4}-.*computer +computer\n/s)
  expect(stdout).toMatch(new RegExp(`jobs +1 active\\n +${jobId}  releas\\w+  Test A4 Laser`))
  expect(stdout).toContain(apiUrl)
  const json = JSON.parse((await runIn(dataDir, 'status', '--json')).stdout)
  expect(json).toMatchObject({ running: true, pid: process.pid, connection: { state: 'connected' } })
  expect(stdout + JSON.stringify(json)).not.toMatch(new RegExp(`Secret title|${CREDENTIAL}`))
  await agent.stop()
  expect((await runIn(dataDir, 'status')).stdout).toContain('not running')
})

test('an agent that cannot connect reports why, on a socket of mode 0600', async () => {
  const dataDir = makeEnrolledDir({ agentUrl: 'http://127.0.0.1:1' })
  startCommand('run', '--data-dir', dataDir)
  await waitFor(async () => expect((await askStatus(dataDir))?.connection.state).toBe('disconnected'))
  expect((await askStatus(dataDir))?.connection.reason).toMatch(/^Nothing listens at /)
  expect((await runIn(dataDir, 'status')).code).toBe(1)
  expect(statSync(getStatusAddress(dataDir)).mode & 0o777).toBe(0o600)
})

test('status works for a data directory whose path is longer than that of a socket may be', async () => {
  proves('agent.status.long-path')
  const dataDir = join(makeDataDir(), 'd'.repeat(145))
  mkdirSync(dataDir)
  writeConfig(dataDir, { agentUrl: service.url })
  const agent = await startRun(dataDir)
  expect((await runIn(dataDir, 'status')).stdout).toMatch(/^connection +connected since/m)
  expect(statSync(getStatusAddress(dataDir)).mode & 0o777).toBe(0o600)
  await agent.stop()
  expect(existsSync(getStatusAddress(dataDir))).toBe(false)
  expect((await runIn(dataDir, 'status')).stdout).toContain('not running')
})

describe('an agent prints on a file system that refuses', () => {
  const refused: Record<string, [() => unknown, RegExp]> = {
    'the mode of a socket': [() => refuseCall('chmodSync', 'EPERM'), /status socket failed/],
    'the removal of a socket': [() => refuseCall('rmSync', 'EPERM', isSocket), /status socket failed/],
    'to sync directories': [() => refuseDirectorySync('EINVAL'), /directories cannot be synced/],
  }
  const isSocket = (path: unknown) => String(path).endsWith('agent.sock')

  test.each(Object.entries(refused))('%s, with a warning', async (_, [refuse, warning]) => {
    proves('agent.refused-calls')
    const dataDir = makeEnrolledDir()
    await refuse()
    const agent = await startRun(dataDir)
    const { jobId } = service.print()
    await waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(ReportedState.DONE))
    const { code, stdout } = await agent.stop()
    expect(code).toBe(0)
    expect(stdout).toMatch(warning)
  })
})

test('printers lists the printers of the spooler, as a table and as JSON', async () => {
  const dataDir = makeEnrolledDir()
  const { code, stdout } = await runIn(dataDir, 'printers')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^NAME +STATE +PAPERS +DESCRIPTION\nTest A4 Laser +online +default +8 papers +Virtual A4/)
  const json = JSON.parse((await runIn(dataDir, 'printers', '--json')).stdout)
  expect(json).toHaveLength(4)
  expect(json[0]).toMatchObject({ osName: 'Test A4 Laser', isDefault: true, capabilities: { duplex: true } })
})

test.skipIf(process.platform !== 'linux')(
  'status, printers and the doctor print the same sentence about a spooler that does not answer',
  async () => {
    proves('agent.spooler.sentence')
    setEnvironment({ CUPS_SERVER: '127.0.0.1:1' })
    const dataDir = makeEnrolledDir({ spooler: 'system' })
    await startRun(dataDir)
    const { spoolerState } = service.getMessages('hello')[0] ?? {}
    expect(spoolerState).toMatchObject({ code: 'not-responding', message: expect.stringMatching(/127\.0\.0\.1:1/) })
    const sentence = spoolerState?.message
    expect((await runIn(dataDir, 'status')).stdout).toContain(sentence)
    expect(JSON.parse((await runIn(dataDir, 'status', '--json')).stdout).spoolerProblem.message).toBe(sentence)
    expect((await runIn(dataDir, 'doctor')).stdout).toContain(sentence)
    expect(await runIn(dataDir, 'printers')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(sentence ?? '-'),
    })
  },
)

test('the doctor finds no problems of a connected agent and does not affect it', async () => {
  const dataDir = makeEnrolledDir()
  await startRun(dataDir)
  const { code, stdout } = await runIn(dataDir, 'doctor')
  expect(stdout).not.toContain('PROBLEM')
  expect(stdout).toMatch(/\nNo problems found\.\n$/)
  for (const what of ['enrolment', 'disk', 'DNS', 'server', 'clock', 'TLS', 'stream', 'agent', 'spooler', 'raw'])
    expect(stdout).toMatch(new RegExp(`^ok {7}${what} +\\S.*\\.$`, 'm'))
  expect(code).toBe(0)
  expect(service.getMessages('hello')).toHaveLength(1)
  expect((await askStatus(dataDir))?.connection.state).toBe('connected')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
})

test('status and the doctor say that the disk is full', async () => {
  proves('agent.disk.shown')
  const disk = { total: 100e9, free: 500e6 }
  mockDisk(() => disk)
  const dataDir = makeEnrolledDir()
  expect((await runIn(dataDir, 'status')).stdout).not.toContain('disk')
  disk.free--
  expect((await runIn(dataDir, 'status')).stdout).toMatch(/^disk +full \(computer-disk-full\): jobs wait/m)
  const json = JSON.parse((await runIn(dataDir, 'status', '--json')).stdout)
  expect(json.stateReasons).toEqual(['computer-disk-full'])
  expect((await runIn(dataDir, 'doctor')).stdout).toMatch(/^PROBLEM +disk +The disk with \S+ is full, and jobs wait/m)
})

const tls = async (days: number) => ({
  agentUrl: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1', days)}`,
  caFile: getTestAuthority().caFile,
})

function setApiClock(offMs: number): object {
  apiClockOffsetMs = offMs
  return {}
}

test.each<[string, () => object | Promise<object>, RegExp]>([
  ['an unknown name', () => ({ serverUrl: 'http://nowhere.invalid' }), /DNS +(The host name nowhere|No DNS server)/],
  ['an unknown printer in raw', () => ({ raw: ['Zebra'] }), /raw +"raw" in agent.json names printers .*: Zebra\./],
  ['a closed port', () => ({ agentUrl: 'http://127.0.0.1:1' }), /stream +Nothing listens at 127\.0\.0\.1:1\. Check/],
  [
    'an invalid credential',
    () => ({ credential: 'platen_agent_other' }),
    /stream .*credential .*Enrol this computer again/,
  ],
  ['a clock that is ahead', () => setApiClock(-120_000), /clock +The clock is 1[12]\d s ahead of .*NTP/],
  ['a clock that is behind', () => setApiClock(120_000), /clock +The clock is 1[12]\d s behind .*NTP/],
  [
    'a server that is not Platen',
    () => ({ serverUrl: service.url }),
    /server +(The server at|The connection|\S+ reset)/,
  ],
  [
    'an agent without TLS beside a server with TLS',
    () => ({ serverUrl: 'https://127.0.0.1:1' }),
    /TLS +The agent connects to \S+ without TLS, although the server has TLS/,
  ],
  ['a certificate that expires soon', () => tls(6), /TLS +The certificate of \S+ expires in 5 days/],
])('the doctor reports %s and a solution', async (_, change, line) => {
  const { code, stdout } = await runIn(makeEnrolledDir(await change()), 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(new RegExp(`^PROBLEM +${line.source}`, 'mi'))
  expect(stdout).toMatch(/^PROBLEM +agent +The agent is not running/m)
})

test('the doctor trusts the authority of caFile and shows the remaining validity of the certificate', async () => {
  const { stdout } = await runIn(makeEnrolledDir(await tls(30)), 'doctor')
  expect(stdout).toMatch(/^ok +TLS +The certificate of \S+, by Corner Shop CA, is trusted and valid for 29 more days/m)
  expect(stdout).toMatch(/^ok +stream /m)
})

test('the doctor uses the proxy and shows it without its password', async () => {
  const agentUrl = `https://agents.test:${await startTlsFront(service.url, 'agents.test')}`
  const proxy = await startProxy({ user: 'till:pass-of-proxy' })
  const route = { agentUrl, caFile: getTestAuthority().caFile, serverUrl: apiUrl.replace('127.0.0.1', 'api.test') }
  const { stdout } = await runIn(makeEnrolledDir({ ...route, proxy: proxy.url }), 'doctor')
  for (const what of ['server', 'TLS', 'stream']) expect(stdout).toMatch(new RegExp(`^ok +${what} `, 'm'))
  expect(stdout).toMatch(new RegExp(`^ok +proxy +Connections go through the proxy ${proxy.host}\\.$`, 'm'))
  expect(stdout).not.toContain('pass-of-proxy')
  const refusingProxy = await startProxy({ refuses: 403 })
  const refused = await runIn(makeEnrolledDir({ ...route, proxy: refusingProxy.url }), 'doctor')
  for (const what of ['TLS', 'stream'])
    expect(refused.stdout).toMatch(new RegExp(`^PROBLEM +${what} +The proxy \\S+ refuses .*CONNECT`, 'm'))
})

test('the doctor reports a computer that is not enrolled and a credential that other users can read', async () => {
  const { code, stdout } = await runIn(join(makeDataDir(), 'nothing'), 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^PROBLEM +enrolment .* not enrolled.*\nPROBLEM +disk +The data directory/m)
  const dataDir = makeEnrolledDir()
  chmodSync(join(dataDir, 'agent.json'), 0o644)
  expect((await runIn(dataDir, 'doctor')).stdout).toMatch(
    /^PROBLEM +enrolment .*can be read by other users\. Run chmod 600 on it/m,
  )
})

test('the log contains one line per finished job; log and support bundle contain no secret, title, option or document', async () => {
  const proxyPassword = 'proxy-password-of-the-shop'
  const dataDir = makeEnrolledDir({ proxy: 'none' })
  const agent = await startRun(dataDir)
  const document = makePdf('the words of the document')
  const title = 'Diagnosis of Mrs Miller'
  const { jobId } = service.print({ title, options: { paper: 'paper-of-the-option' } }, document)
  await waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(ReportedState.DONE))
  const finished = () => readLastLines(dataDir, 100).filter((line) => line.includes('job finished'))
  await waitFor(() => expect(finished()).toHaveLength(1))
  const facts = { job_id: jobId, printer: 'Test A4 Laser', qty: 1, state: 'done', reasons: [], attempt: 1 }
  expect(JSON.parse(finished()[0] ?? '')).toMatchObject({ ...facts, duration_ms: expect.any(Number) })

  const secrets = [
    CREDENTIAL,
    dataDir,
    dirname(dataDir),
    title,
    'Miller',
    'the words of the document',
    'paper-of-the-option',
    proxyPassword,
  ]
  const check = async (name: string) => {
    const folder = makeDataDir()
    const output = join(folder, 'bundle.tar.gz')
    const { code, stdout } = await runIn(dataDir, 'support-bundle', '--output', output)
    expect([code, stdout]).toEqual([0, expect.stringContaining(output)])
    expect(statSync(output).mode & 0o777).toBe(0o600)
    execFileSync('tar', ['-xzf', output, '--strip-components=1'], { cwd: folder })
    const files = readdirSync(folder).filter((file) => file !== 'bundle.tar.gz')
    const json = ['about', 'config', 'journal', 'printers', 'status'].map((file) => `${file}.json`)
    expect(files.toSorted(), name).toEqual([...json, 'doctor.txt', 'log.jsonl'].toSorted())
    const contents = Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
    for (const secret of secrets)
      for (const [file, content] of Object.entries(contents))
        expect(content.includes(secret), `${secret} in ${file}`).toBe(false)
    expect(JSON.parse(contents['journal.json'] ?? '').settled).toContainEqual(
      expect.objectContaining({ id: jobId, phase: 'done', printer: 'Test A4 Laser' }),
    )
    expect(contents['log.jsonl']).toContain(jobId)
    expect(JSON.parse(contents['printers.json'] ?? '')).toHaveLength(4)
    expect(contents['doctor.txt']).toMatch(/stream/)
    return contents
  }

  const { 'status.json': running = '' } = await check('running')
  expect(JSON.parse(running)).toMatchObject({ connection: { state: 'connected' } })
  const { stdout } = await agent.stop()
  for (const secret of secrets) expect(stdout).not.toContain(secret)
  expect(readLastLines(dataDir, 1_000)).toEqual(stdout.trimEnd().split('\n'))
  writeConfig(dataDir, { agentUrl: service.url, proxy: `http://till:${proxyPassword}@127.0.0.1:1` })
  const before = readdirSync(dataDir).toSorted()
  const stopped = await check('stopped')
  expect(stopped['status.json']).toBe('The agent is not running.\n')
  expect(stopped['config.json']).toContain('127.0.0.1:1')
  expect(readdirSync(dataDir).toSorted()).toEqual(before)
})

test.runIf(process.getuid?.() === 0)(
  'a support bundle that root creates contains only files that the owner of the data directory can read',
  async () => {
    const [dataDir, folder] = [makeDataDir(), makeDataDir()]
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'words of root', { mode: 0o600 })
    chmodSync(folder, 0o755)
    for (const name of ['agent.json', 'agent.log', 'agent.log.1']) symlinkSync(secret, join(dataDir, name))
    chownSync(dataDir, 65_534, 65_534)
    const output = join(folder, 'bundle.tar.gz')
    expect(await runIn(dataDir, 'support-bundle', '--output', output)).toMatchObject({ code: 0 })
    const texts = execFileSync('tar', ['-xzOf', output], { encoding: 'utf8' })
    expect(texts).not.toContain('words of root')
    expect(texts).toContain('EACCES')
    expect(statSync(output)).toMatchObject({ uid: 0, mode: 0o100_600 })
  },
)

test('a support bundle is created on a computer that is not enrolled', async () => {
  const output = join(makeDataDir(), 'bundle.tar.gz')
  expect(await runIn('/nowhere', 'support-bundle', '--output', output)).toMatchObject({ code: 0 })
  expect(execFileSync('tar', ['-tzf', output], { encoding: 'utf8' }).split('\n')).toHaveLength(8)
})

test('tar reads archives with non-ASCII names and with files around the size of a block', () => {
  const dir = makeDataDir()
  const files = { empty: '', 'folder/ä.txt': 'äöü', a: 'x'.repeat(511), b: 'y'.repeat(512), c: 'z'.repeat(513) }
  writeFileSync(join(dir, 'a.tar'), tar(files, new Date('2026-01-02T03:04:05Z')))
  mkdirSync(join(dir, 'out'))
  execFileSync('tar', ['-xf', join(dir, 'a.tar')], { cwd: join(dir, 'out') })
  for (const [name, content] of Object.entries(files))
    expect(readFileSync(join(dir, 'out', name), 'utf8')).toBe(content)
  expect(statSync(join(dir, 'out', 'a')).mtime).toEqual(new Date('2026-01-02T03:04:05Z'))
})

test('the log keeps the newest lines in two files of the maximum size, also after a restart', () => {
  const dataDir = makeDataDir()
  const write = (from: number, to: number) => {
    const file = openLogFile(dataDir, 1_000)
    for (let n = from; n < to; n++) file.write(`line ${n}\n`)
  }
  write(0, 300)
  write(300, 500)
  expect(readLastLines(dataDir, 3)).toEqual(['line 497', 'line 498', 'line 499'])
  const all = readLastLines(dataDir, 10_000)
  expect(all.at(0)).toBe(`line ${500 - all.length}`)
  for (const name of ['agent.log', 'agent.log.1'])
    expect(statSync(join(dataDir, name)).size).toBeLessThanOrEqual(1_000 + 'line 499\n'.length)
})

test('the log continues after its file could not be replaced', () => {
  const dataDir = makeDataDir()
  const file = openLogFile(dataDir, 10)
  file.write('the first line\n')
  renameSync(join(dataDir, 'agent.log'), join(dataDir, 'agent.log.1'))
  file.write('the second line\n')
  expect(readLastLines(dataDir, 2)).toEqual(['the first line', 'the second line'])
})
