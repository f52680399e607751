/**
 * The queries of resources without events, one factory for each: its key, its request and how often it is repeated. A
 * page reads one by `useQuery(keysQuery(live))`; a change makes it load again by
 * `invalidateQueries({ queryKey: keysQuery(live).queryKey })`.
 */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Call, send } from './client.ts'
import type {
  AuditEntry,
  Destination,
  Invitation,
  ListedEnrollment,
  Refusal,
  WebhookDelivery,
  WebhookEndpoint,
} from './gen/schema.ts'
import type { Live } from './live.tsx'
import type { LoadPage } from './use-pages.ts'

export const REFRESH_MS = 5_000
export const PAGE_SIZE = 100

/** The refresh of an attempt that is due. */
const PENDING_REFRESH_MS = 1_000

export type Of = Pick<Live, 'key' | 'scope' | 'organization' | 'isPermitted'>

function refreshed<Data>({ scope }: Pick<Of, 'scope'>, queryKey: readonly unknown[], call: Call<Data>, enabled = true) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => send(scope, call, signal),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    enabled,
  })
}

interface PagesOptions {
  /** False for what the role may not read. */
  isEnabled?: boolean
  /** False for lists that the feed keeps current. */
  isRefreshed?: boolean
}

/** A list, newest first. It is loaded again every 5 s while only its first page is shown. */
export function pagesQuery<Item>(
  { scope }: Pick<Of, 'scope'>,
  queryKey: readonly unknown[],
  load: LoadPage<Item>,
  { isEnabled = true, isRefreshed = true }: PagesOptions = {},
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => send(scope, load({ limit: PAGE_SIZE, after: pageParam }), signal),
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? (nextCursor ?? undefined) : undefined),
    enabled: isEnabled,
    refetchInterval: ({ state }) => isRefreshed && (state.data?.pages.length ?? 0) <= 1 && REFRESH_MS,
    refetchOnWindowFocus: isRefreshed,
  })
}

// Queries of the user.

export const sessionsQuery = (of: Of) => refreshed(of, ['sessions'], (api) => api.GET('/account/sessions'))

/** Users without an organization have them as well. */
export const ownInvitationsQuery = refreshed<{ data: Invitation[] }>({ scope: {} }, ['own-invitations'], (api) =>
  api.GET('/account/session/invitations'),
)

export const ownAuditQuery = (of: Of) =>
  pagesQuery<AuditEntry>(
    of,
    ['own-audit'],
    (query) => (api) => api.GET('/account/session/audit', { params: { query } }),
  )

// Queries of the organization.

export const organizationQuery = ({ scope, organization }: Of) =>
  queryOptions({
    queryKey: ['organization', organization.id],
    queryFn: ({ signal }) => send(scope, (api) => api.GET('/account/organization'), signal),
  })

export const membersQuery = (of: Of) =>
  refreshed(of, ['members', of.organization.id], (api) => api.GET('/account/members'))

export const invitationsQuery = (of: Of) =>
  refreshed(of, ['invitations', of.organization.id], (api) => api.GET('/account/invitations'))

export const usageQuery = (of: Of) => refreshed(of, ['usage', of.organization.id], (api) => api.GET('/v1/usage'))

export interface AuditQuery {
  action: string | undefined
  actor: string | undefined
  /** ISO 8601. Inclusive. */
  since: string | undefined
  /** Exclusive. */
  until: string | undefined
}

export const auditQuery = (of: Of, filters: AuditQuery) =>
  pagesQuery<AuditEntry>(of, ['audit', of.organization.id, filters], loadAudit(filters), {
    isEnabled: of.isPermitted('listAudit'),
  })

export const loadAudit =
  (filters: AuditQuery): LoadPage<AuditEntry> =>
  (query) =>
  (api) =>
    api.GET('/account/audit', { params: { query: { ...query, ...filters } } })

// Queries of the mode.

export const keysQuery = (of: Of) =>
  refreshed(of, [...of.key, 'keys'], (api) => api.GET('/account/keys'), of.isPermitted('listApiKeys'))

export const printAccessQuery = (of: Of) =>
  refreshed(of, [...of.key, 'print-access'], (api) => api.GET('/v1/print-access'))

