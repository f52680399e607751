import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLive } from '../../../api/live.tsx'
import { webhooksQuery } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { type EndpointFields, EndpointForm } from '../endpoint-form.tsx'

const NEW: EndpointFields = { url: '', description: null, events: ['printjob.done', 'printjob.error'] }

/** Creates an endpoint, shows its secret once, and leads to its page. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const live = useLive()
  const { mode, send } = live
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: (body: EndpointFields) => send((api) => api.POST('/v1/webhooks', { body })),
    // The secret leaves the memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(live).queryKey }),
  })
  const created = create.data
  if (created)
    return (
      <SecretDialog
        title="Secret of the endpoint"
        secret={created.secret}
        copyLabel="Copy secret"
        onClose={() => navigate({ to: '/$mode/webhooks/$webhookId', params: { mode, webhookId: created.id } })}
      >
        <p className="text-sm text-muted">
          The receiver checks with it that a request comes from Platen.{' '}
          <a className="link" href="/docs/reference/webhooks#delivery" target="_blank" rel="noreferrer">
            The reference
          </a>{' '}
          shows how.
        </p>
      </SecretDialog>
    )
  return (
    <Dialog title={`Create a ${mode} webhook endpoint`} onClose={onClose} isWide keepsInput>
      <EndpointForm initial={NEW} onSubmit={(fields) => create.mutate(fields)}>
        {({ events }) => (
          <>
            {create.isError && <ErrorPanel title="The endpoint was not created." error={create.error} />}
            <DialogButtons>
              <Button onClick={onClose}>Cancel</Button>
              <Button variant="primary" type="submit" disabled={create.isPending || events.length === 0}>
                Create endpoint
              </Button>
            </DialogButtons>
          </>
        )}
      </EndpointForm>
    </Dialog>
  )
}
