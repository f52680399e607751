/** The resource of a page. */
import { useQuery } from '@tanstack/react-query'
import type { Call } from './client.ts'
import { useLive, useResource } from './live.tsx'
import type { ResourceKinds } from './resources.ts'

/** A printer or computer, which the feed keeps current. `known` is that of the lists, until the answer is there. */
export function useDevice<K extends 'printer' | 'computer'>(kind: K, id: string, call: Call<ResourceKinds[K]>) {
  const { key, send, feed, resources } = useLive()
  const known = useResource(kind, id)
  const query = useQuery({
    queryKey: [...key, kind, id],
    // A pause and a refused agent have no event.
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }) => {
      await feed.opened
      const resource = await send(call, signal)
      resources.put(kind, resource)
      return resource
    },
  })
  return { query, known }
}
