/**
 * Ends connections in a way that lets clients read their answer.
 *
 * An answer that is given before the whole body has come (a wrong key, a document that is too large) closes the connection.
 * Closing at once would reset it, and many clients then lose the answer; reading on to the end would let anyone make us read
 * megabytes for nothing. So the answer is sent, a little more of the body is read and thrown away, and then it is closed.
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
    const answer = JSON.stringify(ctx.body)
    ctx.length = Buffer.byteLength(answer)
    ctx.res.write(answer)
    await discard(ctx.req)
    ctx.res.end()
  }
}

/** Comes back when the body has ended, the client is gone, or a limit is reached. */
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
