/**
 * Follows the event feed of one mode while the page is visible. It takes a cursor before the page loads its data, so
 * that no change between both is missed. A hidden page ends its request and continues at its cursor later. Of the
 * visible windows of a browser one waits for events: `one-poll.ts`.
 */
import { OnePoll } from './one-poll.ts'
import type { FeedEvent } from './resources.ts'

export interface EventPage {
  data: FeedEvent[]
  hasMore: boolean
  nextCursor: string | null
}

interface FeedQuery {
  after: string
  dir?: 'asc'
  wait?: number
  limit?: number
}

export interface LiveFeedOptions {
  /** The same in all windows that follow this feed. */
  name: string
  /** @throws after a failed request. */
  getPage(query: FeedQuery, signal: AbortSignal): Promise<EventPage>
  /** Events in the order of the feed, at most once for each frame. */
  onEvents(events: FeedEvent[]): void
  /** Events were missed: everything must be loaded again. */
  onReset(): void
}

export interface FeedStatus {
  state: 'connecting' | 'live' | 'reconnecting'
  /** The last answer, in milliseconds of the browser's clock. */
  lastAnswerAt: number
}

const WAIT_SECONDS = 30
/** The time limit of an answer, after its wait. */
const TIMEOUT_SECONDS = 10
const PAGE_SIZE = 100
/** Collects events: at most 7 requests a second, of the 20 that a session may send. */
const PAUSE_MS = 150
/**
 * A window that does not wait itself asks at most this often: eight windows of a session may send 20 requests a second
 * together.
 */
const FOLLOWER_PAUSE_MS = 500
/** A page that is this far behind loads its data again instead. */
const FULL_PAGES_MAX = 10
const RETRY_MS = { first: 1_000, max: 10_000 }

export class LiveFeed {
  readonly #options: LiveFeedOptions
  readonly #ended = new AbortController()
  readonly #poll: OnePoll
  readonly #listeners = new Set<() => void>()
  #opened = Promise.withResolvers<void>()
  #cursor: string | undefined
  #status: FeedStatus = { state: 'connecting', lastAnswerAt: Date.now() }
  #collected: FeedEvent[] = []
  #frame: number | undefined

  constructor(options: LiveFeedOptions) {
    this.#options = options
    this.#poll = new OnePoll(options.name)
    void this.#run()
  }

  /**
   * Resolves when there is a cursor; what is loaded afterwards is kept current. A failing feed does not hold the page
   * back.
   */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  readonly getStatus = (): FeedStatus => this.#status

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#ended.abort()
    this.#poll.close()
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#ended.signal.aborted) {
      const visible = await untilVisible(this.#ended.signal)
      try {
        await this.#follow(AbortSignal.any([this.#ended.signal, visible.hidden]))
        failures = 0
      } catch (error) {
        if (this.#ended.signal.aborted) return
        if (visible.hidden.aborted) continue
        if (isInvalidCursor(error)) this.#reset()
        else this.#opened.resolve()
        this.#setStatus('reconnecting')
        await pause(Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.max), this.#ended.signal)
      } finally {
        this.#poll.release()
        visible.stop()
      }
    }
  }

  /** @throws after a failed request and when `signal` is aborted. */
  async #follow(signal: AbortSignal): Promise<void> {
    if (this.#cursor === undefined) {
      const { nextCursor } = await this.#options.getPage({ after: 'now' }, signal)
      this.#cursor = nextCursor ?? undefined
      this.#setStatus('live')
      this.#opened.resolve()
      await pause(PAUSE_MS, signal)
    }
    // The first poll after an outage is short, so that the page soon knows that it is live.
    let isLive = this.#status.state === 'live'
    let fullPages = 0
    while (this.#cursor !== undefined) {
      const isHolder = this.#poll.take()
      const page = await this.#getNext(this.#cursor, isHolder ? (isLive ? WAIT_SECONDS : 1) : 0, signal)
      if (!page) continue
      isLive = true
      if (isHolder && page.data.length > 0) this.#poll.announce()
      this.#cursor = page.nextCursor ?? this.#cursor
      this.#setStatus('live')
      this.#collect(page.data)
      fullPages = page.hasMore ? fullPages + 1 : 0
      if (fullPages >= FULL_PAGES_MAX) {
        this.#reset()
        return
      }
      if (page.hasMore) continue
      if (!isHolder) await this.#poll.untilAnnounced(signal, WAIT_SECONDS * 1000)
      await pause(isHolder ? PAUSE_MS : FOLLOWER_PAUSE_MS, signal)
    }
  }

  /**
   * @returns undefined if another window waits instead.
   * @throws after a failed request and when `signal` is aborted.
   */
  async #getNext(after: string, wait: number, signal: AbortSignal): Promise<EventPage | undefined> {
    // A connection that was lost without a sign would never answer.
    const withTimeout = AbortSignal.any([signal, AbortSignal.timeout((wait + TIMEOUT_SECONDS) * 1000)])
    const query: FeedQuery = { after, dir: 'asc', limit: PAGE_SIZE, ...(wait > 0 && { wait }) }
    this.#poll.clearAnnouncement()
    if (wait === 0) return await this.#options.getPage(query, withTimeout)
    return await this.#poll.hold(async (lost) => {
      try {
        return await this.#options.getPage(query, AbortSignal.any([withTimeout, lost]))
      } catch (error) {
        if (lost.aborted && !signal.aborted) return undefined
        throw error
      }
    })
  }

  #reset(): void {
    this.#cursor = undefined
    this.#opened.resolve()
    this.#opened = Promise.withResolvers()
    this.#options.onReset()
  }

  #collect(events: FeedEvent[]): void {
    if (events.length === 0) return
    this.#collected.push(...events)
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      const collected = this.#collected
      this.#collected = []
      this.#options.onEvents(collected)
    })
  }

  #setStatus(state: FeedStatus['state']): void {
    const lastAnswerAt = state === 'live' ? Date.now() : this.#status.lastAnswerAt
    this.#status = { state, lastAnswerAt }
    for (const listener of this.#listeners) listener()
  }
}

/** The cursor is of another list, or its events are no longer stored. */
const isInvalidCursor = (error: unknown) => [400, 410].includes((error as { status?: number }).status ?? 0)

/** @returns when the page is visible, with a signal that is aborted when it is hidden. */
async function untilVisible(ended: AbortSignal): Promise<{ hidden: AbortSignal; stop(): void }> {
  const controller = new AbortController()
  if (document.hidden) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const onChange = () => resolve()
    document.addEventListener('visibilitychange', onChange, { once: true })
    ended.addEventListener('abort', onChange, { once: true })
    await promise
    document.removeEventListener('visibilitychange', onChange)
  }
  const onChange = () => document.hidden && controller.abort()
  document.addEventListener('visibilitychange', onChange)
  return { hidden: controller.signal, stop: () => document.removeEventListener('visibilitychange', onChange) }
}

/** Returns early when `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) resolve()
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
}
