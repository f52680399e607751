/** Reads request bodies piece by piece, with backpressure, and never more than a route takes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@platen/runtime/errors.ts'

/** The client went away before its request was complete. Nobody is left to answer. */
export class RequestAborted extends Error {}

export function expectsBody(request: IncomingMessage): boolean {
  return 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0
}

/**
 * Leaves the connection usable for an answer when its reader stops early.
 *
 * @throws ApiError `content_too_large` at once when the announced length is over the limit, else as soon as the body is.
 * @throws RequestAborted
 */
export async function* readBody(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  limitBytes: number,
): AsyncGenerator<Buffer> {
  if (!expectsBody(req)) return
  const tooLarge = () => new ApiError('content_too_large', `The body is larger than ${limitBytes} bytes.`)
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge()
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
  let receivedBytes = 0
  for await (const chunk of untilAborted(req)) {
    receivedBytes += chunk.length
    if (receivedBytes > limitBytes) throw tooLarge()
    yield chunk
  }
}

async function* untilAborted(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Otherwise stopping early would destroy the connection.
    yield* request.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw new RequestAborted('The client went away.', { cause: error })
  }
}
