/**
 * Fetches the documents of jobs that were created with a URL, right after their creation. Every replica runs one; what it begins it has
 * leased (`lease-fetches.ts`), so that a fetch which a crash interrupted is done by another one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { ApiError } from '@platen/runtime/errors.ts'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import { isPublicAddress } from '@platen/runtime/fetch/public-address.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { contextFrom, within } from '@platen/runtime/telemetry/trace-context.ts'
import { createRest } from '@platen/runtime/timers.ts'
import type { Jobs } from '../jobs.ts'
import { beginsWithinMs } from '../timers/sweep-fetches.ts'
import { type Attempt, failFetch, keepDocument, postponeFetch, storageKeyOf } from './end-fetch.ts'
import { type DocumentFault, FAILED_INSIDE, failureOf } from './failures.ts'
import { fetchDocument, UnfitDocument } from './fetch-document.ts'
import { type LeasedFetch, leaseFetches } from './lease-fetches.ts'
import type { FetchSource, Vault } from './vault.ts'

/** At a time, of one replica. */
export const FETCHES_MAX = 64
/** For what no wake told of, and for jobs that are over meanwhile. */
const LOOK_EVERY_MS = 1_000
/** Between two looks: jobs come in bursts, and one look serves many. */
const REST_MS = 5
/** After a trouble of our own: a store or a database that is away. */
const POSTPONE_MS = 5_000

const tracer = trace.getTracer('platen.fetch')

export interface FetcherOptions {
  network: PublicNetwork
  files: FileStore
  vault: Vault
  deadlineMs: number
}

interface Trouble {
  signal: AbortSignal
  error: unknown
  /** The host has an address that is not public, in a network that the operator allowed. */
  isInside: boolean
}

/** @returns the call to wake it, when a job was created. */
export function startFetcher(service: ServiceProcess, jobs: Jobs, options: FetcherOptions): () => void {
  const { files, vault, deadlineMs } = options
  const running = new Map<string, { attempt: number; abort: AbortController; ended: Promise<void> }>()
  const { wake, beforeLook, rest } = createRest(service.stopping)

  async function look(): Promise<void> {
    beforeLook()
    await endThoseThatAreOver()
    const limit = FETCHES_MAX - running.size
    if (limit === 0) return
    const now = jobs.clock.now()
    const createdAfter = new Date(now.getTime() - beginsWithinMs(jobs))
    for (const fetch of await leaseFetches(jobs.pool, { now, createdAfter, limit, deadlineMs })) start(fetch)
  }

  function start(fetch: LeasedFetch): void {
    const abort = new AbortController()
    const ended = run(fetch, abort.signal)
      .catch((error: unknown) => service.log.error({ err: error, job_id: fetch.jobId }, 'fetch left to its lease'))
      .finally(() => {
        if (running.get(fetch.jobId)?.abort === abort) running.delete(fetch.jobId)
        wake()
      })
    running.set(fetch.jobId, { attempt: fetch.attempt, abort, ended })
  }

  /** The job was cancelled or has expired, or another replica has taken over. */
  async function endThoseThatAreOver(): Promise<void> {
    if (running.size === 0) return
    const { rows } = await jobs.pool.query<Attempt>({
      name: 'fetches going on',
      text: `SELECT job_id AS "jobId", document_fetch.attempt FROM jobs.document_fetch JOIN jobs.job ON job.id = job_id AND state = 'queued'
             WHERE job_id = ANY($1::uuid[])`,
      values: [[...running.keys()]],
    })
    const wanted = new Map(rows.map(({ jobId, attempt }) => [jobId, attempt]))
    for (const [jobId, { attempt, abort }] of running) if (wanted.get(jobId) !== attempt) abort.abort()
  }

  async function run(fetch: LeasedFetch, signal: AbortSignal): Promise<void> {
    const parent = contextFrom(fetch.traceparent)
    const span = tracer.startSpan('fetch document', { attributes: { 'print.job.id': fetch.jobId } }, parent)
    const startedAt = performance.now()
    let outcome = 'interrupted'
    try {
      outcome = await within(span, parent, async () => {
        const ended = await settle(fetch, signal)
        if (ended !== 'kept') span.setStatus({ code: SpanStatusCode.ERROR, message: ended })
        return ended
      })
    } finally {
      const durationMs = Math.round(performance.now() - startedAt)
      const { jobId, organizationId, attempt } = fetch
      service.log.info(
        { job_id: jobId, organization_id: organizationId, attempt, outcome, duration_ms: durationMs },
        'fetch ended',
      )
    }
  }

  /** @returns how it ended, for people. */
  async function settle(fetch: LeasedFetch, signal: AbortSignal): Promise<string> {
    const storageKey = storageKeyOf(fetch)
    let isInside = false
    const onAddresses = (addresses: string[]) => {
      isInside = !addresses.every(isPublicAddress)
    }
    try {
      // What a crash left of the attempt before.
      if (fetch.attempt > 1) await files.delete(storageKeyOf({ ...fetch, attempt: fetch.attempt - 1 }))
      const source = open(fetch)
      const isPdf = fetch.contentType.startsWith('pdf')
      const document = await fetchDocument(options, { source, isPdf, storageKey, deadlineMs, signal, onAddresses })
      // When this fails it is not known whether the job has the document, and it stays: an attempt that follows would delete it.
      if (await keepDocument(jobs, fetch, document)) return 'kept'
      await files.delete(storageKey)
      return 'not wanted any more'
    } catch (error) {
      return await giveUp(fetch, { signal, error, isInside })
    }
  }

  function open({ jobId, sealed }: LeasedFetch): FetchSource {
    try {
      return vault.open(jobId, sealed)
    } catch {
      throw new UnfitDocument('unreadable')
    }
  }

  async function giveUp(fetch: LeasedFetch, { signal, error, isInside }: Trouble): Promise<string> {
    const fault = faultOf(error)
    if (fault) {
      const status = error instanceof FetchFailure ? error.status : undefined
      await failFetch(jobs, fetch, isInside ? FAILED_INSIDE : failureOf(fault, { status, deadlineMs }))
      return status === undefined ? fault : `${fault} ${status}`
    }
    if (signal.aborted && !service.stopping.aborted) return 'not wanted any more'
    if (!signal.aborted && !isTroubleOfOurs(error)) throw error
    const until = service.stopping.aborted ? null : new Date(jobs.clock.now().getTime() + POSTPONE_MS)
    await postponeFetch(jobs, fetch, until)
    return 'postponed'
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      await look().catch((error: unknown) => service.log.error({ err: error }, 'fetches not looked for, trying again'))
      await rest(LOOK_EVERY_MS)
      await sleep(REST_MS)
    }
  }
  const stopped = loop()
  service.onStop('fetches', async () => {
    await stopped
    for (const { abort } of running.values()) abort.abort()
    await Promise.all([...running.values()].map(({ ended }) => ended))
  })
  return wake
}

/** Of the server or the document; undefined when it is nothing that they did. */
function faultOf(error: unknown): DocumentFault | undefined {
  return error instanceof FetchFailure || error instanceof UnfitDocument ? error.fault : undefined
}

const isTroubleOfOurs = (error: unknown) =>
  error instanceof ApiError && (error.code === 'storage_unavailable' || error.code === 'service_unavailable')
