import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Destination } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { destinationsQuery } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { State } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { PrinterNow } from './printer-now.tsx'

export function DestinationsPage() {
  const live = useLive()
  const { mode, isPermitted } = live
  const [isCreating, setIsCreating] = useState(false)
  const query = usePages(destinationsQuery(live))
  const canCreate = isPermitted('createDestination')
  return (
    <>
      <PageHeader title="Destinations">
        {canCreate && (
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            Create a destination
          </Button>
        )}
      </PageHeader>
      <Loaded query={query} failure="The destinations could not be loaded.">
        {(destinations) =>
          destinations.length === 0 ? (
            <Empty
              title={`No destinations in ${mode} mode`}
              curl={`curl ${location.origin}/v1/destinations \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "kitchen", "printers": [1, 2]}'`}
            >
              A destination is a role with printers behind it, such as “kitchen”. Programs print to its name, and
              another printer takes over when the first one cannot print.
            </Empty>
          ) : (
            <div className="section-table bg-surface">
              <Table
                label="Destinations"
                columns={[
                  { label: 'Name' },
                  { label: 'Printers', className: 'hidden w-[36%] sm:table-cell' },
                  { label: 'Next job', className: 'w-[28%]' },
                  { label: 'Waiting', className: 'hidden w-20 sm:table-cell' },
                ]}
              >
                {destinations.map((destination) => (
                  <DestinationRow key={destination.id} destination={destination} />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      <More query={query} />
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
    </>
  )
}

function DestinationRow({ destination }: { destination: Destination }) {
  const { mode } = useLive()
  const { id, number, name, printers, waitingJobs } = destination
  return (
    <tr data-destination={id}>
      <td>
        <Link
          to="/$mode/destinations/$destinationId"
          params={{ mode, destinationId: id }}
          className="font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>{' '}
        <span className="text-muted">#{number}</span>
        <RowDetails
          parts={[printers.map((printer) => printer.name).join(', '), waitingJobs > 0 && `${waitingJobs} waiting`]}
        />
      </td>
      <td className="hidden py-1.5 whitespace-normal! sm:table-cell">
        <ol className="flex flex-col gap-1">
          {printers.map((printer) => (
            <li key={printer.printerId} className="flex flex-wrap gap-x-2">
              {printer.name || 'removed printer'} <PrinterNow printer={printer} />
            </li>
          ))}
        </ol>
      </td>
      <td className="py-1.5 whitespace-normal!">
        <NextPrinter destination={destination} />
      </td>
      <td className="hidden sm:table-cell">{waitingJobs || '–'}</td>
    </tr>
  )
}

/** The printer that would get the next job, or why none would. */
export function NextPrinter({ destination: { enabled, nextPrinterId, printers } }: { destination: Destination }) {
  const next = printers.find(({ printerId }) => printerId === nextPrinterId)
  if (!enabled)
    return (
      <State symbol="⊘" color="text-muted">
        disabled
      </State>
    )
  if (next) return next.name
  const standby = printers.find(({ reason }) => reason === null)
  return standby ? (
    <State symbol="○" color="text-muted">
      waits for {printers[0]?.name}, then {standby.name}
    </State>
  ) : (
    <State symbol="✕" color="text-error">
      no printer is available
    </State>
  )
}
