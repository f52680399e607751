/**
 * Sends the first requests of a page while its files are loaded: the session, the cursor of the feed, and the overview
 * or the explanation of a job. It is a script inside of the HTML. `src/api/transport.ts` takes the answers; a request
 * that is not expected here is sent as usual.
 */
import type { Session } from '../api/gen/schema.ts'

export interface FirstRequests {
  mode: string | undefined
  organizationId: string | undefined
  /** Responses by path and query. Each is taken once. Undefined if the request was not sent or had no response. */
  readonly responses: Map<string, Promise<Response | undefined>>
}

declare global {
  var firstRequests: FirstRequests | undefined
}

const [, , section, page, id] = location.pathname.split('/')
const isMode = (text: unknown) => text === 'live' || text === 'test'

/** It reads what `getLastMode` of `src/api/session.ts` reads. */
function readLastMode(): string | undefined {
  try {
    return localStorage.getItem('platen-mode') ?? undefined
  } catch {
    return undefined
  }
}

const mode = isMode(section) ? section : readLastMode()
const first: FirstRequests = { mode, organizationId: undefined, responses: new Map() }
globalThis.firstRequests = first

/** @param previous a page must know the answer before, so that it misses no event. */
function add(path: string, previous: Promise<Response | undefined>): Promise<Response | undefined> {
  const load = async () => {
    const before = await previous
    if (!before?.ok || !mode || !first.organizationId) return undefined
    return await fetch(path, { headers: { 'Platen-Mode': mode, 'Platen-Organization': first.organizationId } })
  }
  const response = load().catch(() => undefined)
  first.responses.set(path, response)
  return response
}

async function loadSession(): Promise<Response> {
  const response = await fetch('/account/session')
  if (response.ok) {
    const { organizations }: Session = await response.clone().json()
    const wanted = new URLSearchParams(location.search).get('org')
    // The same choice as that of `findOrganization` in `src/api/session.ts`.
    first.organizationId = (organizations.find((one) => one.id === wanted) ?? organizations[0])?.id
  }
  return response
}

const session = loadSession().catch(() => undefined)
first.responses.set('/account/session', session)
const cursor = add('/v1/events?after=now', session)
if (page === undefined && isMode(section)) add('/account/overview', cursor)
if (page === 'jobs' && id) add(`/v1/printjobs/${id}/explanation`, cursor)
