/** Responds to requests that never reach the app: invalid HTTP, or too large headers. Used by `http-server.ts`. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '@platen/runtime/errors.ts'
import type { Logger } from '@platen/runtime/log.ts'
import { v4 as uuidv4 } from 'uuid'
import { errorEnvelope } from './error-envelope.ts'
import { securityHeaders } from './middleware/security-headers.ts'

interface Refusal {
  /**
   * The status that HTTP defines; the code is `invalid_request` unless `code` is set
   * (docs/reference/errors.md#envelope.malformed-http).
   */
  status: number
  message: string
  code?: ErrorCode
}

/** Keys are error codes of Node, a method, and the name of a limit. Any other reason is a 400. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and headers are larger than 16 KiB together.' },
  HEADERS_MAX: { status: 431, message: 'The request has more than 100 headers.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request arrived too slowly.' },
  BODY: { status: 400, message: 'The body ends too early, or its chunks are not valid HTTP.' },
  BODY_LENGTH: { status: 400, message: 'The body has fewer bytes than its `Content-Length` announces.' },
  CONNECT: { status: 400, message: 'This server is not a proxy and does not support `CONNECT`.' },
}
const NOT_HTTP: Refusal = { status: 400, message: 'This is not a valid HTTP request.' }

/** How long input is discarded before the connection is closed. An immediate close could lose the response. */
const LINGER_MS = 2_000

/** @param publicUrl `PLATEN_PUBLIC_URL`. */
export function createRefusals(log: Logger, hsts: string | undefined, publicUrl: string | undefined) {
  const lingering = new WeakSet<Duplex>()

  function answer(reason: string) {
    const { status, message, code = 'invalid_request' } = REFUSALS[reason] ?? NOT_HTTP
    const requestId = uuidv4()
    const body = JSON.stringify(errorEnvelope({ code, message, param: undefined }, { requestId, publicUrl }))
    const headers: Record<string, string> = {
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      ...securityHeaders(hsts),
    }
    log.info({ status, request_id: requestId, error_code: code, reason }, 'request')
    return { status, headers, body }
  }

  return {
    /** Refuses a request that Node could parse. */
    request(reason: string, response: ServerResponse): void {
      const { status, headers, body } = answer(reason)
      response.writeHead(status, headers).end(body)
    },

    /**
     * Refuses a request that Node could not parse. If the app has received its headers, the app logs an aborted request
     * as well. If earlier requests have no response yet, they get theirs and this one gets none.
     */
    connection(reason: string, socket: Duplex, active: [request: IncomingMessage, response: ServerResponse][]): void {
      // Node repeats the event for each further piece of the same request.
      if (lingering.has(socket) && reason !== 'ECONNRESET') return
      const last = active.at(-1)
      const isBody = last?.[0].complete === false
      const isAnswered = isBody && (active.length > 1 || last[1].headersSent)
      if (reason === 'ECONNRESET' || !socket.writable || isAnswered) {
        socket.destroy()
        return
      }
      lingering.add(socket)
      if (last && !isBody) {
        last[1].once('finish', () => {
          socket.end()
          closeAfterAnswer(socket)
        })
        return
      }
      const bodyReason = last && 'content-length' in last[0].headers ? 'BODY_LENGTH' : 'BODY'
      const { status, headers, body } = answer(isBody ? bodyReason : reason)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
      closeAfterAnswer(socket)
    },
  }
}

function closeAfterAnswer(socket: Duplex): void {
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
