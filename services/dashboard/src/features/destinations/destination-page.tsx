import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Destination, DestinationPrinter } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { destinationQuery } from '../../api/queries.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { CopyableId } from '../../ui/copyable-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock, formatSeconds } from '../../ui/time.tsx'
import { DestinationActions } from './destination-actions.tsx'
import { NextPrinter } from './destinations-page.tsx'
import { PrinterNow } from './printer-now.tsx'
import { describePolicy } from './words.ts'

export function DestinationPage() {
  const { destinationId } = useParams({ from: '/$mode/destinations/$destinationId' })
  const query = useQuery(destinationQuery(useLive(), destinationId))
  return (
    <>
      <PageHeader
        title={query.data?.name ?? 'Destination'}
        path={[{ label: 'Destinations', to: '/$mode/destinations' }]}
      >
        {query.data && <DestinationActions destination={query.data} />}
      </PageHeader>
      <div className="flex flex-col gap-4 p-4">
        <Loaded query={query} failure="The destination could not be loaded.">
          {(destination) => (
            <>
              <Printers destination={destination} />
              <Details destination={destination} />
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

function Printers({ destination }: { destination: Destination }) {
  const { printers, nextPrinterId } = destination
  return (
    <Section title="Printers" isFlush>
      <Table
        label="Printers of the destination"
        columns={[
          { label: 'Order', className: 'w-14' },
          { label: 'Printer' },
          { label: 'Now', className: 'w-[34%]' },
          { label: 'Since', className: 'hidden w-36 sm:table-cell' },
          { label: 'Job', className: 'hidden w-32 sm:table-cell' },
        ]}
      >
        {printers.map((printer, at) => (
          <PrinterRow
            key={printer.printerId}
            printer={printer}
            order={at + 1}
            isNext={printer.printerId === nextPrinterId}
          />
        ))}
      </Table>
    </Section>
  )
}

function PrinterRow({ printer, order, isNext }: { printer: DestinationPrinter; order: number; isNext: boolean }) {
  const { mode } = useLive()
  const { printerId, name, since, jobId } = printer
  return (
    <tr data-printer={printerId}>
      <td>{order}</td>
      <td className="whitespace-normal!">
        {printer.reason === 'printer-removed' ? (
          name || 'removed printer'
        ) : (
          <Link to="/$mode/printers/$printerId" params={{ mode, printerId }} className="font-medium hover:underline">
            {name}
          </Link>
        )}
        {isNext && <span className="badge ml-2">next job</span>}
      </td>
      <td className="whitespace-normal!">
        <PrinterNow printer={printer} />
      </td>
      <td className="hidden text-muted sm:table-cell">{since && <Clock time={since} />}</td>
      <td className="hidden sm:table-cell">
        {jobId && (
          <Link to="/$mode/jobs/$jobId" params={{ mode, jobId }} className="link">
            open the job
          </Link>
        )}
      </td>
    </tr>
  )
}

function Details({ destination }: { destination: Destination }) {
  const { mode } = useLive()
  const { id, number, enabled, waitingJobs, expireAfter, createdAt } = destination
  return (
    <Section title="Destination">
      <Facts>
        <Fact name="Next job">
          <NextPrinter destination={destination} />
          {!enabled && <p className="text-muted">It accepts no jobs. Those that it has accepted wait.</p>}
        </Fact>
        <Fact name="Waiting">
          <Link to="/$mode/jobs" params={{ mode }} search={{ state: 'queued', destination: id }} className="link">
            {waitingJobs === 1 ? '1 job' : `${waitingJobs} jobs`}
          </Link>
        </Fact>
        <Fact name="Who prints">{describePolicy(destination)}</Fact>
        {expireAfter !== null && <Fact name="Expiry">{formatSeconds(expireAfter)} after the creation of a job</Fact>}
        <Fact name="Created">
          <Clock time={createdAt} />
        </Fact>
        <Fact name="Number">#{number}</Fact>
        <Fact name="Id">
          <CopyableId id={id} />
        </Fact>
      </Facts>
    </Section>
  )
}
