import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Overview } from '../../api/gen/schema.ts'
import { type Live, useEvents, useLive } from '../../api/live.tsx'

/** What has no event, for example the plan and the time itself. */
const REFRESH_MS = 30_000
/** After an event, so that many events cause one request. Statistics follow within 3 s. */
const AFTER_EVENT_MS = 4_000

const overviewQuery = ({ key, feed, send }: Live) =>
  queryOptions({
    queryKey: [...key, 'overview'],
    queryFn: async ({ signal }): Promise<Overview> => {
      await feed.opened
      return await send((api) => api.GET('/account/overview'), signal)
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })

/** The overview, which follows the feed. */
export function useOverview() {
  const live = useLive()
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEvents(
    useCallback(() => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        void queryClient.invalidateQueries({ queryKey: overviewQuery(live).queryKey })
      }, AFTER_EVENT_MS)
    }, [queryClient, live]),
  )
  useEffect(() => () => clearTimeout(timer.current), [])
  return useQuery(overviewQuery(live))
}
