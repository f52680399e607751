/**
 * ZPL II: `~HS` reports the current state, and the odometer counts printed labels. Together they prove a job: nothing
 * waits, and the count rose. Many printers do not answer `~HS` while they are out of paper or open; others answer with
 * the cause.
 *
 * Source: Zebra, ZPL II Programming Guide, "~HS" and "odometer.total_label_count".
 */
import { followGauge, type GaugeStatus, STEADY } from './gauge.ts'
import type { Fault, Found, Talk, Word, WordTimings } from './word.ts'
import { WORD_TIMINGS } from './word.ts'

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

/** The fields of the two lines, by their position. */
const FAULTS: [line: 0 | 1, field: number, fault: Fault][] = [
  [0, 1, { message: 'The printer is out of paper.', reasons: ['media-empty'] }],
  [1, 2, { message: 'The print head or a cover of the printer is open.', reasons: ['cover-open'] }],
  [1, 3, { message: 'The ribbon of the printer has run out.', reasons: ['marker-supply-empty'] }],
  [0, 11, { message: 'The print head is too hot. The printer continues by itself.', reasons: ['device-paused'] }],
  [0, 2, { message: 'The printer is paused by a key on it.', reasons: ['device-paused'] }],
]

export function createZplWord(timings: WordTimings = WORD_TIMINGS): Word<GaugeStatus> {
  /** Undefined until the printer was asked once. */
  let hasOdometer: boolean | undefined
  let isSilent = false
  /** The last job of this process is printed. After a start, labels of an interrupted job can be in the printer. */
  let isEmpty = false

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

  async function ask(talk: Talk): Promise<GaugeStatus | undefined> {
    if (!isSilent) talk.clear()
    talk.write(QUESTION)
    const lines = await readStatus(talk)
    return lines && { ...toStatus(lines), odometer: await readOdometer(talk) }
  }

  return {
    question: QUESTION,
    ask,
    async *follow(talk, sent, before) {
      const isAlone = isEmpty
      isEmpty = false
      for await (const progress of followGauge(talk, sent, before, ask, timings, STEADY, isAlone)) {
        isEmpty = progress.end === 'printed'
        yield progress
      }
    },
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

function toStatus(lines: string[]): Omit<GaugeStatus, 'odometer'> {
  const fields = lines.map((line) => line.split(','))
  const read = (line: 0 | 1, field: number) => Number.parseInt(fields[line]?.[field] ?? '', 10) || 0
  const [, , found] = FAULTS.find(([line, field]) => read(line, field) === 1) ?? []
  const remaining = read(1, 8)
  return { fault: found, waiting: read(0, 4) + read(0, 7) + (remaining > REMAINING_MAX ? 0 : remaining) }
}
