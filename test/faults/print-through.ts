/** What all fault tests share: 200 jobs that are printed while something is killed, and what must be true of them afterwards. */
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { isAlive, type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

const JOBS = 200
const FAULT_AFTER_JOBS = [40, 90, 140]
/** What was killed is back within seconds; a job that was on its way then waits at most for one resend. */
const ALL_FINAL_WITHIN_MS = 90_000

const LEGAL = /^queued,(sent,(queued,)?)+(received,printing,done)$/

export async function startForOneTest(): Promise<Platen> {
  const platen = await startPlaten()
  onTestFinished(async () => {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  })
  return platen
}

/** Kills a part with -9 and comes back when the launcher has started it again. */
export async function killPart(platen: Platen, name: string): Promise<void> {
  const pid = await platen.pidOf(name)
  process.kill(pid, 'SIGKILL')
  await waitFor(() => expect(isAlive(pid)).toBe(false))
  await waitFor(async () => expect(await platen.pidOf(name)).not.toBe(pid))
}

/**
 * Kills nats-server, and lets it begin again with nothing. The store is moved away before, while the server is stopped and writes nothing: the
 * launcher starts it again so soon after its death that it might find the old one.
 */
export async function wipeNats(platen: Platen): Promise<void> {
  const store = join(platen.dataDir, 'nats')
  const lost = `${store}-lost`
  process.kill(await platen.pidOf('nats-server'), 'SIGSTOP')
  await rename(store, lost)
  await killPart(platen, 'nats-server')
  await rm(lost, { recursive: true })
}

/**
 * Has 200 jobs accepted, four at a time, and lets `fault` happen three times meanwhile.
 *
 * @returns the ids of the accepted jobs; a creation that failed with a 5xx or a cut connection is tried anew.
 */
export async function printThrough(platen: Platen, fault: () => Promise<void>): Promise<string[]> {
  const printer = await platen.api.printer('Test A4 Laser')
  const accepted: string[] = []
  const create = async () => {
    while (accepted.length < JOBS) {
      const title = `Job ${accepted.length}`
      const job = {
        printerId: printer.id,
        title,
        contentType: 'pdf_base64',
        content: makePdf(title).toString('base64'),
      }
      const answer = await platen.api.post('/v1/printjobs', job).catch((error: unknown) => ({ status: 0, body: error }))
      if (answer.status === 201) accepted.push(answer.body.id)
      else expect(answer.status === 0 || answer.status >= 500, JSON.stringify(answer.body)).toBe(true)
    }
  }
  const inject = async () => {
    for (const count of FAULT_AFTER_JOBS) {
      await waitFor(() => expect(accepted.length).toBeGreaterThan(count), 60_000)
      await fault()
    }
  }
  await Promise.all([inject(), create(), create(), create(), create()])
  return accepted
}

/** Each accepted job is done, by a legal path, and was released to the spooler exactly once. */
export async function expectNothingLostOrDoubled(platen: Platen, accepted: string[]): Promise<void> {
  const deadline = performance.now() + ALL_FINAL_WITHIN_MS
  for (const id of accepted) {
    const job = await platen.api.waitUntilFinal(id, Math.max(1_000, deadline - performance.now()))
    expect(job, id).toMatchObject({ state: 'done' })
    expect((await platen.api.eventStates(id)).join(','), id).toMatch(LEGAL)
  }
  const released = await releasedTokens(platen)
  expect(released.length, 'a job was handed to the spooler twice').toBe(new Set(released).size)
  expect(released).toEqual(expect.arrayContaining(accepted))
}

/** From the virtual spooler's record of the calls that it got. */
async function releasedTokens(platen: Platen): Promise<string[]> {
  const { computerId } = await platen.api.printer('Test A4 Laser')
  const log = await readFile(join(platen.dataDir, 'test-computers', computerId, 'virtual/handovers.jsonl'), 'utf8')
  const calls: { call: string; token: string }[] = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return calls.filter(({ call }) => call === 'release').map(({ token }) => token)
}
