/** A connection to a printer that accepts raw bytes (port 9100, "JetDirect"), and what happens on it. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressGuard } from '../../ipp/http.ts'
import type { Found, Talk } from '../words/word.ts'
import { NothingSent } from './device.ts'

export interface RawAddress {
  host: string
  port: number
  /**
   * Wait until the printer closes its side, which confirms that it has read everything. Some printers never close it.
   */
  waitEof: boolean
  /**
   * The guard of a printer from the dashboard, whose users learn no cause of a failed connection. Absent: every address
   * may be opened.
   */
  guard?: AddressGuard | undefined
}

/** A printer that sends more without being asked is not listened to. */
const ARRIVED_MAX_BYTES = 64 * 1024

/** @throws NothingSent if the printer does not answer. */
export async function openConnection(address: RawAddress, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
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

export type Connection = ReturnType<typeof watch>

/**
 * Records the events of a connection, and the last bytes of the printer. They are always read, so that they do not
 * block it.
 */
export function watch(socket: Socket) {
  let failure: Error | undefined
  let isClosed = false
  let arrived = Buffer.alloc(0)
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
  socket.on('data', (chunk) => {
    arrived = Buffer.concat([arrived, chunk]).subarray(-ARRIVED_MAX_BYTES)
    events.add('data')
    wake()
  })

  return {
    isBroken: () => failure !== undefined,
    isClosed: () => isClosed,

    arrived: () => arrived,
    /** Removes the first bytes of those that have arrived. */
    remove: (length: number) => {
      arrived = arrived.subarray(length)
    },

    /** @returns whether the event occurred before the timeout. @throws the error of the connection. */
    async waitFor(event: 'drain' | 'finish' | 'end' | 'data', timeoutMs: number): Promise<boolean> {
      const end = new AbortController()
      const timeout = sleep(timeoutMs, true, { signal: end.signal }).catch(() => true)
      try {
        for (;;) {
          if (failure) throw failure
          if (event === 'drain' || event === 'data' ? events.delete(event) : events.has(event)) return true
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

/** For the questions of a {@link Talk}. */
export function createTalk(socket: Socket, connection: Connection): Talk {
  return {
    write: (bytes) => void socket.write(bytes),
    isClosed: connection.isClosed,
    clear: () => connection.remove(connection.arrived().length),
    async read<Answer>(find: (arrived: Buffer) => Found<Answer> | undefined, timeoutMs: number) {
      const end = performance.now() + timeoutMs
      for (;;) {
        const found = find(connection.arrived())
        if (found) {
          connection.remove(found.length)
          return found.answer
        }
        const leftMs = end - performance.now()
        if (leftMs <= 0 || connection.isClosed()) return undefined
        await connection.waitFor('data', leftMs)
      }
    },
    async pause(ms) {
      // The error of the connection ends the wait.
      await connection.waitFor('end', ms)
    },
  }
}
