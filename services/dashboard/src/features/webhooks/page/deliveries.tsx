import { useNavigate } from '@tanstack/react-router'
import type { WebhookDelivery, WebhookEndpoint } from '../../../api/gen/schema.ts'
import { usePrinters } from '../../../api/live.tsx'
import type { usePages } from '../../../api/use-pages.ts'
import { FilterSelect } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { More } from '../../../ui/more.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age } from '../../../ui/time.tsx'
import { DeliveredJob } from '../delivered-job.tsx'
import { DeliveryLink } from '../delivery-link.tsx'
import { DeliveryStatus } from '../delivery-status.tsx'
import { describeAnswer } from '../words.ts'
import { type DeliveryFilters, parseDeliveryFilters, STATUSES } from './delivery-filters.ts'

interface DeliveriesProps {
  endpoint: WebhookEndpoint
  /** The filters in the URL. */
  filters: DeliveryFilters
  query: ReturnType<typeof usePages<WebhookDelivery>>
}

/** The deliveries of an endpoint that match the filters. */
export function Deliveries({ endpoint: { events }, filters: { status, type }, query }: DeliveriesProps) {
  const navigate = useNavigate({ from: '/$mode/webhooks/$webhookId' })
  const filter = (changes: object) =>
    navigate({
      search: (all) => ({ org: all.org, ...parseDeliveryFilters({ status, type, ...changes }) }),
      replace: true,
    })
  return (
    <Section
      title="Deliveries"
      isFlush
      actions={
        <>
          <FilterSelect label="Status" value={status ?? ''} onChange={({ target }) => filter({ status: target.value })}>
            <option value="">Every status</option>
            {STATUSES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </FilterSelect>
          <FilterSelect
            label="Type of event"
            value={type ?? ''}
            onChange={({ target }) => filter({ type: target.value })}
          >
            <option value="">Every event</option>
            {[...new Set([...events, ...(type ? [type] : [])])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </FilterSelect>
        </>
      }
    >
      <Loaded query={query} failure="The deliveries could not be loaded.">
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="p-4 text-sm text-muted">
              {status || type ? 'No delivery matches the filter.' : 'No event was sent yet. “Send a test” sends one.'}
            </p>
          ) : (
            <DeliveryTable deliveries={deliveries} />
          )
        }
      </Loaded>
      <More query={query} />
    </Section>
  )
}

/** Loads the printers that it names, after the deliveries. */
function DeliveryTable({ deliveries }: { deliveries: WebhookDelivery[] }) {
  usePrinters()
  return (
    <Table
      label="Deliveries"
      columns={[
        { label: 'Status', className: 'w-28' },
        { label: 'Event' },
        { label: 'Job', className: 'hidden w-[28%] sm:table-cell' },
        { label: 'Attempts', className: 'hidden w-20 lg:table-cell' },
        { label: 'Last answer', className: 'hidden w-[26%] md:table-cell' },
        { label: 'Age', className: 'w-16' },
      ]}
    >
      {deliveries.map((delivery) => (
        <tr key={delivery.id} data-delivery={delivery.id}>
          <td>
            <DeliveryStatus status={delivery.status} />
          </td>
          <td>
            <DeliveryLink delivery={delivery} />
            <RowDetails parts={[delivery.job?.title]} />
          </td>
          <td className="hidden truncate sm:table-cell">{delivery.job && <DeliveredJob job={delivery.job} />}</td>
          <td className="hidden lg:table-cell">{delivery.attempts}</td>
          <td className="hidden text-muted md:table-cell">
            {describeAnswer(delivery.lastStatusCode, delivery.lastError)}
          </td>
          <td className="text-muted">
            <Age time={delivery.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
