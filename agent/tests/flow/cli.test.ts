/** The commands that people run beside the agent: status, printers, doctor, support-bundle. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { defaultDataDir } from '../../cli/data-dir.ts'
import { openLogFile, readLastLines } from '../../log-file.ts'
import { icaclsArguments } from '../../private-directory.ts'
import { askStatus, statusAddressOf } from '../../status/ask-status.ts'
import { redact } from '../../support/redact.ts'
import { tar } from '../../support/tar.ts'
import { startProxy } from '../connect-proxy.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { makeDataDir, spoolerCalls } from '../start-agent.ts'
import { exitCodeOf, runProgram, startProgram } from '../start-program.ts'
import { makeAuthority, startTlsFront } from '../tls-front.ts'

// Programs start, some of them several after each other.
vi.setConfig({ testTimeout: 120_000 })

let service: ScriptedService
let apiUrl: string
/** How far the clock of the REST API is off. */
let apiClockOffMs: number

beforeEach(async () => {
  service = await startScriptedService()
  apiClockOffMs = 0
  const api = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() + apiClockOffMs).toUTCString())
    response.end('{}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  return () => {
    api.close()
    service.stop()
  }
})

function setApiClock(offMs: number): object {
  apiClockOffMs = offMs
  return {}
}

function makeEnrolled(changes: object = {}): string {
  const dataDir = makeDataDir()
  const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual', serverUrl: apiUrl, ...changes }
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
  return dataDir
}

async function startRunning(dataDir: string, env = {}) {
  const agent = startProgram(['run', '--data-dir', dataDir], env)
  await once(agent.child, 'message')
  return agent
}

test('status says whether the agent runs and is connected, since when, and what is under way', async () => {
  const dataDir = makeEnrolled()
  const status = (...more: string[]) => runProgram(['status', '--data-dir', dataDir, ...more])
  expect(await status()).toMatchObject({ code: 1, stdout: expect.stringMatching(/not running: start it/) })

  const { child } = await startRunning(dataDir, { PLATEN_VIRTUAL_PRINT_MS: '3600000' })
  const { jobId } = service.print({ title: 'Secret title' })
  await waitFor(() => expect(spoolerCalls(dataDir, 'release')).toHaveLength(1))
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(/connected since \d{4}-.*computer +computer\n/s)
  expect(stdout).toMatch(new RegExp(`jobs +1 under way\\n +${jobId}  releas\\w+  Test A4 Laser`))
  expect(stdout).toContain(apiUrl)
  const json = JSON.parse((await status('--json')).stdout)
  expect(json).toMatchObject({ running: true, pid: child.pid, connection: { state: 'connected' } })
  expect(stdout + JSON.stringify(json)).not.toMatch(new RegExp(`Secret title|${CREDENTIAL}`))

  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await status()).stdout).toContain('not running')
})

test('an agent that cannot connect says why, and its socket is its own', async () => {
  const dataDir = makeEnrolled({ agentUrl: 'http://127.0.0.1:1' })
  startProgram(['run', '--data-dir', dataDir])
  const isAway = async () => expect((await askStatus(dataDir))?.connection.state).toBe('disconnected')
  await waitFor(isAway, 60_000)
  expect((await askStatus(dataDir))?.connection.reason).toMatch(/ECONNREFUSED/)
  expect((await runProgram(['status', '--data-dir', dataDir])).code).toBe(1)
  expect(statSync(statusAddressOf(dataDir)).mode & 0o777).toBe(0o600)
})

test('an agent that was killed leaves a socket that the next one takes over', async () => {
  const dataDir = makeEnrolled()
  const first = await startRunning(dataDir)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await startRunning(dataDir)
  await waitFor(async () => expect((await askStatus(dataDir))?.pid).toBe(second.child.pid))
  second.child.kill('SIGTERM')
  expect(await exitCodeOf(second.child)).toBe(0)
  expect(existsSync(statusAddressOf(dataDir))).toBe(false)
})

test('printers shows what the spooler reports, for people and as JSON', async () => {
  const dataDir = makeEnrolled()
  const { code, stdout } = await runProgram(['printers', '--data-dir', dataDir])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^NAME +STATE +PAPERS +DESCRIPTION\nTest A4 Laser +online +default +8 papers +Virtual A4/)
  const json = JSON.parse((await runProgram(['printers', '--json', '--data-dir', dataDir])).stdout)
  expect(json).toHaveLength(4)
  expect(json[0]).toMatchObject({ osName: 'Test A4 Laser', isDefault: true, capabilities: { duplex: true } })
})

