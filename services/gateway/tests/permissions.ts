/**
 * The scope of each operation, copied by hand from docs/reference/authentication.md#scopes and independent of the table of the gateway. The
 * tests that read this fail for an operation that is missing here.
 */
import type { Scope } from '../authentication/require-scope.ts'
import type { Operation } from '../operations.ts'

export interface Permission {
  /** Null: any valid credential. */
  scope: Scope | null
  /** It takes no key, but this. */
  credential?: 'enrollmentToken'
  /** What `:id` in its path is the id of. Somebody else's is a 404. */
  names?: 'printer' | 'computer' | 'printJob' | 'event' | 'webhook'
  /** Ids of the rules that the scope is a part of. */
  rules?: string
  /** What it is sent in tests, where its body matters. */
  body?: unknown
}

export const PERMISSIONS: Record<string, Permission> = {
  whoami: { scope: null, rules: 'whoami.any-credential' },
  getUsage: { scope: 'read', rules: 'scope.read.usage' },

  listPrinters: {
    scope: 'read',
    rules: 'scope.read.list-printers scope.print-cannot-read scope.admin-satisfies-all error.403.insufficient_scope',
  },
  getPrinter: { scope: 'read', names: 'printer', rules: 'scope.read.get-printer' },
  updatePrinter: {
    scope: 'admin',
    names: 'printer',
    body: { displayName: 'Renamed' },
    rules: 'scope.admin.patch-printer',
  },
  listPrinterPrintJobs: { scope: 'read', names: 'printer', rules: 'scope.read.printer-jobs' },

  listComputers: { scope: 'read', rules: 'scope.read.list-computers' },
  getComputer: { scope: 'read', names: 'computer', rules: 'scope.read.get-computer' },
  listComputerPrinters: { scope: 'read', names: 'computer', rules: 'scope.read.computer-printers' },
  deleteComputer: { scope: 'admin', names: 'computer', rules: 'scope.admin.delete-computer' },
  createEnrollment: { scope: 'admin', body: {}, rules: 'scope.admin.enrollments' },
  enrollAgent: { scope: null, credential: 'enrollmentToken' },

  createPrintJob: { scope: 'print', body: {}, rules: 'scope.print.create scope.print.reprint scope.read-cannot-print' },
  listPrintJobs: { scope: 'read', rules: 'scope.read.list-jobs' },
  getPrintJob: { scope: 'read', names: 'printJob', rules: 'scope.read.get-job' },
  listPrintJobEvents: { scope: 'read', names: 'printJob', rules: 'scope.read.job-events' },
  cancelPrintJob: { scope: 'print', names: 'printJob', rules: 'scope.print.cancel' },

  createWebhook: { scope: 'admin', body: {} },
  listWebhooks: { scope: 'admin' },
  getWebhook: { scope: 'admin', names: 'webhook' },
  updateWebhook: { scope: 'admin', names: 'webhook', body: { description: 'Renamed' } },
  deleteWebhook: { scope: 'admin', names: 'webhook' },
  rotateWebhookSecret: { scope: 'admin', names: 'webhook', body: {} },
  testWebhook: { scope: 'admin', names: 'webhook', body: {} },
  listWebhookDeliveries: { scope: 'admin', names: 'webhook' },
  getWebhookDelivery: { scope: 'admin', names: 'webhook' },
  replayWebhookDelivery: { scope: 'admin', names: 'webhook' },
  replayWebhookDeliveries: { scope: 'admin', names: 'webhook', body: { since: '2026-01-01T00:00:00Z' } },
  listEvents: { scope: 'read', rules: 'scope.read.list-events' },
  getEvent: { scope: 'read', names: 'event', rules: 'scope.read.get-event' },
  listEventTypes: { scope: 'read' },
}

/** @throws when nobody has decided on the operation, or on what the id in its path is. */
export function permissionFor({ operationId, method, path }: Operation): Permission {
  const permission = PERMISSIONS[operationId]
  const where = 'services/gateway/tests/permissions.ts'
  if (!permission)
    throw new Error(`The operation ${operationId} (${method} ${path}) has no row in ${where}: say there what it needs.`)
  if (path.includes(':') && !permission.names)
    throw new Error(`The row of ${operationId} in ${where} does not say what the id in ${path} names.`)
  return permission
}

/** The request of a test to an operation. @param id of what its path names. @param deliveryId of one of it. */
export function requestTo(operation: Operation, id: string, deliveryId = id) {
  const { body } = permissionFor(operation)
  return {
    method: operation.method.toUpperCase(),
    path: operation.path.replace(':id', id).replace(':deliveryId', deliveryId),
    init: body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  }
}
