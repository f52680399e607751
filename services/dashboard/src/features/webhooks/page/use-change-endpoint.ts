import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WebhookChanges, WebhookEndpoint } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { deliveriesKey, webhookQuery, webhooksQuery } from '../../../api/queries.ts'
import { announce } from '../../../ui/announce.tsx'

type Endpoint = WebhookEndpoint
type Changes = WebhookChanges

export function useChangeEndpoint({ id }: Endpoint) {
  const live = useLive()
  const { mode, send } = live
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes) => send((api) => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess(changed) {
      queryClient.setQueryData(webhookQuery(live, id).queryKey, changed)
      void queryClient.invalidateQueries({ queryKey: webhooksQuery(live).queryKey })
      // When an endpoint is disabled, its pending deliveries become missed.
      void queryClient.invalidateQueries({ queryKey: deliveriesKey(live, id) })
      announce(`Changed the ${mode} endpoint`)
    },
  })
}
