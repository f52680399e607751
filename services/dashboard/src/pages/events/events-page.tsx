import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useEvents, useLive } from '../../api/live.tsx'
import { pagesQuery } from '../../api/queries.ts'
import type { FeedEvent } from '../../api/resources.ts'
import { useEventTypes } from '../../api/use-event-types.ts'
import { usePages } from '../../api/use-pages.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { EventRow } from './event-row.tsx'

/** New events above the loaded ones. Older ones are dropped. */
const FRESH_MAX = 500

type EventType = FeedEvent['type']

export function EventsPage() {
  const { id, type } = useSearch({ from: '/$mode/events' })
  return (
    <>
      <PageHeader title="Events" />
      {id === undefined ? <EventList key={type} type={type as EventType | undefined} /> : <OneEvent id={id} />}
    </>
  )
}

function EventList({ type }: { type: EventType | undefined }) {
  const live = useLive()
  const { mode, key, feed } = live
  const navigate = useNavigate({ from: '/$mode/events' })
  const types = useEventTypes()
  const [fresh, setFresh] = useState<FeedEvent[]>([])
  useEvents(
    useCallback(
      (events) =>
        setFresh((present) => {
          const found = events.filter((event) => type === undefined || event.type === type)
          return found.length === 0 ? present : [...found.toReversed(), ...present].slice(0, FRESH_MAX)
        }),
      [type],
    ),
  )
  const query = usePages<FeedEvent>(
    pagesQuery(
      live,
      [...key, 'events', type],
      (query) => async (api) => {
        await feed.opened
        return await api.GET('/v1/events', { params: { query: { ...query, dir: 'desc', type: type && [type] } } })
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
            navigate({ search: ({ org }) => ({ org, type: target.value || undefined }), replace: true })
          }
        >
          <option value="">Every type</option>
          {types.data?.map((one) => (
            <option key={one.type}>{one.type}</option>
          ))}
          {type && !types.data && <option>{type}</option>}
        </FilterSelect>
        <span className="text-xs text-muted">Newest first. New events appear at the top.</span>
      </div>
      <Loaded query={query} failure="The events could not be loaded.">
        {(loaded) => {
          const all = new Map([...fresh, ...loaded].map((event) => [event.id, event]))
          if (all.size === 0)
            return (
              <Empty
                title={type ? `No ${type} events in ${mode} mode` : `No events in ${mode} mode`}
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
      <div className="flex flex-col gap-4 p-4">
        <More query={query} />
        <CodeBlock
          label="These events, signed like webhooks, to a program on this computer"
          code={`npx platen webhooks listen --forward http://localhost:3000/hook`}
        />
      </div>
    </>
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
