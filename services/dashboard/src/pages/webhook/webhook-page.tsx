import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { WebhookEndpoint } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { webhookQuery } from '../../api/queries.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { CopyableId } from '../../ui/copyable-id.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Clock } from '../../ui/time.tsx'
import { Health } from '../../webhooks/health.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'

type Endpoint = WebhookEndpoint

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
            {(endpoint) => (
              <>
                <EndpointDetails endpoint={endpoint} />
                <Deliveries endpoint={endpoint} />
              </>
            )}
          </Loaded>
        </div>
      )}
    </>
  )
}

function EndpointDetails({ endpoint }: { endpoint: Endpoint }) {
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
