import type { Descriptions } from './description.ts'
import { ACCOUNT_OPERATIONS } from './operations/account.ts'
import { COMPUTER_OPERATIONS } from './operations/computers.ts'
import { EVENT_OPERATIONS } from './operations/events.ts'
import { PRINT_JOB_OPERATIONS } from './operations/print-jobs.ts'
import { PRINTER_OPERATIONS } from './operations/printers.ts'
import { WEBHOOK_DELIVERY_OPERATIONS } from './operations/webhook-deliveries.ts'
import { WEBHOOK_OPERATIONS } from './operations/webhooks.ts'

/** By operationId. The document has those that are in the table of operations. */
export const DESCRIPTIONS: Descriptions = {
  ...PRINT_JOB_OPERATIONS,
  ...PRINTER_OPERATIONS,
  ...COMPUTER_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_DELIVERY_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
}
