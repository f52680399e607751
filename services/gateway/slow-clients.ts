/**
 * Closes connections of clients that send their body or read their response too slowly. Node limits headers and whole
 * requests, but not a slow body. One timer checks all requests. Used by `http-server.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@platen/runtime/log.ts'

export interface SlowClientLimits {
  /** `BODY_PROGRESS_BYTES` of a body must arrive in each such period. */
  bodyPauseMs: number
  /** Limit for the whole body: 25 MB in 120 s is 2.4 Mbit/s. */
  bodyTotalMs: number
  /**
   * Limit from the first byte of a response to its last. A response with `Content-Length` may also take the time of
   * `BYTES_PER_MS_MIN`.
   */
  answerMs: number
}

const BODY_PROGRESS_BYTES = 1_024

/** 1.6 Mbit/s: a package of the agent (50 MB) in 4 minutes. */
const BYTES_PER_MS_MIN = 200

/** Event of a request whose body arrives too slowly. `read-body.ts` handles it. */
export const BODY_TOO_SLOW = Symbol('body too slow')

/** Limits of requests that may be slower than others. */
const permitted = new WeakMap<IncomingMessage, { pauseMs: number; totalMs: number }>()

/** For a request whose sender is known and whose body takes long, for example because it is made while it is sent. */
export function permitSlowBody(request: IncomingMessage, limits: { pauseMs: number; totalMs: number }): void {
  permitted.set(request, limits)
}

interface Watched {
  response: ServerResponse
  startedAt: number
  /** Time of the last progress of the body, and the bytes that the connection had read by then. */
  progressAt: number
  progressBytes: number
  respondingSince?: number
}

export interface SlowClients {
  watch(request: IncomingMessage, response: ServerResponse): void
  /** Called by a timer. */
  check(): void
}

export function createSlowClients(log: Logger, limits: SlowClientLimits): SlowClients {
  const watched = new Map<IncomingMessage, Watched>()

  function checkBody(request: IncomingMessage, one: Watched, now: number): void {
    const { bytesRead } = request.socket
    if (bytesRead - one.progressBytes >= BODY_PROGRESS_BYTES) {
      one.progressAt = now
      one.progressBytes = bytesRead
    }
    const { pauseMs, totalMs } = permitted.get(request) ?? { pauseMs: limits.bodyPauseMs, totalMs: limits.bodyTotalMs }
    if (now - one.progressAt > pauseMs || now - one.startedAt > totalMs) request.emit(BODY_TOO_SLOW)
  }

  function checkResponse(request: IncomingMessage, one: Watched, now: number): void {
    one.respondingSince ??= now
    const lengthMs = Number(one.response.getHeader('content-length') ?? 0) / BYTES_PER_MS_MIN
    if (now - one.respondingSince <= Math.max(limits.answerMs, lengthMs)) return
    log.info({ remote: request.socket.remoteAddress }, 'response read too slowly, closing the connection')
    request.socket.destroy()
  }

  return {
    watch(request, response) {
      const now = performance.now()
      const { bytesRead } = request.socket
      watched.set(request, { response, startedAt: now, progressAt: now, progressBytes: bytesRead })
      response.once('close', () => watched.delete(request))
    },
    check() {
      const now = performance.now()
      for (const [request, one] of watched) {
        if (!request.complete) checkBody(request, one, now)
        if (one.response.headersSent) checkResponse(request, one, now)
      }
    },
  }
}
