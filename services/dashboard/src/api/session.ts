import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, Member, Session } from './gen/schema.ts'
import { SESSION_KEY } from './query-client.ts'
import { sendSignedOut } from './transport.ts'

/** How the service was installed. */
export type Installation = 'npm-start' | 'compose' | 'helm'

export type Role = Member['role']
export type Mode = ApiKey['mode']
export type Scope = ApiKey['scopes'][number]

/** @throws ApiFailure with status 401 without a session. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: () => sendSignedOut((api) => api.GET('/account/session')),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** @param id of `?org=`; without it, or if the user has no such organization, the first one. */
export function findOrganization(session: Session, id: string | undefined) {
  return session.organizations.find((organization) => organization.id === id) ?? session.organizations[0]
}

const MODE_KEY = 'platen-mode'

export const isMode = (text: unknown): text is Mode => text === 'live' || text === 'test'

/** The mode of the last page with one, for links without a mode. */
export function getLastMode(): Mode {
  const stored = localStorage.getItem(MODE_KEY)
  return isMode(stored) ? stored : 'live'
}

/** False on the first visit of a browser. */
export const hasLastMode = () => isMode(localStorage.getItem(MODE_KEY))

export function storeLastMode(mode: Mode): void {
  localStorage.setItem(MODE_KEY, mode)
}
