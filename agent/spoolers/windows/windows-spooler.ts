/**
 * Prints through the queues of Windows. A job waits there paused until it is released; from then on it is kept in its queue once it has
 * printed, so that its end can be seen, and taken out when that was reported.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Spooler, SpoolerState } from '../spooler.ts'
import { idToKey, isAgentJob, isNamedFor, type JobKey, keyToId } from './job-names.ts'
import { DELETED_AT_QUEUE, hasEnded, JOB_STATUS, toJobState } from './job-status.ts'
import { createPrinters } from './printers.ts'
import { submitHeld } from './submit.ts'
import { type JobInfo, NO_SUCH_PRINTER, type Winspool, WinspoolError } from './winspool.ts'

export interface WindowsTimings {
  /** Between two looks at a job that is watched: while it is new, for how long it is that, and later. */
  quickMs: number
  quickForMs: number
  slowMs: number
  /** How long a job may take to go once it was deleted. */
  deleteTimeoutMs: number
}

const TIMINGS: WindowsTimings = { quickMs: 250, quickForMs: 2_000, slowMs: 1_000, deleteTimeoutMs: 10_000 }

/** When nobody can be waiting any more for the end of a printed job that is still kept in its queue. */
const RETAIN_MS = 60 * 60 * 1000

/** @param load called when the driver is first needed. */
export function createWindowsSpooler(load: () => Promise<Winspool>, timings = TIMINGS, now = Date.now): Spooler {
  let loading: ReturnType<typeof open> | undefined
  const open = async () => {
    const winspool = await load()
    return { winspool, printers: createPrinters(winspool) }
  }
  const opened = () => {
    loading ??= open()
    return loading
  }
  /** The last look at each queue, for those who watch its jobs: one serves them all. */
  const polls = new Map<string, { atMs: number; jobs: Promise<JobInfo[]> }>()

  /** What was removed here: its end is known, also when it is gone. */
  const removed = new Set<string>()

  /** None on a printer that is gone. */
  async function listJobs(winspool: Winspool, printerName: string): Promise<JobInfo[]> {
    try {
      return await winspool.enumJobs(printerName)
    } catch (error) {
      if (error instanceof WinspoolError && error.code === NO_SUCH_PRINTER) return []
      throw error
    }
  }

  function listRecentJobs(winspool: Winspool, printerName: string): Promise<JobInfo[]> {
    const known = polls.get(printerName)
    if (known && performance.now() - known.atMs < timings.quickMs / 2) return known.jobs
    const jobs = listJobs(winspool, printerName)
    polls.set(printerName, { atMs: performance.now(), jobs })
    return jobs
  }

  async function getJob(winspool: Winspool, { printerName, jobId, token }: JobKey): Promise<JobInfo | undefined> {
    return findJob(await listJobs(winspool, printerName), { jobId, token })
  }

  /** One that is kept once it has printed is given up first. @throws when it is still there after a while. */
  async function deleteJob(winspool: Winspool, key: JobKey, job: JobInfo): Promise<void> {
    await releaseRetained(winspool, key.printerName, job)
    await winspool.setJob(key.printerName, key.jobId, 'delete')
    const untilMs = performance.now() + timings.deleteTimeoutMs
    for (;;) {
      const job = await getJob(winspool, key)
      if (!job || (job.status & JOB_STATUS.deleted) !== 0) return
      if (performance.now() > untilMs) throw new Error('Windows has not deleted the job yet.')
      await sleep(timings.quickMs)
    }
  }

  /** Takes printed jobs out that an agent which was killed has left in the queue. */
  async function purgeEnded(winspool: Winspool, printerName: string, jobs: JobInfo[]): Promise<void> {
    for (const job of jobs) {
      const isLeft = isAgentJob(job.document) && hasEnded(toJobState(job)) && now() - job.submittedAtMs > RETAIN_MS
      if (isLeft) await releaseRetained(winspool, printerName, job)
    }
  }

  return {
    printers: async () => (await opened()).printers.report(),

    async submitHeld(submission) {
      const { winspool, printers } = await opened()
      const { printerOsName: printerName, token } = submission
      const jobs = await listJobs(winspool, printerName)
      for (const job of jobs.filter(({ document }) => isNamedFor(document, token))) {
        if (!isUnreleased(job)) throw new Error('Windows has this job already, and somebody released it.')
        await deleteJob(winspool, { jobId: job.id, token, printerName }, job)
      }
      await purgeEnded(winspool, printerName, jobs)
      return await submitHeld(winspool, printers, submission)
    },

    async release(spoolerJobId) {
      const { winspool } = await opened()
      const key = idToKey(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      if (!job) throw new Error('Windows does not know the job.')
      if (toJobState(job).is !== 'held') throw new Error('The job was released before.')
      await keepOncePrinted(winspool, key)
      await winspool.setJob(key.printerName, key.jobId, 'resume')
    },

    async remove(spoolerJobId) {
      const { winspool } = await opened()
      const key = idToKey(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      if (!job || hasEnded(toJobState(job))) return
      removed.add(spoolerJobId)
      await deleteJob(winspool, key, job)
    },

    /**
     * A job that was not released is deleted and not told of: nobody can know whether it is complete, and it is submitted again. What
     * somebody released by hand is told of. Queues that do not answer are passed over, since `submitHeld` looks at its own once more.
     */
    async find(token) {
      const { winspool, printers } = await opened()
      for (const printerName of await printers.names()) {
        const jobs = await listJobs(winspool, printerName).catch(() => [])
        for (const job of jobs.filter(({ document }) => isNamedFor(document, token))) {
          const key = { jobId: job.id, token, printerName }
          if (isUnreleased(job)) await deleteJob(winspool, key, job)
          else return { spoolerJobId: keyToId(key), state: toJobState(job) }
        }
      }
      return undefined
    },

    async state(spoolerJobId) {
      const { winspool } = await opened()
      const key = idToKey(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      return job && toJobState(job)
    },

    async *watch(spoolerJobId, signal) {
      const { winspool } = await opened()
      const key = idToKey(spoolerJobId)
      if (!key) return
      const sinceMs = performance.now()
      let last: { job: JobInfo; state: SpoolerState } | undefined
      let wasPrinting = false
      for (;;) {
        signal.throwIfAborted()
        const job = findJob(await listRecentJobs(winspool, key.printerName), key)
        const state: SpoolerState | undefined = job
          ? toJobState(job)
          : resolveMissing(last?.job, wasPrinting, removed.has(spoolerJobId))
        if (!state) return
        wasPrinting ||= state.is === 'processing'
        const isNews = JSON.stringify(state) !== JSON.stringify(last?.state)
        try {
          if (isNews) yield state
        } finally {
          // The one who watches has it recorded by now.
          if (hasEnded(state) && job) await releaseRetained(winspool, key.printerName, job)
        }
        if (hasEnded(state)) return
        if (job) last = { job, state }
        const isNew = performance.now() - sinceMs < timings.quickForMs
        await sleep(isNew ? timings.quickMs : timings.slowMs, undefined, { signal })
      }
    },
  }
}

const findJob = (jobs: JobInfo[], { jobId, token }: Pick<JobKey, 'jobId' | 'token'>) =>
  jobs.find(({ id, document }) => id === jobId && isNamedFor(document, token))

/** Paused still; or not even that, so that there is nothing in it. */
function isUnreleased(job: JobInfo): boolean {
  const isEmpty = (job.status & JOB_STATUS.spooling) !== 0 && job.sizeBytes === 0
  return toJobState(job).is === 'held' || isEmpty
}

/**
 * What became of a job that is not in its queue any more. One that was to be kept there was taken out by somebody; else Windows took it out,
 * as it does with what has printed.
 *
 * @returns undefined when it cannot be known.
 */
function resolveMissing(
  last: JobInfo | undefined,
  wasPrinting: boolean,
  wasRemoved: boolean,
): SpoolerState | undefined {
  if (wasRemoved) return DELETED_AT_QUEUE
  const wasKept = last !== undefined && (last.status & JOB_STATUS.retained) !== 0
  return wasPrinting && !wasKept ? { is: 'completed', reasons: ['job-completed-successfully'] } : undefined
}

/** Some print servers cannot: then the job is gone once it has printed, and its end is told from that. */
async function keepOncePrinted(winspool: Winspool, { printerName, jobId }: JobKey): Promise<void> {
  await winspool.setJob(printerName, jobId, 'retain').catch((error: unknown) => {
    if (!(error instanceof WinspoolError)) throw error
  })
}

/** It has ended; should it stay in its queue for some reason, `clearAway` tries again. */
async function releaseRetained(winspool: Winspool, printerName: string, { id, status }: JobInfo): Promise<void> {
  if ((status & JOB_STATUS.retained) === 0) return
  await winspool.setJob(printerName, id, 'release').catch((error: unknown) => {
    if (!(error instanceof WinspoolError)) throw error
  })
}
