/**
 * One window of a browser holds the long poll of a feed, because a browser has six connections to a host over HTTP/1.1.
 * The others ask when it tells them of events. The lease is in `localStorage`: Web Locks need HTTPS, and the dashboard
 * also runs without it. Two holders for a moment cost a connection, and a lost message costs time: every window reads
 * the feed by its own cursor.
 */
import { newId } from '../ui/new-id.ts'

/** A window that ended without a word is replaced after this time. */
const LEASE_MS = 5_000
const RENEW_MS = 2_000

interface Lease {
  holder: string
  until: number
}

export class OnePoll {
  readonly #id = newId()
  readonly #key: string
  readonly #channel: BroadcastChannel
  #isAnnounced = false
  /** A request that ends later changes nothing. */
  #isClosed = false
  #wake: () => void = () => undefined

  /** @param name of the feed. */
  constructor(name: string) {
    this.#key = `platen-poll:${name}`
    this.#channel = new BroadcastChannel(this.#key)
    this.#channel.onmessage = () => {
      this.#isAnnounced = true
      this.#wake()
    }
  }

  /** Takes the lease if no other window has it. */
  take(): boolean {
    if (this.#isClosed) return false
    const lease = this.#read()
    if (lease && lease.holder !== this.#id && lease.until > Date.now()) return false
    this.#renew()
    return true
  }

  /** Keeps the lease while the request runs. The request is aborted if another window has it. */
  async hold<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const lost = new AbortController()
    const timer = setInterval(() => (this.take() ? undefined : lost.abort()), RENEW_MS)
    try {
      return await request(lost.signal)
    } finally {
      clearInterval(timer)
    }
  }

  /** Tells the other windows that there are events. */
  announce(): void {
    if (!this.#isClosed) this.#channel.postMessage('events')
  }

  /** @returns when there are events, when the lease is free, or after the time. */
  async untilAnnounced(signal: AbortSignal, maxMs: number): Promise<void> {
    const end = Date.now() + maxMs
    while (!signal.aborted && !this.#isAnnounced && Date.now() < end && !this.#isFree()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, RENEW_MS)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(timer)
    }
  }

  /** Forgets an announcement. Called before a request, whose answer has all announced events. */
  clearAnnouncement(): void {
    this.#isAnnounced = false
  }

  /** Another window takes over at once. */
  release(): void {
    if (this.#read()?.holder !== this.#id) return
    localStorage.removeItem(this.#key)
    this.announce()
  }

  close(): void {
    this.release()
    this.#isClosed = true
    this.#channel.close()
  }

  #isFree(): boolean {
    const lease = this.#read()
    return !lease || lease.until <= Date.now()
  }

  #renew(): void {
    localStorage.setItem(this.#key, JSON.stringify({ holder: this.#id, until: Date.now() + LEASE_MS } satisfies Lease))
  }

  #read(): Lease | undefined {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? 'null') ?? undefined
    } catch {
      return undefined // Another program of this origin has written it.
    }
  }
}
