/**
 * ESC/POS: `DLE EOT` reports the current state at any time. `GS ( H` has an id and is answered when all data before it
 * is printed; `GS r` is executed in the order of the data, too, and has no id.
 *
 * Source: Epson, ESC/POS Command Reference, "DLE EOT", "GS ( H" function 48, "GS r".
 */
import { randomInt } from 'node:crypto'
import { type Fences, followFences } from './fences.ts'
import type { Fault, Found, Talk, Word, WordTimings } from './word.ts'
import { WORD_TIMINGS } from './word.ts'

export interface EscposStatus {
  fault: Fault | undefined
}

/** What a printer has answered. Stored, so that a fence is not sent to a printer that prints it. */
export interface EscposMemory {
  /** It answers `GS ( H` with the id. */
  hasIds: boolean | undefined
}

const DLE_EOT = (n: number) => Buffer.from([0x10, 0x04, n])
const STATUS = { printer: 1, offline: 2, paper: 4 } as const
export const PAPER_FENCE = Buffer.from([0x1d, 0x72, 1])
const ID_BYTES = 4
/** Printable characters. */
const ID_CHARACTERS = { from: 0x20, to: 0x7f } as const
export const createId = () =>
  Buffer.from(Array.from({ length: ID_BYTES }, () => randomInt(ID_CHARACTERS.from, ID_CHARACTERS.to)))
export const toIdFence = (id: Buffer) => Buffer.concat([Buffer.from([0x1d, 0x28, 0x48, 6, 0, 48, 48]), id])
const NOTHING = Buffer.alloc(0)
const ID_ANSWER = { head: [0x37, 0x22], length: 2 + ID_BYTES + 1 } as const
const AUTOMATIC_BYTES = 4

const BITS = { offline: 0x08, cover: 0x04, paperStop: 0x20, error: 0x40, paperEnd: 0x60 } as const

const COVER: Fault = { message: 'The cover of the printer is open.', reasons: ['cover-open'] }
const PAPER: Fault = { message: 'The printer is out of paper.', reasons: ['media-empty'] }
const ERROR: Fault = {
  message: 'The printer has an error: its cutter or print head. Switch it off and on.',
  reasons: ['printer-stopped'],
}
const OFFLINE: Fault = { message: 'The printer is offline: it waits for its feed button.', reasons: ['offline'] }

/** What a printer sends. */
export type Message = { kind: 'status'; byte: number } | { kind: 'id'; id: Buffer } | { kind: 'paper' | 'automatic' }

