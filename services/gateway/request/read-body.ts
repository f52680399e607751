/** Reads request bodies piece by piece, with backpressure, up to the limit of a route. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@platen/runtime/errors.ts'
import { BODY_TOO_SLOW } from '../slow-clients.ts'

/**
 * The client closed the connection before its request was complete, or the result is unknown. No response can be sent.
 */
export class RequestAborted extends Error {}

export function expectsBody(request: IncomingMessage): boolean {
  return 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0
}

/**
 * Keeps the connection usable for a response when its reader stops early.
 *
 * @throws ApiError `content_too_large` at once if the announced length exceeds the limit, otherwise as soon as the body
 *   does; `request_timeout` if the body arrives too slowly.
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
  const tooSlow = () => new ApiError('request_timeout', describeMissing(receivedBytes, req.headers['content-length']))
  for await (const chunk of untilAborted(req, tooSlow)) {
    receivedBytes += chunk.length
    if (receivedBytes > limitBytes) throw tooLarge()
    yield chunk
  }
}

/** A client that sends less than it announces waits for the response, so it looks like a slow one. */
const describeMissing = (receivedBytes: number, length: string | undefined) =>
  length === undefined
    ? 'The body arrived too slowly. Send it faster.'
    : `Only ${receivedBytes} of the ${length} bytes that \`Content-Length\` announces arrived in time. Correct the header, or send the body faster.`

const CHANGES = ['readable', 'end', 'close', 'error']

/**
 * Unlike the iterator of the stream, it ends when the client is too slow, and keeps the connection open for the
 * response.
 */
async function* untilAborted(request: IncomingMessage, tooSlowError: () => ApiError): AsyncGenerator<Buffer> {
  let wake: ((tooSlow: boolean) => void) | undefined
  const onChange = () => wake?.(false)
  // A client is not slow while the gateway has unread data from it.
  const onTooSlow = () => wake?.(true)
  for (const change of CHANGES) request.on(change, onChange)
  request.on(BODY_TOO_SLOW, onTooSlow)
  try {
    while (!request.readableEnded) {
      const chunk: Buffer | null = request.read()
      if (chunk !== null) {
        yield chunk
        continue
      }
      if (request.destroyed) throw new RequestAborted('The client closed the connection.', { cause: request.errored })
      const tooSlow = await new Promise<boolean>((resolve) => {
        wake = resolve
      })
      wake = undefined
      if (tooSlow) throw tooSlowError()
    }
  } finally {
    for (const change of CHANGES) request.off(change, onChange)
    request.off(BODY_TOO_SLOW, onTooSlow)
  }
}
