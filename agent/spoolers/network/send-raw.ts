/** Sends a document over one connection to a printer that accepts raw bytes (port 9100, "JetDirect"). */
import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import type { ConfirmedBy } from '../spooler.ts'
import { type Fault, NOT_ANSWERING, type Progress, type Talk, type Word } from '../words/word.ts'
import { NothingSent } from './device.ts'
import { type Connection, createTalk, openConnection, type RawAddress, watch } from './raw-connection.ts'

export interface RawTimings {
  connectTimeoutMs: number
  /** After this time without progress the printer is reported as waiting. */
  stalledAfterMs: number
  /** How long the printer may keep its side open after the last byte. */
  eofTimeoutMs: number
  /** The same for a printer that has answered after the last byte: the next connection should not overlap. */
  answeredEofMs: number
}

/** CUPS uses the same timeout for the end of a connection. */
export const RAW_TIMINGS: RawTimings = {
  connectTimeoutMs: 10_000,
  stalledAfterMs: 10_000,
  eofTimeoutMs: 90_000,
  answeredEofMs: 500,
}

const STALLED = 'The printer accepts no data. It may be out of paper, paused or busy.'
const NOT_ENDED = 'The printer has received the whole document and does not confirm the end yet.'

interface RawJob {
  /** Path of the document. */
  file: string
  /** How many times the document is sent in sequence. */
  qty: number
  /** Awaited after the connection is established, before the first byte. */
  begin(): Promise<void>
  /** Why the job is delayed; undefined when it continues. */
  report(message: string | undefined, reasons?: string[], printed?: number): void
  signal: AbortSignal
}

/** What one job needs to ask its printer. */
export interface RawWord {
  word: Word
  /** The agent has drawn the document. */
  isDrawn: boolean
  /** The labels of the document, if it says it. */
  labels: number | undefined
  /** It has answered at some time, so that silence is a fault. */
  hasAnswered(): boolean
  /** Called with each answer before a job. */
  answered(status: { fault?: Fault | undefined }): void
}

/**
 * Asks a printer with a word before the first byte, and after the last one until it has printed. Other printers get the
 * document, and nothing but the end of the connection is known.
 *
 * @returns the source of the confirmation: `printer` its answer; `spooler` the end of the connection; `nobody` none.
 * @throws NothingSent before the first byte, also if the printer says why it does not print. After any later error it
 *   is unknown what was printed. After an abort, the reason of the signal when nothing more can reach the printer.
 */
export async function sendRaw(
  address: RawAddress,
  job: RawJob,
  timings: RawTimings,
  rawWord?: RawWord,
): Promise<ConfirmedBy> {
  const { signal, report } = job
  const socket = await openConnection(address, timings.connectTimeoutMs, signal)
  const reset = () => socket.resetAndDestroy()
  signal.addEventListener('abort', reset)
  const connection = watch(socket)
  const talk = createTalk(socket, connection)
  let isKeptOpen = false
  try {
    const before = rawWord && (await askBefore(rawWord, talk))
    await job.begin()
    if (connection.isBroken() || (address.waitEof && connection.isClosed()))
      throw new NothingSent('The printer closed the connection immediately. It may be busy.')
    for (let print = 0; print < job.qty; print++) {
      const opening = before && rawWord?.word.opening?.(print)
      if (opening) socket.write(opening)
      for await (const chunk of createReadStream(job.file)) {
        if (connection.isClosed() && address.waitEof) throw new Error('the printer closed the connection too early')
        if (!socket.write(chunk)) await waitForProgress(connection, 'drain', timings, report)
      }
      const fence = before && rawWord?.word.fence?.(print, rawWord.isDrawn)
      if (!fence || fence.length === 0) continue
      // What has arrived before the first one answers none.
      if (print === 0 && !opening) talk.clear()
      socket.write(fence)
    }
    if (before && rawWord) {
      const isPrinted = await followWord(rawWord, talk, job, before)
      // Only now, because some printers lose what they have not printed yet at the end of a connection.
      socket.end()
      const ending = connection.waitFor('end', timings.answeredEofMs)
      // What becomes of the connection changes nothing of what is on paper.
      const hasEnded = await (isPrinted ? ending.catch(() => false) : ending)
      if (isPrinted) return 'printer'
      return hasEnded ? 'spooler' : 'nobody'
    }
    socket.end()
    await waitForProgress(connection, 'finish', timings, report)
    isKeptOpen = !address.waitEof
    if (isKeptOpen) closeLater(socket, timings.eofTimeoutMs)
    return isKeptOpen || (await waitForEnd(connection, timings, report)) ? 'spooler' : 'nobody'
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', reset)
    if (!isKeptOpen) socket.destroy()
  }
}

/** @returns undefined for a printer that has never answered. @throws NothingSent if it does not print now. */
async function askBefore({ word, hasAnswered, answered }: RawWord, talk: Talk) {
  const ask = () =>
    word.ask(talk).catch((error: unknown) => {
      throw new NothingSent('The printer closed the connection immediately. It may be busy.', undefined, error)
    })
  const first = await ask()
  // One stray byte at the begin of a connection is no answer, and its silence later would hold all jobs.
  const status = first && !hasAnswered() ? await ask() : first
  if (status) answered(status)
  const fault = status ? status.fault : hasAnswered() ? NOT_ANSWERING : undefined
  if (fault) throw new NothingSent(fault.message, fault.reasons)
  return status
}

/** @returns whether the printer says that all is on paper. @throws if it ends the connection in a fault. */
async function followWord(
  { word, labels }: RawWord,
  talk: Talk,
  { qty, report }: RawJob,
  before: { fault?: Fault | undefined },
): Promise<boolean> {
  let last: Progress = {}
  for await (const progress of word.follow(talk, { copies: qty, labels: labels && labels * qty }, before)) {
    if (progress.end === 'printed') return true
    // A printer that was in a fault and is idle now has gone on.
    const fault = progress.fault ?? (talk.isClosed() ? last.fault : undefined)
    if (progress.end && fault) throw new Error(`the connection ended: ${toText({ ...last, fault })}`)
    if (progress.end) return false
    report(progress.fault && toText(progress), progress.fault?.reasons, progress.printed)
    last = progress
  }
  return false
}

function toText({ fault, printed, of }: Progress): string {
  const count = printed !== undefined && of !== undefined && of > 1 ? ` ${printed} of ${of} are printed.` : ''
  return `${fault?.message ?? ''}${count}`
}

/**
 * Keeps the connection open, because closing a connection with unread data of the printer would discard the data in
 * transit.
 */
function closeLater(socket: Socket, timeoutMs: number): void {
  socket.unref()
  socket.setTimeout(timeoutMs, () => socket.destroy())
}

/** Waits without limit, and reports a stalled printer. */
async function waitForProgress(
  connection: Connection,
  event: 'drain' | 'finish',
  { stalledAfterMs }: RawTimings,
  report: RawJob['report'],
): Promise<void> {
  while (!(await connection.waitFor(event, stalledAfterMs))) report(STALLED)
  report(undefined)
}

/** @returns whether the printer has closed its side in time. */
async function waitForEnd(
  connection: Connection,
  { stalledAfterMs, eofTimeoutMs }: RawTimings,
  report: RawJob['report'],
): Promise<boolean> {
  if (await connection.waitFor('end', stalledAfterMs)) return true
  report(NOT_ENDED)
  return await connection.waitFor('end', eofTimeoutMs - stalledAfterMs)
}