const doctor = (dataDir: string, env = {}) => runProgram(['doctor', '--data-dir', dataDir], env)

test('the doctor finds nothing wrong with an agent that is connected, and disturbs it in nothing', async () => {
  const dataDir = makeEnrolled()
  const { child } = await startRunning(dataDir)
  const { code, stdout } = await doctor(dataDir)
  expect(stdout).not.toContain('PROBLEM')
  expect(stdout).toMatch(/\nNothing is wrong\.\n$/)
  for (const what of ['enrolment', 'disk', 'DNS', 'server', 'clock', 'TLS', 'stream', 'agent', 'spooler'])
    expect(stdout).toMatch(new RegExp(`^ok {7}${what} +\\S.*\\.$`, 'm'))
  expect(code).toBe(0)
  expect(service.heard('hello')).toHaveLength(1)
  expect(child.exitCode).toBeNull()
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
})

test.each<[string, () => object | Promise<object>, RegExp]>([
  [
    'a name that nobody knows',
    () => ({ serverUrl: 'http://nowhere.invalid' }),
    /DNS +(The name nowhere\.invalid|No DNS server)/,
  ],
  [
    'a port where nothing listens',
    () => ({ agentUrl: 'http://127.0.0.1:1' }),
    /stream +There is no stream to 127\.0\.0\.1:1: .*refused/i,
  ],
  [
    'a credential that is not valid',
    () => ({ credential: 'platen_agent_other' }),
    /stream +\S+ does not accept the credential .*enrol it again/,
  ],
  ['a clock that is ahead', () => setApiClock(-120_000), /clock +The clock is 1[12]\d s ahead of .*NTP/],
  ['a clock that is behind', () => setApiClock(120_000), /clock +The clock is 1[12]\d s behind .*NTP/],
  ['a server that is no Platen', () => ({ serverUrl: service.url }), /server +(What answers|The connection|\S+ broke)/],
  [
    'an authority that is not known',
    async () => ({
      agentUrl: `https://127.0.0.1:${await startTlsFront(service.url, makeAuthority().issue('127.0.0.1'))}`,
    }),
    /TLS +The certificate .*authority .*does not know.*"caFile"/,
  ],
  [
    'a certificate that ends soon',
    async () => {
      const authority = makeAuthority()
      const port = await startTlsFront(service.url, authority.issue('127.0.0.1', 6))
      return { agentUrl: `https://127.0.0.1:${port}`, caFile: authority.caFile }
    },
    /TLS +The certificate of \S+ expires in 5 days/,
  ],
  [
    'a certificate that has ended',
    async () => {
      const authority = makeAuthority()
      const port = await startTlsFront(service.url, authority.issue('127.0.0.1', -1))
      return { agentUrl: `https://127.0.0.1:${port}`, caFile: authority.caFile }
    },
    /TLS +The certificate of \S+ has expired.*clock/,
  ],
])('the doctor names %s, and says what to do', async (_, change, line) => {
  const { code, stdout } = await doctor(makeEnrolled(await change()))
  expect(code).toBe(1)
  expect(stdout).toMatch(new RegExp(`^PROBLEM +${line.source}`, 'mi'))
  expect(stdout).toMatch(/^PROBLEM +agent +The agent is not running/m)
})

test('the doctor trusts an authority that is named, and says for how long the certificate is good', async () => {
  const authority = makeAuthority()
  const port = await startTlsFront(service.url, authority.issue('127.0.0.1', 30))
  const { stdout } = await doctor(makeEnrolled({ agentUrl: `https://127.0.0.1:${port}`, caFile: authority.caFile }))
  expect(stdout).toMatch(/^ok +TLS +The certificate of \S+, by Corner Shop CA, is trusted and good for 29 more days/m)
  expect(stdout).toMatch(/^ok +stream /m)
})

