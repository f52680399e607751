/** What the agent holds: many jobs, and large documents. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../test/harness/wait-for.ts'
import { startRawPrinter } from './raw-printer.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from './scripted-service.ts'
import { makeDataDir, startAgent, virtualSpooler } from './start-agent.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')
const MB = 1024 * 1024
const DOCUMENTS = 6
const LARGEST_BYTES = 25 * MB

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

const outcomesOf = (jobIds: string[]) => jobIds.map((jobId) => service.reportsOf(jobId).at(-1)?.state)

test('500 jobs in the queue of a spooler that does not answer are all printed once after a restart', async () => {
  const dataDir = makeDataDir()
  const spooler = { ...virtualSpooler(dataDir), submitHeld: () => Promise.reject(new Error('the spooler is away')) }
  const first = startAgent(service, { dataDir, spooler })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  const jobIds = Array.from({ length: 500 }, () => service.print().jobId)
  await waitFor(() => expect(new Set(service.heard('received').map(({ jobId }) => jobId)).size).toBe(500), 60_000)
  await first.stop()
  const again = startAgent(service, { dataDir })
  await waitFor(() => expect(outcomesOf(jobIds)).toEqual(jobIds.map(() => ReportedState.DONE)), 60_000)
  const hello = service.heard('hello').at(-1)
  expect(hello?.heldJobIds.toSorted()).toEqual(jobIds.toSorted())
  expect(
    again
      .calls('release')
      .map(({ token }) => token)
      .toSorted(),
  ).toEqual(jobIds.toSorted())
  expect(again.calls('release').map(({ token }) => token)).toEqual(jobIds)
}, 150_000)

test.skipIf(process.platform !== 'linux')(
  `${DOCUMENTS} documents of 25 MB pass through the agent in less memory than 3 of them have`,
  async () => {
    const device = await startRawPrinter()
    const dataDir = makeDataDir()
    const printers = [{ name: 'Zebra', uri: device.uri }]
    const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual', printers }
    writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
    const env = { ...process.env, PLATEN_LOG_LEVEL: 'silent' }
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
    const child = spawn(process.execPath, [MAIN, 'run', '--data-dir', dataDir], { env, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'message')
    const before = peakBytes(child.pid)
    const document = randomBytes(LARGEST_BYTES)
    const jobIds = Array.from(
      { length: DOCUMENTS },
      () => service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, document).jobId,
    )
    await waitFor(() => expect(outcomesOf(jobIds)).toEqual(jobIds.map(() => ReportedState.DONE)), 90_000)
    const printed = device.printed()
    expect(printed.map(({ length }) => length)).toEqual(jobIds.map(() => LARGEST_BYTES))
    expect(printed.every((bytes) => bytes.equals(document))).toBe(true)
    expect(peakBytes(child.pid) - before).toBeLessThan(3 * LARGEST_BYTES)
  },
  150_000,
)

/** The most memory that a process ever had. */
function peakBytes(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
