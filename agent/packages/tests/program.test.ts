/** Memory and wake-ups of the packaged program while it is idle. Linux only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { INSPECT_PDFS } from '../../spoolers/pdf/inspections.ts'
import { CREDENTIAL, startScriptedService } from '../../tests/scripted-service.ts'
import { buildPackages } from '../build-packages.ts'
import { run } from '../run.ts'
import { getTarget } from '../targets.ts'
import { getPrivateBytes, IDLE_PRIVATE_MAX_BYTES } from './memory.ts'

const WINDOW_MS = 10_000

/** A heartbeat wakes the agent when it is sent, when its bytes are written, and when the answer arrives. */
const WAKE_UPS_PER_HEARTBEAT = 3

/** Polls of the printers, and garbage collection of V8. */
const WAKE_UPS_OF_POLLS = 24

/**
 * Timeouts of the start of two agents, of 201 jobs, and of the garbage collection after work, with other load on the
 * machine.
 */
const START_TIMEOUT_MS = 60_000
const PRINT_TIMEOUT_MS = 100_000
const IDLE_TIMEOUT_MS = 90_000

describe.skipIf(process.platform !== 'linux')('the packaged agent', () => {
  let dir: string
  let program: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'platen-program-'))
    const [archive = ''] = await buildPackages({ target: getTarget('linux', process.arch), out: dir })
    await run('tar', ['-xzf', archive, '-C', dir])
    program = join(dir, 'usr/bin/platen-agent')
  }, 120_000)
  afterAll(() => rm(dir, { recursive: true }))

  function start({ onTestFinished }: TestContext, ...args: string[]): ChildProcess {
    const env = { PATH: process.env.PATH, PLATEN_VIRTUAL_PRINT_MS: '20' }
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  test.concurrent('starts the process that inspects PDFs', async ({ expect, onTestFinished }) => {
    const child = spawn(program, [INSPECT_PDFS], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const file = join(await mkdtemp(join(dir, 'pdf-')), 'document')
    await writeFile(file, buildPdf({ pages: 2 }))
    child.send({ file })
    const [answer] = await once(child, 'message')
    expect(answer).toMatchObject({ result: { info: { pages: 2 } } })
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test.concurrent('needs less than 60 MB of private memory while idle, also after work, and wakes only for heartbeats', {
    timeout: START_TIMEOUT_MS + PRINT_TIMEOUT_MS + 3 * IDLE_TIMEOUT_MS,
  }, async (context) => {
    const { expect, onTestFinished } = context
    const service = await startScriptedService()
    onTestFinished(() => service.stop())
    service.heartbeatSeconds = 2
    const dataDir = await mkdtemp(join(dir, 'data-'))
    const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual' }
    await writeFile(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
    const child = start(context, 'run', '--data-dir', dataDir)
    child.stdout?.resume()
    const { pid = 0 } = child

    await waitFor(() => expect(service.getMessages('hello')).toHaveLength(1), START_TIMEOUT_MS)
    await waitFor(() => expectIdle(pid, service), IDLE_TIMEOUT_MS)
    expect(await getPrivateBytes(pid)).toBeLessThan(IDLE_PRIVATE_MAX_BYTES)

    const jobs = Array.from({ length: 200 }, () => service.print())
    const label = { printerOsName: 'Test Label 4x6', contentType: 'raw_base64' }
    jobs.push(service.print(label, Buffer.from(`^XA${' '.repeat(25e6)}^XZ`)))
    const isDone = ({ jobId }: { jobId: string }) => service.getReports(jobId).at(-1)?.state === ReportedState.DONE
    await waitFor(() => expect(jobs.every(isDone)).toBe(true), PRINT_TIMEOUT_MS)
    await waitFor(() => expectIdle(pid, service), IDLE_TIMEOUT_MS)
    await waitFor(async () => expect(await getPrivateBytes(pid)).toBeLessThan(IDLE_PRIVATE_MAX_BYTES), IDLE_TIMEOUT_MS)
    expect(service.getMessages('hello')).toHaveLength(1)
  })
})

/** Counts the wake-ups of all threads for `WINDOW_MS`. */
async function expectIdle(pid: number, service: { getMessages(kind: 'heartbeat'): unknown[] }): Promise<void> {
  const [switches, heartbeats] = [await countVoluntarySwitches(pid), service.getMessages('heartbeat').length]
  await sleep(WINDOW_MS)
  const wakeUps = (await countVoluntarySwitches(pid)) - switches
  const newHeartbeats = service.getMessages('heartbeat').length - heartbeats
  expect(wakeUps).toBeLessThanOrEqual(newHeartbeats * WAKE_UPS_PER_HEARTBEAT + WAKE_UPS_OF_POLLS)
}

/** The number of voluntary context switches of all threads, which equals their wake-ups. */
async function countVoluntarySwitches(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const texts = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/status`, 'utf8')))
  return texts.reduce((sum, status) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]), 0)
}