test('the doctor goes by the proxy, and names it without its password', async () => {
  const authority = makeAuthority()
  const port = await startTlsFront(service.url, authority.issue('agents.test'))
  const proxy = await startProxy({ user: 'till:pass-of-proxy' })
  const agentUrl = `https://agents.test:${port}`
  const route = { caFile: authority.caFile, proxy: proxy.url, serverUrl: apiUrl.replace('127.0.0.1', 'api.test') }
  const { stdout } = await doctor(makeEnrolled({ agentUrl, ...route }))
  for (const what of ['server', 'TLS', 'stream']) expect(stdout).toMatch(new RegExp(`^ok +${what} `, 'm'))
  expect(stdout).toMatch(new RegExp(`^ok +proxy +Connections go through the proxy ${proxy.host}\\.$`, 'm'))
  expect(stdout).not.toContain('pass-of-proxy')
  const refusing = await startProxy({ refuses: true })
  const refused = await doctor(makeEnrolled({ agentUrl, ...route, proxy: refusing.url }))
  expect(refused.stdout).toMatch(/^PROBLEM +TLS +The proxy refuses .*CONNECT/m)
  expect(refused.stdout).toMatch(/^PROBLEM +stream +/m)
})

test('the doctor has words for a computer that is not enrolled, and for a credential that others can read', async () => {
  const { code, stdout } = await doctor(join(makeDataDir(), 'nothing'))
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^PROBLEM +enrolment +This computer is not enrolled.*\nPROBLEM +disk +There is no data directory/m,
  )
  const dataDir = makeEnrolled()
  chmodSync(join(dataDir, 'agent.json'), 0o644)
  expect((await doctor(dataDir)).stdout).toMatch(/^PROBLEM +enrolment .*can be read by others: chmod 600 it/m)
})

test('a support bundle has what helpers need and no secret, title, option or document', async () => {
  const proxyPassword = 'proxy-password-of-the-shop'
  // A proxy is only named where it is none's way: else nothing would connect.
  const dataDir = makeEnrolled({ proxy: 'none' })
  const { child } = await startRunning(dataDir)
  const document = Buffer.from('%PDF-1.7 the words of the document')
  const title = 'Diagnosis of Mrs Miller'
  const { jobId } = service.print({ title, options: { paper: 'paper-of-the-option' } }, document)
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(ReportedState.DONE))
  await waitFor(() => expect(readLastLines(dataDir, 100).join()).toContain('job finished'))
  const { jobId: waiting } = service.print({ title: `${title} 2`, printerOsName: 'Test Label 4x6' }, document)
  await waitFor(() => expect(service.heard('received').map(({ jobId }) => jobId)).toContain(waiting))

  const secrets = [CREDENTIAL, title, 'Miller', 'the words of the document', 'paper-of-the-option', proxyPassword]
  const check = async (name: string) => {
    const folder = makeDataDir()
    const output = join(folder, 'bundle.tar.gz')
    const { code, stdout } = await runProgram(['support-bundle', '--data-dir', dataDir, '--output', output])
    expect([code, stdout]).toEqual([0, expect.stringContaining(output)])
    expect(statSync(output).mode & 0o777).toBe(0o600)
    execFileSync('tar', ['-xzf', output, '--strip-components=1'], { cwd: folder })
    const files = readdirSync(folder).filter((file) => file !== 'bundle.tar.gz')
    expect(files.toSorted(), name).toEqual(
      [
        'about.json',
        'config.json',
        'doctor.txt',
        'journal.json',
        'log.jsonl',
        'printers.json',
        'status.json',
      ].toSorted(),
    )
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

  expect(JSON.parse((await check('running'))['status.json'] ?? '')).toMatchObject({
    connection: { state: 'connected' },
  })
  child.kill('SIGTERM')
  await exitCodeOf(child)
  const config = {
    agentUrl: service.url,
    credential: CREDENTIAL,
    spooler: 'virtual',
    proxy: `http://till:${proxyPassword}@127.0.0.1:1`,
  }
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config))
  const before = readdirSync(dataDir).toSorted()
  const stopped = await check('stopped')
  expect(stopped['status.json']).toBe('The agent is not running.\n')
  expect(stopped['config.json']).toContain('127.0.0.1:1')
  expect(readdirSync(dataDir).toSorted()).toEqual(before)
})

