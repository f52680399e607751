import { type AlertOwner, AlertRuleSchema } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { ApiError } from '@platen/runtime/errors.ts'

export interface RuleRow {
  id: string
  kind: string
  computerId: string | null
  printerId: string | null
  afterMinutes: number
  createdAt: Date
}

/** SQL: the columns of a `RuleRow`. */
export const RULE_COLUMNS = `
id, kind, computer_id AS "computerId", printer_id AS "printerId", after_minutes AS "afterMinutes", created_at AS "createdAt"`

export const ruleToProto = (row: RuleRow) => rowToMessage(AlertRuleSchema, row)

/** SQL: only the rules of the member. Its parameters are `toMember`. */
export const OF_MEMBER = 'organization_id = $1 AND mode = $2 AND user_id = $3'

export function toMember(owner: AlertOwner | undefined): string[] {
  if (!owner) throw new ApiError('invalid_request', '`owner` is missing.')
  return [owner.organizationId, owner.mode, owner.userId]
}

export const ruleNotFound = (mode: string | undefined) =>
  new ApiError('not_found', `You have no alert rule with this id in ${mode} mode.`)
