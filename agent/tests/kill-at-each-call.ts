/**
 * Kills an agent at each call of a spooler (or of the interface that the driver uses) and at each write to the journal,
 * before or after the call. The next agent starts with a copy of the data directory from that moment.
 */
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { Agent } from '../agent.ts'
import { openDocuments } from '../documents.ts'
import { SYSTEM_CLOCK, toExpiry } from '../expiry.ts'
import { follow } from '../jobs/follow.ts'
import { handOver } from '../jobs/hand-over.ts'
import { requestPermission } from '../jobs/permission.ts'
import { createRemovals } from '../jobs/removals.ts'
import { createTasks } from '../jobs/tasks.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import type { Phase } from '../journal/phases.ts'
import type { Spooler, SpoolerState, Submitted } from '../spoolers/spooler.ts'
import { makeDataDir, QUICK } from './start-agent.ts'

const MOMENTS = ['before', 'after'] as const
const JOURNAL_WRITES = ['move', 'finish', 'progress', 'durable']

/** The parent of data directories: in memory if possible. */
export const PARENT = existsSync('/dev/shm') ? '/dev/shm' : undefined

/** The result of a call of a killed agent. */
const never = () => new Promise<never>(() => undefined)

export type Kill = ReturnType<typeof createKill>

/** @param at the number of the call, from 0. */
function createKill(dataDir: string, at: number, moment: (typeof MOMENTS)[number]) {
  let calls = 0
  const names: string[] = []
  let copiedDir = ''
  const killed = new AbortController()
  const { promise: end, resolve } = Promise.withResolvers<'killed'>()

  function kill(): void {
    copiedDir = makeDataDir(PARENT)
    cpSync(dataDir, copiedDir, { recursive: true, filter: (path) => !path.endsWith('.sock') })
    killed.abort()
    resolve('killed')
  }

  async function call<T>(work: () => T | Promise<T>): Promise<T> {
    if (killed.signal.aborted) return await never()
    const isLast = calls++ === at
    if (isLast && moment === 'before') kill()
    if (killed.signal.aborted) return await never()
    try {
      return await work()
    } finally {
      if (isLast) kill()
      if (killed.signal.aborted) await never()
    }
  }

  async function* iterate(states: AsyncIterable<SpoolerState>) {
    const iterator = states[Symbol.asyncIterator]()
    for (let next = await call(() => iterator.next()); !next.done; next = await call(() => iterator.next()))
      yield next.value
  }

  return {
    end,
    signal: killed.signal,
    call,
    names,
    dataDir: () => copiedDir,

    /** Wraps all methods of the target, and of returned objects with a `jobId`. */
    wrap<T extends object>(target: T): T {
      return new Proxy(target, {
        get: (_, name) => {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          if (name === 'watch') return (...parameters: unknown[]) => iterate(member.apply(target, parameters))
          return async (...parameters: unknown[]) => {
            names.push(String(name))
            const result: unknown = await call(() => member.apply(target, parameters))
            const isDocument = typeof result === 'object' && result !== null && 'jobId' in result
            return isDocument ? this.wrap(result) : result
          }
        },
      })
    },

    /** Wraps the writes of the journal, which are synchronous. Those of a killed agent throw. */
    wrapJournal(journal: Journal): Journal {
      return new Proxy(journal, {
        get(_, name) {
          const member = Reflect.get(journal, name)
          if (!JOURNAL_WRITES.includes(String(name))) return member
          if (name === 'durable')
            return () => {
              names.push('durable')
              return call(() => journal.durable())
            }
          return (...parameters: unknown[]) => {
            names.push(name === 'move' ? String(parameters[2]) : String(name))
            const isLast = !killed.signal.aborted && calls++ === at
            if (isLast && moment === 'before') kill()
            killed.signal.throwIfAborted()
            const result: unknown = Reflect.apply(member, journal, parameters)
            if (isLast) kill()
            killed.signal.throwIfAborted()
            return result
          }
        },
      })
    },
  }
}

/** The printer of a job over the runs of several agents. */
export interface TestPrinter {
  printerOsName: string
  /** Opens the spooler for one run of the agent. @param kill absent for the last run. */
  open(dataDir: string, kill?: Kill): Spooler
  /** The number of printed sheets, also partial ones. */
  sheets(): number
  /** Whether the outcome is known after each kill. */
  keepsOutcome: boolean
  /** Whether a job is held. */
  isHeld?(): boolean
}

/** The part of an agent that prints a job, with its journal. */
function openAgent(dataDir: string, printer: TestPrinter, kill?: Kill) {
  const opened = openJournal(join(dataDir, 'journal.sqlite'))
  const journal = kill ? kill.wrapJournal(opened) : opened
  const log = pino({ level: 'silent' })
  const stopping = kill?.signal ?? new AbortController().signal
  const documents = openDocuments(join(dataDir, 'documents'))
  const spooler = printer.open(dataDir, kill)
  const uplink = { notify: () => undefined, request: async () => kill?.names.push('Received') }
  const agent = {
    config: {},
    journal,
    documents,
    spooler,
    log,
    stopping,
    uplink,
    timings: QUICK,
    clock: SYSTEM_CLOCK,
  } as unknown as Agent
  const removals = createRemovals(agent, createTasks(agent))
  const reports = { deliver: () => undefined } as unknown as Parameters<typeof follow>[1]
  const print = async (id: string, isRemoved = false) => {
    if (isRemoved) removals.remove({ jobId: id } as Parameters<typeof removals.remove>[0])
    await handOver(agent, removals, reports, id)
    if (opened.get(id)?.phase !== 'released') return
    await removals.released(id)
    await follow(agent, reports, id)
  }
  return { journal: opened, print, requestPermission: (id: string) => requestPermission(agent, id) }
}

