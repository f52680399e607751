/**
 * Languages that tell only the present: the printer is asked until nothing waits. With a count of all labels, or an
 * observed change from busy to idle, that proves a job.
 */
import type { Fault, Progress, Sent, Talk, WordTimings } from './word.ts'
import { getPauseMs, NOT_ANSWERING } from './word.ts'

export interface GaugeStatus {
  fault: Fault | undefined
  /** What is not printed yet, in formats and labels; 0 for an idle printer. */
  waiting: number
  /** The number of all printed labels; undefined if the printer does not count. */
  odometer?: number | undefined
}

/** One answer can come between two formats, so a printer that has just become idle is asked again soon. */
const ANSWERS_MIN = 2
const AGAIN_MS = 20
const AGAIN_FOR_MS = 100

/** For how long a printer that has worked must be idle, if it does not count labels. */
export interface Steady {
  /** A multiple of the longest step, such as the time of a label. */
  steps: number
  minMs: number
  maxMs: number
}

/** The steps of a printer differ by half, and a label does not move for longer than 10 s. */
export const STEADY: Steady = { steps: 1.5, minMs: 500, maxMs: 10_000 }

/**
 * @param before the answer before the first byte. @param ask as of a word.
 * @param isAlone no label of another job can be in the printer, which the count of labels would contain.
 */
export async function* followGauge(
  talk: Talk,
  sent: Sent,
  before: GaugeStatus,
  ask: (talk: Talk) => Promise<GaugeStatus | undefined>,
  timings: WordTimings,
  steady = STEADY,
  isAlone = true,
): AsyncIterable<Progress> {
  const observed = new Observed(sent, before, steady, isAlone && before.waiting === 0)
  const startedAtMs = performance.now()
  while (!talk.isClosed()) {
    const status = await ask(talk)
    const progress = status ? observed.add(status, timings.idleMs) : { fault: NOT_ANSWERING }
    if (status || performance.now() - startedAtMs > timings.idleMs) yield { ...observed.count(), ...progress }
    if (progress.end) return
    await talk.pause(observed.hasJustEnded() ? AGAIN_MS : getPauseMs(timings, performance.now() - startedAtMs))
  }
  yield { end: 'without-proof' }
}

/** What the answers since the last byte have shown. */
class Observed {
  private readonly labels: number | undefined
  private readonly before: GaugeStatus
  private readonly steady: Steady
  private readonly isAlone: boolean
  private last: GaugeStatus
  private changedAtMs = performance.now()
  /** Between two changes, such as the time of a label. */
  private longestStepMs = 0
  private hasWorked = false
  private idleAnswers = 0

  constructor({ labels }: Sent, before: GaugeStatus, steady: Steady, isAlone: boolean) {
    this.isAlone = isAlone
    this.labels = labels
    this.steady = steady
    this.before = before
    this.last = before
  }

  /** The printer was busy a moment ago. */
  hasJustEnded(): boolean {
    return this.idleAnswers === 1 || (this.idleAnswers > 0 && performance.now() - this.changedAtMs < AGAIN_FOR_MS)
  }

  count(): Pick<Progress, 'printed' | 'of'> {
    const [now, before] = [this.last.odometer, this.before.odometer]
    return now === undefined || before === undefined ? {} : { printed: Math.max(0, now - before), of: this.labels }
  }

  add(status: GaugeStatus, idleMs: number): Progress {
    const now = performance.now()
    // An odometer that was not answered this time has not changed.
    const odometer = status.odometer ?? this.last.odometer
    if (odometer !== this.last.odometer || status.waiting !== this.last.waiting || status.fault) {
      // The time of a fault is not a step.
      if (!this.last.fault) this.longestStepMs = Math.max(this.longestStepMs, now - this.changedAtMs)
      this.changedAtMs = now
    }
    this.last = { ...status, odometer }
    this.hasWorked ||= status.waiting > 0 || (this.count().printed ?? 0) > 0
    this.idleAnswers = status.fault || status.waiting > 0 ? 0 : this.idleAnswers + 1
    if (status.fault) return { fault: status.fault }
    return this.idleAnswers < ANSWERS_MIN ? {} : this.findEnd(now - this.changedAtMs, idleMs)
  }

  /** The end, of a printer that is idle. */
  private findEnd(idleForMs: number, idleMs: number): Progress {
    const { printed } = this.count()
    const hasAll = (printed ?? Number.POSITIVE_INFINITY) >= (this.labels ?? 1)
    const isCounted = this.isAlone && printed !== undefined && this.labels !== undefined
    if (isCounted && hasAll) return { end: 'printed' }
    const { steps, minMs, maxMs } = this.steady
    const steadyMs = Math.min(Math.max(steps * this.longestStepMs, minMs), maxMs)
    if (!isCounted && this.hasWorked && hasAll && idleForMs > steadyMs) return { end: 'printed' }
    return idleForMs > Math.max(idleMs, steadyMs) ? { end: 'without-proof' } : {}
  }
}
