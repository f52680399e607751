/**
 * Closes connections so that clients can read the response.
 *
 * A response before the end of the body (a wrong key, a too large document) closes the connection. An immediate close
 * would reset it, and many clients would lose the response. Reading the whole body would let any client waste
 * megabytes. So the response is sent, a limited part of the body is discarded, and then the connection is closed.
 */
import type { IncomingMessage } from 'node:http'
import type { Step } from '../context.ts'
import { expectsBody } from '../request/read-body.ts'

const DISCARD_LIMIT_BYTES = 4 * 1024 * 1024
const DISCARD_LIMIT_MS = 2_000

export function closeUnreadBody(stopping: AbortSignal): Step {
  return async (ctx, next) => {
    await next()
    const unread = expectsBody(ctx.req) && !ctx.req.complete
    if (unread || stopping.aborted) ctx.set('Connection', 'close')
    if (!unread || ctx.respond === false) return
    ctx.respond = false
    const answer = Buffer.isBuffer(ctx.body) ? ctx.body : JSON.stringify(ctx.body)
    ctx.length = Buffer.byteLength(answer)
    ctx.res.write(answer)
    await discard(ctx.req)
    ctx.res.end()
  }
}

/** Resolves at the end of the body, when the client closes the connection, or at a limit. */
function discard(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = DISCARD_LIMIT_BYTES
    const timer = setTimeout(done, DISCARD_LIMIT_MS)
    function done() {
      clearTimeout(timer)
      request.pause()
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left <= 0) done()
    })
    request.once('end', done)
    request.once('close', done)
    request.once('error', done)
    request.resume()
  })
}
