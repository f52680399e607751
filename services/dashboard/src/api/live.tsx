/** What the pages of one organization and mode share: its scope, its resources and its event feed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Call, type Scope, send, toCurl } from './client.ts'
import { EventQueries } from './event-queries.ts'
import type { operations, Session } from './gen/schema.ts'
import { type EventPage, LiveFeed } from './live-feed.ts'
import { type Computer, type FeedEvent, type Kind, type Printer, type ResourceKinds, Resources } from './resources.ts'
import type { Mode } from './session.ts'
import { signInGate } from './sign-in-gate.ts'
import { loadAll } from './use-pages.ts'

export interface Live {
  session: Session
  organization: Session['organizations'][number]
  /** Whether the role may call the operation. The service decides; this only disables buttons that would be refused. */
  isPermitted(operation: keyof operations): boolean
  /** The mode. Pages without one have the last one. */
  mode: Mode
  scope: Scope
  resources: Resources
  feed: LiveFeed
  /** Called for each batch of events after they were put into `resources`. */
  onEvents(listener: (events: FeedEvent[]) => void): () => void
  /** @throws ApiFailure */
  send<Data>(call: Call<Data>, signal?: AbortSignal): Promise<Data>
  toCurl(call: Call<unknown>): Promise<string>
  /** The start of the key of each query, so that organizations and modes do not mix. */
  key: readonly string[]
}

const LiveContext = createContext<Live | undefined>(undefined)

export function useLive(): Live {
  const live = use(LiveContext)
  if (!live) throw new Error('useLive outside of LiveProvider')
  return live
}

interface LiveProviderProps {
  session: Session
  organization: Session['organizations'][number]
  mode: Mode
  children: ReactNode
}

/** Mounted anew (`key`) for each organization and mode. */
export function LiveProvider({ session, organization, mode, children }: LiveProviderProps) {
  const queryClient = useQueryClient()
  const [parts, setParts] = useState<Omit<Live, 'session' | 'organization' | 'isPermitted'>>()

  useEffect(() => {
    const scope: Scope = { mode, organizationId: organization.id }
    const key = [organization.id, mode]
    const resources = new Resources()
    const queries = new EventQueries(queryClient, key)
    const listeners = new Set<(events: FeedEvent[]) => void>()
    const feed = new LiveFeed({
      name: key.join(),
      getPage: (query, signal) =>
        send(scope, (api) => api.GET('/v1/events', { params: { query } }), signal) as Promise<EventPage>,
      onEvents(events) {
        for (const event of events) resources.apply(event)
        queries.apply(events)
        for (const listener of listeners) listener(events)
      },
      onReset() {
        resources.clear()
        void queryClient.resetQueries({ queryKey: key })
      },
    })
    setParts({
      mode,
      scope,
      resources,
      feed,
      key,
      send: (call, signal) => send(scope, call, signal),
      toCurl: (call) => toCurl(scope, call),
      onEvents(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    })
    return () => {
      feed.close()
      // The next feed begins later, so it would miss events between these answers and its cursor.
      globalThis.firstRequests?.responses.clear()
      queries.close()
    }
  }, [queryClient, organization.id, mode])

  const live = useMemo(
    () =>
      parts && {
        ...parts,
        session,
        organization,
        isPermitted: (operation: string) => !organization.forbiddenOperations[mode].includes(operation),
      },
    [parts, session, organization, mode],
  )
  return live && <LiveContext value={live}>{children}</LiveContext>
}

/** @returns undefined until it is in the cache. */
export function useResource<K extends Kind>(kind: K, id: string): ResourceKinds[K] | undefined {
  const { resources } = useLive()
  const subscribe = useCallback((listener: () => void) => resources.subscribe(id, listener), [resources, id])
  return useSyncExternalStore(subscribe, () => resources.get(kind, id))
}

export function useResources<K extends Kind>(kind: K): readonly ResourceKinds[K][] {
  const { resources } = useLive()
  const subscribe = useCallback((listener: () => void) => resources.subscribe(kind, listener), [resources, kind])
  return useSyncExternalStore(subscribe, () => resources.all(kind))
}

export function useEvents(listener: (events: FeedEvent[]) => void): void {
  const { onEvents } = useLive()
  useEffect(() => onEvents(listener), [onEvents, listener])
}

export function useFeedStatus() {
  const { feed } = useLive()
  const status = useSyncExternalStore(feed.subscribe, feed.getStatus)
  const reason = useSyncExternalStore(signInGate.subscribe, signInGate.get)
  return { ...status, isSignedOut: reason === 'signed-out' }
}

/** The state of printers follows that of their computer without an event, and events have no capabilities. */
const RELOADS_PRINTERS = /^computer\.|^printer\.added$/

/** Loads all printers of the mode; the feed keeps them current. */
export function usePrinters() {
  const { key, send, feed, resources } = useLive()
  useReload('printers', RELOADS_PRINTERS)
  const query = useQuery({
    queryKey: [...key, 'printers'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      await feed.opened
      await loadAll<Printer>(
        { send },
        (query) => (api) => api.GET('/v1/printers', { params: { query } }),
        signal,
        // At once, because an event that comes before the last page is newer.
        (_, page) => {
          for (const printer of page) resources.put('printer', printer)
        },
      )
      return true
    },
  })
  return { ...query, printers: useResources('printer') }
}

/** A deleted computer has no event, but its printers have, and it goes offline. */
const RELOADS_COMPUTERS = /^printer\.removed$|^computer\.offline$/

/** Loads all computers of the mode; the feed keeps them current. */
export function useComputers() {
  const { key, send, feed, resources } = useLive()
  useReload('computers', RELOADS_COMPUTERS)
  const query = useQuery({
    queryKey: [...key, 'computers'],
    staleTime: Number.POSITIVE_INFINITY,
    // A computer without printers can be deleted while it is offline, without any event.
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }) => {
      await feed.opened
      const missing = new Set(resources.all('computer').map(({ id }) => id))
      await loadAll<Computer>(
        { send },
        (query) => (api) => api.GET('/v1/computers', { params: { query } }),
        signal,
        (_, page) => {
          for (const computer of page) {
            resources.put('computer', computer)
            missing.delete(computer.id)
          }
        },
      )
      for (const id of missing) resources.remove(id)
      return true
    },
  })
  return { ...query, computers: useResources('computer') }
}

/**
 * Loads a list again after events that match, because they do not show everything that they change.
 *
 * @param types a constant. @param afterMs after the first event, so that many events cause one request.
 */
export function useReload(name: string, types: RegExp, afterMs = 0): void {
  const { key } = useLive()
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reload = useCallback(() => {
    timer.current = undefined
    void queryClient.invalidateQueries({ queryKey: [...key, name] })
  }, [queryClient, key, name])
  useEvents(
    useCallback(
      (events: FeedEvent[]) => {
        if (!events.some(({ type }) => types.test(type))) return
        if (afterMs === 0) reload()
        else timer.current ??= setTimeout(reload, afterMs)
      },
      [reload, types, afterMs],
    ),
  )
  useEffect(() => () => clearTimeout(timer.current), [])
}
