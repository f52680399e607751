/** The agent with a printer on the network, as one process: reported, printed on, killed while it sends. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../test/harness/wait-for.ts'
import { startRawPrinter } from './raw-printer.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from './scripted-service.ts'
import { makeDataDir } from './start-agent.ts'

// Programs start, some of them several after each other.
vi.setConfig({ testTimeout: 120_000 })

const MAIN = join(import.meta.dirname, '..', 'main.ts')
const KILLS = 6

const run = promisify(execFile)

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

function configure(uri: string): string {
  const dataDir = makeDataDir()
  writeConfig(dataDir, [{ name: 'Zebra', uri }])
  return dataDir
}

function writeConfig(dataDir: string, printers: object[]): void {
  const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual', printers }
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
}

async function start(dataDir: string): Promise<ChildProcess> {
  const env = { ...process.env, PLATEN_LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [MAIN, 'run', '--data-dir', dataDir], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

const print = (document: Buffer) => service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document).jobId

const endOf = (jobId: string) =>
  waitFor(() => {
    const report = service.reportsOf(jobId).find(({ state }) => state !== ReportedState.PRINTING)
    if (!report) throw new Error('not ended yet')
    return report
  })

test('a printer of the configuration is reported beside the others, and prints', async () => {
  const device = await startRawPrinter()
  await start(configure(device.uri))
  const reported = service.heard('hello')[0]?.printers?.printers
  expect(reported?.map(({ osName }) => osName)).toContain('Zebra')
  expect(reported).toHaveLength(5)
  const document = randomBytes(100_000)
  expect(await endOf(print(document))).toMatchObject({ state: ReportedState.DONE })
  expect(device.printed()).toEqual([document])
})

test('`printers` shows it beside a running agent, and writes nothing that the agent could trip over', async () => {
  const device = await startRawPrinter()
  const dataDir = configure(device.uri)
  const { stdout } = await run(process.execPath, [MAIN, 'printers', '--json', '--data-dir', dataDir])
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ osName: 'Zebra', state: 'online' }))
  expect(readdirSync(dataDir).filter((name) => !['agent.json', 'virtual'].includes(name))).toEqual([])
  await start(dataDir)
  const document = randomBytes(1_000)
  expect(await endOf(print(document))).toMatchObject({ state: ReportedState.DONE })
  await run(process.execPath, [MAIN, 'printers', '--json', '--data-dir', dataDir])
  expect(device.printed()).toEqual([document])
})

test('killed while it sends, the agent never sends a document twice, and says that the outcome is unknown', async () => {
  const device = await startRawPrinter('reads nothing')
  const dataDir = configure(device.uri)
  const jobIds: string[] = []
  const marks: string[] = []
  let sent = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await start(dataDir)
    const mark = randomUUID()
    marks.push(mark)
    jobIds.push(print(Buffer.concat([Buffer.from(mark), randomBytes(8_000_000)])))
    // The document is in part on its way, and stands still.
    await waitFor(() => expect(device.connections.filter(({ socket }) => socket.readableLength > 0)).not.toEqual([]))
    await sleep(Math.random() * 20)
    for (const { socket } of device.connections.splice(0)) if (socket.readableLength > 0) sent++
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  expect(sent).toBe(KILLS)
  device.behaviour = 'prints'
  await start(dataDir)
  for (const jobId of jobIds)
    expect(await endOf(jobId)).toMatchObject({ state: ReportedState.ERROR, reasons: ['unconfirmed'] })
  const last = randomBytes(1_000)
  expect(await endOf(print(last))).toMatchObject({ state: ReportedState.DONE })
  expect(device.printed()).toEqual([last])
  expect(marks.filter((mark) => device.begun().some(({ bytes }) => bytes.includes(mark)))).toEqual([])
}, 180_000)

test('killed at random moments, the agent sends each document at most once, and reports what became of all', async () => {
  const device = await startRawPrinter()
  const dataDir = configure(device.uri)
  const jobs = new Map<string, Buffer>()
  for (let round = 0; round < KILLS; round++) {
    const child = await start(dataDir)
    for (let index = 0; index < 4; index++) {
      const document = Buffer.concat([Buffer.from(randomUUID()), randomBytes(1_000_000)])
      jobs.set(print(document), document)
    }
    await sleep(Math.random() * 150)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start(dataDir)
  expect(service.heard('hello')).toHaveLength(KILLS + 1)
  const held = new Set(service.heard('hello').at(-1)?.heldJobIds)
  const received = new Set(service.heard('received').map(({ jobId }) => jobId))
  for (const [jobId, document] of jobs)
    if (!held.has(jobId) && !received.has(jobId))
      service.print({ jobId, attempt: 2, printerOsName: 'Zebra', contentType: 'raw_base64' }, document)
  for (const [jobId, document] of jobs) {
    const { state, reasons } = await endOf(jobId)
    const mark = document.subarray(0, 36)
    const begun = device.begun().filter(({ bytes }) => bytes.subarray(0, 36).equals(mark))
    expect(begun.length).toBeLessThanOrEqual(1)
    if (state === ReportedState.DONE) expect(begun[0]?.bytes.equals(document)).toBe(true)
    else expect(reasons).toEqual(['unconfirmed'])
  }
}, 180_000)

test('a job whose printer is taken out of the configuration ends, and nothing of it is printed', async () => {
  const device = await startRawPrinter()
  device.switchOff()
  const dataDir = configure(device.uri)
  const child = await start(dataDir)
  const jobId = print(randomBytes(1_000))
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(ReportedState.PRINTING))
  child.kill('SIGTERM')
  await once(child, 'exit')
  await device.switchOn()
  writeConfig(dataDir, [])
  await start(dataDir)
  expect(await endOf(jobId)).toMatchObject({ state: ReportedState.ERROR, reasons: ['printer-not-found'] })
  expect(device.begun()).toEqual([])
})

test('killed while the printer cannot be reached, the agent prints the job once it can', async () => {
  const device = await startRawPrinter()
  device.switchOff()
  const dataDir = configure(device.uri)
  const child = await start(dataDir)
  const document = randomBytes(1_000)
  const jobId = print(document)
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(ReportedState.PRINTING))
  child.kill('SIGKILL')
  await once(child, 'exit')
  await device.switchOn()
  await start(dataDir)
  expect(await endOf(jobId)).toMatchObject({ state: ReportedState.DONE })
  expect(device.printed()).toEqual([document])
})
