/**
 * Sends the released jobs of one printer, one at a time. An unreachable printer is retried until the job is removed. A job that may have
 * been sent partly is never sent again.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Backoff, pauseMs } from '../../backoff.ts'
import type { SpoolerState } from '../spooler.ts'
import { type Device, type Ended, NothingSent, type Printing } from './device.ts'
import type { JobStore, NetworkJob } from './job-store.ts'

export const REMOVED: Ended = { is: 'aborted', message: 'The job was removed.', reasons: ['job-canceled-by-user'] }

const DOCUMENT_LOST: Ended = {
  is: 'aborted',
  message: 'The document was lost on the computer before it was printed.',
  reasons: ['document-lost'],
}

const NOT_RECORDED = 'The computer cannot write to its disk. Nothing is printed.'

export type Queue = ReturnType<typeof createQueue>

/**
 * @param device undefined for a printer that is no longer configured: its jobs end.
 * @param changed called after each change of a job's state.
 */
export function createQueue(
  name: string,
  device: Device | undefined,
  store: JobStore,
  backoff: Backoff,
  log: Logger,
  changed: (id: string) => void,
) {
  let current: { id: string; state: SpoolerState; remove: AbortController; over: Promise<void> } | undefined
  let running: Promise<void> | undefined
  let isClosing = false

  async function run(): Promise<void> {
    for (let job = store.next(name); job && !isClosing; job = store.next(name)) {
      const remove = new AbortController()
      const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
      current = { id: job.id, state: { is: 'processing', reasons: ['job-printing'] }, remove, over }
      changed(job.id)
      try {
        const ended = await processJob(job, remove.signal)
        if (ended) await store.finish(job.id, ended.is, ended.message, ended.reasons)
      } catch (error) {
        log.error({ err: error, job_id: job.token }, 'recording a job failed, retrying')
        await sleep(backoff.maxMs, undefined, { signal: remove.signal }).catch(() => undefined)
      }
      current = undefined
      isOver()
      changed(job.id)
    }
  }

  /** @returns undefined when the queue closes before anything of the job was sent. */
  async function processJob(job: NetworkJob, signal: AbortSignal): Promise<Ended | undefined> {
    const printing: Printing = {
      file: store.getPath(job.id),
      async begin(deviceJob) {
        try {
          store.begin(job.id, deviceJob)
          await store.durable()
        } catch (error) {
          // Before the first word to the printer; later ones only spare it a question.
          if (deviceJob === undefined) log.error({ err: error, job_id: job.token }, 'a job could not be recorded')
          throw deviceJob === undefined ? new NothingSent(NOT_RECORDED, []) : error
        }
      },
      report: (message, reasons) => report(job.id, message, reasons),
      signal,
    }
    for (let failures = 0; ; failures++) {
      try {
        return await attempt(job, printing)
      } catch (error) {
        if (isClosing && store.get(job.id)?.phase === 'released') return undefined
        if (signal.aborted) return REMOVED
        if (!(error instanceof NothingSent)) return unconfirmed(error)
        store.requeue(job.id)
        report(job.id, error.message, error.reasons)
        await sleep(pauseMs(failures, backoff), undefined, { signal }).catch(() => undefined)
        if (isClosing) return undefined
        if (signal.aborted) return REMOVED
      }
    }
  }

  async function attempt(job: NetworkJob, printing: Printing): Promise<Ended> {
    const phase = store.get(job.id)?.phase
    if (phase === 'sending') return (await device?.resume?.(job, printing)) ?? unconfirmed()
    if (!device) return notConfigured(name)
    if (!existsSync(printing.file)) return DOCUMENT_LOST
    return await device.print(job, printing)
  }

  function report(id: string, message: string | undefined, reasons: string[] = []): void {
    if (current?.id !== id || current.state.message === message) return
    current.state = { is: 'processing', ...(message && { message }), reasons: ['job-printing', ...reasons] }
    changed(id)
  }

  return {
    /** There may be something to send. */
    wake(): void {
      if (isClosing) return
      running ??= run().finally(() => {
        running = undefined
      })
    },

    /** Of the job that the queue is at; undefined for others. */
    getState: (id: string) => (current?.id === id ? current.state : undefined),

    /** Nothing more of the job is sent when this returns. */
    async remove(id: string): Promise<void> {
      if (current?.id === id) {
        current.remove.abort()
        await current.over
        if (store.get(id)?.phase === 'released') throw new Error('The spooler closes: the job is there still.')
      } else {
        await store.finish(id, REMOVED.is, REMOVED.message, REMOVED.reasons)
        changed(id)
      }
    },

    /** Begins nothing more. Resolves when what is being sent has come to its end, which may take as long as the printer likes. */
    async close(): Promise<void> {
      isClosing = true
      if (current && store.get(current.id)?.phase === 'released') current.remove.abort()
      await running
    },
  }
}

/** @param cause undefined when an earlier process died of which nothing else is known. */
function unconfirmed(cause?: unknown): Ended {
  const why = cause instanceof Error ? `the connection failed (${getCode(cause)})` : 'the agent was broken off'
  const message = `It is unknown what was printed: ${why} while the job was being sent. It was not sent again.`
  return { is: 'aborted', message, reasons: ['unconfirmed'] }
}

/** A word that names neither paths nor addresses. */
const getCode = (error: Error) => ('code' in error ? String(error.code) : error.message)

function notConfigured(name: string): Ended {
  const message = `The printer "${name}" is not in the agent's configuration any more. Nothing was printed.`
  return { is: 'aborted', message, reasons: ['printer-not-found'] }
}
