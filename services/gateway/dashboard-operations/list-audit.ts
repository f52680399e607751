import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Action } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { createToJson, emptyAsNull } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { MANAGERS, MODES } from '../caller.ts'
import { LARGE, operation } from '../operation/operation.ts'
import { PAGE_QUERY } from '../request/page.ts'
import { time } from '../request/time.ts'

const ACTOR_KINDS = ['user', 'key', 'token', 'operator'] as const

const AUDIT_ENTRY = z
  .object({
    id: id(),
    at: timestamp(),
    /** The name at that time: an e-mail address, or the name of an API key. An operator has no id. */
    actor: z.object({ kind: z.enum(ACTOR_KINDS), id: id().nullable(), name: z.string() }),
    /** The `operationId` of an operation, or the RPC of a command of operators. */
    action: z.string(),
    /** The id of the resource. Null if it has none, or if it was not created. */
    target: id().nullable(),
    /** The name at that time of a target that is a member, an invitation or an API key. */
    targetName: z.string().nullable(),
    mode: z.enum(MODES).nullable(),
    /** `ok` or an error code. Null if the outcome is unknown, because a gateway crashed or still works. */
    outcome: z.string().nullable(),
    /** Request and address are null for an operator. */
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })

export const AUDIT_PAGE = createPageSchema(AUDIT_ENTRY, 'AuditPage', 'actions')

export const listAudit = operation({
  operationId: 'listAudit',
  method: 'get',
  path: '/account/audit',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'Read the audit log',
  description: 'The actions of users and keys in the organization, the newest first by default.',
  query: PAGE_QUERY.extend({
    action: z.string().max(100).optional(),
    /** The id of a user or an API key. */
    actor: z.guid('must be the id of a user or an API key').toLowerCase().optional(),
    /** Inclusive. */
    since: time().optional(),
    /** Exclusive. */
    until: time().optional(),
  }).refine(({ since, until }) => !since || !until || until >= since, {
    path: ['until'],
    error: 'must not be before `since`',
  }),
  units: LARGE,
  answer: { status: 200, description: 'A page of actions.', schema: AUDIT_PAGE },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, query: { page, filters } }) => {
      const { action, actor, since, until } = filters
      const { actions, end } = await accounts.listActions({
        logId: organizationId,
        page,
        action,
        actorId: actor,
        since: since && timestampFromDate(since),
        until: until && timestampFromDate(until),
      })
      return { data: actions.map(actionToJson), end }
    },
})

export const actionToJson = createToJson<Action, typeof AUDIT_ENTRY>(AUDIT_ENTRY, {
  ...emptyAsNull('target', 'targetName', 'mode', 'outcome', 'requestId', 'ip'),
  actor: ({ actorKind, actorId, actorName }) => ({
    kind: actorKind as (typeof ACTOR_KINDS)[number],
    id: actorId || null,
    name: actorName,
  }),
})
