import { toWords } from '@platen/resources/reason-words.ts'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useLive } from '../../../api/live.tsx'
import type { Job } from '../../../api/resources.ts'
import { CopyButton } from '../../../ui/copy.tsx'
import { DeviceState } from '../../../ui/device-state.tsx'
import { MarkedText } from '../../../ui/marked-text.tsx'
import { Clock } from '../../../ui/time.tsx'
import { describeContentType } from '../../../ui/words.ts'
import { describeOption, describeValue } from '../../devices/print-options.ts'
import { PrinterState } from '../../devices/printer-options.tsx'
import { describeReasons } from '../../devices/reasons.ts'
import type { Explanation } from './use-explanation.ts'

const DestinationLink = lazy(async () => ({
  default: (await import('../../destinations/destination-link.tsx')).DestinationLink,
}))

const DROPPED = 'option-ignored'

/** The values of `confirmedBy`. Reference: docs/did-it-print.md. */
const CONFIRMED_BY: Record<string, string> = {
  printer: 'the printer itself',
  spooler: 'the computer, not the printer',
  nobody: 'nobody',
}

export function Details({ explanation, job }: { explanation: Explanation; job: Job }) {
  const { printer, computer, queue, createdBy, cancelledBy, facts } = explanation
  const { mode } = useLive()
  const options = Object.entries(job.options).filter(([, value]) => value !== undefined)
  const isDropped = job.stateReasons.includes(DROPPED)
  const [sent, document, via] = ['sent', 'document', 'interface'].map(
    (name) => facts.find((fact) => fact.name === name)?.value,
  )
  return (
    <section aria-label="Details" className="panel min-w-0 xl:row-span-2">
      <h2 className="panel-title border-b px-4 py-2">Details</h2>
      <dl className="flex flex-col gap-2.5 p-4 text-sm">
        <Row name="Printer">
          {printer ? (
            <>
              <Link
                to="/$mode/printers/$printerId"
                params={{ mode, printerId: printer.id }}
                className="hover:underline"
              >
                {printer.displayName}
              </Link>{' '}
              <PrinterState printer={printer} />
              {!printer.enabled && ' disabled'}
              <span className="block text-muted">{describeReasons(printer)}</span>
            </>
          ) : (
            'removed'
          )}
        </Row>
        {job.destinationId && (
          <Row name="Destination">
            <Suspense fallback="…">
              <DestinationLink id={job.destinationId} />
            </Suspense>
          </Row>
        )}
        {job.confirmedBy && (
          <Row name="Confirmed by">
            <Link
              to="/$mode/jobs"
              params={{ mode }}
              search={{ state: 'all', confirmedBy: job.confirmedBy }}
              className="hover:underline"
            >
              {CONFIRMED_BY[job.confirmedBy] ?? job.confirmedBy}
            </Link>
          </Row>
        )}
        <Row name="Computer">
          {computer ? (
            <>
              <Link
                to="/$mode/computers/$computerId"
                params={{ mode, computerId: computer.id }}
                className="hover:underline"
              >
                {computer.name}
              </Link>{' '}
              <DeviceState state={computer.state} />
              <span className="block text-muted">
                agent {computer.agentVersion}
                {computer.state === 'offline' && computer.lastSeenAt && (
                  <>
                    , last seen <Clock time={computer.lastSeenAt} />
                  </>
                )}
              </span>
            </>
          ) : (
            'deleted'
          )}
        </Row>
        {queue && (
          <Row name="Queue">
            {queue.position === null ? `${queue.length} jobs` : `${queue.position} of ${queue.length}`}
            {queue.headJobId && queue.headJobId !== job.id && (
              <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: queue.headJobId }} className="link ml-2">
                first job
              </Link>
            )}
          </Row>
        )}
        {job.batchId && (
          <Row name="Batch">
            <Link
              to="/$mode/jobs"
              params={{ mode }}
              search={{ state: 'all', batch: job.batchId }}
              className="hover:underline"
            >
              its jobs
            </Link>
          </Row>
        )}
        <Row name="Options">
          {options.length === 0 ? (
            'as the printer is set'
          ) : (
            <ul>
              {options.map(([name, value]) => (
                <li key={name}>
                  {describeOption(name)}: {describeValue(name, value)}
                </li>
              ))}
            </ul>
          )}
          {isDropped && (
            <p className="mt-1 text-warn">
              <MarkedText text={job.stateMessage ?? ''} />
            </p>
          )}
        </Row>
        {job.qty > 1 && <Row name="Quantity">{job.qty}</Row>}
        {(job.stateMessage || job.stateReasons.length > 0) && !isDropped && (
          <Row name="Reason">
            {job.stateReasons.map((reason) => (
              <span key={reason} className="block">
                {toWords(reason)} <span className="id">{reason}</span>
              </span>
            ))}
            {job.stateMessage && (
              <span className="block text-muted">
                <MarkedText text={job.stateMessage} />
              </span>
            )}
          </Row>
        )}
        <Row name="Document">
          {describeContentType(job.contentType)}
          {job.fileSize !== null && `, ${formatBytes(job.fileSize)}`}
          {document && (
            <span className="block text-muted">
              <MarkedText text={document} />
            </span>
          )}
          {job.fileSha256 && (
            <span className="flex items-center gap-1">
              <span className="id truncate" title={job.fileSha256}>
                sha256 {job.fileSha256.slice(0, 12)}…
              </span>
              <CopyButton isCompact text={job.fileSha256} label="Copy SHA-256" />
            </span>
          )}
        </Row>
        {job.reprintOf && (
          <Row name="Reprint of">
            <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: job.reprintOf }} className="link id">
              {job.reprintOf}
            </Link>
          </Row>
        )}
        {sent && <Row name="Sent">{sent}</Row>}
        <Row name="Source">{job.source}</Row>
        {job.reportedUser && <Row name="User">{job.reportedUser}, as the computer reports</Row>}
        {Object.keys(job.metadata).length > 0 && (
          <Row name="Metadata">
            <ul>
              {Object.entries(job.metadata).map(([key, value]) => (
                <li key={key} className="break-words">
                  {key}:{' '}
                  <Link
                    to="/$mode/jobs"
                    params={{ mode }}
                    search={{ state: 'all', metadata: { [key]: value } }}
                    className="hover:underline"
                  >
                    {value}
                  </Link>
                </li>
              ))}
            </ul>
          </Row>
        )}
        {via && <Row name="Interface">{via}</Row>}
        <Row name="Events">
          <Link to="/$mode/events" params={{ mode }} search={{ resource: job.id }} preload={false} className="link">
            events of this job
          </Link>
        </Row>
        <Row name="Created">
          <Clock time={job.createdAt} />
          {createdBy && ` by ${nameActor(createdBy)}`}
        </Row>
        {cancelledBy && <Row name="Cancelled">by {nameActor(cancelledBy)}</Row>}
      </dl>
    </section>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function nameActor({ kind, name, id }: NonNullable<Explanation['createdBy']>): string {
  if (kind === 'user') return name ?? 'a user'
  return `${kind === 'key' ? 'key' : 'print access'} “${name ?? id}”`
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