/** @param text not empty. */
export const searchQuery = ({ key, scope }: Of, text: string) =>
  queryOptions({
    queryKey: [...key, 'search', text],
    queryFn: ({ signal }) => send(scope, (api) => api.GET('/v1/printjobs', { params: { query: { q: text } } }), signal),
    enabled: text !== '',
    retry: false,
  })

export const alertRulesQuery = (of: Of) => refreshed(of, [...of.key, 'alerts'], (api) => api.GET('/account/alerts'))

/** The network printers that were added to a computer. Asks its agent, so it is not repeated. */
export const networkPrintersQuery = ({ scope, key, isPermitted }: Of, id: string, isOnline = true) =>
  queryOptions({
    queryKey: [...key, 'network-printers', id],
    queryFn: ({ signal }) =>
      send(scope, (api) => api.GET('/account/computers/{id}/network-printers', { params: { path: { id } } }), signal),
    enabled: isOnline && isPermitted('listNetworkPrinters'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** @param apiKeyId without it of all keys. */
export const refusalsQuery = (of: Of, apiKeyId: string | undefined) =>
  pagesQuery<Refusal>(
    of,
    [...of.key, 'refusals', apiKeyId],
    (query) => (api) => api.GET('/account/requests', { params: { query: { ...query, apiKeyId } } }),
    { isEnabled: of.isPermitted('listRefusals') },
  )

export const enrollmentsQuery = (of: Of) =>
  pagesQuery<ListedEnrollment>(
    of,
    [...of.key, 'enrollments'],
    (query) => (api) => api.GET('/v1/enrollments', { params: { query } }),
  )

export const destinationsQuery = (of: Of) =>
  pagesQuery<Destination>(
    of,
    [...of.key, 'destinations'],
    (query) => (api) => api.GET('/v1/destinations', { params: { query } }),
  )

export const destinationQuery = (of: Of, id: string) =>
  refreshed(of, [...of.key, 'destination', id], (api) => api.GET('/v1/destinations/{id}', { params: { path: { id } } }))

export const webhooksQuery = (of: Of) =>
  pagesQuery<WebhookEndpoint>(
    of,
    [...of.key, 'webhooks'],
    (query) => (api) => api.GET('/v1/webhooks', { params: { query } }),
    { isEnabled: of.isPermitted('listWebhooks') },
  )

export const webhookQuery = (of: Of, id: string) =>
  refreshed(
    of,
    [...of.key, 'webhook', id],
    (api) => api.GET('/v1/webhooks/{id}', { params: { path: { id } } }),
    of.isPermitted('getWebhook'),
  )

/** The start of the keys of `deliveriesQuery` with any filters. */
export const deliveriesKey = ({ key }: Pick<Of, 'key'>, webhookId: string) => [...key, 'deliveries', webhookId]

interface DeliveryFilters {
  status?: WebhookDelivery['status'] | undefined
  type?: WebhookDelivery['eventType'] | undefined
}

export const deliveriesQuery = (of: Of, webhookId: string, { status, type }: DeliveryFilters) =>
  pagesQuery<WebhookDelivery>(
    of,
    [...deliveriesKey(of, webhookId), status, type],
    (query) => (api) =>
      api.GET('/v1/webhooks/{id}/deliveries', {
        params: { path: { id: webhookId }, query: { ...query, status: status && [status], type: type && [type] } },
      }),
  )

export const deliveryQuery = (of: Of, path: { id: string; deliveryId: string }) => ({
  ...refreshed(
    of,
    [...of.key, 'delivery', path.deliveryId],
    (api) => api.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path } }),
    of.isPermitted('getWebhookDelivery'),
  ),
  refetchInterval: ({ state }: { state: { data: { status: string } | undefined } }) =>
    state.data?.status === 'pending' ? PENDING_REFRESH_MS : REFRESH_MS,
})

/** The newest 100. */
export const jobDeliveriesQuery = (of: Of, jobId: string) =>
  refreshed(
    of,
    [...of.key, 'job-deliveries', jobId],
    (api) => api.GET('/v1/printjobs/{id}/deliveries', { params: { path: { id: jobId }, query: { limit: PAGE_SIZE } } }),
    of.isPermitted('listPrintJobDeliveries'),
  )
