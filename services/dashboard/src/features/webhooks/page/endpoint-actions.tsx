import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { WebhookEndpoint } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { deliveriesKey, webhooksQuery } from '../../../api/queries.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { FailureDialog } from '../../../ui/failure-dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { useChangeEndpoint } from './use-change-endpoint.ts'

const EndpointForm = lazy(async () => ({ default: (await import('../endpoint-form.tsx')).EndpointForm }))

type Endpoint = WebhookEndpoint
type Opened = 'edit' | 'disable' | 'rotate' | 'replay' | 'delete'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [opened, setOpened] = useState<Opened>()
  const { enabled, failingSince } = endpoint
  const close = () => setOpened(undefined)
  const change = useChangeEndpoint(endpoint)
  return (
    <>
      <TestButton endpoint={endpoint} />
      {!enabled && (
        <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate({ enabled: true })}>
          Enable
        </Button>
      )}
      <Menu
        label="Actions"
        items={[
          { label: 'Edit', onClick: () => setOpened('edit') },
          { label: 'Replay …', onClick: () => setOpened('replay') },
          { label: 'Rotate secret', onClick: () => setOpened('rotate') },
          ...(enabled ? [{ label: 'Disable', onClick: () => setOpened('disable') }] : []),
          { label: 'Delete', isDangerous: true, onClick: () => setOpened('delete') },
        ]}
      />
      <FailureDialog title="The endpoint was not enabled" mutation={change} />
      <Suspense>{opened === 'edit' && <EditDialog endpoint={endpoint} onClose={close} />}</Suspense>
      {opened === 'disable' && <DisableDialog endpoint={endpoint} onClose={close} />}
      {opened === 'rotate' && <RotateDialog endpoint={endpoint} onClose={close} />}
      {opened === 'replay' && <ReplayDialog endpoint={endpoint} failingSince={failingSince} onClose={close} />}
      {opened === 'delete' && <DeleteDialog endpoint={endpoint} onClose={close} />}
    </>
  )
}

interface ActionProps {
  endpoint: Endpoint
  onClose(): void
}

function TestButton({ endpoint: { id, enabled } }: { endpoint: Endpoint }) {
  const live = useLive()
  const { mode, send } = live
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const sendTest = useMutation({
    mutationFn: () => send((api) => api.POST('/v1/webhooks/{id}/test', { params: { path: { id } }, body: {} })),
    async onSuccess(delivery) {
      void queryClient.invalidateQueries({ queryKey: deliveriesKey(live, id) })
      await navigate({
        to: '/$mode/webhooks/$webhookId/deliveries/$deliveryId',
        params: { mode, webhookId: id, deliveryId: delivery.id },
      })
    },
  })
  return (
    <>
      <Button
        variant="primary"
        disabled={sendTest.isPending}
        disabledReason={enabled ? undefined : 'The endpoint is disabled.'}
        onClick={() => sendTest.mutate()}
      >
        Send a test
      </Button>
      <FailureDialog title="No test was sent" mutation={sendTest} onRetry={() => sendTest.mutate()} />
    </>
  )
}

function EditDialog({ endpoint, onClose }: ActionProps) {
  const { mode } = useLive()
  const change = useChangeEndpoint(endpoint)
  const { url, description, events } = endpoint
  return (
    <Dialog title={`Edit the ${mode} endpoint`} onClose={onClose} isWide keepsInput>
      <EndpointForm
        initial={{ url, description, events }}
        onSubmit={(fields) => change.mutate(fields, { onSuccess: onClose })}
      >
        {(fields) => (
          <>
            {change.isError && <ErrorPanel title="The endpoint was not changed." error={change.error} />}
            <DialogButtons>
              <Button onClick={onClose}>Cancel</Button>
              <Button variant="primary" type="submit" disabled={change.isPending || fields.events.length === 0}>
                Save
              </Button>
            </DialogButtons>
          </>
        )}
      </EndpointForm>
    </Dialog>
  )
}

function DisableDialog({ endpoint, onClose }: ActionProps) {
  const { mode } = useLive()
  const { isPending, error, mutate } = useChangeEndpoint(endpoint)
  const disable = { isPending, error, mutate: () => mutate({ enabled: false }, { onSuccess: onClose }) }
  return (
    <Confirm title={`Disable this ${mode} endpoint?`} action="Disable" mutation={disable} onClose={onClose}>
      <p>
        Nothing is sent to it until it is enabled. Events of the next 5 days are kept as missed deliveries, which can be
        replayed. Later events have no deliveries.
      </p>
    </Confirm>
  )
}

const GRACE_HOURS = 24

function RotateDialog({ endpoint: { id }, onClose }: ActionProps) {
  const { mode, send } = useLive()
  const rotate = useMutation({
    mutationFn: () =>
      send((api) => api.POST('/v1/webhooks/{id}/rotate-secret', { params: { path: { id } }, body: {} })),
    // The secret leaves the memory with the dialog.
    gcTime: 0,
  })
  if (rotate.data)
    return (
      <SecretDialog title="New secret" secret={rotate.data.secret} copyLabel="Copy secret" onClose={onClose}>
        <p className="text-sm text-muted">
          For {GRACE_HOURS} hours, requests are signed with the earlier secret as well.
        </p>
      </SecretDialog>
    )
  return (
    <Confirm
      title={`Rotate the secret of this ${mode} endpoint?`}
      action="Rotate secret"
      mutation={rotate}
      onClose={onClose}
    >
      <p>A new secret is created and shown once. The present one stays valid for {GRACE_HOURS} hours.</p>
    </Confirm>
  )
}

function DeleteDialog({ endpoint: { id, url }, onClose }: ActionProps) {
  const live = useLive()
  const { mode, send } = live
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => send((api) => api.DELETE('/v1/webhooks/{id}', { params: { path: { id } } })),
    async onSuccess() {
      announce('Deleted the endpoint')
      await navigate({ to: '/$mode/webhooks', params: { mode } })
      void queryClient.invalidateQueries({ queryKey: webhooksQuery(live).queryKey })
    },
  })
  return (
    <Confirm title={`Delete this ${mode} endpoint?`} action="Delete endpoint" mutation={remove} onClose={onClose}>
      <p>{url} gets no more events. Its pending deliveries are dropped.</p>
    </Confirm>
  )
}
