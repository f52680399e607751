import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

const JOBS = 200
/** The processes are back within seconds; a job that was on its way then waits at most for one resend. */
const ALL_FINAL_WITHIN_MS = 90_000

let platen: Platen

afterEach(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
})

const LEGAL = /^queued,(sent,(queued,)?)+(received,printing,done)$/

async function killPart(name: string): Promise<void> {
  const pid = await platen.pidOf(name)
  process.kill(pid, 'SIGKILL')
  await waitFor(async () => expect(await platen.pidOf(name)).not.toBe(pid))
}

/** Creates a job; a creation that failed with a 5xx or a cut connection is none that was accepted. */
async function tryToCreate(printerId: string, n: number): Promise<string | undefined> {
  const body = {
    printerId,
    title: `Job ${n}`,
    contentType: 'pdf_base64',
    content: makePdf(`Job ${n}`).toString('base64'),
  }
  const answer = await platen.api.post('/v1/printjobs', body).catch((error: unknown) => ({ status: 0, body: error }))
  if (answer.status === 201) return answer.body.id
  expect(answer.status === 0 || answer.status >= 500, JSON.stringify(answer.body)).toBe(true)
  return undefined
}

/** Runs 200 jobs and lets `fault` happen three times meanwhile. */
async function printThrough(fault: () => Promise<void>): Promise<string[]> {
  const printer = await platen.api.printer('Test A4 Laser')
  const accepted: string[] = []
  let created = 0
  const create = async () => {
    while (created < JOBS) {
      const id = await tryToCreate(printer.id, created)
      if (!id) continue
      created++
      accepted.push(id)
    }
  }
  const inject = async () => {
    for (const at of [40, 90, 140]) {
      await waitFor(() => expect(created).toBeGreaterThan(at), 60_000)
      await fault()
    }
  }
  await Promise.all([inject(), ...Array.from({ length: 4 }, create)])
  return accepted
}

interface HandOver {
  call: string
  token: string
}

async function releases(): Promise<string[]> {
  const log = await readFile(join(platen.dataDir, 'agents/test/virtual/handovers.jsonl'), 'utf8')
  const calls = log
    .trim()
    .split('\n')
    .map((line): HandOver => JSON.parse(line))
  return calls.filter(({ call }) => call === 'release').map(({ token }) => token)
}

async function expectNothingLostOrDoubled(accepted: string[]): Promise<void> {
  const deadline = performance.now() + ALL_FINAL_WITHIN_MS
  for (const id of accepted) {
    const job = await platen.api.waitUntilFinal(id, Math.max(1_000, deadline - performance.now()))
    expect(job, id).toMatchObject({ state: 'done' })
    expect((await platen.api.eventStates(id)).join(','), id).toMatch(LEGAL)
  }
  const released = await releases()
  expect(released.length, 'a job was handed to the spooler twice').toBe(new Set(released).size)
  expect(released).toEqual(expect.arrayContaining(accepted))
}

test.each(['jobs', 'devices', 'nats-server', 'agent', 'gateway', 'accounts'])(
  'kill -9 of %s while 200 jobs run: each ends done by a legal path, handed over once',
  async (name) => {
    platen = await startPlaten()
    const accepted = await printThrough(() => killPart(name))
    expect(accepted).toHaveLength(JOBS)
    await expectNothingLostOrDoubled(accepted)
  },
  240_000,
)

test('nats-server killed and its store wiped while 200 jobs run: nothing is lost', async () => {
  platen = await startPlaten()
  const accepted = await printThrough(async () => {
    await rm(join(platen.dataDir, 'nats'), { recursive: true, force: true })
    await killPart('nats-server')
  })
  await expectNothingLostOrDoubled(accepted)
}, 240_000)
