import { createHash } from 'node:crypto'
import type { RouteStep } from '../context.ts'

/**
 * Answers with a text that is the same for everybody and changes with a release alone. Caches may keep it, but ask each time
 * whether it is still the one: an installation that was upgraded must not go on showing its old interface.
 *
 * @param type of the content: "application/json".
 * @param headers beside those of caching.
 */
export function publish(type: string, text: string, headers: Record<string, string> = {}): RouteStep {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return (ctx) => {
    ctx.set({ ...headers, 'Cache-Control': 'public, no-cache', ETag: etag })
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = type
    ctx.body = text
  }
}
