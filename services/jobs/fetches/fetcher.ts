/**
 * Fetches the documents of jobs that were created with a URL, and converts images. Runs in every replica. A replica
 * leases its fetches (`lease-fetches.ts`), so that another replica repeats a fetch after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { ApiError } from '@platen/runtime/errors.ts'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import { isPublicAddress } from '@platen/runtime/fetch/public-address.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { contextFrom, runInSpan } from '@platen/runtime/telemetry/trace-context.ts'
import { createIdleWait } from '@platen/runtime/timers.ts'
import { CONVERSION_TIMEOUT_MS, type Conversions } from '../images/conversions.ts'
import type { Jobs } from '../jobs.ts'
import { getStartTimeoutMs } from '../timers/sweep-fetches.ts'
import { convertStored } from './convert-stored.ts'
import { type Attempt, failFetch, getStorageKey, keepDocument, postponeFetch, removeUpload } from './end-fetch.ts'
import { type DocumentFault, FAILED_INSIDE, NO_QUOTA, toFailure } from './failures.ts'
import { type FetchedDocument, fetchDocument, InvalidDocument } from './fetch-document.ts'
import { LEASE_BEYOND_DEADLINE_MS, type LeasedFetch, leaseFetches } from './lease-fetches.ts'
import type { FetchSource } from './source-box.ts'

/** Concurrent fetches of one replica. */
export const FETCHES_MAX = 64
/** Finds fetches whose wake was lost, and jobs that have ended. */
const POLL_EVERY_MS = 1_000
/** Between two polls, so that one poll serves a burst of jobs. */
const POLL_PAUSE_MS = 5
/** After a failure of the file store or the database. */
const POSTPONE_MS = 5_000

const CONVERSION_LEASE_MS = CONVERSION_TIMEOUT_MS + LEASE_BEYOND_DEADLINE_MS
const NO_SHEETS = { papers: [], dpis: [] }

const tracer = trace.getTracer('platen.fetch')

export interface FetcherOptions {
  network: PublicNetwork
  files: FileStore
  conversions: Conversions
  deadlineMs: number
  allowedNetworksDetails: boolean
}

/** What is known of a running fetch. */
interface Progress {
  /** The host has an address in an allowed network that is not public. */
  isInside: boolean
  /** Key of a fetched image, which its PDF replaces. */
  imageKey?: string
  /** Key of an uploaded image. It is deleted when the fetch has ended, and otherwise kept for another attempt. */
  uploadKey?: string
}

interface FailedFetch {
  signal: AbortSignal
  error: unknown
}

/** Runs until the process stops. */
export function startFetcher(service: ServiceProcess, jobs: Jobs, options: FetcherOptions): Fetcher {
  const fetcher = new Fetcher(service, jobs, options)
  const stopped = fetcher.pollUntilStopped()
  service.onStop('fetches', async () => {
    await stopped
    await fetcher.abortAll()
  })
  return fetcher
}

class Fetcher {
  private readonly service: ServiceProcess
  private readonly jobs: Jobs
  private readonly options: FetcherOptions
  private readonly idle
  private readonly running = new Map<string, { attempt: number; abort: AbortController; ended: Promise<void> }>()

  constructor(service: ServiceProcess, jobs: Jobs, options: FetcherOptions) {
    this.service = service
    this.jobs = jobs
    this.options = options
    this.idle = createIdleWait(service.stopping)
  }

  /** Starts the next poll now. Call after the creation of a job with a fetch. */
  wake(): void {
    this.idle.wake()
  }

  async pollUntilStopped(): Promise<void> {
    const { stopping, log } = this.service
    while (!stopping.aborted) {
      await this.poll().catch((error: unknown) => log.error({ err: error }, 'fetch poll failed, retrying'))
      await this.idle.idle(POLL_EVERY_MS)
      await sleep(POLL_PAUSE_MS)
    }
  }

  async abortAll(): Promise<void> {
    const running = [...this.running.values()]
    for (const { abort } of running) abort.abort()
    await Promise.all(running.map(({ ended }) => ended))
  }

  private async poll(): Promise<void> {
    this.idle.beforePoll()
    await this.abortEnded()
    const limit = FETCHES_MAX - this.running.size
    if (limit === 0) return
    const { deadlineMs } = this.options
    const now = this.jobs.clock.now()
    const createdAfter = new Date(now.getTime() - getStartTimeoutMs(this.jobs))
    const leased = await leaseFetches(this.jobs.pool, { now, createdAfter, limit, deadlineMs })
    for (const fetch of leased) this.start(fetch)
  }

  /** Aborts fetches whose job was cancelled or has expired, or whose lease another replica has taken over. */
  private async abortEnded(): Promise<void> {
    if (this.running.size === 0) return
    const { rows } = await this.jobs.pool.query<Attempt>({
      name: 'running fetches',
      text: `SELECT job_id AS "jobId", document_fetch.attempt FROM jobs.document_fetch
             JOIN jobs.job ON job.id = job_id AND state = 'queued'
             WHERE job_id = ANY($1::uuid[])`,
      values: [[...this.running.keys()]],
    })
    const needed = new Map(rows.map(({ jobId, attempt }) => [jobId, attempt]))
    for (const [jobId, { attempt, abort }] of this.running) if (needed.get(jobId) !== attempt) abort.abort()
  }

  private start(fetch: LeasedFetch): void {
    const abort = new AbortController()
    const { jobId, attempt } = fetch
    const ended = this.run(fetch, abort.signal)
      .catch((error: unknown) =>
        this.service.log.error({ err: error, job_id: jobId }, 'fetch failed, will be repeated when its lease expires'),
      )
      .finally(() => {
        if (this.running.get(jobId)?.abort === abort) this.running.delete(jobId)
        this.wake()
      })
    this.running.set(jobId, { attempt, abort, ended })
  }

