import { ApiError } from '@platen/runtime/errors.ts'
import { MANAGERS, ROLES, type Role } from '../caller.ts'
import { getCaller, type RouteStep } from '../context.ts'

export const SCOPES = ['read', 'print', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** What an operation requires of keys and of users. */
export interface Permission {
  /** Null: any valid key is sufficient. */
  scope: Scope | null
  /** The roles that may call it, if they do not follow from the scope. Can differ by mode. */
  roles?: readonly Role[] | Record<'live' | 'test', readonly Role[]> | undefined
}

/** The scope `admin` is for owners and admins, the others are for all (docs/reference/authentication.md#roles). */
export function getRoles({ scope, roles }: Permission, mode: string): readonly Role[] {
  if (roles === undefined) return scope === 'admin' ? MANAGERS : ROLES
  return 'live' in roles ? roles[mode === 'test' ? 'test' : 'live'] : roles
}

/**
 * The scope `admin` satisfies every check; `read` and `print` are independent of each other
 * (docs/reference/authentication.md#scopes).
 */
export function requirePermission(permission: Permission): RouteStep {
  const { scope } = permission
  return async (ctx, next) => {
    const { credential, mode } = getCaller(ctx)
    if (credential.kind === 'session') requireRole(credential.role, getRoles(permission, mode))
    else if (credential.kind === 'print') throw new ApiError('insufficient_scope', 'A print access only prints by IPP.')
    else if (scope !== null && !credential.apiKey.scopes.some((one) => one === scope || one === 'admin'))
      throw new ApiError('insufficient_scope', `This needs an API key with the scope \`${scope}\`.`)
    await next()
  }
}

/** @throws ApiError `forbidden`, which names the roles. */
export function requireRole(role: Role, permitted: readonly Role[]): void {
  if (permitted.includes(role)) return
  const who = permitted.toReversed().map((one) => `${one}s`)
  throw new ApiError(
    'forbidden',
    `Only ${who.join(' and ')} of the organization may do this. Your role is \`${role}\`. Ask an owner.`,
  )
}
