import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { deliveriesKey, webhookQuery } from '../../api/queries.ts'
import { serverNow } from '../../api/server-time.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { CheckField, Field } from '../../ui/field.tsx'
import { STATUSES } from './delivery-filters.ts'

type Status = WebhookDelivery['status']

const HOUR = 3_600_000

/** The value of a `datetime-local` field, in the time zone of the browser. */
function toLocal(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

interface ReplayDialogProps {
  endpoint: WebhookEndpoint
  /** The begin that is proposed. */
  failingSince: string | null
  onClose(): void
}

/** Sends the deliveries of a period again. */
export function ReplayDialog({ endpoint: { id, enabled }, failingSince, onClose }: ReplayDialogProps) {
  const live = useLive()
  const { mode, send } = live
  const queryClient = useQueryClient()
  const [since, setSince] = useState(() => toLocal(failingSince ? Date.parse(failingSince) : serverNow() - HOUR))
  const [until, setUntil] = useState('')
  const [statuses, setStatuses] = useState<Status[]>(['failed', 'missed'])
  const replay = useMutation({
    async mutationFn() {
      if (!enabled)
        await send((api) => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { enabled: true } }))
      const body = {
        since: new Date(since).toISOString(),
        ...(until && { until: new Date(until).toISOString() }),
        status: statuses,
      }
      return await send((api) => api.POST('/v1/webhooks/{id}/replay', { params: { path: { id } }, body }))
    },
    onSuccess({ replayed }) {
      announce(`Deliveries in ${mode} mode that are sent again: ${replayed}`)
      void queryClient.invalidateQueries({ queryKey: deliveriesKey(live, id) })
      void queryClient.invalidateQueries({ queryKey: webhookQuery(live, id).queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    replay.mutate()
  }
  if (replay.data)
    return (
      <Dialog title={`Deliveries that are sent again: ${replay.data.replayed}`} onClose={onClose}>
        <p className="text-sm">They are pending now. The list shows what becomes of each.</p>
        <DialogButtons>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    )
  return (
    <Dialog title={enabled ? `Replay ${mode} deliveries` : 'Enable and replay'} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Created since"
          type="datetime-local"
          required
          value={since}
          onChange={({ target }) => setSince(target.value)}
        />
        <Field
          label="Until"
          type="datetime-local"
          hint="Empty: until now."
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
        <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
          <legend className="mb-1 text-sm font-medium">Status</legend>
          {STATUSES.map((status) => (
            <CheckField
              key={status}
              label={status}
              checked={statuses.includes(status)}
              onChange={({ target }) =>
                setStatuses(target.checked ? [...statuses, status] : statuses.filter((one) => one !== status))
              }
            />
          ))}
        </fieldset>
        <p className="text-sm text-muted">The receiver can get an event twice. Its id in the header stays the same.</p>
        {replay.isError && <ErrorPanel title="Nothing was replayed." error={replay.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Back</Button>
          <Button variant="primary" type="submit" disabled={replay.isPending || statuses.length === 0}>
            {enabled ? 'Replay' : 'Enable and replay'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
