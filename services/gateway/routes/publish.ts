import { createHash } from 'node:crypto'
import type { RouteStep } from '../context.ts'

/**
 * Serves a text that is the same for every caller and only changes with a release. Caches can store it but must
 * revalidate it each time, so that an upgraded installation does not show its old API.
 *
 * @param type of the content: "application/json".
 * @param headers besides those for caches.
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
