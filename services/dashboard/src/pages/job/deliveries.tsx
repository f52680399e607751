import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLive } from '../../api/live.tsx'
import type { components } from '../../api/schema.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Age } from '../../ui/time.tsx'

type Delivery = components['schemas']['WebhookDelivery']

const REFRESH_MS = 5_000

/** The webhook deliveries of a job, which have no events. */
export function Deliveries({ jobId }: { jobId: string }) {
  const { key, send } = useLive()
  const query = useQuery({
    queryKey: [...key, 'job-deliveries', jobId],
    queryFn: ({ signal }) => {
      const params = { path: { id: jobId }, query: { limit: 100 } }
      return send((api) => api.GET('/v1/printjobs/{id}/deliveries', { params }), signal)
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })
  if (query.isPending) return <Loading />
  if (query.isError)
    return (
      <ErrorPanel title="The deliveries could not be loaded." error={query.error} onRetry={() => query.refetch()} />
    )
  if (query.data.data.length === 0)
    return (
      <Empty title="No webhook deliveries">Events of this job are sent to the webhook endpoints of this mode.</Empty>
    )
  return (
    <div className="overflow-x-auto">
      <table className="table min-w-136" aria-label="Webhook deliveries">
        <thead>
          <tr>
            <th>Event</th>
            <th className="w-24">Status</th>
            <th className="w-20">Attempts</th>
            <th>Last answer</th>
            <th className="w-16">Age</th>
            <th className="w-24">
              <span className="sr-only">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {query.data.data.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} jobId={jobId} />
          ))}
        </tbody>
      </table>
      {query.data.hasMore && <p className="pt-2 text-xs text-muted">The newest 100 deliveries are shown.</p>}
    </div>
  )
}

const COLORS: Record<Delivery['status'], string> = {
  pending: 'text-accent',
  succeeded: 'text-ok',
  failed: 'text-error',
  missed: 'text-warn',
}

function DeliveryRow({ delivery, jobId }: { delivery: Delivery; jobId: string }) {
  const { key, send } = useLive()
  const queryClient = useQueryClient()
  const replay = useMutation({
    mutationFn: () => {
      const path = { id: delivery.webhookId, deliveryId: delivery.id }
      return send((api) => api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/replay', { params: { path } }))
    },
    onSuccess() {
      announce('The delivery is sent again')
      void queryClient.invalidateQueries({ queryKey: [...key, 'job-deliveries', jobId] })
    },
    onError: (error) => announce(error.message),
  })
  return (
    <tr>
      <td title={delivery.eventType}>{delivery.eventType}</td>
      <td className={COLORS[delivery.status]}>{delivery.status}</td>
      <td>{delivery.attempts}</td>
      <td className="text-muted" title={replay.error?.message}>
        {replay.error?.message ?? [delivery.lastStatusCode, delivery.lastError].filter(Boolean).join(' ')}
      </td>
      <td className="text-muted">
        <Age time={delivery.createdAt} />
      </td>
      <td>
        <Button className="min-h-6.5" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </Button>
      </td>
    </tr>
  )
}
