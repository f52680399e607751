import { useQuery } from '@tanstack/react-query'
import type { Call } from './client.ts'
import { useLive, useReload } from './live.tsx'

/** What has no event, for example tokens, the plan and the time itself. */
const REFRESH_MS = 30_000

interface Summary<Data> {
  /** The name of the query. */
  name: string
  load: Call<Data>
  /** A constant: the events after which it is loaded again. */
  types: RegExp
  afterMs: number
}

/** A summary of many resources, which the service makes, and which follows the feed. */
export function useSummary<Data>({ name, load, types, afterMs }: Summary<Data>) {
  const { key, feed, send } = useLive()
  useReload(name, types, afterMs)
  return useQuery({
    queryKey: [...key, name],
    queryFn: async ({ signal }): Promise<Data> => {
      await feed.opened
      return await send(load, signal)
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })
}
