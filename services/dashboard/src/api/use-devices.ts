import { useQuery } from '@tanstack/react-query'
import type { Devices } from './gen/schema.ts'
import { useLive, useReload } from './live.tsx'

/** What has no event: tokens and the offered version of the agent. */
const REFRESH_MS = 30_000
/** After an event, so that many events cause one request. */
const AFTER_EVENT_MS = 1_000
const TYPES = /^(printjob|printer|computer)\./

/** What the lists of printers and computers show beside these: names, numbers and times. */
export function useDevices() {
  const { key, feed, send } = useLive()
  useReload('devices', TYPES, AFTER_EVENT_MS)
  return useQuery({
    queryKey: [...key, 'devices'],
    queryFn: async ({ signal }): Promise<Devices> => {
      await feed.opened
      return await send((api) => api.GET('/account/devices'), signal)
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })
}