  private async run(fetch: LeasedFetch, signal: AbortSignal): Promise<void> {
    const parent = contextFrom(fetch.traceparent)
    const span = tracer.startSpan('fetch document', { attributes: { 'print.job.id': fetch.jobId } }, parent)
    const startedAt = performance.now()
    let outcome = 'interrupted'
    try {
      outcome = await runInSpan(span, parent, async () => {
        const ended = await this.fetch(fetch, signal)
        if (ended !== 'kept') span.setStatus({ code: SpanStatusCode.ERROR, message: ended })
        return ended
      })
    } finally {
      const durationMs = Math.round(performance.now() - startedAt)
      const { jobId, organizationId, attempt } = fetch
      this.service.log.info(
        { job_id: jobId, organization_id: organizationId, attempt, outcome, duration_ms: durationMs },
        'fetch ended',
      )
    }
  }

  /** @returns the outcome for log and span. */
  private async fetch(fetch: LeasedFetch, signal: AbortSignal): Promise<string> {
    const { jobs, options } = this
    const storageKey = getStorageKey(fetch)
    const progress: Progress = { isInside: false }
    try {
      // The previous attempt may have left a file at a crash.
      if (fetch.attempt > 1) await options.files.delete(getStorageKey({ ...fetch, attempt: fetch.attempt - 1 }))
      // Sizes are unknown at the creation, so many fetches may have been accepted below the limit.
      if (jobs.storedBytes.check(fetch.organizationId)) {
        await failFetch(jobs, fetch, NO_QUOTA)
        return 'quota exceeded'
      }
      const document = await this.store(fetch, progress, signal)
      // If this fails, the job may have the document, so the file stays. The next attempt would delete it.
      if (await keepDocument(jobs, fetch, document)) {
        jobs.storedBytes.add(fetch.organizationId, document.sizeBytes)
        await this.discard(progress.uploadKey)
        return 'kept'
      }
      await options.files.delete(storageKey)
      return 'not needed'
    } catch (error) {
      return await this.fail(fetch, progress, { signal, error })
    }
  }

  /** Stores the document, as a PDF if it is an image. */
  private async store(fetch: LeasedFetch, progress: Progress, signal: AbortSignal): Promise<FetchedDocument> {
    const { jobs, options } = this
    const { organizationId } = fetch
    const storageKey = getStorageKey(fetch)
    const source = this.decrypt(fetch)
    if ('storageKey' in source) progress.uploadKey = source.storageKey
    else {
      const onAddresses = (addresses: string[]) => {
        progress.isInside = !addresses.every(isPublicAddress)
      }
      const format = source.sheets ? 'image' : fetch.contentType.startsWith('pdf') ? 'pdf' : 'raw'
      const { deadlineMs } = options
      const document = await fetchDocument(options, { source, format, storageKey, deadlineMs, signal, onAddresses })
      if (!source.sheets) return document
      progress.imageKey = storageKey
    }
    return await convertStored(options, {
      organizationId,
      from: progress.uploadKey ?? storageKey,
      to: storageKey,
      sheets: source.sheets ?? NO_SHEETS,
      signal,
      onStart: () => postponeFetch(jobs, fetch, new Date(jobs.clock.now().getTime() + CONVERSION_LEASE_MS)),
    })
  }

  /** A file that cannot be deleted now stays until its retention ends. */
  private async discard(...keys: (string | undefined)[]): Promise<void> {
    for (const key of keys)
      if (key !== undefined)
        await this.options.files
          .delete(key)
          .catch((err: unknown) => this.service.log.error({ err, storage_key: key }, 'failed to delete an image'))
  }

  private decrypt({ jobId, encryptedSource }: LeasedFetch): FetchSource {
    try {
      return this.jobs.sourceBox.decrypt(jobId, encryptedSource)
    } catch {
      throw new InvalidDocument('unreadable')
    }
  }

  /**
   * Ends the job, or postpones the fetch after a failure of the service itself.
   *
   * @returns the outcome for log and span.
   */
  private async fail(fetch: LeasedFetch, progress: Progress, { signal, error }: FailedFetch): Promise<string> {
    const { jobs, service, options } = this
    const { isInside, imageKey, uploadKey } = progress
    const fault = getFault(error)
    if (fault) {
      const status = error instanceof FetchFailure ? error.status : undefined
      const { deadlineMs, allowedNetworksDetails } = options
      const isHidden = isInside && !allowedNetworksDetails
      await failFetch(jobs, fetch, isHidden ? FAILED_INSIDE : toFailure(fault, { status, deadlineMs }))
      await this.discard(imageKey, uploadKey)
      if (uploadKey !== undefined) await removeUpload(jobs, fetch)
      return status === undefined ? fault : `${fault} ${status}`
    }
    await this.discard(imageKey)
    if (signal.aborted && !service.stopping.aborted) return 'not needed'
    if (!signal.aborted && !isUnavailable(error)) throw error
    const until = service.stopping.aborted ? null : new Date(jobs.clock.now().getTime() + POSTPONE_MS)
    await postponeFetch(jobs, fetch, until)
    return 'postponed'
  }
}

/** @returns the fault of the server or the document, or undefined for other errors. */
function getFault(error: unknown): DocumentFault | undefined {
  return error instanceof FetchFailure || error instanceof InvalidDocument ? error.fault : undefined
}

const isUnavailable = (error: unknown) =>
  error instanceof ApiError && (error.code === 'storage_unavailable' || error.code === 'service_unavailable')
