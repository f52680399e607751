import { Link } from '@tanstack/react-router'
import { useLive, useResource } from '../../api/live.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Table } from '../../ui/table.tsx'
import { Age } from '../../ui/time.tsx'
import { describeJobReason, type KnownPrinter } from '../devices/reasons.ts'
import { setJobOrder } from './job-order.ts'
import { JobState } from './job-state.tsx'

interface JobListProps {
  label: string
  ids: string[]
  isNumbered?: boolean
  /** False on the page of a printer. */
  hasPrinter?: boolean
  /** The printers of pages that do not load all printers. */
  printers?: readonly KnownPrinter[] | undefined
}

/** A short list of jobs of the cache. */
export function JobList({ label, ids, isNumbered = false, hasPrinter = true, printers }: JobListProps) {
  return (
    <Table
      label={label}
      columns={[
        ...(isNumbered ? [{ label: 'Position', className: 'w-18' }] : []),
        { label: 'State', className: 'w-28' },
        { label: 'Title' },
        ...(hasPrinter ? [{ label: 'Printer', className: 'hidden w-[24%] sm:table-cell' }] : []),
        { label: 'Reason', className: 'hidden w-[28%] lg:table-cell' },
        { label: 'Age', className: 'w-16' },
      ]}
    >
      {ids.map((id, index) => (
        <JobRow
          key={id}
          id={id}
          ids={ids}
          position={isNumbered ? index + 1 : undefined}
          hasPrinter={hasPrinter}
          printers={printers}
        />
      ))}
    </Table>
  )
}

interface JobRowProps {
  id: string
  ids: string[]
  position: number | undefined
  hasPrinter: boolean
  printers: readonly KnownPrinter[] | undefined
}

function JobRow({ id, ids, position, hasPrinter, printers }: JobRowProps) {
  const { mode } = useLive()
  const job = useResource('printjob', id)
  const loaded = useResource('printer', job?.printerId ?? '')
  const printer = loaded ?? printers?.find(({ id }) => id === job?.printerId)
  if (!job) return null
  const reason = describeJobReason(job, printer)
  return (
    <tr data-job={id}>
      {position !== undefined && <td className="text-muted">{position}</td>}
      <td>
        <JobState state={job.state} />
      </td>
      <td>
        <Link
          to="/$mode/jobs/$jobId"
          params={{ mode, jobId: id }}
          preload={false}
          onClick={() => setJobOrder(ids)}
          className="font-medium hover:underline"
          title={job.title}
        >
          {job.title}
        </Link>
        {job.reprintOf && <span className="text-muted"> reprint</span>}
        <span className="text-muted max-sm:hidden"> #{job.number}</span>
        <RowDetails parts={[`#${job.number}`, hasPrinter && printer?.displayName, reason]} />
      </td>
      {hasPrinter && <td className="hidden text-muted sm:table-cell">{printer?.displayName}</td>}
      <td className="hidden text-muted lg:table-cell" title={reason}>
        {reason}
      </td>
      <td className="text-muted">
        <Age time={job.createdAt} />
      </td>
    </tr>
  )
}
