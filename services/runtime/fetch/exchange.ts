/**
 * Applies one deadline to a request with its response, and maps errors to FetchFailure. Independent of the connection.
 */
import type { Dispatcher } from 'undici'
import { FetchFailure } from './failure.ts'

/** Shared, because `abort()` without a reason creates an error with a stack for each request. */
const EXCHANGE_ENDED = new Error('the exchange has ended')

export interface PublicRequest {
  /** Parsed by `PublicNetwork.readUrl`. */
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  deadlineMs: number
  /** Cancels the request. */
  signal?: AbortSignal
  /** Called with the addresses of the host before the request is sent. */
  onAddresses?: (addresses: string[]) => void
}

export interface PublicResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** May be left unread. Throws FetchFailure if the response is incomplete. */
  body: AsyncIterable<Buffer>
}

/**
 * @param send gets a signal that is aborted when the exchange ends.
 * @throws FetchFailure; the reason of `signal` if it cancelled the request; errors of `read`.
 */
export async function exchange<Result>(
  { deadlineMs, signal }: PublicRequest,
  send: (over: AbortSignal) => Promise<Dispatcher.ResponseData>,
  read: (response: PublicResponse) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const over = new AbortController()
  const abort = () => over.abort(EXCHANGE_ENDED)
  let late = false
  const deadline = setTimeout(() => {
    late = true
    abort()
  }, deadlineMs)
  signal?.addEventListener('abort', abort)

  function toFailure(error: unknown): unknown {
    if (late) return new FetchFailure('timeout', { cause: error })
    if (signal?.aborted) return signal.reason
    return error instanceof FetchFailure ? error : new FetchFailure('response', { cause: error })
  }

  async function* readBytes(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (error) {
      throw toFailure(error)
    }
  }

  try {
    const { statusCode, headers, body } = await send(over.signal).catch((error: unknown) => {
      throw toFailure(error)
    })
    // The abort below makes an unread body emit an error without another listener.
    body.on('error', () => undefined)
    return await read({ status: statusCode, headers, body: readBytes(body) })
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', abort)
    // It also closes the connection of an unread body, because the next response on it would start with the rest of
    // that body.
    abort()
  }
}
