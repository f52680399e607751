/** The agent as a program: exit codes, signals, its parent, its sockets, its memory, and `kill -9`. */
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { askStatus, statusAddressOf } from '../../status/ask-status.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { exitCodeOf, makeEnrolled, runCommand, startCommand, startProgram, writeConfig } from '../start-program.ts'
import { startTlsFront, testAuthority } from '../tls-front.ts'

const { DONE, ERROR, PRINTING } = ReportedState

const service = useService()

const makeConfigured = (config: object = {}) => makeEnrolled({ agentUrl: service.url, ...config })
const start = (dataDir: string, env = {}) => startProgram(['run', '--data-dir', dataDir], env)

async function startReady(dataDir: string) {
  const program = start(dataDir, { PLATEN_LOG_LEVEL: 'warn' })
  await once(program.child, 'message')
  return program.child
}

async function kill(child: Awaited<ReturnType<typeof startReady>>): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const endOf = (jobId: string) =>
  waitFor(() => {
    const report = service.reportsOf(jobId).find(({ state }) => state !== PRINTING)
    return report ?? expect.fail('not ended yet')
  })

test('an invalid command line or configuration gives one sentence and exit code 2', async () => {
  const invalid = makeConfigured({ agentUrl: 'ftp://x', credential: 'no', spooler: 'lp', more: 1 })
  const faults: [string[], RegExp][] = [
    [[], /^Platen agent .*Usage: platen-agent COMMAND /s],
    [['print'], /^There is no command print\.\n/],
    [['run', '--colour'], /^Unknown option '--colour'.*\nUsage: platen-agent run /],
    [['run', 'now'], /^Unexpected argument 'now'.*\nUsage: platen-agent run /],
    [['run', '--data-dir', '/nowhere'], /^This computer is not enrolled, .*: run `platen-agent enroll /],
    [['status', '--data-dir', '/nowhere'], /^This computer is not enrolled, /],
    [
      ['run', '--data-dir', invalid],
      /^\S+ is not valid: "more" is .*; "agentUrl" .*; "credential" .*; "spooler" .*\.\n$/,
    ],
  ]
  for (const [args, sentence] of faults)
    expect(await runCommand(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
  const { child, stderr } = startProgram(['print'])
  expect(await exitCodeOf(child)).toBe(2)
  expect(await stderr).toMatch(/^There is no command print\.\n/)
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

test('Superseded ends the program with 3 [agent.superseded.exit]', async () => {
  const { child, stdout } = start(makeConfigured())
  await once(child, 'message')
  service.send({ case: 'superseded', value: {} })
  expect(await exitCodeOf(child)).toBe(3)
  expect(await stdout).toContain('Another agent has connected')
})

test('an invalid credential and a deleted computer end `run` with 3 and a reason [agent.deleted.exit]', async () => {
  const stranger = makeConfigured({ credential: 'platen_agent_other' })
  const refused = await runCommand('run', '--data-dir', stranger)
  expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('does not accept the credential') })
  const deleted = startCommand('run', '--data-dir', makeConfigured())
  await deleted.ready
  service.send({ case: 'computerDeleted', value: {} })
  expect(await deleted.code).toBe(3)
  expect(deleted.logged()).toContain('This computer was deleted')
})

test('a second agent with the same data directory fails; an agent after a kill takes over the socket', async () => {
  const dataDir = makeConfigured()
  const first = await startReady(dataDir)
  expect(await runCommand('run', '--data-dir', dataDir)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Another agent is using the journal'),
  })
  await kill(first)
  expect((await runCommand('status', '--data-dir', dataDir)).stdout).toContain('not running')
  const second = await startReady(dataDir)
  await waitFor(async () => expect((await askStatus(dataDir))?.pid).toBe(second.pid))
  second.kill('SIGTERM')
  expect(await exitCodeOf(second)).toBe(0)
  expect(existsSync(statusAddressOf(dataDir))).toBe(false)
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
  expect(await endOf(jobId)).toMatchObject({ state: DONE })
  expect(device.printed()).toEqual([document])
})

test('after kill -9 while it sends, the agent reports the job as unconfirmed and never sends it again', async () => {
  const device = await startRawPrinter('reads nothing')
  const dataDir = makeConfigured({ printers: [{ name: 'Zebra', uri: device.uri }] })
  const child = await startReady(dataDir)
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, Buffer.alloc(8_000_000, 'x'))
  await waitFor(() => expect(device.connections.some(({ socket }) => socket.readableLength > 0)).toBe(true))
  await kill(child)
  device.behaviour = 'prints'
  await startReady(dataDir)
  expect(await endOf(jobId)).toMatchObject({ state: ERROR, reasons: ['unconfirmed'] })
  expect(device.begun()).toEqual([])
})

test('a job ends as printer-not-found when its printer is removed from the configuration', async () => {
  const device = await startRawPrinter()
  device.switchOff()
  const printers = [{ name: 'Zebra', uri: device.uri }]
  const dataDir = makeConfigured({ printers })
  const first = startCommand('run', '--data-dir', dataDir)
  await first.ready
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' })
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(PRINTING))
  await first.stop()
  await device.switchOn()
  writeConfig(dataDir, { agentUrl: service.url })
  startCommand('run', '--data-dir', dataDir)
  expect(await endOf(jobId)).toMatchObject({ state: ERROR, reasons: ['printer-not-found'] })
  expect(device.begun()).toEqual([])
})

const LARGEST_BYTES = 25 * 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  '4 documents of 25 MB at once need less memory than 3 of them have',
  async () => {
    const device = await startRawPrinter()
    const dataDir = makeConfigured({ printers: [{ name: 'Zebra', uri: device.uri }] })
    const child = await startReady(dataDir)
    const before = peakBytes(child.pid)
    const document = Buffer.alloc(LARGEST_BYTES, 'x')
    const jobs = Array.from({ length: 4 }, () =>
      service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document),
    )
    for (const { jobId } of jobs) expect(await endOf(jobId)).toMatchObject({ state: DONE })
    expect(device.printed().map(({ length }) => length)).toEqual(jobs.map(() => LARGEST_BYTES))
    expect(peakBytes(child.pid) - before).toBeLessThan(3 * LARGEST_BYTES)
  },
)

function peakBytes(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
