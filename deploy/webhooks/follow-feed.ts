/** Follows `GET /v1/events` from this moment on, through whatever happens to the server meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { StartupError } from '../startup-error.ts'

export interface Feed {
  server: string
  key: string
  types: string[]
  /** Hears, once in a row, why nothing comes at the moment. */
  onTrouble: (says: string) => void
  onceAgain: () => void
}

export interface FeedEvent {
  id: string
  type: string
  /** The text that a webhook delivers. */
  body: string
}

/** The longest that the feed allows. */
const WAIT_SECONDS = 30
/** In a cursor's place: an empty page at once, whose cursor is the end of the feed at that moment. */
const FROM_NOW = 'now'
/** For the way there and back, and a server that has much to do. */
const ANSWER_WITHIN_MS = WAIT_SECONDS * 1000 + 15_000
const PAUSE_MS = { first: 500, longest: 15_000 }

const PAGE = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string() })),
  nextCursor: z.string().nullable(),
})
const REFUSAL = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/**
 * Each event once, in the order of the feed, beginning with the first that is written after the call.
 *
 * @throws StartupError for what no patience mends: the key, the types, a server that is none of Platen's.
 */
export async function* followFeed(feed: Feed, signal: AbortSignal): AsyncGenerator<FeedEvent> {
  let after = FROM_NOW
  while (!signal.aborted) {
    const { data, nextCursor } = await nextPage(feed, after, signal)
    yield* data
    after = nextCursor ?? after
  }
}

async function nextPage(feed: Feed, after: string, signal: AbortSignal) {
  const url = new URL(`${feed.server}/v1/events`)
  const query: [string, string][] = [
    ['dir', 'asc'],
    ['limit', '100'],
    ['after', after],
    // At the beginning without: an answer that got lost would take with it what was written while it waited.
    ...(after === FROM_NOW ? [] : [['wait', String(WAIT_SECONDS)] as [string, string]]),
    ...feed.types.map((type): [string, string] => ['type', type]),
  ]
  url.search = new URLSearchParams(query).toString()
  for (let failures = 0; ; failures++) {
    const page = await ask(url, feed.key, signal)
    if (typeof page !== 'string') {
      if (failures > 0) feed.onceAgain()
      return page
    }
    if (failures === 0) feed.onTrouble(page)
    await sleep(Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest), undefined, { signal })
  }
}

/** @returns in words what is wrong, where it may be right the next time. */
async function ask(url: URL, key: string, signal: AbortSignal) {
  let answer: { status: number; text: string }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)])
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: within,
    })
    answer = { status: response.status, text: await response.text() }
  } catch (error) {
    signal.throwIfAborted()
    return `${url.origin} does not answer (${reasonOf(error)}): is Platen running there? Else say where, by --server.`
  }
  const { status, text } = answer
  if (status === 429 || status >= 500) return `${url.origin} answers ${status}${saying(text)}`
  if (status === 401) throw new StartupError(`${url.origin} does not know this key: give a valid one by --key.`)
  if (status === 404 || (status >= 300 && status < 400)) throw noFeed(url)
  if (status !== 200) throw new StartupError(`${url.origin} answers ${status}${saying(text)}`)
  return readPage(url, text)
}

function readPage(url: URL, text: string) {
  try {
    const json = JSON.parse(text)
    const { data, nextCursor } = PAGE.parse(json)
    return {
      nextCursor,
      // Of the answer itself: what a schema gives back may have its fields in another order.
      data: data.map(({ id, type }, n): FeedEvent => ({ id, type, body: JSON.stringify(json.data[n]) })),
    }
  } catch {
    throw noFeed(url)
  }
}

const noFeed = ({ origin }: URL) =>
  new StartupError(`${origin} has no event feed of Platen: give the address of the REST API by --server.`)

function saying(text: string): string {
  try {
    const { error } = REFUSAL.parse(JSON.parse(text))
    return ` ${error.code}: ${error.message}`
  } catch {
    return '.'
  }
}

/** `ECONNREFUSED`, where there is such a word: the error of `fetch` itself says only that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.name === 'TimeoutError' ? 'timeout' : error.message
}
