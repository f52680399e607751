import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { WebhookDeliveryDetail } from '../../../api/gen/schema.ts'
import { useLive, usePrinters } from '../../../api/live.tsx'
import { deliveryQuery } from '../../../api/queries.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Age, formatDuration, formatFull, formatMilliseconds } from '../../../ui/time.tsx'
import { DeliveredJob } from '../delivered-job.tsx'
import { DeliveryStatus } from '../delivery-status.tsx'
import { describeAnswer, describeCause, toSentHeaders } from '../words.ts'

type Delivery = WebhookDeliveryDetail

export function DeliveryPage() {
  const { webhookId, deliveryId } = useParams({ from: '/$mode/webhooks/$webhookId/deliveries/$deliveryId' })
  const live = useLive()
  const { mode, isPermitted, send } = live
  const queryClient = useQueryClient()
  const path = { id: webhookId, deliveryId }
  const isAdmin = isPermitted('getWebhookDelivery')
  const delivery = deliveryQuery(live, path)
  const query = useQuery(delivery)
  const replay = useMutation({
    mutationFn: () => send((api) => api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/replay', { params: { path } })),
    onSuccess() {
      announce(`The ${mode} delivery is sent again`)
      void queryClient.invalidateQueries({ queryKey: delivery.queryKey })
    },
  })
  const title = query.data?.eventType ?? 'Delivery'
  return (
    <>
      <PageHeader
        title={title}
        path={[
          { label: 'Webhooks', to: '/$mode/webhooks' },
          { label: 'Endpoint', to: '/$mode/webhooks/$webhookId' },
        ]}
      >
        {isAdmin && (
          <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        )}
      </PageHeader>
      {!isAdmin ? (
        <Empty title="Only owners and admins can see deliveries" />
      ) : (
        <div className="flex flex-col gap-4 p-4">
          {replay.isError && <ErrorPanel title="The delivery was not replayed." error={replay.error} />}
          <Loaded query={query} failure="The delivery could not be loaded.">
            {(delivery) => (
              <>
                <DeliverySummary delivery={delivery} />
                <Attempts delivery={delivery} />
                <Section title="Payload">
                  {delivery.payload ? (
                    <CodeBlock label="The body of the request" code={JSON.stringify(delivery.payload, null, 2)} />
                  ) : (
                    <p className="text-sm text-muted">The event is no longer kept.</p>
                  )}
                </Section>
              </>
            )}
          </Loaded>
        </div>
      )}
    </>
  )
}

function DeliverySummary({ delivery }: { delivery: Delivery }) {
  const { id, status, lastStatusCode, lastError, nextAttemptAt, eventId, createdAt, job } = delivery
  usePrinters()
  return (
    <Section title="Delivery">
      <Facts>
        <Fact name="Status">
          <DeliveryStatus status={status} /> {describeAnswer(lastStatusCode, lastError)}
          {nextAttemptAt && <span className="block text-muted">next attempt {formatFull(nextAttemptAt)}</span>}
        </Fact>
        {job && (
          <Fact name="Job">
            <DeliveredJob job={job} />
          </Fact>
        )}
        <Fact name="Created">
          <Age time={createdAt} isPast />
        </Fact>
        <Fact name="Event">
          <CopyableId id={eventId} label="Copy id of the event" />
        </Fact>
        <Fact name="Id">
          <CopyableId id={id} />
        </Fact>
      </Facts>
    </Section>
  )
}

/** The answer of the receiver is text: its links and markup are shown as they are. */
function Attempts({ delivery }: { delivery: Delivery }) {
  const { attemptLog, attempts } = delivery
  if (attemptLog.length === 0)
    return (
      <Section title="Attempts">
        <p className="text-sm text-muted">No attempt was made yet.</p>
      </Section>
    )
  return (
    <Section
      title={attempts > attemptLog.length ? `Attempts: the last ${attemptLog.length} of ${attempts}` : 'Attempts'}
    >
      <ol className="flex flex-col gap-4" aria-label="Attempts">
        {attemptLog.toReversed().map((attempt) => {
          const { number, at, durationMs, statusCode, errorClass, response } = attempt
          const headers = toSentHeaders(delivery, attempt)
          return (
            <li key={number} className="flex flex-col gap-1.5 text-sm">
              <div className="flex flex-wrap gap-x-4 gap-y-1">
                <span className="font-medium">Attempt {number}</span>
                <span className={errorClass === null ? 'text-ok' : 'text-error'}>
                  {describeAnswer(statusCode, errorClass)}
                </span>
                <span className="text-muted">
                  {describeCause(attempt)}, {statusCode === null ? 'ended after' : 'answered in'}{' '}
                  {formatDuration(durationMs)}
                </span>
                <time className="text-muted" dateTime={at} title={formatFull(at)}>
                  {formatMilliseconds(at)}
                </time>
              </div>
              {response && <CodeBlock label="Response body" code={response} />}
              {headers && (
                <details>
                  <summary className="cursor-pointer text-muted">Signed headers</summary>
                  <CodeBlock label="Signed headers" code={headers} />
                  <p className="text-xs text-muted">The signature itself (webhook-signature) is not stored.</p>
                </details>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
