import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SpoolerRefusal, type SpoolerState } from '../../spoolers/spooler.ts'
import { readCalls } from '../../spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '../../spoolers/virtual/virtual-spooler.ts'
import { makeDataDir } from '../start-agent.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A spooler in a folder of its own, and a document to submit to it. */
function setUp(printMs = 40, testMode = true) {
  const dir = makeDataDir()
  const file = join(dir, 'document')
  writeFileSync(file, '%PDF-1.7')
  const submission = (title = 'Invoice') => ({
    token: randomUUID(),
    title,
    printerOsName: 'Test Label 4x6',
    file,
    contentType: 'pdf_uri',
    qty: 3,
    options: { copies: 2 },
  })
  return { dir, submission, spooler: createVirtualSpooler({ dir, printMs, testMode }) }
}

const soon = () => AbortSignal.timeout(25_000)

/** @param seen called after each look. */
async function statesOf(watched: AsyncIterable<SpoolerState>, seen?: () => void): Promise<string[]> {
  const states = new Set<string>()
  for await (const { is } of watched) {
    states.add(is)
    seen?.()
  }
  return [...states]
}

/** While the clock stands still no state is missed. */
function stopClock(): { letPass(ms: number): void } {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  return { letPass: (ms) => void vi.setSystemTime(Date.now() + ms) }
}

test.each([
  ['Invoice', 'completed', 'job-completed-successfully'],
  ['[fail] please', 'aborted', 'job-aborted-by-system'],
])('in test mode a job with the title %s is held, then pending, processing and %s', async (title, end, reason) => {
  const { letPass } = stopClock()
  const { spooler, submission } = setUp()
  const { spoolerJobId: id } = await spooler.submitHeld(submission(title))
  expect((await spooler.state(id))?.is).toBe('held')
  await spooler.release(id)
  const states = await statesOf(spooler.watch(id, soon()), () => letPass(20))
  expect(states).toEqual(['pending', 'processing', end])
  expect(await spooler.state(id)).toMatchObject({ reasons: [reason] })
})

test('in live mode [fail] in a title has no effect [test-mode.fail.live]', async () => {
  const { spooler, submission } = setUp(40, false)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('[fail] please'))
  await spooler.release(id)
  expect((await statesOf(spooler.watch(id, soon()))).at(-1)).toBe('completed')
})

test('another agent knows the jobs, their states and their tokens', async () => {
  const { dir, spooler, submission } = setUp(3_600_000)
  const [held, released] = [submission(), submission()]
  const { spoolerJobId: heldId } = await spooler.submitHeld(held)
  const { spoolerJobId: releasedId } = await spooler.submitHeld(released)
  await spooler.release(releasedId)

  const later = createVirtualSpooler({ dir, printMs: 3_600_000 })
  expect(await later.find(held.token)).toMatchObject({ spoolerJobId: heldId, state: { is: 'held' } })
  expect(await later.find(released.token)).toMatchObject({ spoolerJobId: releasedId, state: { is: 'pending' } })
  expect(await later.find(randomUUID())).toBeUndefined()
  expect(await later.state('unknown')).toBeUndefined()
})

test('a second release is refused and logged as an error; a job that has ended is not removed', async () => {
  const { dir, spooler, submission } = setUp()
  const { token } = submission()
  const { spoolerJobId: id } = await spooler.submitHeld({ ...submission(), token })
  await spooler.release(id)
  await expect(spooler.release(id)).rejects.toThrow('released before')
  const calls = readCalls(join(dir, 'handovers.jsonl'))
  expect(calls.map(({ call, token, error }) => [call, token, error])).toEqual([
    ['submit', token, undefined],
    ['release', token, undefined],
    ['release', token, 'released before'],
  ])
  await statesOf(spooler.watch(id, soon()))
  await spooler.remove(id)
  expect((await spooler.state(id))?.is).toBe('completed')
})

test('a removed job is aborted, for each agent and watch, and is never printed', async () => {
  const { dir, spooler, submission } = setUp(3_600_000)
  const { spoolerJobId: held } = await spooler.submitHeld(submission())
  const { spoolerJobId: printing } = await spooler.submitHeld(submission())
  await spooler.release(printing)
  const watched = statesOf(spooler.watch(printing, soon()))
  for (const id of [held, printing, printing, 'unknown']) await spooler.remove(id)
  expect(await watched).toContain('aborted')
  const later = createVirtualSpooler({ dir, printMs: 1 })
  for (const one of [spooler, later])
    expect([(await one.state(held))?.is, (await one.state(printing))?.is]).toEqual(['aborted', 'aborted'])
  const removals = readCalls(join(dir, 'handovers.jsonl')).filter(({ call }) => call === 'remove')
  expect(removals.map(({ spoolerJobId }) => spoolerJobId)).toEqual([held, printing])
})

test('a job for an unknown printer is refused', async () => {
  const { spooler, submission } = setUp()
  await expect(spooler.submitHeld({ ...submission(), printerOsName: 'Nowhere' })).rejects.toThrow(SpoolerRefusal)
})

test('printed documents are kept for 7 days', async () => {
  const { dir, spooler, submission } = setUp()
  const { spoolerJobId: id } = await spooler.submitHeld(submission())
  const jobs = join(dir, 'jobs')
  expect(JSON.parse(readFileSync(join(jobs, `${id}.json`), 'utf8'))).toMatchObject({
    printer: 'Test Label 4x6',
    document: `${id}.pdf`,
    qty: 3,
    options: { copies: 2 },
    sizeBytes: 8,
  })
  expect(readFileSync(join(jobs, `${id}.pdf`), 'utf8')).toBe('%PDF-1.7')

  const age = (days: number) => {
    const time = new Date(Date.now() - days * DAY_MS)
    for (const name of readdirSync(jobs)) utimesSync(join(jobs, name), time, time)
  }
  age(6.9)
  await createVirtualSpooler({ dir }).submitHeld(submission())
  expect(readdirSync(jobs)).toContain(`${id}.pdf`)
  age(7.1)
  await createVirtualSpooler({ dir }).submitHeld(submission())
  expect(readdirSync(jobs)).toHaveLength(2)
})

test('the newest printed documents are kept up to a limit, and those of waiting jobs', async () => {
  const { dir, submission } = setUp()
  const spooler = createVirtualSpooler({ dir, printMs: 0, keepBytes: 3 * 8 })
  const documents = () => readdirSync(join(dir, 'jobs')).filter((name) => name.endsWith('.pdf'))
  const printed: string[] = []
  const { spoolerJobId: held } = await spooler.submitHeld(submission())
  const print = async () => {
    const { spoolerJobId: id } = await spooler.submitHeld(submission())
    await spooler.release(id)
    printed.push(id)
    // Files of one millisecond have no order.
    const time = new Date(Date.now() - 1_000_000 + printed.length * 1_000)
    utimesSync(join(dir, 'jobs', `${id}.pdf`), time, time)
  }
  for (let n = 0; n < 2; n++) await print()
  // With the third the limit is reached, and not passed; the one after finds it passed.
  await print()
  expect(documents()).toHaveLength(4)
  await print()
  expect(documents().toSorted()).toEqual([held, ...printed.slice(1)].map((id) => `${id}.pdf`).toSorted())
  expect(await spooler.state(printed[0] ?? '')).toMatchObject({ is: 'completed' })
  await spooler.release(held)
})
