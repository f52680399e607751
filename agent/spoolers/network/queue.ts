/**
 * Sends the released jobs of one printer, one at a time. An unreachable printer is retried until the job is removed. A
 * job that may have been sent partly is never sent again.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { type Backoff, pauseMs } from '../../backoff.ts'
import { DISK_FULL } from '../../disk.ts'
import { retry } from '../../retry.ts'
import type { SpoolerState } from '../spooler.ts'
import { type Device, type FinalState, NothingSent, type Printing } from './device.ts'
import type { JobStore, NetworkJob } from './job-store.ts'

export const REMOVED: FinalState = { is: 'aborted', message: 'The job was removed.', reasons: ['job-canceled-by-user'] }

const DOCUMENT_LOST: FinalState = {
  is: 'aborted',
  message: 'The document was lost on the computer before it was printed.',
  reasons: ['document-lost'],
}

const NOT_RECORDED = 'The computer cannot write to its disk. Nothing is printed until it can.'
const RESULT_NOT_RECORDED = 'The computer cannot write to its disk, so it cannot record what happened to the job.'

export type Queue = ReturnType<typeof createQueue>

/**
 * @param getDevice returns undefined for a printer that is no longer configured. Its jobs end.
 * @param onChange called after each change of a job's state.
 */
export function createQueue(
  name: string,
  getDevice: () => Device | undefined,
  store: JobStore,
  backoff: Backoff,
  log: Logger,
  onChange: (id: string) => void,
) {
  let current: { id: string; state: SpoolerState; remove: AbortController; end: Promise<void> } | undefined
  let running: Promise<void> | undefined
  const closing = new AbortController()

  async function run(): Promise<void> {
    for (let job = store.next(name); job && !closing.signal.aborted; job = store.next(name)) {
      const remove = new AbortController()
      const { promise: end, resolve } = Promise.withResolvers<void>()
      current = { id: job.id, state: toState(job.id), remove, end }
      onChange(job.id)
      try {
        const finalState = await processJob(job, remove.signal)
        if (finalState) await record(job, () => store.finish(job.id, finalState))
      } catch (error) {
        log.error({ err: error, job_id: job.token }, 'processing a job failed, retrying')
        await sleep(backoff.maxMs, undefined, { signal: closing.signal }).catch(() => undefined)
      }
      current = undefined
      resolve()
      onChange(job.id)
    }
  }

  /**
   * Repeats a write until it succeeds, because only this process knows what was sent.
   *
   * @throws when the queue closes.
   */
  const record = (job: NetworkJob, write: () => void | Promise<void>) =>
    retry({ log, stopping: closing.signal, timings: { backoff } }, job.token, 'recording the job failed', async () => {
      try {
        await write()
      } catch (error) {
        report(job.id, RESULT_NOT_RECORDED)
        throw error
      }
    })

  /** @returns undefined if the queue is closed before anything was sent. */
  async function processJob(job: NetworkJob, signal: AbortSignal): Promise<FinalState | undefined> {
    const printing: Printing = {
      file: store.getPath(job.id),
      async begin(deviceJob) {
        try {
          store.begin(job.id, deviceJob)
          await store.durable()
        } catch (error) {
          log.error({ err: error, job_id: job.token }, 'a job could not be recorded')
          // The first call is required. Later calls store the id at the printer, which can be queried again.
          if (deviceJob === undefined) throw new NothingSent(NOT_RECORDED, [DISK_FULL])
        }
        if (deviceJob === undefined) report(job.id)
      },
      report: (message, reasons, printed) => report(job.id, message, reasons, printed),
      signal,
    }
    for (let failures = 0; ; failures++) {
      try {
        return await attempt(job, printing)
      } catch (error) {
        if (closing.signal.aborted && store.get(job.id)?.phase === 'released') return undefined
        if (signal.aborted) return REMOVED
        if (!(error instanceof NothingSent)) return toUnconfirmed(error)
        await record(job, () => store.requeue(job.id))
        report(job.id, error.message, error.reasons)
        await sleep(pauseMs(failures, backoff), undefined, { signal }).catch(() => undefined)
        if (closing.signal.aborted) return undefined
        if (signal.aborted) return REMOVED
      }
    }
  }

  async function attempt(job: NetworkJob, printing: Printing): Promise<FinalState> {
    const phase = store.get(job.id)?.phase
    const device = getDevice()
    if (phase === 'sending') return (await device?.resume?.(job, printing)) ?? toUnconfirmed()
    if (!device) return toNotConfigured(name)
    if (!existsSync(printing.file)) return DOCUMENT_LOST
    return await device.print(job, printing)
  }

  /** A job of which nothing was sent is pending, so that the service does not end it for slow printing. */
  function toState(id: string, message?: string, reasons: string[] = [], printed?: number): SpoolerState {
    const hasBegun = store.get(id)?.phase === 'sending'
    const state = { ...(message && { message }), ...(printed !== undefined && { printed }), reasons }
    return hasBegun
      ? { ...state, is: 'processing', reasons: ['job-printing', ...reasons] }
      : { ...state, is: 'pending' }
  }

  function report(id: string, message?: string, reasons?: string[], printed?: number): void {
    const state = toState(id, message, reasons, printed)
    if (current?.id !== id || isDeepStrictEqual(current.state, state)) return
    current.state = state
    onChange(id)
  }

  return {
    /** Starts to send the released jobs. */
    wake(): void {
      if (closing.signal.aborted) return
      running ??= run().finally(() => {
        running = undefined
      })
    },

    /** The state of the current job; undefined for other jobs. */
    getState: (id: string) => (current?.id === id ? current.state : undefined),

    /** Nothing more of the job is sent when this resolves. */
    async remove(id: string): Promise<void> {
      if (current?.id === id) {
        current.remove.abort()
        await current.end
        const phase = store.get(id)?.phase
        if (phase === 'released' || phase === 'sending') throw new Error('The job has not ended yet.')
      } else {
        await store.finish(id, REMOVED)
        onChange(id)
      }
    },

    /** Starts no more jobs. Resolves when the current job has ended, which can take any time. */
    async close(): Promise<void> {
      closing.abort()
      if (current && store.get(current.id)?.phase === 'released') current.remove.abort()
      await running
    },
  }
}

/** @param cause undefined if an earlier process died. */
function toUnconfirmed(cause?: unknown): FinalState {
  const event = cause instanceof Error ? `The connection failed (${getCode(cause)})` : 'The agent ended'
  const message = `${event} while the job was being sent, so it is unknown what was printed. It was not sent again.`
  return { is: 'aborted', message, reasons: ['unconfirmed'] }
}

/** The code of an error contains no path or address. */
const getCode = (error: Error) => ('code' in error ? String(error.code) : error.message)

function toNotConfigured(name: string): FinalState {
  const message = `The printer "${name}" is no longer in the configuration of the agent. Nothing was printed.`
  return { is: 'aborted', message, reasons: ['printer-not-found'] }
}
