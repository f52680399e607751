import { expect, test } from 'vitest'
import {
  isShown,
  type JobFilters,
  matches,
  parseJobFilters,
  parseNumber,
  toQueries,
  toQuery,
} from '../../src/api/job-filters.ts'
import { type FeedEvent, type Job, Resources } from '../../src/api/resources.ts'
import { toColumns } from '../../src/features/jobs/list/export-jobs.ts'
import { addFresh, addWaiting, type JobPages, mergeFresh } from '../../src/features/jobs/list/job-pages.ts'
import { toCsv, toCsvCell } from '../../src/ui/download.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const MINUTE = 60_000

const newJob = (changes: Partial<Job> = {}) =>
  ({
    id: 'job-1',
    state: 'queued',
    createdAt: new Date(NOW).toISOString(),
    printerId: 'printer-1',
    computerId: 'computer-1',
    source: 'shop',
    title: 'Invoice',
    stateReasons: [],
    stateMessage: null,
    qty: 1,
    finishedAt: null,
    ...changes,
  }) as unknown as Job

const newEvent = (job: Job, sequence: number) =>
  ({ type: `printjob.${job.state}`, sequence, data: job }) as unknown as FeedEvent

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-1', "'-1"],
  ['@cmd', "'@cmd"],
  ['\t=1', "'\t=1"],
  ['\n=1', '"\'\n=1"'],
  ['＝1+1', "'＝1+1"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=a,"b"', `"'=a,""b"""`],
  ['line\nbreak', '"line\nbreak"'],
  ['plain', 'plain'],
  [null, ''],
  [3, '3'],
  [-3, '-3'],
])('%j is the CSV cell %j', (value, cell) => {
  expect(toCsvCell(value)).toBe(cell)
})

test('a CSV file of jobs has the title and the name of the printer', () => {
  const file = toCsv(
    toColumns(() => 'Label 2'),
    [newJob({ id: '1', title: '=HYPERLINK("x")' })],
  )
  expect(file).toMatch(/^\ufeffid,state,.*\r\n1,.*,"'=HYPERLINK\(""x""\)",.*,Label 2,.*\r\n$/)
})

test('filters of a URL that are invalid are ignored', () => {
  const printer = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
  expect(parseJobFilters({ state: 'lost', printer: 'x', from: 'soon', other: 1 })).toEqual({})
  expect(parseJobFilters({ state: 'active', printer, source: 42, from: '2026-03-02T10:00:00Z' })).toEqual({
    state: 'active',
    printer,
    source: '42',
    from: '2026-03-02T10:00:00Z',
  })
})

test('a search of a URL has no other filters, and no event adds a job to its results', () => {
  const filters = parseJobFilters({ q: 4711, state: 'done', source: 'shop' })
  expect(filters).toEqual({ q: '4711', state: 'all' })
  expect(toQueries(filters, NOW)).toEqual([{ q: '4711' }])
  expect(matches(newJob({ title: '4711' }), toQuery(filters))).toBe(false)
  expect(parseJobFilters({ q: ' ' })).toEqual({})
})

test.each(['active', 'all', 'queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'])(
  'the filter state=%s of a URL is kept',
  (state) => expect(parseJobFilters({ state })).toEqual({ state }),
)

test.each([
  ['#1042', 1042],
  ['1042', undefined],
  ['#', undefined],
  ['#10a', undefined],
])('%s in the search is the number %s', (text, number) => expect(parseNumber(text)).toBe(number))

test('only whole ids and texts that are not empty are filters', () => {
  const id = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
  for (const computer of [`x${id}`, `${id}x`, 7, ''])
    expect(parseJobFilters({ computer, printer: computer })).toEqual({})
  expect(parseJobFilters({ computer: id, source: '', to: '', from: 0 })).toEqual({ computer: id })
  expect(parseJobFilters({ confirmedBy: 'nobody' })).toEqual({ confirmedBy: 'nobody' })
  expect(parseJobFilters({ batch: id, printer: 'x' })).toEqual({ batch: id })
  expect(parseJobFilters({ batch: '1' })).toEqual({})
  expect(parseJobFilters({ confirmedBy: 'somebody', metadata: 'order' })).toEqual({})
  expect(parseJobFilters({ metadata: { order: '4711', till: 2 } })).toEqual({ metadata: { order: '4711' } })
  expect(parseJobFilters({ to: '2026-03-02', source: 'shop' })).toEqual({ to: '2026-03-02', source: 'shop' })
})

test.each<[filters: JobFilters, job: Partial<Job>, isMatch: boolean, shown: boolean]>([
  [{}, { state: 'error' }, true, true],
  [{}, { state: 'expired' }, true, true],
  [{}, { state: 'queued' }, true, false],
  [{}, { state: 'printing', createdAt: new Date(NOW - 6 * MINUTE).toISOString() }, true, true],
  [{}, { state: 'done', createdAt: new Date(NOW - 6 * MINUTE).toISOString() }, false, false],
  [{ state: 'active' }, { state: 'sent' }, true, true],
  [{ state: 'active' }, { state: 'done' }, false, true],
  [{ state: 'all' }, { state: 'cancelled' }, true, true],
  [{ state: 'all', source: 'erp' }, {}, false, true],
  [{ state: 'all', confirmedBy: 'nobody' }, {}, false, true],
  [{ state: 'all', batch: 'b' }, { batchId: 'b' }, true, true],
  [{ state: 'all', batch: 'b' }, { batchId: 'c' }, false, true],
  [{ state: 'all', metadata: { order: '4711' } }, { metadata: { order: '4711', till: '2' } }, true, true],
  [{ state: 'all', metadata: { order: '4711' } }, { metadata: { order: '47' } }, false, true],
  [{ state: 'all', number: 1042 }, { number: 1042 }, true, true],
  [{ state: 'all', number: 1042 }, { number: 7 }, false, true],
  [{ state: 'all', from: new Date(NOW + 1).toISOString() }, {}, false, true],
  [{ state: 'all', to: new Date(NOW).toISOString() }, {}, false, true],
  [{ state: 'all', from: new Date(NOW).toISOString(), to: new Date(NOW + 1).toISOString() }, {}, true, true],
  [{ state: 'all', source: 'shop', printer: 'printer-1', computer: 'computer-1' }, {}, true, true],
  [{ state: 'all', printer: 'printer-2' }, {}, false, true],
  [{ state: 'all', computer: 'computer-2' }, {}, false, true],
  [{ state: 'done' }, { state: 'error' }, false, true],
  [{}, { state: 'printing', createdAt: new Date(NOW - 5 * MINUTE).toISOString() }, true, false],
  [{}, { state: 'printing', createdAt: new Date(NOW - 5 * MINUTE - 1).toISOString() }, true, true],
])('filters %j: a job %j is a result: %j, and is shown: %j', (filters, job, isMatch, shown) => {
  expect(matches(newJob(job), toQuery(filters))).toBe(isMatch)
  expect(isShown(newJob(job), filters, NOW)).toBe(shown)
})

test('the list asks for the states of its filter, of all jobs for none', () => {
  expect(toQuery({ state: 'active' }).state).toEqual(['queued', 'sent', 'received', 'printing'])
  expect(toQuery({ state: 'done' }).state).toEqual(['done'])
  expect(toQuery({ state: 'all' }).state).toBeUndefined()
  expect(toQuery({}).state).toEqual(['error', 'expired', 'queued', 'sent', 'received', 'printing'])
})

test('what needs attention is asked for by two requests, which leave out the jobs that wait for 5 minutes or less', () => {
  const active = ['queued', 'sent', 'received', 'printing']
  const before = new Date(NOW - 5 * MINUTE).toISOString()
  expect(toQueries({}, NOW)).toMatchObject([{ state: ['error', 'expired'] }, { state: active, createdBefore: before }])
  const to = new Date(NOW - 6 * MINUTE).toISOString()
  expect(toQueries({ to }, NOW)).toMatchObject([{ createdBefore: to }, { createdBefore: to }])
  expect(toQueries({ to: new Date(NOW).toISOString() }, NOW)[1]).toMatchObject({ createdBefore: before })
  expect(toQueries({ state: 'all' }, NOW)).toEqual([toQuery({ state: 'all' })])
})

test('an event that is not newer than the last one, or that follows a final state, changes nothing', () => {
  const resources = new Resources()
  resources.apply(newEvent(newJob({ state: 'printing' }), 4))
  resources.apply(newEvent(newJob({ state: 'sent' }), 3))
  expect(resources.get('printjob', 'job-1')?.state).toBe('printing')
  resources.apply(newEvent(newJob({ state: 'done' }), 5))
  // An answer that was on its way while the event arrived.
  resources.put('printjob', newJob({ state: 'printing' }))
  expect(resources.get('printjob', 'job-1')?.state).toBe('done')
})

test('an event without capabilities keeps those of the printer', () => {
  const resources = new Resources()
  resources.put('printer', { id: 'p', displayName: 'Old', capabilities: { copies: 9 } } as never)
  resources.apply({ type: 'printer.updated', sequence: 1, data: { id: 'p', displayName: 'New' } } as never)
  expect(resources.get('printer', 'p')).toMatchObject({ displayName: 'New', capabilities: { copies: 9 } })
})

test('a removed printer is in no list, but keeps its name', () => {
  const resources = new Resources()
  resources.put('printer', { id: 'p', displayName: 'Label 2' } as never)
  resources.apply({ type: 'printer.removed', sequence: 1, data: { id: 'p' } } as never)
  expect(resources.all('printer')).toEqual([])
  expect(resources.get('printer', 'p')?.displayName).toBe('Label 2')
})

test('the cache drops the jobs that were not used for the longest time, and no printer', () => {
  const resources = new Resources()
  resources.put('printer', { id: 'p' } as never)
  resources.subscribe('job-0', () => undefined)
  for (let n = 0; n < 4_100; n++) resources.put('printjob', newJob({ id: `job-${n}` }))
  expect(['p', 'job-0', 'job-1', 'job-4099'].map((id) => resources.has(id))).toEqual([true, true, false, true])
})

const newPages = (...ids: string[][]): JobPages => ({
  pages: ids.map((page) => ({
    ids: page,
    next: { cursors: ['cursor'], now: NOW },
    completeFrom: page.at(-1) ?? '',
    waitingUntil: NOW,
    fresh: [],
  })),
  pageParams: ids.map(() => undefined),
})

const addTo = (pages: JobPages, filters: JobFilters, ...jobs: Job[]) => {
  const resources = new Resources()
  const events = jobs.map((job, index) => newEvent(job, index + 1))
  for (const event of events) resources.apply(event)
  return addFresh(pages, filters, events, resources, NOW)
}

test('new jobs are counted, shown on request, and are above the rows that were there', () => {
  const pages = addTo(newPages(['c', 'd', 'b']), { state: 'all' }, newJob({ id: 'e' }), newJob({ id: 'f' }))
  expect(pages.pages[0]).toMatchObject({ ids: ['c', 'd', 'b'], fresh: ['f', 'e'] })
  expect(mergeFresh(pages).pages[0]).toMatchObject({ ids: ['f', 'e', 'c', 'd', 'b'], fresh: [] })
})

test('a job that is listed, or that is on a page that is not loaded, is not new', () => {
  const pages = newPages(['d', 'c'], ['b'])
  expect(addTo(pages, { state: 'all' }, newJob({ id: 'c' }), newJob({ id: 'a' }))).toBe(pages)
})

test('what needs attention: a failed job is new, a job that waits for a short time is not', () => {
  const pages = newPages(['b'])
  expect(addTo(pages, {}, newJob({ id: 'c' }), newJob({ id: 'd', state: 'done' }))).toBe(pages)
  expect(addTo(pages, {}, newJob({ id: 'c', state: 'error' })).pages[0]).toMatchObject({ ids: ['b'], fresh: ['c'] })
})

test('a job that begins to wait for long joins the list once', () => {
  const joined = addWaiting(newPages(['b']), ['c', 'b'], NOW + MINUTE)
  expect(joined.pages[0]).toMatchObject({ ids: ['c', 'b'], waitingUntil: NOW + MINUTE })
})
