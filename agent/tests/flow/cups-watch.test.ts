import { expect, test } from 'vitest'
import { realWait } from '../../../test/harness/real-time.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type CupsJob, toState } from '../../spoolers/cups/job-state.ts'
import { createWatcher } from '../../spoolers/cups/watch.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { job } from '../cups/recorded-jobs.ts'

const QUICK = { quickMs: 5, quickForMs: 60_000, slowMs: 5 }

/** A CUPS whose jobs a test changes. @param device the job at the device. */
function createCups(timings = QUICK, device?: CupsJob) {
  const jobs = new Map<number, CupsJob>()
  const cups = { polls: [] as number[][], canceled: [] as number[], failure: undefined as Error | undefined }
  const spooler = {
    async poll(ids: number[]) {
      cups.polls.push(ids)
      if (cups.failure) throw cups.failure
      return new Map(jobs)
    },
    getJobAtDevice: async () => device,
    cancelJobAtDevice: async () => undefined,
    toState,
    cancel: async (id: number) => void cups.canceled.push(id),
  }
  const watch = createWatcher(spooler, timings)
  return Object.assign(cups, {
    set: (changed: CupsJob) => void jobs.set(changed.id, changed),
    delete: (id: number) => void jobs.delete(id),
    /** @returns the states so far and the end of the watch. */
    follow({ id, uuid }: CupsJob, signal = AbortSignal.timeout(25_000)) {
      const seen: SpoolerState[] = []
      const read = async () => {
        for await (const state of watch(id, uuid, signal)) seen.push(state)
      }
      return { seen, ended: read() }
    },
  })
}

test('each change is reported once, and polling stops after the final state', async () => {
  const cups = createCups()
  cups.set(job('pending'))
  const { seen, ended } = cups.follow(job('pending'))
  await waitFor(() => expect(cups.polls.length).toBeGreaterThan(3))
  cups.set(job('processing'))
  await waitFor(() => expect(seen).toHaveLength(2))
  cups.set(job('completed'))
  await ended
  expect(seen.map(({ is }) => is)).toEqual(['pending', 'processing', 'completed'])
  const polls = cups.polls.length
  await realWait('nothing comes')
  expect(cups.polls).toHaveLength(polls)
})

test('one poll covers all watched jobs', async () => {
  const cups = createCups()
  const jobs = Array.from({ length: 50 }, (_, index) => ({ ...job('pending'), id: index + 1 }))
  for (const one of jobs) cups.set(one)
  const watches = jobs.map((one) => cups.follow(one))
  await waitFor(() => expect(watches.every(({ seen }) => seen.length === 1)).toBe(true))
  expect(cups.polls[0]).toHaveLength(50)
  for (const one of jobs) cups.set({ ...job('completed'), id: one.id })
  await Promise.all(watches.map(({ ended }) => ended))
})

test('the watch of an unknown job, or of an id that has another job, ends without a state', async () => {
  const cups = createCups()
  cups.set(job('processing'))
  const deleted = cups.follow(job('processing'))
  const other = cups.follow({ ...job('processing'), uuid: 'another' })
  await other.ended
  expect(other.seen).toEqual([])
  await waitFor(() => expect(deleted.seen).toHaveLength(1))
  cups.delete(job('processing').id)
  await deleted.ended
  expect(deleted.seen).toHaveLength(1)
})

test.each([
  ['stops', job('processing-stopped', { reasons: ['job-completed-with-errors'] }), 'document-format-error'],
  ['is held again after its release', job('pending-held'), 'unconfirmed'],
  [
    'is held for a password',
    job('pending-held', { reasons: ['cups-held-for-authentication'] }),
    'printer-requires-authentication',
  ],
])('a job that %s is aborted and canceled', async (_, state, reason) => {
  const cups = createCups()
  cups.set(state)
  const { seen, ended } = cups.follow(job('pending'))
  await ended
  expect(seen).toMatchObject([{ is: 'aborted', reasons: [reason] }])
  expect(cups.canceled).toEqual([job('pending').id])
})

test('the second failure of a filter aborts and cancels the job', async () => {
  const cups = createCups()
  const [failing, retrying] = [job('processing', { printerMessage: 'Filter failed' }), job('processing')]
  cups.set(failing)
  const { seen, ended } = cups.follow(failing)
  await waitFor(() => expect(cups.polls.length).toBeGreaterThan(5))
  cups.set(retrying)
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
])('a job that CUPS shows as completed and its device as %s is %s', async (deviceState, is) => {
  const cups = createCups(QUICK, job(deviceState, { reasons: ['job-aborted-by-system'] }))
  cups.set(job('completed'))
  const { seen, ended } = cups.follow(job('completed'))
  await ended
  const reasons = [is === 'aborted' ? 'job-canceled-at-device' : 'job-completed-successfully']
  expect(seen).toMatchObject([{ is, reasons }])
  expect(cups.canceled).toEqual([])
})

test('each watch fails while CUPS does not respond, and a later watch works', async () => {
  const cups = createCups()
  cups.set(job('processing'))
  cups.failure = new Error('no response')
  const watches = [cups.follow(job('processing')), cups.follow(job('processing'))]
  for (const { ended } of watches) await expect(ended).rejects.toThrow('no response')
  cups.failure = undefined
  const later = cups.follow(job('processing'))
  await waitFor(() => expect(later.seen).toHaveLength(1))
  cups.set(job('completed'))
  await later.ended
})

test('a new job is polled at once, whatever the interval of other jobs', async () => {
  const cups = createCups({ quickMs: 3_600_000, quickForMs: 0, slowMs: 3_600_000 })
  const [first, second] = [job('pending'), { ...job('pending'), id: 2 }]
  cups.set(first)
  cups.set(second)
  const stop = new AbortController()
  const firstWatch = cups.follow(first, stop.signal)
  await waitFor(() => expect(firstWatch.seen).toHaveLength(1))
  const secondWatch = cups.follow(second, stop.signal)
  await waitFor(() => expect(secondWatch.seen).toHaveLength(1))
  stop.abort()
  for (const { ended } of [firstWatch, secondWatch]) await expect(ended).rejects.toThrow('aborted')
})
