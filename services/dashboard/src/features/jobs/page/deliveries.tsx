import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WebhookDelivery } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { jobDeliveriesQuery, webhooksQuery } from '../../../api/queries.ts'
import { usePages } from '../../../api/use-pages.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { FailureDialog } from '../../../ui/failure-dialog.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age } from '../../../ui/time.tsx'
import { DeliveryLink } from '../../webhooks/delivery-link.tsx'
import { DeliveryStatus } from '../../webhooks/delivery-status.tsx'
import { describeAnswer } from '../../webhooks/words.ts'

export type Delivery = WebhookDelivery

/** The webhook deliveries of a job, which have no events. */
export function Deliveries({ jobId }: { jobId: string }) {
  const live = useLive()
  const query = useQuery(jobDeliveriesQuery(live, jobId))
  const count = query.data?.data.length ?? 0
  const endpoints = usePages({ ...webhooksQuery(live), enabled: count > 0 && live.isPermitted('listWebhooks') })
  if (query.isPending) return <Loading />
  if (query.isError)
    return (
      <ErrorPanel title="The deliveries could not be loaded." error={query.error} onRetry={() => query.refetch()} />
    )
  if (count === 0)
    return (
      <p className="text-sm text-muted">
        No event of this job was sent. Its events go to the webhook endpoints of this mode.
      </p>
    )
  return (
    <>
      <Table
        label="Webhook deliveries"
        columns={[
          { label: 'Event', className: 'sm:w-36' },
          { label: 'Endpoint', className: 'hidden sm:table-cell' },
          { label: 'Status', className: 'w-28' },
          { label: 'Last answer', className: 'hidden w-32 xl:table-cell' },
          { label: 'Age', className: 'hidden w-14 sm:table-cell' },
          { label: 'Action', className: 'w-24', isHidden: true },
        ]}
      >
        {query.data.data.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            jobId={jobId}
            url={endpoints.data?.find(({ id }) => id === delivery.webhookId)?.url}
          />
        ))}
      </Table>
      {query.data.hasMore && <p className="pt-2 text-xs text-muted">The newest 100 deliveries are shown.</p>}
    </>
  )
}

interface DeliveryRowProps {
  delivery: Delivery
  jobId: string
  /** The URL of the endpoint. */
  url: string | undefined
}

function DeliveryRow({ delivery, jobId, url }: DeliveryRowProps) {
  const live = useLive()
  const { send } = live
  const queryClient = useQueryClient()
  const replay = useMutation({
    mutationFn: () => {
      const path = { id: delivery.webhookId, deliveryId: delivery.id }
      return send((api) => api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/replay', { params: { path } }))
    },
    onSuccess() {
      announce('The delivery is sent again')
      void queryClient.invalidateQueries({ queryKey: jobDeliveriesQuery(live, jobId).queryKey })
    },
  })
  const answer = describeAnswer(delivery.lastStatusCode, delivery.lastError)
  return (
    <tr>
      <td>
        <DeliveryLink delivery={delivery} />
        <RowDetails parts={[answer, <Age key="age" time={delivery.createdAt} isPast />, url]} />
      </td>
      <td className="hidden truncate text-muted sm:table-cell" title={url}>
        {url}
      </td>
      <td>
        <DeliveryStatus status={delivery.status} />
      </td>
      <td className="hidden text-muted xl:table-cell" title={answer}>
        {answer}
      </td>
      <td className="hidden text-muted sm:table-cell">
        <Age time={delivery.createdAt} />
      </td>
      <td>
        <Button className="min-h-6.5" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </Button>
        <FailureDialog title="The delivery was not replayed" mutation={replay} onRetry={() => replay.mutate()} />
      </td>
    </tr>
  )
}
