/**
 * Kills an agent at its n-th call of a spooler (or of what the driver uses instead) or at its n-th write to the journal, before the call or
 * after it. The next agent starts with a copy of the data directory as it was at that moment.
 */
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { Agent } from '../agent.ts'
import { openDocuments } from '../documents.ts'
import { follow } from '../jobs/follow.ts'
import { handOver } from '../jobs/hand-over.ts'
import { createRemovals } from '../jobs/removals.ts'
import { createTasks } from '../jobs/tasks.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import type { Phase } from '../journal/phases.ts'
import type { Spooler, SpoolerState, Submitted } from '../spoolers/spooler.ts'
import { makeDataDir, QUICK } from './start-agent.ts'

const MOMENTS = ['before', 'after'] as const
const JOURNAL_WRITES = ['move', 'finish', 'printing', 'durable']

/** In memory if possible. */
export const PARENT = existsSync('/dev/shm') ? '/dev/shm' : undefined

/** The promise of a call of a dead agent. */
const never = () => new Promise<never>(() => undefined)

export type Death = ReturnType<typeof createDeath>

function createDeath(dataDir: string, at: number, moment: (typeof MOMENTS)[number]) {
  let calls = 0
  let left = ''
  const dead = new AbortController()
  const { promise: died, resolve } = Promise.withResolvers<'dead'>()

  function die(): void {
    left = makeDataDir(PARENT)
    cpSync(dataDir, left, { recursive: true, filter: (path) => !path.endsWith('.sock') })
    dead.abort()
    resolve('dead')
  }

  async function call<T>(work: () => T | Promise<T>): Promise<T> {
    if (dead.signal.aborted) return await never()
    const isLast = calls++ === at
    if (isLast && moment === 'before') die()
    if (dead.signal.aborted) return await never()
    try {
      return await work()
    } finally {
      if (isLast) die()
      if (dead.signal.aborted) await never()
    }
  }

  async function* iterate(states: AsyncIterable<SpoolerState>) {
    const iterator = states[Symbol.asyncIterator]()
    for (let next = await call(() => iterator.next()); !next.done; next = await call(() => iterator.next()))
      yield next.value
  }

  return {
    died,
    signal: dead.signal,
    call,
    left: () => left,

    /** All methods of the target, and of the objects with a `jobId` that they return. */
    wrap<T extends object>(target: T): T {
      return new Proxy(target, {
        get: (_, name) => {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          if (name === 'watch') return (...given: unknown[]) => iterate(member.apply(target, given))
          return async (...given: unknown[]) => {
            const answer: unknown = await call(() => member.apply(target, given))
            const isDocument = typeof answer === 'object' && answer !== null && 'jobId' in answer
            return isDocument ? this.wrap(answer) : answer
          }
        },
      })
    },

    /** Its writes, which are synchronous: those of a dead agent throw. */
    wrapJournal(journal: Journal): Journal {
      return new Proxy(journal, {
        get(_, name) {
          const member = Reflect.get(journal, name)
          if (!JOURNAL_WRITES.includes(String(name))) return member
          if (name === 'durable') return () => call(() => journal.durable())
          return (...given: unknown[]) => {
            const isLast = !dead.signal.aborted && calls++ === at
            if (isLast && moment === 'before') die()
            dead.signal.throwIfAborted()
            const answer: unknown = Reflect.apply(member, journal, given)
            if (isLast) die()
            dead.signal.throwIfAborted()
            return answer
          }
        },
      })
    },
  }
}

/** What the job is printed on, over the lives of several agents. */
export interface Printing {
  printerOsName: string
  /** For one life. Without a death it is the last one. */
  open(dataDir: string, death?: Death): Spooler
  /** How many sheets have come out, also in part. */
  sheets(): number
  /** Whether the outcome is known after each death. */
  remembers: boolean
  /** Whether a job waits there for its release. */
  isHeld?(): boolean
}

