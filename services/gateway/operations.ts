/**
 * Every operation of the API, in the order of the OpenAPI document. The router, the document and the tests of
 * permissions, isolation and random requests use this table.
 */
import type { Operation } from './operation/operation.ts'
import { getUsage } from './operations/account/get-usage.ts'
import { listStatistics } from './operations/account/list-statistics.ts'
import { whoami } from './operations/account/whoami.ts'
import { deleteComputer } from './operations/computers/delete-computer.ts'
import { getComputer } from './operations/computers/get-computer.ts'
import { listComputerPrinters } from './operations/computers/list-computer-printers.ts'
import { listComputers } from './operations/computers/list-computers.ts'
import { createDestination } from './operations/destinations/create-destination.ts'
import { deleteDestination } from './operations/destinations/delete-destination.ts'
import { getDestination } from './operations/destinations/get-destination.ts'
import { listDestinations } from './operations/destinations/list-destinations.ts'
import { updateDestination } from './operations/destinations/update-destination.ts'
import { createEnrollment } from './operations/enrollments/create-enrollment.ts'
import { deleteEnrollment } from './operations/enrollments/delete-enrollment.ts'
import { enrollAgent } from './operations/enrollments/enroll-agent.ts'
import { listEnrollments } from './operations/enrollments/list-enrollments.ts'
import { getEvent } from './operations/events/get-event.ts'
import { listEventTypes } from './operations/events/list-event-types.ts'
import { listEvents } from './operations/events/list-events.ts'
import { createPreview } from './operations/previews/create-preview.ts'
import { createPrintAccess } from './operations/print-access/create-print-access.ts'
import { listPrintAccess } from './operations/print-access/list-print-access.ts'
import { revokePrintAccess } from './operations/print-access/revoke-print-access.ts'
import { cancelPrintJob } from './operations/print-jobs/cancel-print-job.ts'
import { cancelPrintJobBatch } from './operations/print-jobs/cancel-print-job-batch.ts'
import { createPrintJob } from './operations/print-jobs/create-print-job.ts'
import { createPrintJobBatch } from './operations/print-jobs/create-print-job-batch.ts'
import { explainPrintJob } from './operations/print-jobs/explain-print-job.ts'
import { getPrintJob } from './operations/print-jobs/get-print-job.ts'
import { getPrintJobDocument } from './operations/print-jobs/get-print-job-document.ts'
import { listPrintJobDeliveries } from './operations/print-jobs/list-print-job-deliveries.ts'
import { listPrintJobEvents } from './operations/print-jobs/list-print-job-events.ts'
import { listPrintJobs } from './operations/print-jobs/list-print-jobs.ts'
import { releasePrintJob } from './operations/print-jobs/release-print-job.ts'
import { validatePrintJob } from './operations/print-jobs/validate-print-job.ts'
import { getPrinter } from './operations/printers/get-printer.ts'
import { listPrinterPrintJobs } from './operations/printers/list-printer-print-jobs.ts'
import { listPrinters } from './operations/printers/list-printers.ts'
import { purgePrinter } from './operations/printers/purge-printer.ts'
import { updatePrinter } from './operations/printers/update-printer.ts'
import { getWebhookDelivery } from './operations/webhook-deliveries/get-webhook-delivery.ts'
import { listWebhookDeliveries } from './operations/webhook-deliveries/list-webhook-deliveries.ts'
import { replayWebhookDeliveries } from './operations/webhook-deliveries/replay-webhook-deliveries.ts'
import { replayWebhookDelivery } from './operations/webhook-deliveries/replay-webhook-delivery.ts'
import { createWebhook } from './operations/webhooks/create-webhook.ts'
import { deleteWebhook } from './operations/webhooks/delete-webhook.ts'
import { getWebhook } from './operations/webhooks/get-webhook.ts'
import { listWebhooks } from './operations/webhooks/list-webhooks.ts'
import { rotateWebhookSecret } from './operations/webhooks/rotate-webhook-secret.ts'
import { testWebhook } from './operations/webhooks/test-webhook.ts'
import { updateWebhook } from './operations/webhooks/update-webhook.ts'

export const OPERATIONS: readonly Operation[] = [
  whoami,
  getUsage,
  listStatistics,

  createPrintJob,
  validatePrintJob,
  createPrintJobBatch,
  cancelPrintJobBatch,
  listPrintJobs,
  getPrintJob,
  listPrintJobEvents,
  explainPrintJob,
  getPrintJobDocument,
  listPrintJobDeliveries,
  cancelPrintJob,
  releasePrintJob,

  createPreview,

  listPrinters,
  getPrinter,
  listPrinterPrintJobs,
  updatePrinter,
  purgePrinter,

  createDestination,
  listDestinations,
  getDestination,
  updateDestination,
  deleteDestination,

  listComputers,
  getComputer,
  listComputerPrinters,
  deleteComputer,

  listEvents,
  getEvent,
  listEventTypes,

  createPrintAccess,
  listPrintAccess,
  revokePrintAccess,

  createEnrollment,
  listEnrollments,
  deleteEnrollment,
  enrollAgent,

  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  replayWebhookDeliveries,
]
