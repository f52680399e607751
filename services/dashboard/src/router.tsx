/**
 * The table of pages. To add one, write `pages/<page>/<page>-page.tsx` and add its line here and in
 * `shell/navigation.tsx`; see README.md. Each page is a chunk of its own, except the overview, the lists of jobs and
 * devices, and the page of a job, which are small and the first pages of most visits.
 */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { send } from './api/client.ts'
import { ApiFailure } from './api/failure.ts'
import { isId, parseJobFilters } from './api/job-filters.ts'
import { findOrganization, getLastMode, hasLastMode, isMode, sessionQuery } from './api/session.ts'
import { parseAuditFilters } from './features/audit/audit-filters.ts'
import { ComputersPage } from './features/devices/computers/computers-page.tsx'
import { PrintersPage } from './features/devices/printers/printers-page.tsx'
import { JobsPage } from './features/jobs/list/jobs-page.tsx'
import { JobPage } from './features/jobs/page/job-page.tsx'
import { OverviewPage } from './features/overview/overview-page.tsx'
import { toSignIn } from './features/sign-in/target.ts'
import { parseDeliveryFilters } from './features/webhooks/page/delivery-filters.ts'
import { RootLayout } from './shell/layouts.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { Loading } from './ui/loading.tsx'

/** Pages that have a mode, by the first part of their path behind it. */
const MODE_PAGES =
  /^\/(jobs|print|start|printers|computers|destinations|webhooks|requests|events|keys|print-access|alerts)(\/|$)/

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // An address without a mode means that of the last page, as links in mails do.
  beforeLoad({ location }) {
    if (MODE_PAGES.test(location.pathname))
      throw redirect({ to: `/${getLastMode()}${location.pathname}`, search: location.search, replace: true } as never)
  },
  component: RootLayout,
  // Read by users of several organizations, and kept by every link.
  validateSearch: ({ org }: Record<string, unknown>): { org?: string } => (typeof org === 'string' ? { org } : {}),
  search: { middlewares: [retainSearchParams(['org'])] },
})

type Search = Record<string, unknown>

/** The valid parameters of a page. Without it the router keeps the others of the URL beside them. */
const parseSearch =
  <Parsed extends object>(parse: (search: Search) => Parsed) =>
  ({ org: _, ...search }: Search): Parsed => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...parse(search),
  })

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ search, ...guard }) => {
    if (!hasLastMode()) {
      await requireSession(guard)
      if (await isNew(guard.context.queryClient, search.org))
        throw redirect({ to: '/$mode/start', params: { mode: 'test' }, replace: true })
    }
    throw redirect({ to: '/$mode', params: { mode: getLastMode() }, replace: true })
  },
})

/** Whether the organization has no computer that prints on paper. */
async function isNew(queryClient: QueryClient, org: string | undefined): Promise<boolean> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  const organization = findOrganization(session, org)
  if (!organization) return false
  const query = { limit: 1 }
  const page = await send({ mode: 'live', organizationId: organization.id }, (api) =>
    api.GET('/v1/computers', { params: { query } }),
  )
  return page.data.length === 0
}

interface GuardOptions {
  context: { queryClient: QueryClient }
  location: { href: string }
}

/** Sends visitors without a session to the sign-in page, which is not part of the application. */
async function requireSession({ context, location }: GuardOptions): Promise<void> {
  try {
    await context.queryClient.ensureQueryData(sessionQuery)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401)
      throw redirect({ href: toSignIn(location.href), reloadDocument: true, replace: true })
    throw error
  }
}

const modeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$mode',
  beforeLoad: async ({ params, ...guard }) => {
    if (!isMode(params.mode)) throw notFound()
    await requireSession(guard)
  },
})

/** Pages of an organization, without a mode. */
const plainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'plain',
  beforeLoad: requireSession,
})

const overviewRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/',
  component: OverviewPage,
})

const jobsRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/jobs',
  validateSearch: parseSearch(parseJobFilters),
  component: JobsPage,
})

const jobRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/jobs/$jobId',
  component: JobPage,
})

const printRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/print',
  validateSearch: parseSearch(
    ({ again, printer, destination }): { again?: string; printer?: string; destination?: string } => ({
      ...(typeof again === 'string' && isId(again) && { again }),
      ...(typeof printer === 'string' && isId(printer) && { printer }),
      ...(typeof destination === 'string' && isId(destination) && { destination }),
    }),
  ),
  component: lazyRouteComponent(() => import('./features/print/print-page.tsx'), 'PrintPage'),
})

const startRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/start',
  beforeLoad: ({ params }) => {
    if (params.mode === 'live') throw redirect({ to: '/$mode/start', params: { mode: 'test' }, replace: true })
  },
  component: lazyRouteComponent(() => import('./features/start/start-page.tsx'), 'StartPage'),
})

const printersRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/printers',
  validateSearch: parseSearch(({ name }): { name?: string } =>
    name === undefined || name === '' ? {} : { name: String(name) },
  ),
  component: PrintersPage,
})

const printerRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/printers/$printerId',
  component: lazyRouteComponent(() => import('./features/devices/printer/printer-page.tsx'), 'PrinterPage'),
})

const computersRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/computers',
  component: ComputersPage,
})

const addComputerRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/computers/new',
  component: lazyRouteComponent(
    () => import('./features/devices/add-computer/add-computer-page.tsx'),
    'AddComputerPage',
  ),
})

const computerRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/computers/$computerId',
  component: lazyRouteComponent(() => import('./features/devices/computer/computer-page.tsx'), 'ComputerPage'),
})

const addPrinterRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/computers/$computerId/add-printer',
  validateSearch: parseSearch(({ queue }): { queue?: string } => ({
    ...(queue !== undefined && queue !== '' && { queue: String(queue) }),
  })),
  component: lazyRouteComponent(() => import('./features/devices/add-printer/add-printer-page.tsx'), 'AddPrinterPage'),
})

const destinationsRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/destinations',
  component: lazyRouteComponent(() => import('./features/destinations/destinations-page.tsx'), 'DestinationsPage'),
})

const destinationRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/destinations/$destinationId',
  component: lazyRouteComponent(() => import('./features/destinations/destination-page.tsx'), 'DestinationPage'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./features/webhooks/list/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhookRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/webhooks/$webhookId',
  validateSearch: parseSearch(parseDeliveryFilters),
  component: lazyRouteComponent(() => import('./features/webhooks/page/webhook-page.tsx'), 'WebhookPage'),
})

const deliveryRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./features/webhooks/delivery/delivery-page.tsx'), 'DeliveryPage'),
})

const requestsRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/requests',
  validateSearch: parseSearch(({ key }): { key?: string } => ({
    ...(typeof key === 'string' && isId(key) && { key }),
  })),
  component: lazyRouteComponent(() => import('./features/requests/requests-page.tsx'), 'RequestsPage'),
})

const eventsRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/events',
  validateSearch: parseSearch(({ type, id, resource }): { type?: string; id?: string; resource?: string } => ({
    ...(typeof resource === 'string' && isId(resource) && { resource }),
    ...(typeof type === 'string' && /^[a-z]+\.[a-z]+$/.test(type) && { type }),
    ...(typeof id === 'string' && isId(id) && { id }),
  })),
  component: lazyRouteComponent(() => import('./features/events/events-page.tsx'), 'EventsPage'),
})

const keysRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./features/keys/keys-page.tsx'), 'KeysPage'),
})

const printAccessRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/print-access',
  component: lazyRouteComponent(() => import('./features/print-access/print-access-page.tsx'), 'PrintAccessPage'),
})

const alertsRoute = createRoute({
  getParentRoute: () => modeRoute,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./features/alerts/alerts-page.tsx'), 'AlertsPage'),
})

const usageRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('./features/usage/usage-page.tsx'), 'UsagePage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/organization', replace: true })
  },
})

const organizationRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings/organization',
  component: lazyRouteComponent(() => import('./features/organization/organization-page.tsx'), 'OrganizationPage'),
})

const membersRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('./features/organization/members/members-page.tsx'), 'MembersPage'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings/sessions',
  component: lazyRouteComponent(() => import('./features/sessions/sessions-page.tsx'), 'SessionsPage'),
})

const invitationsRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings/invitations',
  component: lazyRouteComponent(
    () => import('./features/organization/invitations/invitations-page.tsx'),
    'InvitationsPage',
  ),
})

const auditRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/settings/audit',
  validateSearch: parseSearch(parseAuditFilters),
  component: lazyRouteComponent(() => import('./features/audit/audit-page.tsx'), 'AuditPage'),
})

const goRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/go/$id',
  component: lazyRouteComponent(() => import('./features/go/go-page.tsx'), 'GoPage'),
})

const routeTree = rootRoute.addChildren([
  indexRoute,
  modeRoute.addChildren([
    overviewRoute,
    jobsRoute,
    jobRoute,
    printRoute,
    startRoute,
    printersRoute,
    printerRoute,
    computersRoute,
    addComputerRoute,
    computerRoute,
    addPrinterRoute,
    destinationsRoute,
    destinationRoute,
    webhooksRoute,
    webhookRoute,
    deliveryRoute,
    requestsRoute,
    eventsRoute,
    keysRoute,
    printAccessRoute,
    alertsRoute,
  ]),
  plainRoute.addChildren([
    usageRoute,
    settingsRoute,
    organizationRoute,
    membersRoute,
    sessionsRoute,
    invitationsRoute,
    auditRoute,
    goRoute,
  ]),
])

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
