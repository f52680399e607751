/**
 * SBPL of SATO: `ENQ` reports the current state with the number of labels that remain. There is no count of all labels,
 * so a job is proven by the change from busy to idle.
 *
 * Source: SATO, Programming Reference, "Bi-Directional Communications", Status 4.
 */
import { followGauge, type GaugeStatus, type Steady } from './gauge.ts'
import type { Fault, Found, Talk, Word, WordTimings } from './word.ts'
import { WORD_TIMINGS } from './word.ts'

const ENQ = Buffer.from([0x05])
const [STX, ETX] = [0x02, 0x03]
/** From STX to ETX. That of newer printers has the name of the job. */
const LENGTHS = [11, 27] as const
/** The id of the job or spaces, the state, what remains. */
const FIELDS = /^[ -~]{2}([0-4A-Wa-k])(\d{6})/

const OPEN: Fault = { message: 'The print head or a cover of the printer is open.', reasons: ['cover-open'] }
const STOPPED: Fault = { message: 'The printer is paused by a key on it.', reasons: ['device-paused'] }
const OFFLINE: Fault = { message: 'The printer is offline. Press its LINE key.', reasons: ['offline'] }
const ERROR: Fault = {
  message: 'The printer has an error: its display or its lamp says which.',
  reasons: ['printer-stopped'],
}
/** The states that stop a printer. All other small letters are errors. */
const FAULTS: Record<string, Fault> = {
  ...{ '0': OFFLINE, '1': OFFLINE, '2': OFFLINE, '3': OFFLINE },
  ...{ '4': STOPPED, E: STOPPED, K: STOPPED, Q: STOPPED, W: STOPPED },
  ...{ b: OPEN, h: OPEN },
  c: { message: 'The printer is out of paper.', reasons: ['media-empty'] },
  d: { message: 'The ribbon of the printer has run out.', reasons: ['marker-supply-empty'] },
}
/**
 * It waits for data, with or without a warning. Otherwise it prints, waits until a label is removed, or makes a label.
 */
const IDLE = /[A-D]/

/** It says of data that it has not printed that it makes a label, so two answers in short time are sufficient. */
const STEADY: Steady = { steps: 0, minMs: 50, maxMs: 50 }

export function createSbplWord(timings: WordTimings = WORD_TIMINGS): Word<GaugeStatus> {
  async function ask(talk: Talk): Promise<GaugeStatus | undefined> {
    talk.clear()
    talk.write(ENQ)
    return await talk.read(findStatus, timings.answerMs)
  }

  return { question: 'ENQ', ask, follow: (talk, sent, before) => followGauge(talk, sent, before, ask, timings, STEADY) }
}

function findStatus(arrived: Buffer): Found<GaugeStatus> | undefined {
  for (let at = arrived.indexOf(STX); at !== -1; at = arrived.indexOf(STX, at + 1)) {
    const length = LENGTHS.find((one) => arrived[at + one - 1] === ETX)
    const match = FIELDS.exec(arrived.toString('latin1', at + 1, at + 1 + LENGTHS[0]))
    if (length && match) return { answer: toStatus(match[1] ?? '', Number(match[2])), length: at + length }
  }
  return undefined
}

function toStatus(state: string, remaining: number): GaugeStatus {
  const fault = FAULTS[state] ?? (/[a-k]/.test(state) ? ERROR : undefined)
  const isBusy = fault === undefined && !IDLE.test(state)
  return { fault, waiting: remaining || (isBusy ? 1 : 0) }
}
