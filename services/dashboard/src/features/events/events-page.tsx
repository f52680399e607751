import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useEvents, useLive } from '../../api/live.tsx'
import { pagesQuery } from '../../api/queries.ts'
import type { FeedEvent } from '../../api/resources.ts'
import { useEventTypes } from '../../api/use-event-types.ts'
import { usePages } from '../../api/use-pages.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { InstallClient } from '../../ui/install-client.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { EventRow } from './event-row.tsx'

/** New events above the loaded ones. Older ones are dropped. */
const FRESH_MAX = 500

type EventType = FeedEvent['type']

export function EventsPage() {
  const { id, type, resource } = useSearch({ from: '/$mode/events' })
  return (
    <>
      <PageHeader title="Events" />
      {id === undefined ? (
        <EventList key={`${type} ${resource}`} type={type as EventType | undefined} resource={resource} />
      ) : (
        <OneEvent id={id} />
      )}
    </>
  )
}

/** @param resource the id of a job, printer or computer. */
function EventList({ type, resource }: { type: EventType | undefined; resource: string | undefined }) {
  const live = useLive()
  const { mode, key, feed } = live
  const navigate = useNavigate({ from: '/$mode/events' })
  const types = useEventTypes()
  const [fresh, setFresh] = useState<FeedEvent[]>([])
  useEvents(
    useCallback(
      (events) =>
        setFresh((present) => {
          const found = events.filter(
            (event) =>
              (type === undefined || event.type === type) && (resource === undefined || event.data.id === resource),
          )
          return found.length === 0 ? present : [...found.toReversed(), ...present].slice(0, FRESH_MAX)
        }),
      [type, resource],
    ),
  )
  const query = usePages<FeedEvent>(
    pagesQuery(
      live,
      [...key, 'events', type, resource],
      (query) => async (api) => {
        await feed.opened
        return await api.GET('/v1/events', {
          params: { query: { ...query, dir: 'desc', type: type && [type], resourceId: resource } },
        })
      },
      { isRefreshed: false },
    ),
  )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2">
        <FilterSelect
          label="Type of event"
          value={type ?? ''}
          onChange={({ target }) =>
            navigate({ search: ({ org }) => ({ org, resource, type: target.value || undefined }), replace: true })
          }
        >
          <option value="">Every type</option>
          {types.data?.map((one) => (
            <option key={one.type}>{one.type}</option>
          ))}
          {type && !types.data && <option>{type}</option>}
        </FilterSelect>
        {resource && (
          <Button onClick={() => navigate({ search: ({ org }) => ({ org, type }), replace: true })}>
            Only of <ResourceName id={resource} />
            <X size={14} aria-label="Remove the filter" />
          </Button>
        )}
        <span className="text-xs text-muted">Newest first. New events appear at the top.</span>
      </div>
      <details className="border-b bg-surface px-4 py-2 text-sm">
        <summary className="text-muted">Send these events to a program on this computer</summary>
        <div className="flex flex-col gap-3 pt-2">
          <InstallClient client="cli" label="Install the command line" />
          <CodeBlock
            label="Signed like webhooks"
            code={`platen login --server ${location.origin}\nplaten webhooks listen --forward http://localhost:3000/hook`}
          />
        </div>
      </details>
      <Loaded query={query} failure="The events could not be loaded.">
        {(loaded) => {
          const all = new Map([...fresh, ...loaded].map((event) => [event.id, event]))
          if (all.size === 0)
            return (
              <Empty
                title={`No ${type ? `${type} ` : ''}events in ${mode} mode${resource ? ' that match the filter' : ''}`}
                curl={`curl "${location.origin}/v1/events?after=now&wait=30" -H "Authorization: Bearer $PLATEN_KEY"`}
              >
                Each change of a job, computer or printer is an event.
              </Empty>
            )
          return (
            <ul className="bg-surface" aria-label="Events">
              {[...all.values()].map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <div className="p-4">
        <More query={query} />
      </div>
    </>
  )
}

function ResourceName({ id }: { id: string }) {
  const { resources } = useLive()
  return (
    resources.get('printjob', id)?.title ??
    resources.get('printer', id)?.displayName ??
    resources.get('computer', id)?.name ??
    id
  )
}

/** The event of a link by its id. */
function OneEvent({ id }: { id: string }) {
  const { mode, key, send } = useLive()
  const query = useQuery({
    queryKey: [...key, 'event', id],
    queryFn: ({ signal }) => send((api) => api.GET('/v1/events/{id}', { params: { path: { id } } }), signal),
  })
  return (
    <div className="flex flex-col gap-4 p-4">
      <Loaded query={query} failure="The event could not be loaded.">
        {(event) => (
          <ul className="panel" aria-label="Events">
            <EventRow event={event} isOpen />
          </ul>
        )}
      </Loaded>
      <Link to="/$mode/events" params={{ mode }} search={{}} className="link text-sm">
        All events
      </Link>
    </div>
  )
}
