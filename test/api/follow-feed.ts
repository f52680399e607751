import { expect } from 'vitest'
import type { Api } from '../harness/api.ts'
import { waitFor } from '../harness/wait-for.ts'

interface FeedEvent {
  type: string
  mode: string
  sequence: number
  data: Record<string, unknown>
}

/** @returns a function that waits for the next `count` events of the feed; sorted by type, since what happens at once has any order. */
export function followFeed(api: Api) {
  let after = ''
  const events: FeedEvent[] = []
  return async (count: number): Promise<FeedEvent[]> => {
    await waitFor(async () => {
      const { body } = await api.get(`/v1/events?dir=asc&wait=1${after}`)
      if (body.nextCursor) after = `&after=${body.nextCursor}`
      events.push(...body.data)
      expect(events.map(({ type }) => type)).toHaveLength(count)
    })
    return events.splice(0).toSorted((one, other) => one.type.localeCompare(other.type))
  }
}
