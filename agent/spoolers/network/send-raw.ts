/** One document over one connection to a printer that takes bytes as they are (port 9100, "JetDirect"). Nothing comes back but TCP's word. */
import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NothingSent } from './device.ts'

export interface RawAddress {
  host: string
  port: number
  /** Wait until the printer closes its side, which tells that it has read everything. Some never do. */
  waitEof: boolean
}

export interface RawTimings {
  connectTimeoutMs: number
  /** A printer that takes nothing for so long is shown as waiting. */
  stalledAfterMs: number
  /** For how long a printer that has everything may leave its side open. */
  eofTimeoutMs: number
}

/** CUPS waits as long for the end of a connection. */
export const RAW_TIMINGS: RawTimings = { connectTimeoutMs: 10_000, stalledAfterMs: 10_000, eofTimeoutMs: 90_000 }

const STALLED = 'The printer takes no data. It may be out of paper, paused or busy.'

interface RawJob {
  /** Path of the document. */
  file: string
  /** How often it is sent, one after the other. */
  qty: number
  /** Awaited once there is a connection, before the first byte. */
  begin(): Promise<void>
  /** Why it takes long; undefined when it goes on. */
  report(message: string | undefined): void
  signal: AbortSignal
}

/**
 * @returns whether the printer has confirmed the end.
 * @throws NothingSent before the first byte; afterwards any error means that it is unknown what was printed. The signal's reason, once
 *   nothing more can reach the printer.
 */
export async function sendRaw(address: RawAddress, job: RawJob, timings: RawTimings): Promise<boolean> {
  const { signal, report } = job
  const socket = await open(address, timings.connectTimeoutMs, signal)
  const drop = () => socket.resetAndDestroy()
  signal.addEventListener('abort', drop)
  const line = watch(socket)
  try {
    await job.begin()
    if (line.isBroken() || (address.waitEof && line.isClosed()))
      throw new NothingSent('The printer closed the connection at once. It may be busy.')
    for (let print = 0; print < job.qty; print++)
      for await (const chunk of createReadStream(job.file)) {
        if (line.isClosed() && address.waitEof) throw new Error('the printer closed the connection too early')
        if (!socket.write(chunk)) await progress(line, 'drain', timings, report)
      }
    socket.end()
    await progress(line, 'finish', timings, report)
    if (!address.waitEof) closeLater(socket, timings.eofTimeoutMs)
    return !address.waitEof || (await line.next('end', timings.eofTimeoutMs))
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', drop)
    if (address.waitEof) socket.destroy()
  }
}

/** What is on its way still arrives: to close a connection on which the printer has said something would throw that away. */
function closeLater(socket: Socket, limitMs: number): void {
  socket.unref()
  socket.setTimeout(limitMs, () => socket.destroy())
}

/** Whether somebody listens there. Nothing is sent. */
export async function probe(address: RawAddress, timeoutMs: number): Promise<void> {
  const socket = await open(address, timeoutMs, new AbortController().signal)
  socket.destroy()
}

async function open({ host, port }: RawAddress, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true, keepAlive: true })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const limit = setTimeout(
    () => reject(new NothingSent('The printer cannot be reached: it does not answer.')),
    timeoutMs,
  )
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  socket.once('connect', resolve)
  socket.on('error', (error: NodeJS.ErrnoException) => reject(new NothingSent(sentenceFor(error))))
  try {
    await promise
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', abort)
  }
}

function sentenceFor({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The printer cannot be reached: its name is not known here.'
  if (code === 'ECONNREFUSED') return 'The printer cannot be reached: it takes no connection. It may be busy.'
  return `The printer cannot be reached (${code}).`
}

type Line = ReturnType<typeof watch>

/** What happens on a connection, however long ago it began. What the printer says is read, so that it can go on, and dropped. */
function watch(socket: Socket) {
  let failure: Error | undefined
  let isClosed = false
  const happened = new Set<string>()
  let wake: () => void = () => undefined

  socket.on('error', (error) => {
    failure ??= error
    wake()
  })
  socket.on('close', () => {
    if (!happened.has('finish')) failure ??= new Error('the connection is gone')
    wake()
  })
  socket.on('end', () => {
    isClosed = true
    happened.add('end')
    wake()
  })
  for (const event of ['drain', 'finish'])
    socket.on(event, () => {
      happened.add(event)
      wake()
    })
  socket.resume()

  return {
    isBroken: () => failure !== undefined,
    isClosed: () => isClosed,

    /** @returns whether it happened in time. @throws what broke the connection. */
    async next(event: 'drain' | 'finish' | 'end', timeoutMs: number): Promise<boolean> {
      const over = new AbortController()
      const limit = sleep(timeoutMs, true, { signal: over.signal }).catch(() => true)
      try {
        for (;;) {
          if (failure) throw failure
          if (event === 'drain' ? happened.delete(event) : happened.has(event)) return true
          const change = new Promise<void>((resolve) => {
            wake = resolve
          })
          if (await Promise.race([limit, change])) return false
        }
      } finally {
        over.abort()
      }
    },
  }
}

/** Waits for as long as the printer takes. */
async function progress(
  line: Line,
  event: 'drain' | 'finish',
  { stalledAfterMs }: RawTimings,
  report: (message: string | undefined) => void,
): Promise<void> {
  while (!(await line.next(event, stalledAfterMs))) report(STALLED)
  report(undefined)
}
