import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_TITLES } from '@platen/resources/test-titles.ts'
import { makePages } from '@platen/test/cups/build-pdf.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SpoolerRefusal, type SpoolerState, type Submission } from '../../spoolers/spooler.ts'
import { readCalls } from '../../spoolers/virtual/call-log.ts'
import { VIRTUAL_PRINTERS } from '../../spoolers/virtual/printers.ts'
import { getReceiptDelayMs } from '../../spoolers/virtual/test-titles.ts'
import { createVirtualSpooler, openVirtualPrinters } from '../../spoolers/virtual/virtual-spooler.ts'
import { drawCode128, readCodes, readEscpos, readZpl } from '../read-raster.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A spooler in a new directory, with functions that submit jobs to it. */
function setUp(printMs = 40, testMode = true, keepBytes?: number) {
  const dir = makeDataDir()
  const spooler = createVirtualSpooler({ dir, printMs, testMode, keepBytes })
  const job = { title: 'Invoice', contentType: 'pdf_uri', qty: 3, options: { copies: 2 } }
  const submission = (changes?: Partial<Submission>) =>
    makeSubmission('%PDF-1.7', 'Test A4 Laser', { ...job, ...changes })
  const submit = async (changes?: Partial<Submission>) => (await spooler.submitHeld(submission(changes))).spoolerJobId
  async function release(changes?: Partial<Submission>) {
    const id = await submit(changes)
    await spooler.release(id)
    return id
  }
  const calls = () => readCalls(join(dir, 'handovers.jsonl'))
  const getState = async (id: string) => (await spooler.state(id))?.is
  return { dir, spooler, submission, submit, release, calls, getState }
}

const createTimeout = () => AbortSignal.timeout(25_000)

/** @param onState called after each state. @returns the different states. */
async function collectStates(states: AsyncIterable<SpoolerState>, onState?: () => void): Promise<string[]> {
  const names = new Set<string>()
  for await (const { is } of states) {
    names.add(is)
    onState?.()
  }
  return [...names]
}

test.each([
  ['Invoice', 'completed', 'job-completed-successfully', -DAY_MS],
  ['[fail] please', 'aborted', 'job-aborted-by-system', DAY_MS],
])(
  'in test mode a job with the title %s is held, then pending, processing and %s, also while the wall clock is set',
  async (title, end, reason, stepMs) => {
    // With a clock that is set by the test no state is missed.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { spooler, submit, getState } = setUp()
    const id = await submit({ title })
    expect(await getState(id)).toBe('held')
    await spooler.release(id)
    const states = await collectStates(spooler.watch(id, createTimeout()), () => {
      vi.setSystemTime(Date.now() + stepMs)
      vi.advanceTimersByTime(20)
    })
    expect(states).toEqual(['pending', 'processing', end])
    expect(await spooler.state(id)).toMatchObject({ reasons: [reason] })
  },
)

test.each([
  [
    'test-mode.out-of-paper',
    '[out-of-paper]',
    ['pending ', 'processing media-empty', 'processing job-printing', 'completed job-completed-successfully'],
  ],
  [
    'test-mode.offline',
    '[offline]',
    ['pending offline', 'processing job-printing', 'completed job-completed-successfully'],
  ],
])('%s: a test job with %s in its title waits with the reason, then prints', async (rule, title, expected) => {
  proves(rule)
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { spooler, release } = setUp()
  const id = await release({ title })
  const seen = new Set<string>()
  for await (const { is, reasons } of spooler.watch(id, createTimeout())) {
    seen.add(`${is} ${reasons.join()}`)
    vi.advanceTimersByTime(5)
  }
  expect([...seen]).toEqual(expected)
})

test('a test job with [not-printed] in its title is refused without paper, but not in live mode', async () => {
  proves('test-mode.not-printed')
  await expect(setUp().submit({ title: 'A [not-printed]' })).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    reasons: ['job-refused-by-system'],
  })
  await setUp(40, false).submit({ title: 'A [not-printed]' })
})

test('the titles [slow] and [expire] delay the receipt of a job; the others do not', () => {
  expect(Object.keys(TEST_TITLES).map(getReceiptDelayMs)).toEqual([0, 0, 0, 0, 20_000, Number.POSITIVE_INFINITY])
})

test.each([
  ['Test Receipt 80mm', (data: Buffer) => readEscpos(data)[0]],
  ['Test Label 4x6', (data: Buffer) => readZpl(data)[0]?.dots],
] as const)('the printer %s draws a PDF, whose bar code is read from its dots', async (printerOsName, read) => {
  proves('test-mode.pdf.raw-printer')
  const dir = makeDataDir()
  const spooler = openVirtualPrinters({ dir, printMs: 40 })
  const code = await drawCode128('PLATEN-128', { x: 20, y: 300, module: 1.1, height: 60 })
  const pdf = makePages([{ width: 204, height: 432, content: code }])
  await spooler.submitHeld(makeSubmission(pdf, printerOsName, { contentType: 'pdf_base64' }))
  const [name = ''] = readdirSync(join(dir, 'jobs')).filter((one) => one.endsWith('.raw'))
  const dots = read(readFileSync(join(dir, 'jobs', name)))
  expect(dots && (await readCodes(dots))).toEqual(['PLATEN-128'])
})

test('a damaged PDF is refused, as on paper', async () => {
  proves('test-mode.pdf.damaged')
  const spooler = openVirtualPrinters({ dir: makeDataDir() })
  const submitted = spooler.submitHeld(
    makeSubmission('%PDF-1.4 garbage', 'Test A4 Laser', { contentType: 'pdf_base64' }),
  )
  await expect(submitted).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: ['document-format-error'] })
})

