/** `--wait` and `jobs wait`: the timeline of a job on stderr, why it waits meanwhile, then its explanation. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isFinalState } from '@platen/resources/job-states.ts'
import { ApiError, type Platen, type PrintJob, type PrintJobExplanation } from '@platen/sdk'
import { EXIT } from './exit-codes.ts'
import { formatTime, inform, type OutputOptions, style } from './output.ts'

export interface WaitSettings extends OutputOptions {
  timeoutSeconds?: number | undefined
}

/** A job that prints has ended or is printing by then. */
const EXPLAIN_AFTER_MS = 3_000
const EXPLAIN_EVERY_MS = 5_000

/** @returns the exit code. */
export async function waitForJob(platen: Platen, job: PrintJob, settings: WaitSettings): Promise<number> {
  const stop = settings.timeoutSeconds === undefined ? undefined : AbortSignal.timeout(settings.timeoutSeconds * 1000)
  const ended = new AbortController()
  const explaining = showReasons(job, ended.signal)
  try {
    await showTimeline(platen, job, settings, stop)
  } catch (error) {
    if (!stop?.aborted) throw error
    const reason = await job.explanation().then(toReason, () => '')
    inform(`${job.title}: not ended after ${settings.timeoutSeconds} s. ${reason}`.trim())
    inform(`The job continues: platen jobs wait ${job.id}`)
    return EXIT.timeout
  } finally {
    ended.abort()
    await explaining
  }
  const explanation = await job.explanation().catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (explanation) showExplanation(explanation)
  return toExitCode((await platen.printJobs.get(job.id)).state, explanation)
}

/** Shows why the job has not ended, again when that changes, until the signal. Failures are those of the timeline. */
async function showReasons(job: PrintJob, signal: AbortSignal): Promise<void> {
  let shown: string | undefined
  try {
    for (let pauseMs = EXPLAIN_AFTER_MS; ; pauseMs = EXPLAIN_EVERY_MS) {
      await sleep(pauseMs, undefined, { signal })
      const explanation = await job.explanation({ signal, maxRetries: 0 }).catch(() => undefined)
      // The text of a cause can have a number that changes all the time.
      const mark = explanation && `${explanation.headline} ${explanation.code}`
      if (explanation && mark !== shown && !signal.aborted) inform(toReason(explanation))
      shown = mark ?? shown
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const toReason = ({ headline, cause }: PrintJobExplanation) => `${headline}: ${cause}`

/** Every event of the job, also the earlier ones, until it has ended. */
async function showTimeline(platen: Platen, job: PrintJob, output: OutputOptions, signal?: AbortSignal): Promise<void> {
  if (job.isFinal) {
    for (const { createdAt, state, message } of await job.events({ signal })) show(createdAt, state, message, output)
    return
  }
  const onFailed = (error: Error) => inform(`${error.message} Waiting until it answers again.`)
  const feed = platen.events.follow({ resourceId: job.id, after: null, type: ['printjob.*'], signal, onFailed })
  for await (const { type, timestamp, data } of feed) {
    const state = type.slice('printjob.'.length)
    show(timestamp, state, 'stateMessage' in data ? data.stateMessage : null, output)
    if (isFinalState(state)) return
  }
}

function show(time: string, state: string, message: string | null, output: OutputOptions): void {
  inform(`${formatTime(time, output, process.stderr.isTTY)}  ${state.padEnd(9)}${message ? `  ${message}` : ''}`)
}

export function showExplanation({ headline, cause, actions }: PrintJobExplanation): void {
  inform(style('bold', headline))
  inform(cause)
  for (const { text } of actions) inform(`- ${text}`)
}

/** Without an explanation, a failed job may have been printed. */
export function toExitCode(state: PrintJob['state'], explanation: PrintJobExplanation | undefined): number {
  if (state === 'done') return EXIT.done
  if (state === 'cancelled' || state === 'expired') return EXIT.ended
  return explanation?.paper === 'none' ? EXIT.notPrinted : EXIT.maybePrinted
}
