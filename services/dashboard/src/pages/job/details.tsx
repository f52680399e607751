import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive } from '../../api/live.tsx'
import type { Job } from '../../api/resources.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { MarkedText } from '../../ui/marked-text.tsx'
import { Clock } from '../../ui/time.tsx'
import type { Explanation } from './use-explanation.ts'

const DROPPED = 'option-ignored'

export function Details({ explanation, job }: { explanation: Explanation; job: Job }) {
  const { printer, computer, queue, createdBy, cancelledBy, facts } = explanation
  const { mode } = useLive()
  const options = Object.entries(job.options).filter(([, value]) => value !== undefined)
  const isDropped = job.stateReasons.includes(DROPPED)
  const [sent, document, original, via] = ['sent', 'document', 'reprint of', 'interface'].map(
    (name) => facts.find((fact) => fact.name === name)?.value,
  )
  return (
    <section aria-label="Details" className="panel min-w-0 xl:row-span-2">
      <h2 className="panel-title border-b px-4 py-2">Details</h2>
      <dl className="flex flex-col gap-2.5 p-4 text-sm">
        <Row name="Printer">
          {printer ? (
            <>
              {printer.displayName} · {printer.enabled ? printer.state : `${printer.state}, disabled`}
              {(printer.stateDetail || printer.stateReasons.length > 0) && (
                <span className="block text-muted">{printer.stateDetail || printer.stateReasons.join(', ')}</span>
              )}
            </>
          ) : (
            'removed'
          )}
        </Row>
        <Row name="Computer">
          {computer ? (
            <>
              {computer.name} · {computer.state}
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
        <Row name="Options">
          {options.length === 0 ? (
            'as the printer is set'
          ) : (
            <ul>
              {options.map(([name, value]) => (
                <li key={name}>
                  {name}: {toText(value)}
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
            {job.stateReasons.length > 0 && <span className="font-mono text-xs">{job.stateReasons.join(', ')}</span>}
            {job.stateMessage && (
              <span className="block text-muted">
                <MarkedText text={job.stateMessage} />
              </span>
            )}
          </Row>
        )}
        <Row name="Document">
          {job.contentType}
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
        {original && (
          <Row name="Reprint of">
            <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: original }} className="link id">
              {original}
            </Link>
          </Row>
        )}
        {sent && <Row name="Sent">{sent}</Row>}
        <Row name="Source">{job.source}</Row>
        {via && <Row name="Interface">{via}</Row>}
        <Row name="Created">
          <Clock time={job.createdAt} />
          {createdBy && ` by ${createdBy.kind} ${createdBy.name ?? createdBy.id}`}
        </Row>
        {cancelledBy && (
          <Row name="Cancelled">
            by {cancelledBy.kind} {cancelledBy.name ?? cancelledBy.id}
          </Row>
        )}
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

const toText = (value: unknown) =>
  value === null ? "the printer's own" : typeof value === 'object' ? JSON.stringify(value) : String(value)

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