test.each(['[fail]', '[out-of-paper]', '[offline]'])('in live mode %s in a title has no effect', async (mark) => {
  proves('test-mode.fail.live')
  const { spooler, release } = setUp(40, false)
  const id = await release({ title: `${mark} please` })
  expect((await collectStates(spooler.watch(id, createTimeout()))).at(-1)).toBe('completed')
})

test('another agent finds the jobs by id and by token, with their states', async () => {
  const { dir, submission, submit, release } = setUp(3_600_000)
  const jobs = { held: submission(), pending: submission() }
  const ids = { held: await submit(jobs.held), pending: await release(jobs.pending) }
  const later = createVirtualSpooler({ dir, printMs: 3_600_000 })
  for (const is of ['held', 'pending'] as const)
    expect(await later.find(jobs[is].token)).toMatchObject({ spoolerJobId: ids[is], state: { is } })
  expect([await later.find('unknown'), await later.state('unknown')]).toEqual([undefined, undefined])
})

test('a second release and an unknown printer are refused; an ended job is not removed', async () => {
  const { spooler, submit, release, calls, getState } = setUp()
  await expect(submit({ printerOsName: 'Nowhere' })).rejects.toThrow(SpoolerRefusal)
  const id = await release()
  await expect(spooler.release(id)).rejects.toThrow('already been released')
  expect(calls().map(({ call, error }) => [call, error])).toEqual([
    ['submit', undefined],
    ['release', undefined],
    ['release', 'already released'],
  ])
  await collectStates(spooler.watch(id, createTimeout()))
  await spooler.remove(id)
  expect(await getState(id)).toBe('completed')
})

test('a removed job is aborted for each agent and watch, and is never printed', async () => {
  const { dir, spooler, submit, release, calls } = setUp(3_600_000)
  const [held, printing] = [await submit(), await release()]
  const watched = collectStates(spooler.watch(printing, createTimeout()))
  for (const id of [held, printing, printing, 'unknown']) await spooler.remove(id)
  expect(await watched).toContain('aborted')
  for (const one of [spooler, createVirtualSpooler({ dir, printMs: 1 })])
    for (const id of [held, printing]) expect(await one.state(id)).toMatchObject({ is: 'aborted' })
  const removals = calls().filter(({ call }) => call === 'remove')
  expect(removals.map(({ spoolerJobId }) => spoolerJobId)).toEqual([held, printing])
})

test('printed documents are kept for 7 days', async () => {
  const { dir, submission, submit } = setUp()
  const id = await submit()
  const jobs = join(dir, 'jobs')
  const facts = { printer: 'Test A4 Laser', document: `${id}.pdf`, qty: 3, options: { copies: 2 }, sizeBytes: 8 }
  expect(JSON.parse(readFileSync(join(jobs, `${id}.json`), 'utf8'))).toMatchObject(facts)
  expect(readFileSync(join(jobs, `${id}.pdf`), 'utf8')).toBe('%PDF-1.7')
  for (const [days, isKept] of [
    [6.9, true],
    [7.1, false],
  ] as const) {
    const time = new Date(Date.now() - days * DAY_MS)
    for (const name of readdirSync(jobs)) utimesSync(join(jobs, name), time, time)
    await createVirtualSpooler({ dir }).submitHeld(submission())
    expect(readdirSync(jobs).includes(`${id}.pdf`)).toBe(isKept)
  }
})

test('the newest printed documents up to a limit are kept, and the documents of waiting jobs', async () => {
  const { dir, submit, release, getState } = setUp(0, true, 3 * 8)
  const documents = () => readdirSync(join(dir, 'jobs')).filter((name) => name.endsWith('.pdf'))
  const held = await submit()
  const printed: string[] = []
  const print = async () => {
    const id = await release()
    printed.push(id)
    // Files with equal times have no order.
    const time = new Date(Date.now() - 1_000_000 + printed.length * 1_000)
    utimesSync(join(dir, 'jobs', `${id}.pdf`), time, time)
  }
  // The third job reaches the limit. The next one exceeds it.
  for (let n = 0; n < 3; n++) await print()
  expect(documents()).toHaveLength(4)
  await print()
  expect(documents().toSorted()).toEqual([held, ...printed.slice(1)].map((id) => `${id}.pdf`).toSorted())
  expect(await getState(printed[0] ?? '')).toBe('completed')
})

test('a submission fails while the documents of unprinted jobs exceed the limit', async () => {
  proves('test-mode.disk')
  const { spooler, submit } = setUp(0, true, 8)
  const [first = ''] = [await submit(), await submit()]
  await expect(submit()).rejects.toThrow('too many unprinted documents')
  await spooler.release(first)
  await submit()
})

test('pages that the document does not have are an error, or a warning, as on paper', async () => {
  const spooler = openVirtualPrinters({ dir: makeDataDir() })
  const submit = (pages: string) =>
    spooler.submitHeld(
      makeSubmission(makePdf('One page'), 'Test A4 Laser', { contentType: 'pdf_base64', options: { pages } }),
    )
  await expect(submit('9')).rejects.toMatchObject({ reasons: ['page-ranges-not-in-document'] })
  expect((await submit('1-3')).warnings).toEqual([expect.stringContaining('option pages `2-3`')])
  expect((await submit('1')).warnings).toEqual([])
})

test('the agent reports the virtual printers as they are listed before its first report', async () => {
  expect(await openVirtualPrinters({ dir: makeDataDir() }).printers()).toEqual(VIRTUAL_PRINTERS)
})
