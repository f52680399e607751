import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useEvents, useLive, useResource, useResources } from '../../api/live.tsx'
import type { FeedEvent } from '../../api/resources.ts'
import type { components } from '../../api/schema.ts'
import { REFRESH_MS } from '../../api/use-pages.ts'

/** Follows what an agent does with a token. */
export function useNewComputer(token: components['schemas']['Enrollment']) {
  const { key, send } = useLive()
  const [computerId, setComputerId] = useState<string>()
  // A computer that was enrolled again keeps its id, and is online again, too.
  useEvents(
    useCallback((events: FeedEvent[]) => {
      const online = events.findLast(({ type }) => type === 'computer.online')
      if (online) setComputerId(online.data.id)
    }, []),
  )
  const uses = useQuery({
    queryKey: [...key, 'enrollment', token.id],
    queryFn: async ({ signal }) => {
      const { data } = await send((api) => api.GET('/v1/enrollments', { params: { query: { limit: 100 } } }), signal)
      return data.find(({ id }) => id === token.id)?.uses ?? 0
    },
    refetchInterval: ({ state }) => (state.data ? false : REFRESH_MS / 2),
  })
  const isUsed = (uses.data ?? 0) > 0
  const computer = useResource('computer', computerId ?? '')
  const printers = useResources('printer').filter((printer) => printer.computerId === computerId)
  return { isUsed: isUsed || computer !== undefined, computer, printers }
}
