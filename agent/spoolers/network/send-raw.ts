/** Sends a document over one connection to a printer that accepts raw bytes (port 9100, "JetDirect"). Only TCP confirms the data. */
import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressGuard } from '../../ipp/http.ts'
import { NothingSent } from './device.ts'

export interface RawAddress {
  host: string
  port: number
  /** Wait until the printer closes its side, which confirms that it has read everything. Some printers never close it. */
  waitEof: boolean
  /** The guard of a printer from the dashboard, whose users learn no cause of a failed connection. Absent: every address may be opened. */
  guard?: AddressGuard | undefined
}

export interface RawTimings {
  connectTimeoutMs: number
  /** After this time without progress the printer is reported as waiting. */
  stalledAfterMs: number
  /** How long the printer may keep its side open after the last byte. */
  eofTimeoutMs: number
}

/** CUPS uses the same timeout for the end of a connection. */
export const RAW_TIMINGS: RawTimings = { connectTimeoutMs: 10_000, stalledAfterMs: 10_000, eofTimeoutMs: 90_000 }

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
  report(message: string | undefined): void
  signal: AbortSignal
}

/**
 * @returns whether the printer has confirmed the end.
 * @throws NothingSent before the first byte. After any later error it is unknown what was printed. After an abort, the reason of the signal
 *   when nothing more can reach the printer.
 */
export async function sendRaw(address: RawAddress, job: RawJob, timings: RawTimings): Promise<boolean> {
  const { signal, report } = job
  const socket = await open(address, timings.connectTimeoutMs, signal)
  const reset = () => socket.resetAndDestroy()
  signal.addEventListener('abort', reset)
  const connection = watch(socket)
  try {
    await job.begin()
    if (connection.isBroken() || (address.waitEof && connection.isClosed()))
      throw new NothingSent('The printer closed the connection immediately. It may be busy.')
    for (let print = 0; print < job.qty; print++)
      for await (const chunk of createReadStream(job.file)) {
        if (connection.isClosed() && address.waitEof) throw new Error('the printer closed the connection too early')
        if (!socket.write(chunk)) await waitForProgress(connection, 'drain', timings, report)
      }
    socket.end()
    await waitForProgress(connection, 'finish', timings, report)
    if (!address.waitEof) closeLater(socket, timings.eofTimeoutMs)
    return !address.waitEof || (await waitForEnd(connection, timings, report))
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', reset)
    if (address.waitEof) socket.destroy()
  }
}

/** Keeps the connection open, because closing a connection with unread data of the printer would discard the data in transit. */
function closeLater(socket: Socket, timeoutMs: number): void {
  socket.unref()
  socket.setTimeout(timeoutMs, () => socket.destroy())
}

/** Connects without sending data. @throws NothingSent if the printer does not answer. */
export async function probe(address: RawAddress, timeoutMs: number): Promise<void> {
  const socket = await open(address, timeoutMs, new AbortController().signal)
  socket.destroy()
}

async function open(address: RawAddress, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const { host, port, guard } = address
  requireAddress(address)
  const lookup = guard && { lookup: guard.lookup }
  const socket = connect({ host, port, ...lookup, allowHalfOpen: true, noDelay: true, keepAlive: true })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (error: NodeJS.ErrnoException) => reject(toNothingSent(error, guard !== undefined))
  const timeout = setTimeout(() => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), timeoutMs)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  socket.once('connect', resolve)
  socket.on('error', fail)
  try {
    await promise
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timeout)
    signal.removeEventListener('abort', abort)
  }
}

function requireAddress({ host, guard }: RawAddress): void {
  try {
    guard?.requireAddress(host)
  } catch (error) {
    throw new NothingSent((error as Error).message, undefined, error)
  }
}

function toNothingSent(error: NodeJS.ErrnoException, isGuarded: boolean): NothingSent {
  return new NothingSent(isGuarded ? 'The printer cannot be reached.' : toMessage(error), undefined, error)
}

function toMessage({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ETIMEDOUT') return 'The printer cannot be reached: it does not answer.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The printer cannot be reached: its host name is unknown.'
  if (code === 'ECONNREFUSED') return 'The printer cannot be reached: it refuses connections. It may be busy.'
  return `The printer cannot be reached (${code}).`
}

type Connection = ReturnType<typeof watch>

/** Records the events of a connection. Data of the printer are read and discarded, so that they do not block it. */
function watch(socket: Socket) {
  let failure: Error | undefined
  let isClosed = false
  const events = new Set<string>()
  let wake: () => void = () => undefined

  socket.on('error', (error) => {
    failure ??= error
    wake()
  })
  socket.on('close', () => {
    if (!events.has('finish')) failure ??= new Error('the connection was closed')
    wake()
  })
  socket.on('end', () => {
    isClosed = true
    events.add('end')
    wake()
  })
  for (const event of ['drain', 'finish'])
    socket.on(event, () => {
      events.add(event)
      wake()
    })
  socket.resume()

  return {
    isBroken: () => failure !== undefined,
    isClosed: () => isClosed,

    /** @returns whether the event occurred before the timeout. @throws the error of the connection. */
    async waitFor(event: 'drain' | 'finish' | 'end', timeoutMs: number): Promise<boolean> {
      const end = new AbortController()
      const timeout = sleep(timeoutMs, true, { signal: end.signal }).catch(() => true)
      try {
        for (;;) {
          if (failure) throw failure
          if (event === 'drain' ? events.delete(event) : events.has(event)) return true
          const change = new Promise<void>((resolve) => {
            wake = resolve
          })
          if (await Promise.race([timeout, change])) return false
        }
      } finally {
        end.abort()
      }
    },
  }
}

/** Waits without limit, and reports a stalled printer. */
async function waitForProgress(
  connection: Connection,
  event: 'drain' | 'finish',
  { stalledAfterMs }: RawTimings,
  report: (message: string | undefined) => void,
): Promise<void> {
  while (!(await connection.waitFor(event, stalledAfterMs))) report(STALLED)
  report(undefined)
}

/** @returns whether the printer has closed its side in time. */
async function waitForEnd(
  connection: Connection,
  { stalledAfterMs, eofTimeoutMs }: RawTimings,
  report: (message: string) => void,
): Promise<boolean> {
  if (await connection.waitFor('end', stalledAfterMs)) return true
  report(NOT_ENDED)
  return await connection.waitFor('end', eofTimeoutMs - stalledAfterMs)
}
