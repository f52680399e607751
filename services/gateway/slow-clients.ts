/**
 * Cuts off clients that hold a connection by sending their body or taking their answer too slowly. Node watches headers and whole
 * requests; between those a client may drip. One look at all requests every now and then, so that none pays for a timer of its own.
 * Used by `http-server.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@platen/runtime/log.ts'

export interface SlowClientLimits {
  /** Within each such time `BODY_PROGRESS_BYTES` of a body must come. */
  bodyPauseMs: number
  /** All of it: 25 MB in 120 s is 2.4 Mbit/s. */
  bodyTotalMs: number
  /** From its first byte to its last. The largest answers are some 100 kB. */
  answerMs: number
}

const BODY_PROGRESS_BYTES = 1_024

/** Said on a request whose body comes too slowly, to whoever waits for more of it: see `read-body.ts`. */
export const BODY_TOO_SLOW = Symbol('the body comes too slowly')

interface Watched {
  response: ServerResponse
  startedAt: number
  /** When the body last got on, and how far the connection was then. */
  progressAt: number
  progressBytes: number
  answeringSince?: number
}

export interface SlowClients {
  watch(request: IncomingMessage, response: ServerResponse): void
  /** To be called every now and then. */
  look(): void
}

export function createSlowClients(log: Logger, limits: SlowClientLimits): SlowClients {
  const watched = new Map<IncomingMessage, Watched>()

  function lookAtBody(request: IncomingMessage, one: Watched, now: number): void {
    const { bytesRead } = request.socket
    if (bytesRead - one.progressBytes >= BODY_PROGRESS_BYTES) {
      one.progressAt = now
      one.progressBytes = bytesRead
    }
    if (now - one.progressAt > limits.bodyPauseMs || now - one.startedAt > limits.bodyTotalMs)
      request.emit(BODY_TOO_SLOW)
  }

  function lookAtAnswer(request: IncomingMessage, one: Watched, now: number): void {
    one.answeringSince ??= now
    if (now - one.answeringSince <= limits.answerMs) return
    log.info({ remote: request.socket.remoteAddress }, 'an answer is taken too slowly, closing the connection')
    request.socket.destroy()
  }

  return {
    watch(request, response) {
      const now = performance.now()
      const { bytesRead } = request.socket
      watched.set(request, { response, startedAt: now, progressAt: now, progressBytes: bytesRead })
      response.once('close', () => watched.delete(request))
    },
    look() {
      const now = performance.now()
      for (const [request, one] of watched) {
        if (!request.complete) lookAtBody(request, one, now)
        if (one.response.headersSent) lookAtAnswer(request, one, now)
      }
    },
  }
}
