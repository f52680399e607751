import { expect, test } from 'vitest'
import { realWait } from '../../../test/harness/real-time.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { CupsJob } from '../../spoolers/cups/job-state.ts'
import { createWatcher } from '../../spoolers/cups/watch.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { job } from '../cups/recorded-jobs.ts'

const QUICK = { quickMs: 5, quickForMs: 60_000, slowMs: 5 }

/** CUPS with jobs that a test changes, of which one may have another state at its device. */
function createCups(timings = QUICK, device?: CupsJob) {
  const jobs = new Map<number, CupsJob>()
  const cups = { looks: [] as number[][], canceled: [] as number[], failure: undefined as Error | undefined }
  const spooler = {
    async poll(ids: number[]) {
      cups.looks.push(ids)
      if (cups.failure) throw cups.failure
      return new Map(jobs)
    },
    atDevice: async () => device,
    cancel: async (id: number) => void cups.canceled.push(id),
  }
  const watch = createWatcher(spooler, timings)
  return Object.assign(cups, {
    set: (changed: CupsJob) => void jobs.set(changed.id, changed),
    forget: (id: number) => void jobs.delete(id),
    /** What a watcher has seen so far, and what it ends with. */
    follow({ id, uuid }: CupsJob, signal = AbortSignal.timeout(25_000)) {
      const seen: SpoolerState[] = []
      const read = async () => {
        for await (const state of watch(id, uuid, signal)) seen.push(state)
      }
      return { seen, ended: read() }
    },
  })
}

test('each change is reported once, and no look follows the end', async () => {
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
  await realWait('nothing comes')
  expect(cups.looks).toHaveLength(looks)
})

test('one look serves all watched jobs', async () => {
  const cups = createCups()
  const jobs = Array.from({ length: 50 }, (_, index) => ({ ...job('pending'), id: index + 1 }))
  for (const one of jobs) cups.set(one)
  const watches = jobs.map((one) => cups.follow(one))
  await waitFor(() => expect(watches.every(({ seen }) => seen.length === 1)).toBe(true))
  expect(cups.looks[0]).toHaveLength(50)
  for (const one of jobs) cups.set({ ...job('completed'), id: one.id })
  await Promise.all(watches.map(({ ended }) => ended))
})

test('a forgotten job, or one whose id has another job, ends without a state', async () => {
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

test.each([
  ['stops', job('processing-stopped', { reasons: ['job-completed-with-errors'] }), 'document-format-error'],
  ['is held again after its release', job('pending-held'), 'unconfirmed'],
])('a job that %s is aborted and canceled', async (_, shown, reason) => {
  const cups = createCups()
  cups.set(shown)
  const { seen, ended } = cups.follow(job('pending'))
  await ended
  expect(seen).toMatchObject([{ is: 'aborted', reasons: [reason] }])
  expect(cups.canceled).toEqual([job('pending').id])
})

test('the second failure of a filter aborts the job, and it is canceled', async () => {
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

test.each<[CupsJob['state'], SpoolerState['is']]>([
  ['aborted', 'aborted'],
  ['canceled', 'aborted'],
  ['completed', 'completed'],
  ['processing', 'completed'],
])('a job that is completed for CUPS and %s for its device is %s', async (atDevice, is) => {
  const cups = createCups(QUICK, job(atDevice, { reasons: ['job-aborted-by-system'] }))
  cups.set(job('completed'))
  const { seen, ended } = cups.follow(job('completed'))
  await ended
  const reasons = [is === 'aborted' ? 'job-canceled-at-device' : 'job-completed-successfully']
  expect(seen).toMatchObject([{ is, reasons }])
  expect(cups.canceled).toEqual([])
})

test('while CUPS is away each watch fails, and a new one works later', async () => {
  const cups = createCups()
  cups.set(job('processing'))
  cups.failure = new Error('cups is away')
  const watches = [cups.follow(job('processing')), cups.follow(job('processing'))]
  for (const { ended } of watches) await expect(ended).rejects.toThrow('cups is away')
  cups.failure = undefined
  const later = cups.follow(job('processing'))
  await waitFor(() => expect(later.seen).toHaveLength(1))
  cups.set(job('completed'))
  await later.ended
})

test('a new job is looked at once, whatever the interval of the others', async () => {
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
