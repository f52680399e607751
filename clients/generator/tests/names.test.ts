import { expect, test } from 'vitest'
import { nameMethod, OPERATIONS } from '../operations.ts'

/** The public names of the libraries. Operations that are not in the list have the name of their path. */
const RELEASED = {
  whoami: 'whoami',
  getUsage: 'usage',
  listStatistics: 'statistics.list',
  createPrintJob: 'printJobs.create',
  validatePrintJob: 'printJobs.validate',
  listPrintJobs: 'printJobs.list',
  getPrintJob: 'printJobs.get',
  listPrintJobEvents: 'printJobs.events',
  explainPrintJob: 'printJobs.explanation',
  getPrintJobDocument: 'printJobs.document',
  listPrintJobDeliveries: 'printJobs.deliveries',
  cancelPrintJob: 'printJobs.cancel',
  releasePrintJob: 'printJobs.release',
  createPrintJobBatch: 'printJobs.createBatch',
  cancelPrintJobBatch: 'printJobs.cancelBatch',
  createPreview: 'previews.create',
  listPrinters: 'printers.list',
  getPrinter: 'printers.get',
  listPrinterPrintJobs: 'printers.printJobs',
  updatePrinter: 'printers.update',
  purgePrinter: 'printers.purge',
  createDestination: 'destinations.create',
  listDestinations: 'destinations.list',
  getDestination: 'destinations.get',
  updateDestination: 'destinations.update',
  deleteDestination: 'destinations.delete',
  listComputers: 'computers.list',
  getComputer: 'computers.get',
  listComputerPrinters: 'computers.printers',
  deleteComputer: 'computers.delete',
  listEvents: 'events.list',
  getEvent: 'events.get',
  listEventTypes: 'events.types',
  createEnrollment: 'enrollments.create',
  listEnrollments: 'enrollments.list',
  deleteEnrollment: 'enrollments.delete',
  enrollAgent: 'enrollments.enrollAgent',
  createWebhook: 'webhooks.create',
  listWebhooks: 'webhooks.list',
  getWebhook: 'webhooks.get',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  createPrintAccess: 'printAccess.create',
  listPrintAccess: 'printAccess.list',
  revokePrintAccess: 'printAccess.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  getWebhookDelivery: 'webhooks.delivery',
  replayWebhookDelivery: 'webhooks.replayDelivery',
  replayWebhookDeliveries: 'webhooks.replay',
}

test('a method that was released keeps its name', () => {
  const names = OPERATIONS.map(({ operationId, resource, method }) => [
    operationId,
    [resource ?? [], method].flat().join('.'),
  ])
  expect(Object.fromEntries(names)).toMatchObject(RELEASED)
})

test.each([
  ['post', '/v1/paper-rolls', 'paperRolls.create'],
  ['patch', '/v1/paper-rolls/{id}', 'paperRolls.update'],
  ['get', '/v1/paper-rolls/{id}/open-orders', 'paperRolls.openOrders'],
  ['get', '/v1/paper-rolls/{id}/orders/{orderId}', 'paperRolls.order'],
  ['delete', '/v1/paper-rolls/{id}/orders/{orderId}', 'paperRolls.deleteOrder'],
  ['post', '/v1/paper-rolls/{id}/orders/{orderId}/send-again', 'paperRolls.sendAgainOrder'],
])('the path of an operation names its method: %s %s', (verb, path, name) => {
  const { resource, method } = nameMethod(verb, path, { kind: 'object', name: 'PaperRoll' })
  expect(`${resource}.${method}`).toBe(name)
})
