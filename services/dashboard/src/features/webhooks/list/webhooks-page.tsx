import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import { webhooksQuery } from '../../../api/queries.ts'
import { usePages } from '../../../api/use-pages.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { More } from '../../../ui/more.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age } from '../../../ui/time.tsx'
import { Health } from '../health.tsx'

const CreateDialog = lazy(async () => ({ default: (await import('./create-dialog.tsx')).CreateDialog }))

export function WebhooksPage() {
  const live = useLive()
  const { mode, isPermitted } = live
  const [isCreating, setIsCreating] = useState(false)
  const isAdmin = isPermitted('listWebhooks')
  const query = usePages(webhooksQuery(live))
  return (
    <>
      <PageHeader title="Webhooks">
        {isAdmin && (
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            Create an endpoint
          </Button>
        )}
      </PageHeader>
      {!isAdmin ? (
        <Empty title="Only owners and admins can see webhook endpoints" />
      ) : (
        <Loaded query={query} failure="The webhook endpoints could not be loaded.">
          {(endpoints) =>
            endpoints.length === 0 ? (
              <Empty
                title={`No webhook endpoints in ${mode} mode`}
                curl={`curl ${location.origin}/v1/webhooks \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://erp.example.com/hooks/platen", "events": ["printjob.done", "printjob.error"]}'`}
              >
                An endpoint is a URL of yours. Platen sends it an event when a job, printer or computer changes.
              </Empty>
            ) : (
              <div className="section-table bg-surface">
                <Table
                  label="Webhook endpoints"
                  columns={[
                    { label: 'URL' },
                    { label: 'Health', className: 'hidden w-[30%] sm:table-cell' },
                    { label: 'Events', className: 'hidden w-[28%] md:table-cell' },
                    { label: 'Age', className: 'hidden w-16 sm:table-cell' },
                  ]}
                >
                  {endpoints.map((endpoint) => (
                    <tr key={endpoint.id}>
                      <td>
                        <Link
                          to="/$mode/webhooks/$webhookId"
                          params={{ mode, webhookId: endpoint.id }}
                          className="font-medium hover:underline"
                          title={endpoint.url}
                        >
                          {endpoint.url}
                        </Link>
                        {endpoint.description && <span className="text-muted"> {endpoint.description}</span>}
                        <RowDetails parts={[<Health key="health" endpoint={endpoint} />]} />
                      </td>
                      <td className="hidden py-1.5 whitespace-normal! sm:table-cell">
                        <Health endpoint={endpoint} />
                      </td>
                      <td className="hidden text-muted md:table-cell" title={endpoint.events.join(', ')}>
                        {endpoint.events.join(', ')}
                      </td>
                      <td className="hidden text-muted sm:table-cell">
                        <Age time={endpoint.createdAt} />
                      </td>
                    </tr>
                  ))}
                </Table>
              </div>
            )
          }
        </Loaded>
      )}
      <More query={query} />
      {isCreating && (
        <Suspense>
          <CreateDialog onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </>
  )
}