export interface JobFacts {
  content?: string | Buffer
  contentType?: string
  qty?: number
  /** The service removes the job while the agent does not run. */
  isRemoved?: boolean
  /** Only every n-th call is tested. */
  step?: number
}

/** Prints one job for each call at which an agent is killed. @returns the number of kills. */
export async function killAtEachCall(createPrinter: () => Promise<TestPrinter>, facts: JobFacts = {}): Promise<number> {
  let kills = 0
  const killBy = async (moment: (typeof MOMENTS)[number]) => {
    for (let at = 0; await killOnce(await createPrinter(), facts, at, moment); at += facts.step ?? 1) kills++
  }
  await Promise.all(MOMENTS.map(killBy))
  return kills
}

/** Prints one job. @returns the writes to the journal, with the phases of its moves, and the calls, in their order. */
export async function recordCalls(printer: TestPrinter): Promise<string[]> {
  const id = randomUUID()
  const { dataDir } = await makeJob(id, 'staged', printer)
  const kill = createKill(dataDir, -1, 'before')
  const agent = openAgent(dataDir, printer, kill)
  await agent.requestPermission(id)
  agent.journal.move(id, 'staged', 'granted')
  await agent.print(id)
  agent.journal.close()
  return kill.names
}

/** @returns whether the first agent was killed before it finished the job. */
async function killOnce(
  printer: TestPrinter,
  facts: JobFacts,
  at: number,
  moment: (typeof MOMENTS)[number],
): Promise<boolean> {
  const id = randomUUID()
  const { dataDir } = await makeJob(id, 'granted', { ...facts, printerOsName: printer.printerOsName })
  const kill = createKill(dataDir, at, moment)
  const first = openAgent(dataDir, printer, kill)
  const outcome = await Promise.race([
    kill.end,
    first.print(id).catch(async (error: unknown) => (kill.signal.aborted ? await never() : Promise.reject(error))),
  ])
  first.journal.close()
  const sheets = printer.sheets()
  const isKilled = outcome === 'killed'
  const second = openAgent(isKilled ? kill.dataDir() : dataDir, printer)
  await second.print(id, facts.isRemoved)
  const entry = second.journal.get(id)
  second.journal.close()
  expectAtMostOnce(printer, facts, sheets, entry, `killed ${moment} call ${at}`)
  return isKilled
}

function expectAtMostOnce(
  printer: TestPrinter,
  { isRemoved }: JobFacts,
  before: number,
  entry: JournalEntry | undefined,
  at: string,
) {
  const sheets = printer.sheets()
  expect(sheets, at).toBeLessThanOrEqual(1)
  expect(printer.isHeld?.() ?? false, at).toBe(false)
  if (entry?.phase === 'done') expect(sheets, at).toBe(1)
  else if (isRemoved && entry?.phase === 'refused') expect(sheets, at).toBe(0)
  else {
    const reason = isRemoved ? expect.stringMatching(/^(unconfirmed|job-canceled-by-user)$/) : 'unconfirmed'
    expect(entry, at).toMatchObject({ phase: 'error', outcome: { reasons: [reason] } })
  }
  if (isRemoved) expect(sheets, at).toBe(before)
  else if (printer.keepsOutcome) expect(entry?.phase, at).toBe('done')
}

const PHASES = ['staged', 'granted', 'handing', 'held', 'releasing', 'released'] as const

/** A data directory with a job in this phase. */
export async function makeJob(
  id: string,
  phase: Phase,
  { content = `%PDF-1.7 ${id}`, spooler, ...options }: JobFacts & { printerOsName?: string; spooler?: Spooler } = {},
) {
  const dataDir = makeDataDir(PARENT)
  const document = Buffer.from(content as string)
  const file = join(dataDir, 'documents', id)
  mkdirSync(join(dataDir, 'documents'))
  writeFileSync(file, document)
  const facts = {
    ...{ id, attempt: 1, title: 'Invoice', options: {}, receivedAt: new Date() },
    ...toExpiry(SYSTEM_CLOCK, 3600),
    printerOsName: options.printerOsName ?? 'Test A4 Laser',
    contentType: options.contentType ?? 'pdf_base64',
    qty: options.qty ?? 1,
    fileSizeBytes: document.length,
    fileSha256: createHash('sha256').update(document).digest('hex'),
  }
  const lost: Submitted = { spoolerJobId: 'lost', warnings: [] }
  const submitted = (await spooler?.submitHeld({ ...facts, token: id, file })) ?? lost
  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  journal.stage(facts, journal.nextSequence())
  for (const [index, to] of PHASES.slice(1, PHASES.indexOf(phase as 'staged') + 1).entries())
    journal.move(id, PHASES[index] ?? 'staged', to, to === 'held' ? submitted : undefined)
  journal.close()
  return { dataDir }
}
