import type { Query, Result } from './api.ts'
import type { Event } from './gen/schema.ts'
import { type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'
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

export class Events {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Lists the events of the print jobs, computers and printers of the organization and mode of the key, the newest
   * first by default. Events are stored for 30 days.
   *
   * To follow the feed, send `wait`, store `nextCursor`, and send it as `after` immediately after each response. Every
   * event is returned exactly once and without delay. Send the first request without `after` to start with the oldest
   * event, or with `after=now` to skip the existing events: its response is an immediate empty page whose `nextCursor`
   * follows them.
   *
   * Requires the scope `read`.
   *
   * @operation listEvents
   */
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<Event> {
    return this.#http.list<'listEvents'>('/v1/events', query, options)
  }

  /**
   * Returns the event as it was delivered. Its id is the `webhook-id` of its deliveries.
   *
   * Requires the scope `read`.
   *
   * @operation getEvent
   */
  async get(id: string, options?: RequestOptions): Promise<Event> {
    return await this.#http.json<'getEvent'>({ method: 'GET', path: path`/v1/events/${id}` }, options)
  }

  /**
   * Lists all types of events with their cause, JSON Schema and an example. The list has no pages and is the same for
   * all keys.
   *
   * Requires the scope `read`.
   *
   * @operation listEventTypes
   */
  async types(options?: RequestOptions): Promise<Result<'listEventTypes'>['data']> {
    return (await this.#http.json<'listEventTypes'>({ method: 'GET', path: '/v1/event-types' }, options)).data
  }

  /**
   * Follows the event feed for ever: each event once, in order, without delay. Failures that can end are repeated. To continue after a
   * restart, store `cursor` of the feed and pass it as `after`. The iteration ends with `CursorExpired` if the events
   * after it are no longer stored: read the present state, and follow without `after`.
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
    // The first request does not wait, because after a lost response a repeated `now` would skip the events of the wait.
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

  async #readPage(): Promise<Result<'listEvents'>> {
    const { type, resourceId, signal, onFailed, onRecovered } = this.#options
    const wait = this.#cursor === 'now' ? undefined : WAIT_SECONDS
    const query = { dir: 'asc', limit: 100, after: this.#cursor, wait, type, resourceId }
    const call = { method: 'GET', path: '/v1/events', query }
    for (let attempts = 1; ; attempts++) {
      try {
        const page = await this.#http.json<'listEvents'>(call, { signal, timeout: TIMEOUT_MS, maxRetries: 0 })
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
