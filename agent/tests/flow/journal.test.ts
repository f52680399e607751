import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PrintFacts } from '../../journal/entry.ts'
import { type Journal, openJournal } from '../../journal/journal.ts'
import { JournalInUse, JournalTooNew, openDatabase } from '../../journal/open-database.ts'
import type { Submitted } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const NO_OBSTACLES = { message: null, reasons: [] }

const FACTS: PrintFacts = {
  id: '019a0000-0000-7000-8000-000000000001',
  attempt: 1,
  printerOsName: 'Test A4 Laser',
  title: 'Invoice "7"',
  contentType: 'pdf_base64',
  qty: 2,
  options: { duplex: 'long-edge', nup: 2 },
  fileSizeBytes: 25 * 1024 * 1024,
  fileSha256: 'ab'.repeat(32),
  receivedAt: new Date('2026-01-02T03:04:05Z'),
  expiresAtMs: 1_800_000_000_000,
  expiresAtUptimeMs: 3_600_000,
  bootId: 'boot-1',
}

const openNewJournal = (now?: () => number) => openJournal(join(makeDataDir(), 'journal.sqlite'), now)

test('an entry is unchanged after a restart', () => {
  const path = join(makeDataDir(), 'journal.sqlite')
  let journal = openJournal(path)
  release(journal)
  journal.progress(FACTS.id, 'printing', NO_OBSTACLES)
  const before = journal.get(FACTS.id)
  const report = journal.nextReport(FACTS.id)
  journal.close()

  journal = openJournal(path)
  const expected = {
    phase: 'released',
    spoolerJobId: 'spooler-1',
    warnings: ['The option color was ignored.'],
    documentWarnings: [{ reason: 'font-not-embedded', message: 'A font is missing.' }],
    settledAt: null,
  }
  expect(before).toMatchObject({ ...FACTS, ...expected })
  expect(journal.get(FACTS.id)).toEqual(before)
  expect(journal.nextReport(FACTS.id)).toEqual(report)
  expect(journal.nextSequence()).toBe(2)
  journal.close()
})

test('a move from another phase or to a phase that does not follow is an error', () => {
  const journal = openNewJournal()
  journal.stage(FACTS, journal.nextSequence())
  expect(() => journal.move(FACTS.id, 'granted', 'handing')).toThrow('not in the phase granted')
  expect(() => journal.move(FACTS.id, 'staged', 'held')).toThrow('cannot move')
  expect(() => journal.stage(FACTS, journal.nextSequence())).toThrow('already staged')
  expect(journal.get(FACTS.id)?.phase).toBe('staged')
})

test('only a refused job can be staged again', () => {
  const journal = openNewJournal()
  journal.stage(FACTS, journal.nextSequence())
  journal.move(FACTS.id, 'staged', 'refused')
  expect(journal.unsettled()).toEqual([])
  journal.stage({ ...FACTS, attempt: 2 }, journal.nextSequence())
  expect(journal.unsettled()).toMatchObject([{ phase: 'staged', attempt: 2, sequence: 2 }])
})

test('a resend that is recorded late does not replace a later one', () => {
  const journal = openNewJournal()
  journal.stage(FACTS, journal.nextSequence())
  journal.setAttempt(FACTS.id, 3)
  journal.setAttempt(FACTS.id, 2)
  expect(journal.get(FACTS.id)?.attempt).toBe(3)
})

test('printing is reported once before the end, also if the job was never seen printing', () => {
  for (const [reports, end] of [
    [0, 'done'],
    [2, 'error'],
  ] as const) {
    const journal = openNewJournal()
    release(journal)
    for (let n = 0; n < reports; n++) journal.progress(FACTS.id, 'printing', NO_OBSTACLES)
    const outcome = { message: 'jam', reasons: ['media-jam'] }
    journal.finish(FACTS.id, 'released', end, outcome)
    const states: string[] = []
    for (let report = journal.nextReport(FACTS.id); report; report = journal.nextReport(FACTS.id)) {
      states.push(report.state)
      journal.confirmReport(report.id)
    }
    expect([states, journal.get(FACTS.id)?.outcome]).toEqual([['printing', end], outcome])
  }
})

test('a settled entry is kept for 8 days, an unsettled entry without limit', () => {
  let now = Date.now()
  const journal = openNewJournal(() => now)
  const other = { ...FACTS, id: '019a0000-0000-7000-8000-000000000002' }
  release(journal)
  journal.stage(other, journal.nextSequence())
  journal.finish(FACTS.id, 'released', 'done', NO_OBSTACLES)
  journal.settle(FACTS.id)
  now += 8 * DAY_MS
  journal.purge()
  expect(journal.get(FACTS.id)).toBeDefined()
  now += 1
  journal.purge()
  expect(journal.get(FACTS.id)).toBeUndefined()
  expect(journal.nextReport(FACTS.id)).toBeUndefined()
  expect(journal.get(other.id)).toBeDefined()
})

test('a journal of an earlier version is upgraded with its jobs, and a journal of a later version is refused', () => {
  const path = join(makeDataDir(), 'journal.sqlite')
  const first = openJournal(path)
  release(first)
  first.close()
  const database = openDatabase(path)
  for (const column of ['warnings', 'expires_at', 'expires_at_uptime', 'boot_id', 'released_at', 'document_warnings'])
    database.exec(`ALTER TABLE job DROP COLUMN ${column}`)
  database.exec('PRAGMA user_version = 1')
  database.close()

  const journal = openJournal(path)
  const never = { expiresAtMs: Number.POSITIVE_INFINITY, expiresAtUptimeMs: Number.POSITIVE_INFINITY, bootId: '' }
  const upgraded = {
    ...FACTS,
    ...never,
    phase: 'released',
    spoolerJobId: 'spooler-1',
    warnings: [],
    documentWarnings: [],
  }
  expect(journal.unsettled()).toMatchObject([upgraded])
  journal.close()
  openJournal(path).close()

  const later = openDatabase(path)
  later.exec('PRAGMA user_version = 1000')
  later.close()
  expect(() => openJournal(path)).toThrow(JournalTooNew)
})

test('an open journal cannot be opened again', () => {
  const path = join(makeDataDir(), 'journal.sqlite')
  const journal = openJournal(path)
  expect(() => openJournal(path)).toThrow(JournalInUse)
  journal.close()
  openJournal(path).close()
})

function release(journal: Journal): void {
  journal.stage(FACTS, journal.nextSequence())
  const phases = ['staged', 'granted', 'handing', 'held', 'releasing', 'released'] as const
  const submitted: Submitted = {
    spoolerJobId: 'spooler-1',
    warnings: ['The option color was ignored.'],
    documentWarnings: [{ reason: 'font-not-embedded', message: 'A font is missing.' }],
  }
  for (const [index, to] of phases.slice(1).entries())
    journal.move(FACTS.id, phases[index] ?? 'staged', to, to === 'held' ? submitted : undefined)
}
