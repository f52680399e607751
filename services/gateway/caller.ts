/**
 * Who sends a request, and for which organization and mode. Reference: docs/reference/authentication.md,
 * docs/reference/sessions.md.
 */
import type { ApiKey, Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { organizationSuspended } from '@platen/runtime/suspended-organizations.ts'
import type { Context } from 'koa'

export const ROLES = ['member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export const MANAGERS: readonly Role[] = ['admin', 'owner']

export const MODES = ['live', 'test'] as const
export type Mode = (typeof MODES)[number]

/** A signed-in user of the dashboard. */
export interface Session {
  id: string
  user: { id: string; email: string }
  /** Empty for a person who has only invitations, or was removed from the last organization. */
  memberships: {
    organization: Organization
    role: Role
    /** The session is not accepted for the organization. */
    signInRequired: boolean
  }[]
  signedInAt: Date
  expiresAt: Date
}

type Credential =
  | { kind: 'key'; apiKey: ApiKey }
  /** Only of requests of IPP. */
  | { kind: 'print'; access: ApiKey }
  | { kind: 'session'; id: string; user: Session['user']; role: Role; signedInAt: Date }

export interface Caller {
  organization: Organization
  mode: string
  credential: Credential
}

/** The memberships in the organization that the request names, or all without a name. */
export function findMemberships(ctx: Pick<Context, 'get'>, { memberships }: Session): Session['memberships'] {
  const named = ctx.get('Platen-Organization').toLowerCase()
  return memberships.filter(({ organization }) => named === '' || organization.id === named)
}

/** @throws ApiError `organization_suspended` */
export function requireActive({ isSuspended }: Pick<Organization, 'isSuspended'>): void {
  if (isSuspended) throw organizationSuspended()
}

/** What jobs store about the caller: the actor of events, and who it is. */
export function getActor({ credential }: Pick<Caller, 'credential'>): { actor: 'api' | 'user'; by: string } {
  if (credential.kind === 'key') return { actor: 'api', by: `key:${credential.apiKey.id}` }
  if (credential.kind === 'print') {
    const { id, userId } = credential.access
    return { actor: userId ? 'user' : 'api', by: `print_access:${id}` }
  }
  return { actor: 'user', by: `user:${credential.user.id}` }
}

/** What limits of requests count by. */
export function getCredentialId({ credential }: Pick<Caller, 'credential'>): string {
  if (credential.kind === 'print') return credential.access.id
  return credential.kind === 'key' ? credential.apiKey.id : credential.id
}
