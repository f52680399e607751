import type { ServiceImpl } from '@connectrpc/connect'
import type { AlertsService } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import type { Webhooks } from '../webhooks.ts'
import { createAlertRule } from './create-alert-rule.ts'
import { deleteAlertRule } from './delete-alert-rule.ts'
import { listAlertRules } from './list-alert-rules.ts'
import { updateAlertRule } from './update-alert-rule.ts'

export function alertsService(webhooks: Webhooks): ServiceImpl<typeof AlertsService> {
  return {
    listAlertRules: (request) => listAlertRules(webhooks, request),
    createAlertRule: (request) => createAlertRule(webhooks, request),
    updateAlertRule: (request) => updateAlertRule(webhooks, request),
    deleteAlertRule: (request) => deleteAlertRule(webhooks, request),
  }
}