/** The part of an agent that prints a job, with its journal. */
function openAgent(dataDir: string, printing: Printing, death?: Death) {
  const opened = openJournal(join(dataDir, 'journal.sqlite'))
  const journal = death ? death.wrapJournal(opened) : opened
  const log = pino({ level: 'silent' })
  const stopping = death?.signal ?? new AbortController().signal
  const documents = openDocuments(join(dataDir, 'documents'))
  const spooler = printing.open(dataDir, death)
  const uplink = { notify: () => undefined }
  const agent = { journal, documents, spooler, log, stopping, uplink, timings: QUICK } as unknown as Agent
  const removals = createRemovals(agent, createTasks(log, stopping))
  const reports = { deliver: () => undefined } as unknown as Parameters<typeof follow>[1]
  const print = async (id: string, isRemoved = false) => {
    if (isRemoved) removals.remove({ jobId: id } as Parameters<typeof removals.remove>[0])
    await handOver(agent, removals, id)
    if (opened.get(id)?.phase !== 'released') return
    await removals.released(id)
    await follow(agent, reports, id)
  }
  return { journal: opened, print }
}

export interface Life {
  content?: string | Buffer
  contentType?: string
  qty?: number
  /** The service gives the job up while the agent is dead. */
  isRemoved?: boolean
  /** Of so many calls one is tried. */
  step?: number
}

/** A death at each call, one after the other. @returns how many there were. */
export async function dieAtEachCall(makePrinting: () => Promise<Printing>, life: Life = {}): Promise<number> {
  let deaths = 0
  const dieBy = async (moment: (typeof MOMENTS)[number]) => {
    for (let at = 0; await dieOnce(await makePrinting(), life, at, moment); at += life.step ?? 1) deaths++
  }
  await Promise.all(MOMENTS.map(dieBy))
  return deaths
}

/** @returns whether the first agent died before the job was printed. */
async function dieOnce(printing: Printing, life: Life, at: number, moment: (typeof MOMENTS)[number]): Promise<boolean> {
  const id = randomUUID()
  const { dataDir } = await makeJob(id, 'granted', { ...life, printerOsName: printing.printerOsName })
  const death = createDeath(dataDir, at, moment)
  const first = openAgent(dataDir, printing, death)
  const outcome = await Promise.race([
    death.died,
    first.print(id).catch(async (error: unknown) => (death.signal.aborted ? await never() : Promise.reject(error))),
  ])
  first.journal.close()
  const sheets = printing.sheets()
  const isDead = outcome === 'dead'
  const second = openAgent(isDead ? death.left() : dataDir, printing)
  await second.print(id, life.isRemoved)
  const entry = second.journal.get(id)
  second.journal.close()
  judge(printing, life, sheets, entry, `died ${moment} call ${at}`)
  return isDead
}

function judge(printing: Printing, { isRemoved }: Life, before: number, entry: JournalEntry | undefined, at: string) {
  const sheets = printing.sheets()
  expect(sheets, at).toBeLessThanOrEqual(1)
  expect(printing.isHeld?.() ?? false, at).toBe(false)
  if (entry?.phase === 'done') expect(sheets, at).toBe(1)
  else if (isRemoved && entry?.phase === 'refused') expect(sheets, at).toBe(0)
  else {
    const reason = isRemoved ? expect.stringMatching(/^(unconfirmed|job-canceled-by-user)$/) : 'unconfirmed'
    expect(entry, at).toMatchObject({ phase: 'error', outcome: { reasons: [reason] } })
  }
  if (isRemoved) expect(sheets, at).toBe(before)
  else if (printing.remembers) expect(entry?.phase, at).toBe('done')
}

const PHASES = ['staged', 'granted', 'handing', 'held', 'releasing', 'released'] as const

/** A data directory with a job in this phase. */
export async function makeJob(
  id: string,
  phase: Phase,
  { content = `%PDF-1.7 ${id}`, spooler, ...given }: Life & { printerOsName?: string; spooler?: Spooler } = {},
) {
  const dataDir = makeDataDir(PARENT)
  const document = Buffer.from(content as string)
  const file = join(dataDir, 'documents', id)
  mkdirSync(join(dataDir, 'documents'))
  writeFileSync(file, document)
  const facts = {
    ...{ id, attempt: 1, title: 'Invoice', options: {}, traceparent: '' },
    printerOsName: given.printerOsName ?? 'Test A4 Laser',
    contentType: given.contentType ?? 'pdf_base64',
    qty: given.qty ?? 1,
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
