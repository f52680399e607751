import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { DestinationRequest } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { destinationsQuery } from '../../api/queries.ts'
import { announce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DestinationForm, NEW_DESTINATION } from './destination-form.tsx'

/** Creates a destination and leads to its page. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const live = useLive()
  const { mode, send } = live
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: (body: DestinationRequest) => send((api) => api.POST('/v1/destinations', { body })),
    async onSuccess({ id, name }) {
      announce(`Created the destination ${name}`)
      void queryClient.invalidateQueries({ queryKey: destinationsQuery(live).queryKey })
      await navigate({ to: '/$mode/destinations/$destinationId', params: { mode, destinationId: id } })
    },
  })
  return (
    <Dialog title={`Create a ${mode} destination`} onClose={onClose} isWide keepsInput>
      <DestinationForm
        initial={NEW_DESTINATION}
        action="Create destination"
        failure="The destination was not created."
        mutation={create}
        onClose={onClose}
      />
    </Dialog>
  )
}
