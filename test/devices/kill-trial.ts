/**
 * A random printer, random jobs, a random fault and a kill of the sending process at a random moment. The next process
 * continues with the directory. What must never happen is that of `trial.ts`, and: a job that had not begun is printed
 * once, at most one job ends as unknown, and another printer prints meanwhile.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Spooler, SpoolerState, Submission } from '../../agent/spoolers/spooler.ts'
import { makeDataDir } from '../../agent/tests/start-agent.ts'
import { makeSubmission } from '../../agent/tests/submission.ts'
import type { Device } from './device.ts'
import { type Ended, type Kill, MOMENTS, readClock, type Sending } from './kill-moment.ts'
import { useZebra } from './print-on.ts'
import { countIn, createScenario, type Ordered, order, settle, startFault } from './scenario.ts'
import { openSpooler, PRINTER } from './spooler.ts'

const OTHER = 'Other'
/** From the clock of this process to that of all. */
const CLOCK_OFFSET_MS = readClock() - performance.now()
/** `DLE ENQ`, `DLE DC4`, and commands that cancel, pause or set. */
const FORBIDDEN = ['\x10\x05', '\x10\x14', '~JA', '~PS', 'setvar', '@PJL SET', '@PJL DEFAULT']

export async function runKillTrial(seed: number): Promise<{ violations: string[]; description: string }> {
  const { random, language, traits, jobs, fault, device, description } = await createScenario(seed)
  const other = await useZebra({ sheetMs: 5 })
  const dir = makeDataDir()
  const devices = [
    { name: PRINTER, uri: device.uri, language },
    { name: OTHER, uri: other.uri, language: 'zpl' as const },
  ]
  const submissions = jobs.map(({ document, qty, contentType = 'raw_base64' }) =>
    makeSubmission(document, PRINTER, { qty, contentType }),
  )
  const victim = random.integer(0, jobs.length - 1)
  const bytes = (jobs[victim]?.document.length ?? 1) * (jobs[victim]?.qty ?? 1)
  const moment = random.pick(MOMENTS)
  const kill: Kill = {
    moment,
    token: submissions[victim]?.token ?? '',
    afterMs: random.integer(0, 300),
    bytes: moment === 'document' ? random.integer(1, bytes - 1) : bytes,
  }
  const happening = startFault(device, fault)
  const ended = await runUntilKilled({ dir, devices, submissions, kill })
  const spooler = openSpooler(dir, devices)
  onTestFinished(() => void spooler.close?.())
  spooler.start?.()
  const faultsOfOther = useOther(spooler, other)
  const states = await Promise.all(submissions.map(({ token }) => continueJob(spooler, token)))
  await happening.end
  const next = { ...order(jobs.length, language, random), qty: 1 }
  await settle(device, fault, traits.sheetMs)
  const violations = findViolations({ jobs, submissions, states, ended, device, hadPowerCut: happening.hadPowerCut })
  const last = await printNext(spooler, next)
  await settle(device, fault, traits.sheetMs)
  await waitUntil(() => count(device, next) >= next.sheets || (traits.losesAtEnd && !isKnown(states)))
  if (last.is !== 'completed') violations.push(`the next job: ${last.message}`)
  const printed = count(device, next)
  const canLose = traits.losesAtEnd && !isKnown(states)
  if (printed !== next.sheets && !(canLose && printed < next.sheets)) violations.push('the next job is not intact')
  violations.push(...(await faultsOfOther))
  for (const command of FORBIDDEN)
    if (device.received().includes(Buffer.from(command, 'latin1'))) violations.push(`sends ${JSON.stringify(command)}`)
  return { violations, description: JSON.stringify({ ...description, kill }) }
}

interface End {
  state: SpoolerState
  atMs: number
}

