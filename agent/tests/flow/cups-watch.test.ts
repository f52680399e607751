import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { CupsJob } from '../../spoolers/cups/job-state.ts'
import { createWatcher } from '../../spoolers/cups/watch.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { job } from '../cups/recorded-jobs.ts'

const QUICK = { quickMs: 5, quickForMs: 60_000, slowMs: 5 }

/** CUPS with jobs that a test changes. */
function createCups(timings = QUICK) {
  const jobs = new Map<number, CupsJob>()
  const looks: number[][] = []
  const canceled: number[] = []
  let failure: Error | undefined
  let device: CupsJob | undefined
  const watch = createWatcher(
    {
      async look(ids) {
        looks.push(ids)
        if (failure) throw failure
        return new Map(jobs)
      },
      atDevice: async () => device,
      async cancel(id) {
        canceled.push(id)
      },
    },
    timings,
  )
  return {
    looks,
    canceled,
    set: (changed: CupsJob) => void jobs.set(changed.id, changed),
    forget: (id: number) => void jobs.delete(id),
    setDevice(its: CupsJob) {
      device = its
    },
    fail(error: Error | undefined) {
      failure = error
    },
    /** What a watcher has seen so far, and what it ends with. */
    follow({ id, uuid }: CupsJob, signal = AbortSignal.timeout(25_000)) {
      const seen: SpoolerState[] = []
      const read = async () => {
        for await (const state of watch(id, uuid, signal)) seen.push(state)
      }
      return { seen, ended: read() }
    },
  }
}

test('each change is told once, and nothing after the end', async () => {
  const cups = createCups()
  cups.set(job('pending'))
  const { seen, ended } = cups.follow(job('pending'))
  await waitFor(() => expect(cups.looks.length).toBeGreaterThan(3))
  cups.set(job('processing'))
  await waitFor(() => expect(seen).toHaveLength(2))
  cups.set(job('completed'))
  await ended
  expect(seen.map(({ is }) => is)).toEqual(['pending', 'processing', 'completed'])
  const looks = cups.looks.length
  await sleep(30)
  expect(cups.looks).toHaveLength(looks)
})

test('one question serves all jobs that are watched', async () => {
  const cups = createCups()
  const jobs = Array.from({ length: 50 }, (_, index) => ({ ...job('pending'), id: index + 1 }))
  for (const one of jobs) cups.set(one)
  const watches = jobs.map((one) => cups.follow(one))
  await waitFor(() => expect(watches.every(({ seen }) => seen.length === 1)).toBe(true))
  expect(cups.looks[0]).toHaveLength(50)
  for (const one of jobs) cups.set({ ...job('completed'), id: one.id })
  await Promise.all(watches.map(({ ended }) => ended))
})

test('a job that CUPS forgot, or whose id it gave to another one, ends without a state', async () => {
  const cups = createCups()
  cups.set(job('processing'))
  const forgotten = cups.follow(job('processing'))
  const other = cups.follow({ ...job('processing'), uuid: 'another' })
  await other.ended
  expect(other.seen).toEqual([])
  await waitFor(() => expect(forgotten.seen).toHaveLength(1))
  cups.forget(job('processing').id)
  await forgotten.ended
  expect(forgotten.seen).toHaveLength(1)
})

test('a job that stands still after a failed filter ends in an error at once, and is taken out of the queue', async () => {
  const cups = createCups()
  cups.set(job('processing-stopped', { reasons: ['job-completed-with-errors'] }))
  const { seen, ended } = cups.follow(job('pending'))
  await ended
  expect(seen).toMatchObject([{ is: 'aborted', reasons: ['document-format-error'] }])
  expect(cups.canceled).toEqual([job('pending').id])
})

test('a filter may fail once; the second time ends the job, and it is taken out of the queue', async () => {
  const cups = createCups()
  const [failing, trying] = [job('processing', { printerMessage: 'Filter failed' }), job('processing')]
  cups.set(failing)
  const { seen, ended } = cups.follow(failing)
  await waitFor(() => expect(cups.looks.length).toBeGreaterThan(5))
  cups.set(trying)
  await waitFor(() => expect(seen).toHaveLength(2))
  expect(cups.canceled).toEqual([])
  cups.set(failing)
  await ended
  expect(seen.at(-1)).toMatchObject({ is: 'aborted', reasons: ['document-format-error'] })
  expect(cups.canceled).toEqual([failing.id])
})

test('a job that is on hold again after its release is taken out: it may have been printed, and must not be printed again', async () => {
  const cups = createCups()
  cups.set(job('pending-held'))
  const { seen, ended } = cups.follow(job('pending-held'))
  await ended
  expect(seen).toMatchObject([{ is: 'aborted', reasons: ['unconfirmed'] }])
  expect(cups.canceled).toEqual([job('pending').id])
})

test.each<[CupsJob['state'], SpoolerState['is']]>([
  ['aborted', 'aborted'],
  ['canceled', 'aborted'],
  ['completed', 'completed'],
  ['processing', 'completed'],
])('of a job that is completed to CUPS, and %s to its device, is said that it is %s', async (atDevice, is) => {
  const cups = createCups()
  cups.set(job('completed'))
  cups.setDevice(job(atDevice, { reasons: ['job-aborted-by-system'] }))
  const { seen, ended } = cups.follow(job('completed'))
  await ended
  expect(seen).toMatchObject([
    { is, reasons: [is === 'aborted' ? 'job-canceled-at-device' : 'job-completed-successfully'] },
  ])
})

test('a job that has ended is left alone', async () => {
  const cups = createCups()
  const refused = { printerMessage: 'Unable to add document to print job.' }
  for (const ended of [job('completed'), job('canceled'), job('aborted'), job('completed', refused)]) {
    cups.set(ended)
    await cups.follow(ended).ended
  }
  expect(cups.canceled).toEqual([])
})

test('while CUPS is away every watcher hears of it, and can ask again', async () => {
  const cups = createCups()
  cups.set(job('processing'))
  cups.fail(new Error('cups is away'))
  const watches = [cups.follow(job('processing')), cups.follow(job('processing'))]
  for (const { ended } of watches) await expect(ended).rejects.toThrow('cups is away')
  cups.fail(undefined)
  const later = cups.follow(job('processing'))
  await waitFor(() => expect(later.seen).toHaveLength(1))
  cups.set(job('completed'))
  await later.ended
})

test('a new job is looked at when it comes, however long the others rest', async () => {
  const cups = createCups({ quickMs: 3_600_000, quickForMs: 0, slowMs: 3_600_000 })
  const [first, second] = [job('pending'), { ...job('pending'), id: 2 }]
  cups.set(first)
  cups.set(second)
  const stop = new AbortController()
  const resting = cups.follow(first, stop.signal)
  await waitFor(() => expect(resting.seen).toHaveLength(1))
  const coming = cups.follow(second, stop.signal)
  await waitFor(() => expect(coming.seen).toHaveLength(1))
  stop.abort()
  for (const { ended } of [resting, coming]) await expect(ended).rejects.toThrow('aborted')
})
