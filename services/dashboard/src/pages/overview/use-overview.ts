import { useQuery } from '@tanstack/react-query'
import type { Overview } from '../../api/gen/schema.ts'
import { useLive, useReload } from '../../api/live.tsx'

/** What has no event, for example the plan and the time itself. */
const REFRESH_MS = 30_000
/** After an event, so that many events cause one request. Statistics follow within 3 s. */
const AFTER_EVENT_MS = 4_000

const ANY = /./

/** The overview, which follows the feed. */
export function useOverview() {
  const { key, feed, send } = useLive()
  useReload('overview', ANY, AFTER_EVENT_MS)
  return useQuery({
    queryKey: [...key, 'overview'],
    queryFn: async ({ signal }): Promise<Overview> => {
      await feed.opened
      return await send((api) => api.GET('/account/overview'), signal)
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })
}
