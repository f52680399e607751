import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { PrintJobExplanation } from '../../../api/gen/schema.ts'
import { useEvents, useLive } from '../../../api/live.tsx'
import { type FeedEvent, isFinal } from '../../../api/resources.ts'

export type Explanation = PrintJobExplanation

/** Resends and positions in the queue have no events. */
const REFRESH_MS = 5_000

/** The explanation of a job, loaded again when the feed has an event of the job, its printer or its computer. */
export function useExplanation(jobId: string) {
  const { key, send, feed, resources } = useLive()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: [...key, 'explanation', jobId],
    queryFn: async ({ signal }) => {
      await feed.opened
      const explanation = await send(
        (api) => api.GET('/v1/printjobs/{id}/explanation', { params: { path: { id: jobId } } }),
        signal,
      )
      resources.put('printjob', explanation.job)
      if (explanation.printer) resources.put('printer', explanation.printer)
      if (explanation.computer) resources.put('computer', explanation.computer)
      return explanation
    },
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.job) ? false : REFRESH_MS),
  })
  const { data } = query
  useEvents(
    useCallback(
      (events: FeedEvent[]) => {
        const ids = [jobId, data?.job.printerId, data?.job.computerId]
        if (events.some((event) => ids.includes(event.data.id)))
          void queryClient.invalidateQueries({ queryKey: [...key, 'explanation', jobId] })
      },
      [queryClient, key, jobId, data?.job.printerId, data?.job.computerId],
    ),
  )
  return query
}
