import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Enrollment } from '../../../api/gen/schema.ts'
import { useEvents, useLive, useResource, useResources } from '../../../api/live.tsx'
import { REFRESH_MS } from '../../../api/queries.ts'
import type { FeedEvent } from '../../../api/resources.ts'

/** The clocks of browser and service differ by less. */
const CLOCK_MS = 10_000

/**
 * Follows what an agent does with a token.
 *
 * @param createdAt of the token, in milliseconds by the clock of the service.
 */
export function useNewComputer(token: Enrollment, createdAt: number) {
  const { key, send } = useLive()
  const [newId, setNewId] = useState<string>()
  const [onlineId, setOnlineId] = useState<string>()
  useEvents(
    useCallback(
      (events: FeedEvent[]) => {
        const online = events.findLast(({ type }) => type === 'computer.online')
        if (!online) return
        setOnlineId(online.data.id)
        if (Date.parse(online.data.createdAt) > createdAt - CLOCK_MS) setNewId(online.data.id)
      },
      [createdAt],
    ),
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
  // A computer that is enrolled again keeps its id and age.
  const computerId = newId ?? (isUsed ? onlineId : undefined)
  const computer = useResource('computer', computerId ?? '')
  const printers = useResources('printer').filter((printer) => printer.computerId === computerId)
  return { isUsed: isUsed || computer !== undefined, computer, printers }
}
