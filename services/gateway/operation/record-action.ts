/**
 * Derives from the operation table which requests the audit log records, and their action and actor. Requests without
 * an organization are in the log of the user. The service accounts records sign-ins, because no user is known before
 * them. Reference: docs/reference/sessions.md#audit-log.
 */
import { recordAction } from '@platen/runtime/record-action.ts'
import { getRoles } from '../authentication/require-permission.ts'
import { ROLES } from '../caller.ts'
import { getSession, type RequestContext, type RequestState } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { Operation } from './operation.ts'
import { getCreatedName, readTargetName } from './target-name.ts'

/**
 * True for changes that not all roles can make, by sessions and by keys with the scope `admin`; for enrolments; and for
 * what users do with their own sessions.
 */
export function isRecorded(
  operation: Operation,
  { caller, session, enrollment }: Pick<RequestState, 'caller' | 'session' | 'enrollment'>,
): boolean {
  const { method, scope, isAudited = method !== 'get' } = operation
  if (!isAudited) return false
  if (!caller) return session !== undefined || enrollment !== undefined
  if (getRoles(operation, caller.mode).length === ROLES.length) return isAudited === 'always'
  return caller.credential.kind === 'session' || scope === 'admin'
}

/**
 * Runs the handler of an operation.
 *
 * @param request the ids in its path by their names, of which the last one is the target. A creation has none: its
 *   result has the target.
 * @throws ApiError `service_unavailable` if the action cannot be recorded; it then does not happen. What `handle`
 *   throws.
 */
export async function recordOperation<Result>(
  gateway: Pick<Gateway, 'accounts' | 'devices' | 'endpoints' | 'log' | 'getClientAddress'>,
  operation: Operation,
  ctx: RequestContext,
  request: { ids: Record<string, string>; body: unknown },
  handle: () => Result | Promise<Result>,
): Promise<Result> {
  if (!isRecorded(operation, ctx.state)) return await handle()
  const { accounts, log, getClientAddress } = gateway
  const { requestId, caller, enrollment } = ctx.state
  const [name, target] = Object.entries(request.ids).at(-1) ?? []
  const kind = name && operation.ids?.[name]
  const recording = {
    accounts,
    log: { logIds: [caller?.organization.id ?? enrollment?.organizationId ?? getSession(ctx).user.id] },
    action: {
      ...getActor(ctx.state),
      action: operation.operationId,
      target,
      mode: enrollment ? 'live' : caller?.mode,
      requestId,
      ip: getClientAddress(ctx.req),
    },
    readTargetName: async () =>
      kind && target ? await readTargetName(gateway, ctx, kind, target) : getCreatedName(request.body),
    getCreated: target === undefined ? getId : undefined,
    onUnrecorded: (error: Error) =>
      log.warn({ err: error, request_id: requestId }, 'outcome of an action not recorded'),
  }
  return await recordAction(recording, handle)
}

function getActor({ caller, session, enrollment }: RequestState) {
  if (enrollment) return { actorKind: 'token', actorId: enrollment.id, actorName: 'enrolment token' }
  if (caller?.credential.kind === 'key') {
    const { id, name } = caller.credential.apiKey
    return { actorKind: 'key', actorId: id, actorName: name }
  }
  return { actorKind: 'user', actorId: session?.user.id ?? '', actorName: session?.user.email ?? '' }
}

function getId(created: unknown): string | undefined {
  const { id, userId, computerId } = (created ?? {}) as { id?: string; userId?: string; computerId?: string }
  return userId ?? computerId ?? id
}
