import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WebhookChanges, WebhookEndpoint } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { announce } from '../../ui/announce.tsx'

type Endpoint = WebhookEndpoint
type Changes = WebhookChanges

export function useChangeEndpoint({ id }: Endpoint) {
  const { mode, key, send } = useLive()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes) => send((api) => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess(changed) {
      queryClient.setQueryData([...key, 'webhook', id], changed)
      void queryClient.invalidateQueries({ queryKey: [...key, 'webhooks'] })
      announce(`Changed the ${mode} endpoint`)
    },
  })
}
