/**
 * The audit log. An action is written before it happens and its outcome after it, so an action whose gateway crashes leaves a row without
 * outcome. Which operations are actions follows from their table. Sign-ins are written by accounts, because no user is known before them.
 * Reference: docs/reference/sessions.md#audit-log.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { getRoles } from './authentication/require-permission.ts'
import { ROLES } from './caller.ts'
import type { RequestContext, RequestState } from './context.ts'
import type { Gateway } from './gateway.ts'
import type { Operation } from './operation.ts'

/** Changes that are not for all roles, by sessions and by keys with the scope `admin`; and ends of sessions. */
export function isRecorded(
  operation: Operation,
  { caller, session }: Pick<RequestState, 'caller' | 'session'>,
): boolean {
  const { method, scope, isAudited = method !== 'get' } = operation
  if (!isAudited) return false
  if (!caller) return session !== undefined
  if (getRoles(operation, caller.mode).length === ROLES.length) return false
  return caller.credential.kind === 'session' || scope === 'admin'
}

/**
 * Runs the handler of an operation.
 *
 * @param target the id of the resource. Undefined for a creation, whose result has it.
 * @throws ApiError `service_unavailable` if the action cannot be recorded; it then does not happen. What `handle` throws.
 */
export async function recordAction<Result>(
  { accounts, log, getClientAddress }: Pick<Gateway, 'accounts' | 'log' | 'getClientAddress'>,
  operation: Operation,
  ctx: RequestContext,
  target: string | undefined,
  handle: () => Result | Promise<Result>,
): Promise<Result> {
  if (!isRecorded(operation, ctx.state)) return await handle()
  const id = uuidv7()
  const { requestId, caller } = ctx.state
  await accounts.beginAction({
    organizationIds: getOrganizationIds(ctx.state),
    action: {
      ...getActor(ctx.state),
      id,
      action: operation.operationId,
      target,
      mode: caller?.mode,
      requestId,
      ip: getClientAddress(ctx.req),
    },
  })
  const end = (outcome: string, created?: string) =>
    accounts
      .endAction({ actionId: id, outcome, target: created })
      .catch((error) => log.warn({ err: error, request_id: requestId }, 'outcome of an action not recorded'))
  try {
    const result = await handle()
    await end('ok', target ?? getId(result))
    return result
  } catch (error) {
    await end(error instanceof ApiError ? error.code : 'internal_error')
    throw error
  }
}

/** Sessions belong to all organizations of their user. */
function getOrganizationIds({ caller, session }: RequestState): string[] {
  if (caller) return [caller.organization.id]
  return session?.memberships.map(({ organization }) => organization.id) ?? []
}

function getActor({ caller, session }: RequestState) {
  if (caller?.credential.kind === 'key') {
    const { id, name } = caller.credential.apiKey
    return { actorKind: 'key', actorId: id, actorName: name }
  }
  return { actorKind: 'user', actorId: session?.user.id ?? '', actorName: session?.user.email ?? '' }
}

function getId(created: unknown): string | undefined {
  const { id, userId } = (created ?? {}) as { id?: string; userId?: string }
  return userId ?? id
}
