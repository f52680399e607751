import { getCaller, type RequestContext } from '../../context.ts'

/** @returns the id of a member, who manages only the own print accesses. Undefined for admins, owners and keys. */
export function getOwnUser(ctx: RequestContext): string | undefined {
  const { credential } = getCaller(ctx)
  return credential.kind === 'session' && credential.role === 'member' ? credential.user.id : undefined
}
