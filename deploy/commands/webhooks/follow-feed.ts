/** Follows `GET /v1/events` from now on. Retries while the server is not available. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { StartupError } from '../../launcher/startup-error.ts'

export interface Feed {
  server: string
  key: string
  types: string[]
  /** Called at the first of consecutive failures. */
  onFailed: (message: string) => void
  onRecovered: () => void
}

export interface FeedEvent {
  id: string
  type: string
  /** The text that a webhook delivers. */
  body: string
}

/** The maximum of the API. */
const WAIT_SECONDS = 30
/** Instead of a cursor: returns an empty page, whose cursor is the current end of the feed. */
const FROM_NOW = 'now'
/** Longer than the wait of the server, for latency and load. */
const RESPONSE_TIMEOUT_MS = WAIT_SECONDS * 1000 + 15_000
const PAUSE_MS = { first: 500, longest: 15_000 }

const PAGE = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string() })),
  nextCursor: z.string().nullable(),
})
const ERROR = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/**
 * Yields each event after the call once, in the order of the feed.
 *
 * @throws StartupError for errors that a retry cannot correct: the key, the types, a server without a feed.
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
    // The first request does not wait, because after a lost response a repeated `now` would skip the events of the wait.
    ...(after === FROM_NOW ? [] : [['wait', String(WAIT_SECONDS)] as [string, string]]),
    ...feed.types.map((type): [string, string] => ['type', type]),
  ]
  url.search = new URLSearchParams(query).toString()
  for (let failures = 0; ; failures++) {
    const page = await readPage(url, feed.key, signal)
    if (typeof page !== 'string') {
      if (failures > 0) feed.onRecovered()
      return page
    }
    if (failures === 0) feed.onFailed(page)
    await sleep(Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest), undefined, { signal })
  }
}

/** @returns the page, or an error message if a retry may succeed. */
async function readPage(url: URL, key: string, signal: AbortSignal) {
  let status: number
  let text: string
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)])
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: timeout,
    })
    status = response.status
    text = await response.text()
  } catch (error) {
    signal.throwIfAborted()
    return `${url.origin} does not respond (${getReason(error)}), retrying. Check that Platen is running there, or set --server.`
  }
  if (status === 429 || status >= 500) return `${url.origin} responds with ${status}${describeError(text)}`
  if (status === 401)
    throw new StartupError(
      `This key does not exist at ${url.origin} or was revoked. Set a valid one in PLATEN_KEY or --key-file.`,
    )
  if (status === 404 || (status >= 300 && status < 400)) throw toNoFeedError(url)
  if (status !== 200) throw new StartupError(`${url.origin} responds with ${status}${describeError(text)}`)
  return parsePage(url, text)
}

function parsePage(url: URL, text: string) {
  try {
    const json = JSON.parse(text)
    const { data, nextCursor } = PAGE.parse(json)
    return {
      nextCursor,
      // From the unparsed JSON, because a schema can change the order of the fields.
      data: data.map(({ id, type }, n): FeedEvent => ({ id, type, body: JSON.stringify(json.data[n]) })),
    }
  } catch {
    throw toNoFeedError(url)
  }
}

const toNoFeedError = ({ origin }: URL) =>
  new StartupError(`${origin} has no event feed of Platen. Set --server to the address of the REST API.`)

function describeError(text: string): string {
  try {
    const { error } = ERROR.parse(JSON.parse(text))
    return ` ${error.code}: ${error.message}`
  } catch {
    return '.'
  }
}

/** @returns for example `ECONNREFUSED`: the cause of an error of `fetch`. */
export function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.name === 'TimeoutError' ? 'timeout' : error.message
}