test('a support bundle can be made of a computer where nothing works', async () => {
  const output = join(makeDataDir(), 'bundle.tar.gz')
  expect(await runProgram(['support-bundle', '--data-dir', '/nowhere', '--output', output])).toMatchObject({ code: 0 })
  expect(execFileSync('tar', ['-tzf', output], { encoding: 'utf8' }).split('\n')).toHaveLength(8)
})

test('whatever gets into a text, tokens, credentials, keys and passwords in URLs are taken out', () => {
  const text = [
    'platen_agent_abc-DEF_1 platen_enroll_x "platen_live_y" platen_test_z',
    'Authorization: Bearer abc.def+/= and Basic dXNlcjpwYXNz',
    'http://user:pass@proxy:3128/ https://token@host',
  ].join('\n')
  const left = redact(text)
  expect(left).not.toMatch(/abc|DEF|_x|_y|_z|dXNl|user|pass|token@/)
  expect(left).toContain('@proxy:3128/')
  expect(redact('nothing at all http://host/a@b')).toBe('nothing at all http://host/a@b')
})

test('an archive is one that tar reads, with names, contents and sizes around a block', () => {
  const dir = makeDataDir()
  const files = { empty: '', 'folder/ä.txt': 'äöü', a: 'x'.repeat(511), b: 'y'.repeat(512), c: 'z'.repeat(513) }
  writeFileSync(join(dir, 'a.tar'), tar(files, new Date('2026-01-02T03:04:05Z')))
  mkdirSync(join(dir, 'out'))
  execFileSync('tar', ['-xf', join(dir, 'a.tar')], { cwd: join(dir, 'out') })
  for (const [name, content] of Object.entries(files))
    expect(readFileSync(join(dir, 'out', name), 'utf8')).toBe(content)
  expect(statSync(join(dir, 'out', 'a')).mtime).toEqual(new Date('2026-01-02T03:04:05Z'))
})

test('the log file keeps the newest lines, over restarts, within two files of the limit', () => {
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

test.each([
  ['linux', {}, false, '/home/kim/.local/state/platen-agent'],
  ['linux', { XDG_STATE_HOME: '/state' }, false, '/state/platen-agent'],
  ['linux', { XDG_STATE_HOME: 'relative' }, false, '/home/kim/.local/state/platen-agent'],
  ['linux', {}, true, '/var/lib/platen-agent'],
  ['linux', { STATE_DIRECTORY: '/var/lib/agent:/other' }, false, '/var/lib/agent'],
  ['darwin', {}, false, '/home/kim/Library/Application Support/Platen'],
  ['darwin', {}, true, '/Library/Application Support/Platen'],
  ['win32', { ProgramData: 'D:\\Data' }, false, 'D:\\Data\\Platen'],
] as const)('on %s with %j, root: %s, everything lies in %s', (platform, env, isRoot, dir) => {
  expect(defaultDataDir({ platform, env, home: '/home/kim', isRoot })).toBe(dir)
})

test('on Windows the data directory is opened to the system, administrators and its owner, and closed to the rest', () => {
  expect(icaclsArguments('C:\\ProgramData\\Platen', 'kim')).toEqual([
    'C:\\ProgramData\\Platen',
    '/inheritance:r',
    '/grant:r',
    '*S-1-5-18:(OI)(CI)F',
    '*S-1-5-32-544:(OI)(CI)F',
    'kim:(OI)(CI)F',
  ])
})

test('a job has one line in the log that tells all of it, but for its title and options', async () => {
  const dataDir = makeEnrolled()
  const { child, stdout } = await startRunning(dataDir)
  const { jobId } = service.print({ title: 'Secret title', qty: 2, options: { paper: 'paper-of-the-option' } })
  await waitFor(() => expect(readLastLines(dataDir, 100).join()).toContain('job finished'))
  child.kill('SIGTERM')
  await exitCodeOf(child)
  const lines = (await stdout).split('\n').filter((line) => line.includes('job finished'))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    job_id: jobId,
    printer: 'Test A4 Laser',
    qty: 2,
    state: 'done',
    reasons: [],
    attempt: 1,
    duration_ms: expect.any(Number),
  })
  expect(await stdout).not.toMatch(/Secret title|paper-of-the-option/)
  expect(readLastLines(dataDir, 1_000)).toEqual((await stdout).trimEnd().split('\n'))
})
