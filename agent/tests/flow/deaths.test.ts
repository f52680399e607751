/**
 * The agent's process is killed between each pair of calls of Windows, and once more inside each call: nothing is printed twice, nothing is
 * printed in part, and what was printed is never called anything but done or unconfirmed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makePages } from '../../../test/cups/build-pdf.ts'
import type { Agent } from '../../agent.ts'
import { openDocuments } from '../../documents.ts'
import { createFlows } from '../../jobs/flows.ts'
import { follow } from '../../jobs/follow.ts'
import { handOver } from '../../jobs/hand-over.ts'
import { createRemovals } from '../../jobs/removals.ts'
import { openJournal } from '../../journal/journal.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import { createWindowsSpooler } from '../../spoolers/windows/windows-spooler.ts'
import type { Winspool } from '../../spoolers/windows/winspool.ts'
import { makeDataDir, QUICK } from '../start-agent.ts'
import { createFakeWinspool, type FakeWinspool } from '../windows/fake-winspool.ts'

const TIMINGS = { quickMs: 1, quickForMs: 1_000, slowMs: 1, deletedWithinMs: 100 }

/** Never answered: who waits for it is dead. */
const never = () => new Promise<never>(() => undefined)

type Died = 'before the call' | 'before its answer'

/** Windows as a process sees it that is killed at its n-th call. */
function mortal(winspool: Winspool, callsUntilDeath: number, how: Died) {
  let calls = 0
  const { promise: death, resolve: die } = Promise.withResolvers<'dead'>()
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...call: unknown[]) => {
          if (calls > callsUntilDeath) return await never()
          const isLast = calls++ === callsUntilDeath
          const answer = isLast && how === 'before the call' ? undefined : Promise.resolve(member.apply(target, call))
          if (isLast) {
            await answer?.catch(() => undefined)
            die('dead')
            return await never()
          }
          const given: unknown = await answer
          const isDocument = typeof given === 'object' && given !== null && 'jobId' in given
          return isDocument ? wrap(given) : given
        }
      },
    })
  return { winspool: wrap(winspool), death }
}

/** A data directory in which a job has just been granted. */
function makeGranted(content: Buffer, contentType: string) {
  const dataDir = makeDataDir()
  const id = randomUUID()
  mkdirSync(join(dataDir, 'documents'))
  writeFileSync(join(dataDir, 'documents', id), content)
  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  const facts = {
    id,
    attempt: 1,
    printerOsName: 'Office',
    title: 'Label',
    contentType,
    qty: 2,
    options: {},
    fileSizeBytes: content.length,
    fileSha256: createHash('sha256').update(content).digest('hex'),
    traceparent: '',
  }
  journal.stage(facts, journal.nextSequence())
  journal.move(id, 'staged', 'granted')
  journal.close()
  return { dataDir, id }
}

/** The part of an agent that leads a job to paper, with its journal; the rest of it talks to the service. */
function open(dataDir: string, winspool: Winspool) {
  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  const log = pino({ level: 'silent' })
  const stopping = new AbortController().signal
  const documents = openDocuments(join(dataDir, 'documents'))
  const spooler = createWindowsSpooler(async () => winspool, TIMINGS)
  const agent = { journal, documents, spooler, log, stopping, timings: QUICK } as unknown as Agent
  const removals = createRemovals(agent, createFlows(log, stopping))
  const reports = { deliver: () => undefined } as unknown as Parameters<typeof follow>[1]
  return {
    journal,
    async carryOut(id: string) {
      await handOver(agent, removals, id)
      if (journal.get(id)?.phase === 'released') await follow(agent, reports, id)
    },
  }
}

/** A printer that prints whatever it may, at any time. */
function keepPrinting(fake: FakeWinspool) {
  const timer = setInterval(() => {
    fake.begin()
    fake.print()
  }, 1)
  return () => clearInterval(timer)
}

/** @returns whether the process was killed before it was through. */
async function runUntilKilled(fake: FakeWinspool, dataDir: string, id: string, callsUntilDeath: number, how: Died) {
  const { winspool, death } = mortal(fake.winspool, callsUntilDeath, how)
  const { journal, carryOut } = open(dataDir, winspool)
  const outcome = await Promise.race([carryOut(id), death])
  journal.close()
  return outcome === 'dead'
}

const RAW = {
  content: Buffer.from('^XA^FDlabel^FS^XZ'),
  contentType: 'raw_base64',
  printed: '^XA^FDlabel^FS^XZ'.repeat(2),
}
const PDF = {
  content: makePages([
    { width: 300, height: 300, content: '0 g 0 0 50 50 re f' },
    { width: 300, height: 300, content: '' },
  ]),
  contentType: 'pdf_base64',
  printed: '[#][][#][]',
}

/** What Windows does with what was open follows from nothing that is written down; whether it keeps printed jobs, from the print server. */
const CIRCUMSTANCES = (['before the call', 'before its answer'] as const).flatMap((how) =>
  (['dropped', 'taken'] as const).flatMap((left) => ['kept', 'gone'].map((ended) => ({ how, left, ended }))),
)

test.each([
  ...CIRCUMSTANCES.map((circumstances) => ({ ...RAW, ...circumstances })),
  // Drawing takes its time, and differs in nothing but what is written.
  ...CIRCUMSTANCES.filter(({ left, ended }) => left === 'taken' && ended === 'kept').map((rest) => ({
    ...PDF,
    ...rest,
  })),
])(
  '$contentType, killed $how, what was open is $left, printed jobs are $ended: printed once at most, killed wherever it is',
  async (rule) => {
    let point = 0
    for (let wasKilled = true; wasKilled; point++) {
      const fake = createFakeWinspool({ refuses: rule.ended === 'kept' ? [] : ['retain'] })
      const { dataDir, id } = makeGranted(rule.content, rule.contentType)
      const stopPrinting = keepPrinting(fake)
      wasKilled = await runUntilKilled(fake, dataDir, id, point, rule.how)
      fake.closeOpenDocuments(rule.left)
      fake.begin()
      fake.print()

      const { journal, carryOut } = open(dataDir, fake.winspool)
      await carryOut(id)
      stopPrinting()
      fake.print()
      const entry = journal.get(id)
      journal.close()

      const at = `killed at call ${point}`
      expect(fake.printed.length, at).toBeLessThanOrEqual(1)
      for (const { content, isComplete } of fake.printed) {
        expect(isComplete, at).toBe(true)
        expect(content.replaceAll(/#+/g, '#'), at).toBe(rule.printed)
      }
      if (entry?.phase === 'done') expect(fake.printed, at).toHaveLength(1)
      else expect(entry, at).toMatchObject({ phase: 'error', outcome: { reasons: ['unconfirmed'] } })
      if (rule.ended === 'kept') expect(entry?.phase, at).toBe('done')
      const isHeld = fake.jobs.some(({ status }) => (status & JOB_STATUS.paused) !== 0)
      expect(isHeld, at).toBe(false)
    }
    expect(point).toBeGreaterThan(10)
  },
  // Some fifty agents, each with a PDFium of its own.
  120_000,
)
