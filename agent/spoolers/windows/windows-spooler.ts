/**
 * Prints through the queues of Windows. A job is paused until its release. A released job is retained in its queue
 * after it has printed, so that its end can be detected, and is removed after the end was journaled.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Spooler, SpoolerState } from '../spooler.ts'
import { hasToken, isAgentJob, type JobKey, parseSpoolerJobId, toSpoolerJobId } from './job-names.ts'
import { DELETED_AT_QUEUE, hasEnded, JOB_STATUS, toJobState } from './job-status.ts'
import { createPrinters } from './printers.ts'
import { submitHeld } from './submit.ts'
import { type JobInfo, NO_SUCH_PRINTER, type Winspool, WinspoolError } from './winspool.ts'

export interface WindowsTimings {
  /** Poll interval of a new job, and how long a job is new. */
  quickMs: number
  quickForMs: number
  /** Poll interval afterwards. */
  slowMs: number
  /** How long the deletion of a job may take. */
  deleteTimeoutMs: number
}

const TIMINGS: WindowsTimings = { quickMs: 250, quickForMs: 2_000, slowMs: 1_000, deleteTimeoutMs: 10_000 }

/** After this time no agent watches a printed job that is still retained. */
const RETAIN_MS = 60 * 60 * 1000

/** @param load called before the first use. */
export function createWindowsSpooler(load: () => Promise<Winspool>, timings = TIMINGS, now = Date.now): Spooler {
  let loading: ReturnType<typeof openWinspool> | undefined
  const openWinspool = async () => {
    const winspool = await load()
    return { winspool, printers: createPrinters(winspool) }
  }
  const getWinspool = () => {
    loading ??= openWinspool()
    return loading
  }
  /** The last poll of each queue. It serves all watches of its jobs. */
  const polls = new Map<string, { atMs: number; jobs: Promise<JobInfo[]> }>()

  /** Ids of removed jobs, whose end is known although they are missing. */
  const removed = new Set<string>()

  /** Empty for an unknown printer. */
  async function listJobs(winspool: Winspool, printerName: string): Promise<JobInfo[]> {
    try {
      return await winspool.enumJobs(printerName)
    } catch (error) {
      if (error instanceof WinspoolError && error.code === NO_SUCH_PRINTER) return []
      throw error
    }
  }

  function listRecentJobs(winspool: Winspool, printerName: string): Promise<JobInfo[]> {
    const last = polls.get(printerName)
    if (last && performance.now() - last.atMs < timings.quickMs / 2) return last.jobs
    const jobs = listJobs(winspool, printerName)
    polls.set(printerName, { atMs: performance.now(), jobs })
    return jobs
  }

  async function getJob(winspool: Winspool, { printerName, jobId, token }: JobKey): Promise<JobInfo | undefined> {
    return findJob(await listJobs(winspool, printerName), { jobId, token })
  }

  /** Releases a retained job before it deletes it. @throws if the job still exists after the timeout. */
  async function deleteJob(winspool: Winspool, key: JobKey, job: JobInfo): Promise<void> {
    await releaseRetained(winspool, key.printerName, job)
    await winspool.setJob(key.printerName, key.jobId, 'delete')
    const deadlineMs = performance.now() + timings.deleteTimeoutMs
    for (;;) {
      const job = await getJob(winspool, key)
      if (!job || (job.status & JOB_STATUS.deleted) !== 0) return
      if (performance.now() > deadlineMs) throw new Error('Windows did not delete the job in time.')
      await sleep(timings.quickMs)
    }
  }

  /** Removes printed jobs that a killed agent left in the queue. */
  async function purgeEnded(winspool: Winspool, printerName: string, jobs: JobInfo[]): Promise<void> {
    for (const job of jobs) {
      const isAbandoned = isAgentJob(job.document) && hasEnded(toJobState(job)) && now() - job.submittedAtMs > RETAIN_MS
      if (isAbandoned) await releaseRetained(winspool, printerName, job)
    }
  }

  return {
    printers: async () => (await getWinspool()).printers.report(),

    async submitHeld(submission) {
      const { winspool, printers } = await getWinspool()
      const { printerOsName: printerName, token } = submission
      const jobs = await listJobs(winspool, printerName)
      for (const job of jobs.filter(({ document }) => hasToken(document, token))) {
        if (!isUnreleased(job)) throw new Error('Windows already has this job, and a user released it.')
        await deleteJob(winspool, { jobId: job.id, token, printerName }, job)
      }
      await purgeEnded(winspool, printerName, jobs)
      return await submitHeld(winspool, printers, submission)
    },

    async release(spoolerJobId) {
      const { winspool } = await getWinspool()
      const key = parseSpoolerJobId(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      if (!job) throw new Error('Windows does not know the job.')
      if (toJobState(job).is !== 'held') throw new Error('The job has already been released.')
      await retain(winspool, key)
      await winspool.setJob(key.printerName, key.jobId, 'resume')
    },

    async remove(spoolerJobId) {
      const { winspool } = await getWinspool()
      const key = parseSpoolerJobId(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      if (!job || hasEnded(toJobState(job))) return
      removed.add(spoolerJobId)
      await deleteJob(winspool, key, job)
    },

    /**
     * Deletes an unreleased job and does not return it, because it may be incomplete and is submitted again. Returns a
     * job that a user released. Skips queues that fail, because `submitHeld` checks its queue again.
     */
    async find(token) {
      const { winspool, printers } = await getWinspool()
      for (const printerName of await printers.names()) {
        const jobs = await listJobs(winspool, printerName).catch(() => [])
        for (const job of jobs.filter(({ document }) => hasToken(document, token))) {
          const key = { jobId: job.id, token, printerName }
          if (isUnreleased(job)) await deleteJob(winspool, key, job)
          else return { spoolerJobId: toSpoolerJobId(key), state: toJobState(job) }
        }
      }
      return undefined
    },

    async state(spoolerJobId) {
      const { winspool } = await getWinspool()
      const key = parseSpoolerJobId(spoolerJobId)
      const job = key && (await getJob(winspool, key))
      return job && toJobState(job)
    },

    async *watch(spoolerJobId, signal) {
      const { winspool } = await getWinspool()
      const key = parseSpoolerJobId(spoolerJobId)
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
        const isChanged = JSON.stringify(state) !== JSON.stringify(last?.state)
        try {
          if (isChanged) yield state
        } finally {
          // The watcher has journaled the state when the generator resumes.
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
  jobs.find(({ id, document }) => id === jobId && hasToken(document, token))

/** Paused, or still empty because it was not paused yet. */
function isUnreleased(job: JobInfo): boolean {
  const isEmpty = (job.status & JOB_STATUS.spooling) !== 0 && job.sizeBytes === 0
  return toJobState(job).is === 'held' || isEmpty
}

/**
 * The state of a job that is missing from its queue. A retained job was removed by a user. Windows removes other jobs
 * after they have printed.
 *
 * @returns undefined if the state is unknown.
 */
function resolveMissing(
  last: JobInfo | undefined,
  wasPrinting: boolean,
  wasRemoved: boolean,
): SpoolerState | undefined {
  if (wasRemoved) return DELETED_AT_QUEUE
  const wasRetained = last !== undefined && (last.status & JOB_STATUS.retained) !== 0
  return wasPrinting && !wasRetained ? { is: 'completed', reasons: ['job-completed-successfully'] } : undefined
}

/** Some print servers do not support it. Their jobs disappear after the print, and the end is derived from that. */
async function retain(winspool: Winspool, { printerName, jobId }: JobKey): Promise<void> {
  await winspool.setJob(printerName, jobId, 'retain').catch((error: unknown) => {
    if (!(error instanceof WinspoolError)) throw error
  })
}

/** For an ended job. If it fails, `purgeEnded` tries again. */
async function releaseRetained(winspool: Winspool, printerName: string, { id, status }: JobInfo): Promise<void> {
  if ((status & JOB_STATUS.retained) === 0) return
  await winspool.setJob(printerName, id, 'release').catch((error: unknown) => {
    if (!(error instanceof WinspoolError)) throw error
  })
}
