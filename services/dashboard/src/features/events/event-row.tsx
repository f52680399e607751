import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import type { FeedEvent } from '../../api/resources.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { formatDay, formatFull, formatMilliseconds } from '../../ui/time.tsx'

/** One event, with its JSON when it is opened. */
export function EventRow({ event, isOpen = false }: { event: FeedEvent; isOpen?: boolean }) {
  const [isExpanded, setIsExpanded] = useState(isOpen)
  const { mode } = useLive()
  const { id, type, timestamp } = event
  return (
    <li className="border-b px-4" data-event={id}>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 py-1.5 text-sm">
        <time className="w-36 font-mono text-xs text-muted" dateTime={timestamp} title={formatFull(timestamp)}>
          {formatDay(timestamp)} {formatMilliseconds(timestamp)}
        </time>
        <span className="w-36 font-medium">{type}</span>
        <span className="min-w-0 grow basis-1/2 truncate sm:basis-0">
          <ResourceLink event={event} />
        </span>
        <Link
          to="/$mode/events"
          params={{ mode }}
          search={{ resource: event.data.id }}
          preload={false}
          className="text-xs leading-6 text-muted underline hover:text-text"
          aria-label={`Only events of ${getName(event)}`}
        >
          Only these
        </Link>
        <button
          type="button"
          className="min-h-6 text-xs text-muted underline hover:text-text"
          aria-expanded={isExpanded}
          aria-label={`JSON of ${type}, ${formatMilliseconds(timestamp)}`}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          JSON
        </button>
      </div>
      {isExpanded && (
        <div className="pb-3">
          <CodeBlock label={`Event ${id}`} code={JSON.stringify(event, null, 2)} />
        </div>
      )}
    </li>
  )
}

const getName = ({ data }: FeedEvent) =>
  'title' in data ? data.title : 'displayName' in data ? data.displayName : data.name

function ResourceLink({ event }: { event: FeedEvent }) {
  const { type, data } = event
  const name = getName(event)
  const { mode } = useLive()
  const className = 'inline-block leading-6 hover:underline'
  if ('title' in data)
    return (
      <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: data.id }} preload={false} className={className}>
        {name}
      </Link>
    )
  if ('displayName' in data)
    return type === 'printer.removed' ? (
      name
    ) : (
      <Link to="/$mode/printers/$printerId" params={{ mode, printerId: data.id }} preload={false} className={className}>
        {name}
      </Link>
    )
  return (
    <Link
      to="/$mode/computers/$computerId"
      params={{ mode, computerId: data.id }}
      preload={false}
      className={className}
    >
      {name}
    </Link>
  )
}
