import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { deliveriesKey, webhookQuery } from '../../../api/queries.ts'
import { serverNow } from '../../../api/server-time.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { CheckField, Field } from '../../../ui/field.tsx'
import { formatClock } from '../../../ui/time.tsx'
import { STATUSES } from './delivery-filters.ts'

type Status = WebhookDelivery['status']

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The value of a `datetime-local` field, in the time zone of the browser. */
function toLocal(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

const OPEN: Exclude<Status, 'succeeded'>[] = ['pending', 'failed', 'missed']

/** The newest deliveries that are counted, because the API has no totals. */
const COUNTED = 100

/** The deliveries of the period by their status, and when the first pending one is sent next. */
function countIn(page: { data: WebhookDelivery[] } | undefined, since: string, until: string) {
  const from = Date.parse(since)
  const to = until === '' ? Number.POSITIVE_INFINITY : Date.parse(until)
  const found = (page?.data ?? []).filter(
    ({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to,
  )
  const count = (status: Status) => found.filter((one) => one.status === status).length
  const nextAttemptAt = found.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).toSorted()[0]
  return { pending: count('pending'), failed: count('failed'), missed: count('missed'), nextAttemptAt }
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
  // The first failing delivery is older than its failure.
  const [since, setSince] = useState(() =>
    toLocal(failingSince ? Date.parse(failingSince) - MINUTE : serverNow() - HOUR),
  )
  const [until, setUntil] = useState('')
  const [chosen, setStatuses] = useState<Status[]>()
  const open = useQuery({
    queryKey: [...deliveriesKey(live, id), 'open'],
    queryFn: ({ signal }) =>
      send(
        (api) =>
          api.GET('/v1/webhooks/{id}/deliveries', {
            params: { path: { id }, query: { status: OPEN, limit: COUNTED } },
          }),
        signal,
      ),
  })
  const count = countIn(open.data, since, until)
  const isPendingOnly = count.failed + count.missed === 0 && count.pending > 0
  const statuses = chosen ?? (isPendingOnly ? ['pending'] : ['failed', 'missed'])
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
        {replay.data.gaps.map(({ since, until }) => (
          <p key={since} className="text-sm">
            The endpoint was disabled: events from {formatClock(since, true)} to {formatClock(until, true)} have no
            deliveries.
          </p>
        ))}
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
              label={`${status}${status === 'succeeded' || !open.data ? '' : ` (${count[status]}${open.data.hasMore ? ' or more' : ''})`}`}
              checked={statuses.includes(status)}
              onChange={({ target }) =>
                setStatuses(target.checked ? [...statuses, status] : statuses.filter((one) => one !== status))
              }
            />
          ))}
        </fieldset>
        {count.pending > 0 && (
          <p className="text-sm">
            {count.pending} {count.pending === 1 ? 'is' : 'are'} pending: Platen repeats{' '}
            {count.pending === 1 ? 'it' : 'them'} by itself
            {count.nextAttemptAt && `, next at ${formatClock(count.nextAttemptAt)}`}. A replay sends at once.
          </p>
        )}
        <p className="text-sm text-muted">The receiver can get an event twice. Its id in the header stays the same.</p>
        {replay.isError && <ErrorPanel title="Nothing was replayed." error={replay.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" disabled={replay.isPending || statuses.length === 0}>
            {enabled ? 'Replay' : 'Enable and replay'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
