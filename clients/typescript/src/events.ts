import type { Query } from './api.ts'
import { Events as Operations } from './gen/operations.ts'
import type { Event, EventPage } from './gen/schema.ts'
import type { Http } from './http.ts'
import { getRetryDelayMs, isTransient, sleep } from './retry.ts'

export interface FollowOptions {
  /** A cursor. Default: the events after this call. Null begins with the oldest event. */
  after?: string | null | undefined
  type?: Query<'listEvents'>['type']
  /** Only events of this print job, computer or printer. */
  resourceId?: string | undefined
  /** Ends the iteration with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called at the first of consecutive failures, which are repeated for ever. */
  onFailed?: ((error: Error) => void) | undefined
  onRecovered?: (() => void) | undefined
}

/** The maximum of the API. */
const WAIT_SECONDS = 30
/** Longer than the wait of the server, for latency and load. */
const TIMEOUT_MS = WAIT_SECONDS * 1000 + 15_000
/** Between attempts, if `Retry-After` is longer. */
const PAUSE_MAX_MS = 60_000

export class Events extends Operations {
  readonly #http: Http

  constructor(http: Http) {
    super(http)
    this.#http = http
  }

  /**
   * Follows the event feed for ever: each event once, in order, without delay. Failures that can end are repeated. To
   * continue after a restart, store `cursor` of the feed and pass it as `after`. The iteration ends with
   * `CursorExpired` if the events after it are no longer stored: read the present state, and follow without `after`.
   */
  follow(options: FollowOptions = {}): Feed {
    return new Feed(this.#http, options)
  }
}

/** A running iteration over the event feed. It can be iterated once. */
export class Feed implements AsyncIterable<Event> {
  readonly #http: Http
  readonly #options: FollowOptions
  #cursor: string | undefined

  constructor(http: Http, options: FollowOptions) {
    this.#http = http
    this.#options = options
    // The first request does not wait, because after a lost response a repeated `now` would skip the events of the
    // wait.
    this.#cursor = options.after === undefined ? 'now' : (options.after ?? undefined)
  }

  /** Continues after the events of all pages that the loop has completed. Undefined before the first page. */
  get cursor(): string | undefined {
    return this.#cursor === 'now' ? undefined : this.#cursor
  }

  /** Reads the end of the feed, so that every later event is part of the iteration. The iteration calls it itself. */
  async start(): Promise<void> {
    if (this.#cursor === 'now') this.#cursor = (await this.#readPage()).nextCursor ?? undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    await this.start()
    for (;;) {
      const { data, nextCursor } = await this.#readPage()
      yield* data
      this.#cursor = nextCursor ?? this.#cursor
    }
  }

  async #readPage(): Promise<EventPage> {
    const { type, resourceId, signal, onFailed, onRecovered } = this.#options
    const wait = this.#cursor === 'now' ? undefined : WAIT_SECONDS
    const query = { dir: 'asc', limit: 100, after: this.#cursor, wait, type, resourceId }
    const call = { method: 'GET', path: '/v1/events', query }
    for (let attempts = 1; ; attempts++) {
      try {
        const page = await this.#http.json<EventPage>(call, { signal, timeout: TIMEOUT_MS, maxRetries: 0 })
        if (attempts > 1) onRecovered?.()
        return page
      } catch (error) {
        signal?.throwIfAborted()
        if (!isTransient(error)) throw error
        if (attempts === 1) onFailed?.(error as Error)
        await sleep(getRetryDelayMs(error, attempts) ?? PAUSE_MAX_MS, signal)
      }
    }
  }
}
