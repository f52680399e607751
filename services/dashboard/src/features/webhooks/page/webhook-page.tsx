import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { WebhookEndpoint } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { deliveriesQuery, webhookQuery } from '../../../api/queries.ts'
import { usePages } from '../../../api/use-pages.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Clock } from '../../../ui/time.tsx'
import { Health } from '../health.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryFigures } from './delivery-figures.tsx'
import { EndpointActions } from './endpoint-actions.tsx'

export function WebhookPage() {
  const { webhookId: id } = useParams({ from: '/$mode/webhooks/$webhookId' })
  const live = useLive()
  const isAdmin = live.isPermitted('getWebhook')
  const query = useQuery(webhookQuery(live, id))
  const title = query.data?.url ?? 'Webhook endpoint'
  return (
    <>
      <PageHeader title={title} path={[{ label: 'Webhooks', to: '/$mode/webhooks' }]}>
        {query.data && <EndpointActions endpoint={query.data} />}
      </PageHeader>
      {!isAdmin ? (
        <Empty title="Only owners and admins can see webhook endpoints" />
      ) : (
        <div className="flex flex-col gap-4 p-4">
          <Loaded query={query} failure="The webhook endpoint could not be loaded.">
            {(endpoint) => <Endpoint endpoint={endpoint} />}
          </Loaded>
        </div>
      )}
    </>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, type } = useSearch({ from: '/$mode/webhooks/$webhookId' })
  const deliveries = usePages(deliveriesQuery(useLive(), endpoint.id, { status, type }))
  return (
    <>
      <EndpointDetails endpoint={endpoint} />
      <DeliveryFigures endpointId={endpoint.id} isEnabled={!deliveries.isPending} />
      <Deliveries endpoint={endpoint} filters={{ status, type }} query={deliveries} />
    </>
  )
}

function EndpointDetails({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, events, description, enabled, createdAt } = endpoint
  return (
    <Section title="Endpoint">
      <Facts>
        <Fact name="Health">
          <Health endpoint={endpoint} />
          {!enabled && (
            <p className="text-muted">
              Nothing is sent. New events are kept as <em>missed</em> deliveries, which can be replayed.
            </p>
          )}
        </Fact>
        <Fact name="Events">{events.join(', ')}</Fact>
        {description && <Fact name="Description">{description}</Fact>}
        <Fact name="Created">
          <Clock time={createdAt} />
        </Fact>
        <Fact name="Id">
          <CopyableId id={id} />
        </Fact>
      </Facts>
    </Section>
  )
}
