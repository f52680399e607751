import { ALERT_KIND_NAMES, ALERT_KINDS, ALERT_MINUTES } from '@platen/resources/alert-kinds.ts'
import { id, integer } from '@platen/resources/fields.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { requireRole } from '../authentication/require-permission.ts'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { ALERT_RULE, alertRuleToJson, getOwner } from './list-alert-rules.ts'

export const AFTER_MINUTES = integer(ALERT_MINUTES)

const NEW_ALERT_RULE = jsonBody({
  kind: z.enum(ALERT_KIND_NAMES).meta({ example: 'computer_offline' }),
  computerId: id().optional(),
  printerId: id().optional(),
  /** Default: that of the kind. */
  afterMinutes: AFTER_MINUTES.optional().meta({ example: 30 }),
})

export const createAlertRule = operation({
  operationId: 'createAlertRule',
  method: 'post',
  path: '/account/alerts',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'Create an alert rule',
  description:
    'The user gets an e-mail when a problem of this kind begins, and one when it has ended. A repeated request replaces the duration.',
  body: NEW_ALERT_RULE,
  errors: ['forbidden', 'not_found', 'limit_reached'],
  answer: { status: 201, description: 'The rule.', schema: ALERT_RULE },
  handle:
    ({ alerts, devices }) =>
    async ({ ctx, tenant, body: { kind, computerId, printerId, afterMinutes } }) => {
      const { device, minutes } = ALERT_KINDS[kind]
      const owner = getOwner(ctx, tenant)
      if (device === 'endpoint') requireRole(required(owner.role), MANAGERS)
      if ((device === 'endpoint' || device === 'destination') && (printerId || computerId))
        throw new ApiError(
          'invalid_request',
          'A kind of webhook endpoints or destinations has no `printerId` and no `computerId`.',
          { param: printerId ? 'printerId' : 'computerId' },
        )
      if (printerId && (computerId || device === 'computer'))
        throw new ApiError(
          'invalid_request',
          '`printerId` cannot be combined with `computerId` or with a kind of computers.',
          { param: 'printerId' },
        )
      if (afterMinutes !== undefined && minutes === null)
        throw new ApiError('invalid_request', `\`afterMinutes\` cannot be combined with the kind \`${kind}\`.`, {
          param: 'afterMinutes',
        })
      if (printerId) await devices.getPrinter({ ...tenant, printerId })
      if (computerId) await devices.getComputer({ ...tenant, computerId })
      const about = { kind, computerId, printerId, afterMinutes: afterMinutes ?? minutes ?? 0 }
      const { rule } = await alerts.createAlertRule({ owner, ...about })
      return alertRuleToJson(required(rule))
    },
})
