/** The agent as a program: exit codes, signals, its parent process, its sockets, its memory and `kill -9`. */
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { askStatus, getStatusAddress } from '../../status/ask-status.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { makeEnrolledDir, runCommand, startCommand, startProgram, waitForExitCode } from '../start-program.ts'
import { getTestAuthority, startTlsFront } from '../tls-front.ts'

const service = useService()

const createDataDir = (config: object = {}) => makeEnrolledDir({ agentUrl: service.url, ...config })
const start = (dataDir: string, env = {}) => startProgram(['run', '--data-dir', dataDir], env)

async function startReady(dataDir: string) {
  const program = start(dataDir, { PLATEN_LOG_LEVEL: 'warn' })
  await once(program.child, 'message')
  return program.child
}

const waitForDone = (jobId: string) =>
  waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(ReportedState.DONE))

test('an invalid command line or configuration causes one sentence and exit code 2', async () => {
  const invalid = createDataDir({ agentUrl: 'ftp://x', credential: 'no', spooler: 'lp', raw: [1], more: 1 })
  const badProxy = createDataDir({ proxy: 'http://till:50%@proxy:3128' })
  const noJson = makeEnrolledDir({ agentUrl: service.url })
  writeFileSync(`${noJson}/agent.json`, `{\n"credential": ${CREDENTIAL}`)
  const faults: [string[], RegExp][] = [
    [['run', '--data-dir', noJson], /^\S+ is not valid JSON\.\n$/],
    [['run', '--data-dir', badProxy], /"proxy" must be .* \(Write the characters "%".*\)\.\n$/],
    [[], /^Platen agent .*Usage: platen-agent COMMAND /s],
    [['print'], /^Unknown command print\.\n/],
    [['run', '--colour'], /^Unknown option '--colour'.*\nUsage: platen-agent run /],
    [['run', 'now'], /^Unexpected argument 'now'.*\nUsage: platen-agent run /],
    [['run', '--data-dir', '/nowhere'], /^This computer is not enrolled: .* Run `platen-agent enroll /],
    [['status', '--data-dir', '/nowhere'], /^This computer is not enrolled: /],
    [
      ['run', '--data-dir', invalid],
      /^\S+ is not valid: unknown field "more"; "agentUrl" .*; "credential" .*; "spooler" .*; "raw" .*\.\n$/,
    ],
  ]
  for (const [args, sentence] of faults)
    expect(await runCommand(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
  const { child, stderr } = startProgram(['print'])
  expect(await waitForExitCode(child)).toBe(2)
  expect(await stderr).toMatch(/^Unknown command print\.\n/)
})

test('an address of a host has 2 s for a connection before the next one is tried', async () => {
  proves('agent.connect.2s')
  const script =
    "import net from 'node:net';process.on('exit',()=>console.log(net.getDefaultAutoSelectFamilyAttemptTimeout()))"
  const { stdout } = startProgram(['print'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
  })
  expect(await stdout).toBe('2000\n')
})

test.runIf(process.getuid?.() === 0)('a user without a home directory gets a sentence', async () => {
  const run = (...args: string[]) =>
    startProgram(args, { HOME: undefined, STATE_DIRECTORY: undefined }, undefined, 54_321)
  const help = run('--help')
  expect(await waitForExitCode(help.child)).toBe(0)
  expect(await help.stdout).toMatch(/\nThis user has no home directory .*--data-dir to a directory\.\n$/)
  const status = run('status')
  expect(await waitForExitCode(status.child)).toBe(2)
  expect(await status.stderr).toMatch(/^This user has no home directory .*\nUsage: platen-agent status /)
  const named = run('status', '--data-dir', '/nowhere')
  expect(await waitForExitCode(named.child)).toBe(2)
  expect(await named.stderr).toMatch(/^This computer is not enrolled: /)
})

test('a closed pipe is the end of the output, not a failure', async () => {
  const { child, stdout, stderr } = startProgram(['printers', '--data-dir', createDataDir()])
  child.stdout?.destroy()
  await expect(stdout).rejects.toThrow('Premature close')
  expect(await waitForExitCode(child)).toBe(0)
  expect(await stderr).toBe('')
})

test('the parent process is notified when the agent is ready, and SIGTERM ends the agent with exit code 0, also when it comes twice', async () => {
  const dataDir = createDataDir()
  chmodSync(`${dataDir}/agent.json`, 0o640)
  const { child, stdout, stderr } = start(dataDir)
  expect(await once(child, 'message')).toEqual([{ ready: true }, undefined])
  const stops = new Promise<void>((resolve) =>
    child.stdout?.on('data', (lines) => {
      if (String(lines).includes('"stopping"')) resolve()
    }),
  )
  child.kill('SIGTERM')
  await stops
  child.kill('SIGTERM')
  expect(await waitForExitCode(child)).toBe(0)
  expect(service.cleanEnds).toBe(1)
  expect(await stdout).toContain('chmod 600')
  expect(await stdout).not.toContain(CREDENTIAL)
  expect(await stderr).toBe('')
})

test('an agent without a terminal, as under nohup, continues after SIGHUP', async () => {
  proves('agent.nohup')
  const child = await startReady(createDataDir())
  child.kill('SIGHUP')
  service.send({ case: 'reconnect', value: { afterMs: 1 } })
  await waitFor(() => expect(service.getMessages('hello')).toHaveLength(2))
  child.kill('SIGTERM')
  expect(await waitForExitCode(child)).toBe(0)
})

test('an agent stops when its parent process has ended', async () => {
  const child = await startReady(createDataDir())
  child.disconnect()
  expect(await waitForExitCode(child)).toBe(0)
})

test.each([
  ['computerDeleted', 'This computer was deleted'],
  ['superseded', 'Another agent has connected'],
] as const)('`run` ends with exit code 3 and a reason after %s', async (order, reason) => {
  proves('agent.deleted.exit', 'agent.superseded.exit')
  const agent = startCommand('run', '--data-dir', createDataDir())
  await agent.ready
  service.send({ case: order, value: {} })
  expect(await agent.code).toBe(3)
  expect(agent.logged()).toContain(reason)
})

test('a second agent with the same data directory fails; after a kill a new agent replaces the socket', async () => {
  const dataDir = createDataDir()
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
  expect(await waitForExitCode(second)).toBe(0)
  expect(existsSync(getStatusAddress(dataDir))).toBe(false)
})

test('an authority that the operating system trusts needs no configuration', async () => {
  const url = `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}`
  // OpenSSL reads its certificates when the program starts.
  const { child } = start(makeEnrolledDir({ agentUrl: url }), { SSL_CERT_FILE: getTestAuthority().caFile })
  await once(child, 'message')
})

test('a configured printer is reported and prints; the command `printers` writes no file while the agent runs', async () => {
  const device = await startRawPrinter()
  const dataDir = createDataDir({ printers: [{ name: 'Zebra', uri: device.uri }] })
  const listPrinters = async () => JSON.parse((await runCommand('printers', '--json', '--data-dir', dataDir)).stdout)
  expect(await listPrinters()).toContainEqual(expect.objectContaining({ osName: 'Zebra', state: 'online' }))
  expect(existsSync(`${dataDir}/network`)).toBe(false)
  const agent = startCommand('run', '--data-dir', dataDir)
  await agent.ready
  expect(service.getMessages('hello')[0]?.printers?.printers.map(({ osName }) => osName)).toContain('Zebra')
  const document = Buffer.alloc(100_000, 'x')
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document)
  await listPrinters()
  await waitForDone(jobId)
  expect(device.printed()).toEqual([document])
})

test.skipIf(process.platform !== 'linux')(
  'an agent continues while its standard output is a file on a full disk',
  async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const { child } = startProgram(['run', '--data-dir', createDataDir()], {}, full)
    await once(child, 'message')
    await waitForDone(service.print().jobId)
    expect(child.exitCode).toBeNull()
  },
)

test.skipIf(process.platform !== 'linux')(
  '4 concurrent documents of 25 MB need less memory than 3 of them',
  async () => {
    const sizeBytes = 25 * 1024 * 1024
    const device = await startRawPrinter()
    const dataDir = createDataDir({ printers: [{ name: 'Zebra', uri: device.uri }] })
    const child = await startReady(dataDir)
    const before = readPeakBytes(child.pid)
    const document = Buffer.alloc(sizeBytes, 'x')
    const jobs = Array.from({ length: 4 }, () =>
      service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document),
    )
    for (const { jobId } of jobs) await waitForDone(jobId)
    expect(device.printed().map(({ length }) => length)).toEqual(jobs.map(() => sizeBytes))
    expect(readPeakBytes(child.pid) - before).toBeLessThan(3 * sizeBytes)
  },
)

function readPeakBytes(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
