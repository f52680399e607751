import { expect } from 'vitest'
import type { Api } from '../harness/api.ts'
import { waitFor } from '../harness/wait-for.ts'

interface FeedEvent {
  type: string
  timestamp: string
  sequence: number
  data: Record<string, unknown>
}

/**
 * @returns a function that waits for the next `count` events, sorted by sequence and type: simultaneous events have any
 *   order.
 */
export function followFeed(api: Api, filter = '') {
  let after = ''
  const events: FeedEvent[] = []
  return async (count: number): Promise<FeedEvent[]> => {
    await waitFor(async () => {
      const { body } = await api.get(`/v1/events?dir=asc&wait=1${after}&${filter}`)
      if (body.nextCursor) after = `&after=${body.nextCursor}`
      events.push(...body.data)
      expect(events.map(({ type }) => type)).toHaveLength(count)
    })
    return events.splice(0).sort((a, b) => a.sequence - b.sequence || a.type.localeCompare(b.type))
  }
}
