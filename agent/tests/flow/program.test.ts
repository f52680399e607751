/** The agent as a program: exit codes, signals, its parent, its sockets, its memory, and `kill -9`. */
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { askStatus, getStatusAddress } from '../../status/ask-status.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { exitCodeOf, makeEnrolled, runCommand, startCommand, startProgram } from '../start-program.ts'
import { startTlsFront, testAuthority } from '../tls-front.ts'

const service = useService()

const makeConfigured = (config: object = {}) => makeEnrolled({ agentUrl: service.url, ...config })
const start = (dataDir: string, env = {}) => startProgram(['run', '--data-dir', dataDir], env)

async function startReady(dataDir: string) {
  const program = start(dataDir, { PLATEN_LOG_LEVEL: 'warn' })
  await once(program.child, 'message')
  return program.child
}

const isDone = (jobId: string) => waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(ReportedState.DONE))

test('an invalid command line or configuration gives one sentence and exit code 2', async () => {
  const invalid = makeConfigured({ agentUrl: 'ftp://x', credential: 'no', spooler: 'lp', more: 1 })
  const faults: [string[], RegExp][] = [
    [[], /^Platen agent .*Usage: platen-agent COMMAND /s],
    [['print'], /^Unknown command print\.\n/],
    [['run', '--colour'], /^Unknown option '--colour'.*\nUsage: platen-agent run /],
    [['run', 'now'], /^Unexpected argument 'now'.*\nUsage: platen-agent run /],
    [['run', '--data-dir', '/nowhere'], /^This computer is not enrolled: .* Run `platen-agent enroll /],
    [['status', '--data-dir', '/nowhere'], /^This computer is not enrolled: /],
    [
      ['run', '--data-dir', invalid],
      /^\S+ is not valid: "more" is .*; "agentUrl" .*; "credential" .*; "spooler" .*\.\n$/,
    ],
  ]
  for (const [args, sentence] of faults)
    expect(await runCommand(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
  const { child, stderr } = startProgram(['print'])
  expect(await exitCodeOf(child)).toBe(2)
  expect(await stderr).toMatch(/^Unknown command print\.\n/)
})

test('the parent is notified when the agent is ready, and SIGTERM ends it with 0', async () => {
  const dataDir = makeConfigured()
  chmodSync(`${dataDir}/agent.json`, 0o640)
  const { child, stdout, stderr } = start(dataDir)
  expect(await once(child, 'message')).toEqual([{ ready: true }, undefined])
  child.kill('SIGTERM')
  expect(await exitCodeOf(child)).toBe(0)
  expect(service.cleanEnds).toBe(1)
  expect(await stdout).toContain('chmod 600')
  expect(await stdout).not.toContain(CREDENTIAL)
  expect(await stderr).toBe('')
})

test('an agent stops when its parent is gone', async () => {
  const child = await startReady(makeConfigured())
  child.disconnect()
  expect(await exitCodeOf(child)).toBe(0)
})

test.each<[string, object, string, (() => void)?]>([
  ['an invalid credential', { credential: 'platen_agent_other' }, 'does not accept the credential'],
  ['a deleted computer [agent.deleted.exit]', {}, 'This computer was deleted', () => send('computerDeleted')],
  ['Superseded [agent.superseded.exit]', {}, 'Another agent has connected', () => send('superseded')],
])('`run` ends with 3 and a reason after %s', async (_, config, reason, act) => {
  const agent = startCommand('run', '--data-dir', makeConfigured(config))
  if (act) await agent.ready.then(act)
  expect(await agent.code).toBe(3)
  expect(agent.logged()).toContain(reason)
})

const send = (order: 'computerDeleted' | 'superseded') => service.send({ case: order, value: {} })

test('a second agent with the same data directory fails; an agent after a kill takes over the socket', async () => {
  const dataDir = makeConfigured()
  const first = await startReady(dataDir)
  expect(await runCommand('run', '--data-dir', dataDir)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Another agent is using the journal'),
  })
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect((await runCommand('status', '--data-dir', dataDir)).stdout).toContain('not running')
  const second = await startReady(dataDir)
  await waitFor(async () => expect((await askStatus(dataDir))?.pid).toBe(second.pid))
  second.kill('SIGTERM')
  expect(await exitCodeOf(second)).toBe(0)
  expect(existsSync(getStatusAddress(dataDir))).toBe(false)
})

test('an authority that the operating system trusts needs no configuration', async () => {
  const url = `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}`
  // OpenSSL reads its store at the start of a program.
  const { child } = start(makeEnrolled({ agentUrl: url }), { SSL_CERT_FILE: testAuthority().caFile })
  await once(child, 'message')
})

test('a printer of the configuration is reported and prints; `printers` beside the agent writes no file', async () => {
  const device = await startRawPrinter()
  const dataDir = makeConfigured({ printers: [{ name: 'Zebra', uri: device.uri }] })
  const list = async () => JSON.parse((await runCommand('printers', '--json', '--data-dir', dataDir)).stdout)
  expect(await list()).toContainEqual(expect.objectContaining({ osName: 'Zebra', state: 'online' }))
  expect(existsSync(`${dataDir}/network`)).toBe(false)
  const agent = startCommand('run', '--data-dir', dataDir)
  await agent.ready
  expect(service.heard('hello')[0]?.printers?.printers.map(({ osName }) => osName)).toContain('Zebra')
  const document = Buffer.alloc(100_000, 'x')
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document)
  await list()
  await isDone(jobId)
  expect(device.printed()).toEqual([document])
})

test.skipIf(process.platform !== 'linux')(
  '4 documents of 25 MB at once need less memory than 3 of them have',
  async () => {
    const sizeBytes = 25 * 1024 * 1024
    const device = await startRawPrinter()
    const dataDir = makeConfigured({ printers: [{ name: 'Zebra', uri: device.uri }] })
    const child = await startReady(dataDir)
    const before = peakBytes(child.pid)
    const document = Buffer.alloc(sizeBytes, 'x')
    const jobs = Array.from({ length: 4 }, () =>
      service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document),
    )
    for (const { jobId } of jobs) await isDone(jobId)
    expect(device.printed().map(({ length }) => length)).toEqual(jobs.map(() => sizeBytes))
    expect(peakBytes(child.pid) - before).toBeLessThan(3 * sizeBytes)
  },
)

function peakBytes(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