/** @param memory changed when the printer answers. @param learn called after a change. */
export function createEscposWord(
  memory: EscposMemory,
  learn: () => void = () => undefined,
  timings: WordTimings = WORD_TIMINGS,
): Word<EscposStatus> {
  /** The ids of the copies of the last job. */
  let ids: Buffer[] = []
  let paperFences = 0

  /** @param onOther gets what comes before the answer: answers to fences must not be lost. */
  async function askOne(talk: Talk, n: number, onOther: (message: Message) => void): Promise<number | undefined> {
    talk.write(DLE_EOT(n))
    const until = performance.now() + timings.answerMs
    for (;;) {
      const message = await talk.read(findMessage, until - performance.now())
      if (!message) return undefined
      if (message.kind === 'status') return message.byte
      onOther(message)
    }
  }

  async function readFault(
    talk: Talk,
    onOther: (message: Message) => void = () => undefined,
  ): Promise<EscposStatus | undefined> {
    const printer = await askOne(talk, STATUS.printer, onOther)
    if (printer === undefined) return undefined
    if ((printer & BITS.offline) === 0) return { fault: undefined }
    const offline = (await askOne(talk, STATUS.offline, onOther)) ?? 0
    if (offline & BITS.cover) return { fault: COVER }
    const paper = (await askOne(talk, STATUS.paper, onOther)) ?? 0
    if (offline & BITS.paperStop || (paper & BITS.paperEnd) === BITS.paperEnd) return { fault: PAPER }
    return { fault: offline & BITS.error ? ERROR : OFFLINE }
  }

  return {
    question: 'DLE EOT',

    async ask(talk) {
      talk.clear()
      return await readFault(talk)
    },

    fence(copy, isDrawn) {
      if (copy === 0) [ids, paperFences] = [[], 0]
      // A printer that does not know the command would print it, so documents of users get it only if the printer has
      // answered it.
      const withId = memory.hasIds === true || (isDrawn && memory.hasIds === undefined)
      // Answers without an id could be those of a document of a user. Of a printer that is not known, they show that it
      // has left out the id.
      const withPaper = isDrawn && memory.hasIds !== true
      const id = createId()
      if (withId) ids.push(id)
      if (withPaper) paperFences++
      return Buffer.concat([withId ? toIdFence(id) : NOTHING, withPaper ? PAPER_FENCE : NOTHING])
    },

    follow(talk, { copies }) {
      const hasFence = ids.length + paperFences > 0
      const count = { byId: 0, byPaper: 0 }
      const fences: Fences<Message> = {
        copies,
        hasFence,
        find: findMessage,
        take(message) {
          countFence(message, count)
          return message.kind === 'id' || message.kind === 'paper'
        },
        count: () => ({ copies: Math.min(Math.max(count.byId, count.byPaper), copies) }),
        readStatus: readFault,
        quietMs: hasFence ? timings.fenceMs : timings.idleMs,
      }
      return followFences(talk, fences, timings)
    },
  }

  function countFence(message: Message, count: { byId: number; byPaper: number }): void {
    if (message.kind === 'id') {
      // A printer may send only the newest of several ids that wait.
      const copy = ids.findIndex((id) => id.equals(message.id))
      if (copy >= count.byId) count.byId = copy + 1
      if (copy !== -1) setHasIds(true)
    } else if (message.kind === 'paper' && paperFences > 0) {
      count.byPaper++
      if (count.byPaper === paperFences && count.byId === 0) setHasIds(false)
    }
  }

  function setHasIds(hasIds: boolean): void {
    if (memory.hasIds === hasIds) return
    memory.hasIds = hasIds
    learn()
  }
}

/**
 * The first message, and the bytes before it that are none.
 *
 * The kinds differ by fixed bits. Automatic status has four bytes, of which the first is recognized.
 */
export function findMessage(arrived: Buffer): Found<Message> | undefined {
  for (let at = 0; at < arrived.length; at++) {
    const found = readMessage(arrived, at)
    if (found === 'incomplete') return undefined
    if (found) return { answer: found.answer, length: at + found.length }
  }
  return undefined
}

/** Whether a byte at this place can be of the answer to `GS ( H`. */
function fitsId(byte: number, at: number): boolean {
  if (at < ID_ANSWER.head.length) return byte === ID_ANSWER.head[at]
  return at < ID_ANSWER.length - 1 ? byte >= ID_CHARACTERS.from && byte < ID_CHARACTERS.to : byte === 0
}

function readMessage(arrived: Buffer, at: number): Found<Message> | 'incomplete' | undefined {
  const byte = arrived[at] ?? 0
  const isShort = (length: number) => arrived.length < at + length
  const answer = arrived.subarray(at, at + ID_ANSWER.length)
  if (byte === ID_ANSWER.head[0] && answer.every(fitsId)) {
    if (isShort(ID_ANSWER.length)) return 'incomplete'
    return { answer: { kind: 'id', id: Buffer.from(answer.subarray(2, 2 + ID_BYTES)) }, length: ID_ANSWER.length }
  }
  if ((byte & 0x93) === 0x12) return { answer: { kind: 'status', byte }, length: 1 }
  if ((byte & 0x93) === 0x10)
    return isShort(AUTOMATIC_BYTES) ? 'incomplete' : { answer: { kind: 'automatic' }, length: AUTOMATIC_BYTES }
  // The paper is there: the bits of its end are 0.
  return (byte & 0x9c) === 0 ? { answer: { kind: 'paper' }, length: 1 } : undefined
}
