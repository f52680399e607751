/**
 * ZPL II: `~HS` tells the present, and the odometer counts printed labels. Together they prove a job: nothing waits, and the count rose.
 * Many printers do not answer `~HS` while they are out of paper or open; others answer with the cause.
 *
 * Source: Zebra, ZPL II Programming Guide, "~HS" and "odometer.total_label_count".
 */
import type { Fault, Found, Progress, Sent, Talk, Word, WordTimings } from './word.ts'
import { getPauseMs, NOT_ANSWERING, WORD_TIMINGS } from './word.ts'

export interface ZplStatus {
  fault: Fault | undefined
  /** Formats in the receive buffer and labels that remain. */
  waiting: number
  /** The number of all printed labels; undefined if the printer does not count. */
  odometer: number | undefined
}

export const QUESTION = '~HS'
export const toGetVariable = (name: string) => `! U1 getvar "${name}"\r\n`
const ASK_ODOMETER = toGetVariable('odometer.total_label_count')
/** The status has three lines, each between STX and ETX. */
const [STX, ETX, STATUS_LINES] = [0x02, 0x03, 3]
const NUMBER = /"(\d+|\?)"/
/** Some imitations put their own counter into the number of remaining labels. */
const REMAINING_MAX = 10_000
/** Answers to questions that were asked before arrive together. */
const TOGETHER_MS = 100
/** One answer can come between two formats, so the printer is asked again soon. */
const ANSWERS_MIN = 2
const AGAIN_MS = 20
/** The steps of a printer differ by half. */
const STEPS_IDLE = 1.5
/** A label does not move for longer. */
const STEADY_MS = { min: 500, max: 10_000 }

/** The fields of the two lines, by their position. */
const FAULTS: [line: 0 | 1, field: number, fault: Fault][] = [
  [0, 1, { message: 'The printer is out of paper.', reasons: ['media-empty'] }],
  [1, 2, { message: 'The print head or a cover of the printer is open.', reasons: ['cover-open'] }],
  [1, 3, { message: 'The ribbon of the printer has run out.', reasons: ['marker-supply-empty'] }],
  [0, 11, { message: 'The print head is too hot. The printer continues by itself.', reasons: ['device-paused'] }],
  [0, 2, { message: 'The printer is paused by a key on it.', reasons: ['device-paused'] }],
]

export function createZplWord(timings: WordTimings = WORD_TIMINGS): Word<ZplStatus> {
  /** Undefined until the printer was asked once. */
  let hasOdometer: boolean | undefined
  let isSilent = false

  async function readStatus(talk: Talk) {
    let lines = await talk.read(findStatus, timings.answerMs)
    // A printer that was silent may answer all questions of that time: only the last answer counts.
    for (let next = lines; isSilent && next; next = await talk.read(findStatus, TOGETHER_MS)) lines = next
    isSilent = lines === undefined
    return lines
  }

  async function readOdometer(talk: Talk): Promise<number | undefined> {
    if (hasOdometer === false) return undefined
    talk.clear()
    talk.write(ASK_ODOMETER)
    const text = await talk.read(findNumber, timings.answerMs)
    hasOdometer ??= text !== undefined && text !== '?'
    return text === undefined || text === '?' ? undefined : Number(text)
  }

  async function ask(talk: Talk): Promise<ZplStatus | undefined> {
    if (!isSilent) talk.clear()
    talk.write(QUESTION)
    const lines = await readStatus(talk)
    return lines && { ...toStatus(lines), odometer: await readOdometer(talk) }
  }

  return {
    question: QUESTION,
    ask,

    async *follow(talk, sent, before) {
      const observed = new Observed(sent, before)
      const startedAtMs = performance.now()
      while (!talk.isClosed()) {
        const status = await ask(talk)
        const progress = status ? observed.add(status, timings.idleMs) : { fault: NOT_ANSWERING }
        if (status || performance.now() - startedAtMs > timings.idleMs) yield { ...observed.count(), ...progress }
        if (progress.end) return
        await talk.pause(observed.isIdle() ? AGAIN_MS : getPauseMs(timings, performance.now() - startedAtMs))
      }
      yield { end: 'without-proof' }
    },
  }
}

/** What the answers since the last byte have shown. */
class Observed {
  private readonly labels: number | undefined
  private readonly before: ZplStatus
  private last: ZplStatus
  private changedAtMs = performance.now()
  /** Between two changes, such as the time of a label. */
  private longestStepMs = 0
  private hasWorked = false
  private idleAnswers = 0

  constructor({ labels }: Sent, before: ZplStatus) {
    this.labels = labels
    this.before = before
    this.last = before
  }

  /** The last answer alone says that the printer is idle. */
  isIdle(): boolean {
    return this.idleAnswers === 1
  }

  count(): Pick<Progress, 'printed' | 'of'> {
    const [now, before] = [this.last.odometer, this.before.odometer]
    return now === undefined || before === undefined ? {} : { printed: Math.max(0, now - before), of: this.labels }
  }

  add(status: ZplStatus, idleMs: number): Progress {
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
    const isCounted = printed !== undefined && this.labels !== undefined
    if (isCounted && printed >= (this.labels ?? 0)) return { end: 'printed' }
    const steadyMs = Math.min(Math.max(STEPS_IDLE * this.longestStepMs, STEADY_MS.min), STEADY_MS.max)
    if (!isCounted && this.hasWorked && (printed ?? 1) > 0 && idleForMs > steadyMs) return { end: 'printed' }
    return idleForMs > Math.max(idleMs, steadyMs) ? { end: 'without-proof' } : {}
  }
}

export const findStatus = (arrived: Buffer) => findLines(arrived, STATUS_LINES)

export function findLines(arrived: Buffer, count: number): Found<string[]> | undefined {
  const lines: string[] = []
  let length = 0
  while (lines.length < count) {
    const end = arrived.indexOf(ETX, length)
    const start = arrived.lastIndexOf(STX, end)
    if (end === -1 || start < length) return undefined
    lines.push(arrived.toString('latin1', start + 1, end))
    length = end + 1
  }
  return { answer: lines, length }
}

/** The value of a variable; "?" if the printer has none. */
export function findNumber(arrived: Buffer): Found<string> | undefined {
  const match = NUMBER.exec(arrived.toString('latin1'))
  return match ? { answer: match[1] ?? '?', length: match.index + match[0].length } : undefined
}

function toStatus(lines: string[]): Omit<ZplStatus, 'odometer'> {
  const fields = lines.map((line) => line.split(','))
  const read = (line: 0 | 1, field: number) => Number.parseInt(fields[line]?.[field] ?? '', 10) || 0
  const [, , found] = FAULTS.find(([line, field]) => read(line, field) === 1) ?? []
  const remaining = read(1, 8)
  return { fault: found, waiting: read(0, 4) + read(0, 7) + (remaining > REMAINING_MAX ? 0 : remaining) }
}
