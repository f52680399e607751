/**
 * Star Line Mode and StarPRNT: `ESC ACK SOH` reports the current state, and `ESC GS ETX` has two bytes of the host and
 * is answered when all data before it is printed. A printer with automatic status sends its state at each change and
 * does not answer `ESC ACK SOH`.
 *
 * Source: Star, Line Mode Command Specifications, "Automatic Status" and "ESC ACK SOH"; IFBD manual, "ESC GS ETX".
 */
import { randomInt } from 'node:crypto'
import { type Fences, followFences } from './fences.ts'
import type { Fault, Found, Talk, Word, WordTimings } from './word.ts'
import { WORD_TIMINGS } from './word.ts'

export interface StarStatus {
  fault: Fault | undefined
}

/** What a printer has answered. Stored, so that the first job after a start is not preceded by a fence. */
export interface StarMemory {
  /** It answers `ESC GS ETX` with the bytes of the host. */
  hasIds: boolean | undefined
}

const ASK = Buffer.from([0x1b, 0x06, 0x01])
const FENCE = Buffer.from([0x1b, 0x1d, 0x03, 0x01])
const ID_BYTES = 2
/** Printable characters: others open a drawer or cut. */
const ID_CHARACTERS = { from: 0x21, to: 0x7f } as const
/** The head, the id, a counter and 0. */
const FENCE_ANSWER_BYTES = FENCE.length + ID_BYTES + 2
const createId = () => Buffer.from([0, 0].map(() => randomInt(ID_CHARACTERS.from, ID_CHARACTERS.to)))

/** Lengths of a status: its first byte has the number of bytes in four of its bits. */
const STATUS_BYTES = { min: 7, max: 15 } as const

/** The first one that applies, by the byte of the status, from 0. */
const FAULTS: [byte: number, bit: number, fault: Fault][] = [
  [2, 0x20, { message: 'The cover of the printer is open.', reasons: ['cover-open'] }],
  [5, 0x08, { message: 'The printer is out of paper.', reasons: ['media-empty'] }],
  [3, 0x40, { message: 'The print head is too hot. The printer continues by itself.', reasons: ['device-paused'] }],
  [
    3,
    0x2c,
    {
      message: 'The printer has an error: its cutter, mechanics or print head. Switch it off and on.',
      reasons: ['printer-stopped'],
    },
  ],
  [2, 0x08, { message: 'The printer is offline.', reasons: ['offline'] }],
]

/** What a printer sends. */
type Message = { kind: 'status'; status: StarStatus } | { kind: 'id'; id: Buffer }

/** @param memory changed when the printer answers. @param learn called after a change. */
export function createStarWord(
  memory: StarMemory,
  learn: () => void = () => undefined,
  timings: WordTimings = WORD_TIMINGS,
): Word<StarStatus> {
  /** The ids of the copies of the last job. */
  let ids: Buffer[] = []
  /** The newest state over the connection that was used last. */
  let last: StarStatus | undefined
  let asked: Talk | undefined
  /** It answers no question. Undefined until it has sent a state. */
  let isAutomatic: boolean | undefined
  /** A printer that has not answered the fence is asked again by the next process. */
  let hasTried = false

  /** @returns whether a state has arrived in this time. The newest one counts. */
  async function readStates(talk: Talk, onOther: (message: Message) => void, timeoutMs: number): Promise<boolean> {
    const until = performance.now() + timeoutMs
    for (let hasArrived = false; ; ) {
      const message = await talk.read(findMessage, hasArrived ? 0 : until - performance.now())
      if (!message) return hasArrived
      if (message.kind === 'id') onOther(message)
      else {
        last = message.status
        hasArrived = true
      }
    }
  }

  async function readStatus(talk: Talk, onOther: (message: Message) => void): Promise<StarStatus | undefined> {
    if (isAutomatic) {
      await readStates(talk, onOther, last ? 0 : timings.answerMs)
      if (last) return last
    }
    talk.write(ASK)
    return (await readStates(talk, onOther, timings.answerMs)) ? last : undefined
  }

  /** Sent without a document, so that a document of a user is not the first that it follows. */
  async function tryFence(talk: Talk): Promise<void> {
    hasTried = true
    const id = createId()
    talk.write(Buffer.concat([FENCE, id]))
    const until = performance.now() + timings.answerMs
    for (;;) {
      const message = await talk.read(findMessage, until - performance.now())
      if (!message) return
      if (message.kind === 'status') last = message.status
      else if (message.id.equals(id)) {
        memory.hasIds = true
        return learn()
      }
    }
  }

  return {
    question: 'ESC ACK SOH',

    async ask(talk) {
      if (talk !== asked) last = undefined
      asked = talk
      const ignore = () => undefined
      const status = await readStatus(talk, ignore)
      if (status && isAutomatic === undefined) {
        talk.write(ASK)
        isAutomatic = !(await readStates(talk, ignore, timings.answerMs))
      }
      if (status && !status.fault && !memory.hasIds && !hasTried) await tryFence(talk)
      return last
    },

    fence(copy) {
      if (copy === 0) ids = []
      if (!memory.hasIds) return undefined
      const id = createId()
      ids.push(id)
      return Buffer.concat([FENCE, id])
    },

    follow(talk, { copies }) {
      const hasFence = ids.length > 0
      let printed = 0
      const fences: Fences<Message> = {
        copies,
        hasFence,
        find: findMessage,
        take(message) {
          if (message.kind === 'status') last = message.status
          else printed = Math.max(printed, ids.findIndex((id) => id.equals(message.id)) + 1)
          return message.kind === 'id'
        },
        count: () => ({ copies: printed }),
        // A state that is sent at the moment of a question looks like its answer, so silence is no fault of this
        // printer.
        readStatus: async (open, take) => (await readStatus(open, take)) ?? last,
        quietMs: hasFence ? timings.fenceMs : timings.idleMs,
      }
      return followFences(talk, fences, timings)
    },
  }
}

/** The first message, and the bytes before it that are none. */
function findMessage(arrived: Buffer): Found<Message> | undefined {
  for (let at = 0; at < arrived.length; at++) {
    const found = readMessage(arrived.subarray(at))
    if (found === 'incomplete') return undefined
    if (found) return { answer: found.answer, length: at + found.length }
  }
  return undefined
}

function readMessage(bytes: Buffer): Found<Message> | 'incomplete' | undefined {
  const head = bytes.subarray(0, FENCE.length)
  if (head.equals(FENCE.subarray(0, head.length))) {
    if (bytes.length < FENCE_ANSWER_BYTES) return 'incomplete'
    const id = Buffer.from(bytes.subarray(FENCE.length, FENCE.length + ID_BYTES))
    return { answer: { kind: 'id', id }, length: FENCE_ANSWER_BYTES }
  }
  const length = getStatusLength(bytes[0] ?? 0)
  if (length === undefined || !bytes.subarray(1, length).every((byte) => (byte & 0x91) === 0)) return undefined
  if (bytes.length < length) return 'incomplete'
  const [, , fault] = FAULTS.find(([byte, bit]) => (bytes[byte] ?? 0) & bit) ?? []
  return { answer: { kind: 'status', status: { fault } }, length }
}

/** @returns undefined for a byte that begins no status. */
function getStatusLength(head: number): number | undefined {
  if ((head & 0x91) !== 0x01) return undefined
  const length = ((head & 0x20) >> 2) | ((head & 0x0e) >> 1)
  return length >= STATUS_BYTES.min && length <= STATUS_BYTES.max ? length : undefined
}
