/** One deadline over a request and its answer, and what its failures mean, whichever connection it travels on. */
import type { Dispatcher } from 'undici'
import { FetchFailure } from './failure.ts'

/** One for all: an abort makes an error of its own, with a stack, at each request. */
const OVER = new Error('the exchange is over')

export interface PublicRequest {
  /** By `PublicNetwork.readUrl`. */
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  deadlineMs: number
  /** Ends it early. */
  signal?: AbortSignal
}

export interface PublicResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** May be left unread. Ends in a FetchFailure when it breaks off. */
  body: AsyncIterable<Buffer>
}

/**
 * @param send is given the signal that ends the exchange when it is over, in whichever way.
 * @throws FetchFailure; the signal's reason when that ended it; what `read` throws.
 */
export async function exchange<Result>(
  { deadlineMs, signal }: PublicRequest,
  send: (over: AbortSignal) => Promise<Dispatcher.ResponseData>,
  read: (response: PublicResponse) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const over = new AbortController()
  const abort = () => over.abort(OVER)
  let late = false
  const deadline = setTimeout(() => {
    late = true
    abort()
  }, deadlineMs)
  signal?.addEventListener('abort', abort)

  /** What an error of the connection means. */
  function failureOf(error: unknown): unknown {
    if (late) return new FetchFailure('timeout', { cause: error })
    if (signal?.aborted) return signal.reason
    return error instanceof FetchFailure ? error : new FetchFailure('response', { cause: error })
  }

  async function* bytesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (error) {
      throw failureOf(error)
    }
  }

  try {
    const answer = await send(over.signal).catch((error: unknown) => {
      throw failureOf(error)
    })
    // A body that nobody reads to its end breaks off below, with nobody left to hear of it.
    answer.body.on('error', () => undefined)
    return await read({ status: answer.statusCode, headers: answer.headers, body: bytesOf(answer.body) })
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', abort)
    // Also ends a body that was left unread, and with it the connection: what came on it next would be the rest of that body.
    abort()
  }
}
