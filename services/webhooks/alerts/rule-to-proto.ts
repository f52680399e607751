import { type AlertOwner, AlertRuleSchema } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { AlertRule } from '../entities.ts'

export type RuleRow = Pick<AlertRule, 'id' | 'kind' | 'computerId' | 'printerId' | 'afterMinutes' | 'createdAt'>

/** SQL: the columns of a `RuleRow`. */
export const RULE_COLUMNS = `
id, kind, computer_id AS "computerId", printer_id AS "printerId", after_minutes AS "afterMinutes", created_at AS "createdAt"`

export const ruleToProto = (row: RuleRow) => rowToMessage(AlertRuleSchema, row)

/** The `where` condition of the rules of the member. */
export function toMember(owner: AlertOwner | undefined) {
  if (!owner) throw new ApiError('invalid_request', '`owner` is missing.')
  const { organizationId, mode, userId } = owner
  return { organizationId, mode, userId }
}

export const ruleNotFound = (mode: string | undefined) =>
  new ApiError('not_found', `You have no alert rule with this id in ${mode} mode.`)
