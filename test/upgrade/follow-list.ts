/** An integrator that follows a list by its cursors, each page at another gateway. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Recorder, request } from '../chaos/client.ts'
import type { Tenant } from '../chaos/tenants.ts'

export interface FollowOptions {
  recorder: Recorder
  tenant: Tenant
  /** May change at any time. */
  baseUrls: string[]
  /** With a query. */
  path: string
}

export interface Followed {
  /** In the order of their arrival. */
  ids: string[]
  /** Follows the list to its end and stops. */
  finish(): Promise<void>
}

const POLL_EVERY_MS = 300

export function followList({ recorder, tenant, baseUrls, path }: FollowOptions): Followed {
  const ids: string[] = []
  let after = ''
  let pages = 0
  let isFinishing = false

  async function follow(): Promise<void> {
    for (;;) {
      const isLast = isFinishing
      const baseUrl = baseUrls[pages++ % baseUrls.length] ?? ''
      const { json } = await request(recorder, tenant, { baseUrl, path: path + after, call: { kind: 'list' } })
      const page = [json?.data ?? []].flat()
      for (const { id = '' } of page) ids.push(id)
      if (json?.nextCursor) after = `&after=${json.nextCursor}`
      if (page.length > 0) continue
      if (isLast) return
      await sleep(POLL_EVERY_MS)
    }
  }

  const ended = follow()
  // `finish` throws it.
  ended.catch(() => undefined)
  return {
    ids,
    async finish() {
      isFinishing = true
      await ended
    },
  }
}
