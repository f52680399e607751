import { useQuery } from '@tanstack/react-query'
import { useLive } from './live.tsx'

/** All types of events, with the cause of each. They change with the release only. */
export function useEventTypes() {
  const { send } = useLive()
  return useQuery({
    queryKey: ['event-types'],
    queryFn: ({ signal }) => send((api) => api.GET('/v1/event-types'), signal),
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ data }) => data,
  })
}
