import type { AlertRule } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { ALERT_KIND_NAMES } from '@platen/resources/alert-kinds.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson, emptyAsNull } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { getSession, type RequestContext, type Tenant } from '../context.ts'
import { operation } from '../operation/operation.ts'

export const ALERT_RULE = z
  .object({
    id: id(),
    kind: z.enum(ALERT_KIND_NAMES),
    /** Without a computer and a printer: all devices of the mode. */
    computerId: id().nullable(),
    printerId: id().nullable(),
    /** Null for kinds without a duration. */
    afterMinutes: z.int().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'AlertRule' })

const ALERT_RULES = z.object({
  data: z.array(ALERT_RULE),
  /** Where the e-mails go. */
  email: z.string(),
  /** False: e-mails reach no mailbox. */
  hasMailServer: z.boolean(),
})

export const listAlertRules = operation({
  operationId: 'listAlertRules',
  method: 'get',
  path: '/account/alerts',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'List your alert rules',
  description: 'The rules of the user, the oldest first. An owner who never had rules gets the default one.',
  answer: { status: 200, description: 'The rules.', schema: ALERT_RULES },
  handle:
    ({ alerts }) =>
    async ({ ctx, tenant }) => {
      const { rules, hasMailServer } = await alerts.listAlertRules({ owner: getOwner(ctx, tenant) })
      return { data: rules.map(alertRuleToJson), email: getSession(ctx).user.email, hasMailServer }
    },
})

/** The user, as a member of the organization. */
export function getOwner(ctx: RequestContext, { organizationId, mode }: Tenant) {
  const { user, memberships } = getSession(ctx)
  const role = memberships.find(({ organization }) => organization.id === organizationId)?.role
  return { organizationId, mode, userId: user.id, role }
}

export const alertRuleToJson = createToJson<AlertRule, typeof ALERT_RULE>(ALERT_RULE, {
  ...emptyAsNull('computerId', 'printerId'),
  afterMinutes: ({ afterMinutes }) => afterMinutes || null,
})