/** @returns the jobs that had ended before. */
async function runUntilKilled(sending: Sending): Promise<Ended[]> {
  const ended: Ended[] = []
  const options = { execArgv: ['--no-warnings'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as never }
  const child = fork(join(import.meta.dirname, 'sender.ts'), [JSON.stringify(sending)], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  child.on('message', (message) => ended.push(message as Ended))
  const [, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(40_000) })
  if (signal !== 'SIGKILL') throw new Error('the process was not killed')
  return ended
}

/** Releases a job that is still held, and follows others, as the agent does. */
async function continueJob(spooler: Spooler, token: string): Promise<End | undefined> {
  const found = await spooler.find(token)
  if (!found) return undefined
  if (found.state.is === 'held') await spooler.release(found.spoolerJobId)
  const state = await follow(spooler, found.spoolerJobId)
  return state && { state, atMs: readClock() }
}

async function follow(spooler: Spooler, id: string): Promise<SpoolerState | undefined> {
  let last: SpoolerState | undefined
  try {
    for await (const state of spooler.watch(id, AbortSignal.timeout(30_000))) last = state
  } catch {
    return undefined
  }
  return last
}

async function printNext(spooler: Spooler, { document, contentType = 'raw_base64' }: Ordered): Promise<SpoolerState> {
  return await print(spooler, makeSubmission(document, PRINTER, { contentType }))
}

async function print(spooler: Spooler, submission: Submission): Promise<SpoolerState> {
  const { spoolerJobId } = await spooler.submitHeld(submission)
  await spooler.release(spoolerJobId)
  return (await follow(spooler, spoolerJobId)) ?? { is: 'aborted', message: 'does not end', reasons: [] }
}

/** @returns a sentence if another printer has not printed. */
async function useOther(spooler: Spooler, other: Device): Promise<string[]> {
  await spooler.printers()
  const { is } = await print(spooler, makeSubmission('^XA^FDother^FS^XZ', OTHER))
  const isPrinted = await waitUntil(() => other.sheets.length === 1)
  return is === 'completed' && isPrinted ? [] : ['another printer did not print']
}

/** @returns whether it was so within 5 s. */
async function waitUntil(isSo: () => boolean): Promise<boolean> {
  for (const until = performance.now() + 5_000; !isSo() && performance.now() < until; ) await sleep(20)
  return isSo()
}

/** A receipt that a kill has cut off can be on the sheet of the next one. */
const count = (device: Device, { name }: Ordered) => device.sheets.filter(({ text }) => text.includes(name)).length

/** A printer that loses its buffer at the end of a connection, and has never answered, loses jobs. */
const isKnown = (ends: (End | undefined)[]) => ends.some((end) => end?.state.confirmedBy === 'printer')

interface Facts {
  jobs: Ordered[]
  submissions: Submission[]
  states: (End | undefined)[]
  ended: Ended[]
  device: Device
  hadPowerCut: boolean
}

function findViolations({ jobs, submissions, states, ended, device, hadPowerCut }: Facts): string[] {
  const violations: string[] = []
  const isUnknown = (end: End | undefined) => end?.state.message?.startsWith('The agent ended') ?? false
  if (states.filter(isUnknown).length > 1) violations.push('more than one job is unknown')
  for (const [index, job] of jobs.entries()) {
    const end = states[index]
    const { state } = end ?? {}
    const add = (text: string) => void violations.push(`${job.name}: ${text}`)
    const expected = job.qty * job.sheets
    const printed = count(device, job)
    if (!state) add('does not end')
    if (printed > expected) add(`${printed} sheets instead of ${expected}`)
    if (state?.is === 'aborted' && !isUnknown(end) && !hadPowerCut) add(`${state.message}`)
    if (state?.is !== 'completed') continue
    if (state.confirmedBy === 'printer' && printed < expected) add(`confirmed with ${printed} of ${expected} sheets`)
    if (isKnown(states.slice(0, index + 1)) && !hadPowerCut && printed < expected)
      add(`lost, ${printed} of ${expected} sheets`)
    if (countIn(device.received(), job.document) < job.qty && !hadPowerCut) add('a question is inside of the document')
    const { atMs = 0 } = ended.find(({ token }) => token === submissions[index]?.token) ?? end ?? {}
    const lastMs = device.sheets.findLast(({ text }) => text.includes(job.name))?.atMs ?? 0
    if (state.confirmedBy === 'printer' && lastMs + CLOCK_OFFSET_MS > atMs) add('confirmed before its last sheet')
  }
  return violations
}
