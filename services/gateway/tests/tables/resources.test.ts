/** Resources as the API shows them: every field, and null for a fact that is absent. */
import { type DescMessage, fromJson, type JsonObject, type MessageShape } from '@bufbuild/protobuf'
import { ComputerSchema, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { GetDeliveryResponseSchema } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointSchema } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { computerToJson } from '@platen/resources/computer-to-json.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { webhookDeliveryDetailToJson } from '@platen/resources/webhook-delivery-detail-to-json.ts'
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { expect, test } from 'vitest'

const AT = '2026-01-02T03:04:05.678Z'
const ids = (resource: string, json: object) =>
  Object.keys(json)
    .map((field) => `${resource}.${field}`)
    .join(' ')

/** Fields have the same names between the services; null stands for none. */
function expectShown<Desc extends DescMessage>(
  desc: Desc,
  toJson: (message: MessageShape<Desc>) => object,
  json: object,
) {
  expect(toJson(fromJson(desc, json as JsonObject))).toEqual(json)
}

const COMPUTER = {
  ...{ id: 'c', name: 'Till', hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '1.0.0' },
  ...{ state: 'online', mode: 'test', lastSeenAt: AT, createdAt: AT },
}
test(`a computer [${ids('computer', COMPUTER)} convention.camel-case convention.absent-is-null]`, () => {
  expectShown(ComputerSchema, computerToJson, COMPUTER)
  expectShown(ComputerSchema, computerToJson, { ...COMPUTER, lastSeenAt: null })
})

const NO_CAPABILITIES = {
  ...{ papers: {}, bins: [], dpis: [], medias: [], extent: null, printrate: null },
  ...{ duplex: false, color: false, collate: false, copies: 0, nup: [], supports_custom_paper_size: false },
}
const PRINTER = {
  ...{ id: 'p', computerId: 'c', name: 'Laser', osName: 'laser', description: 'A4 laser', displayName: 'Front desk' },
  ...{
    remarks: 'Till 2',
    enabled: true,
    isDefault: true,
    state: 'online',
    stateDetail: 'idle',
    stateReasons: ['paused'],
  },
  capabilities: NO_CAPABILITIES,
  ...{ defaultOptions: { copies: 2 }, customPapers: [{ name: 'Ticket', width: 800, height: 1200 }] },
  ...{ createdAt: AT, updatedAt: AT },
}
const UNREPORTED = ['extent', 'printrate'].map((name) => `capabilities.${name}.null`).join(' ')
test(`a printer [${ids('printer', PRINTER)} ${UNREPORTED}]`, () => {
  const shown = (json: object) => ({ ...json, capabilities: NO_CAPABILITIES })
  for (const json of [PRINTER, { ...PRINTER, remarks: null, defaultOptions: {}, customPapers: [], stateReasons: [] }])
    expect(printerToJson(fromJson(PrinterSchema, { ...json, capabilities: {} }))).toEqual(shown(json))
})

const CAPABILITIES = {
  papers: { A4: [2100, 2970], Roll: [800, null], Banner: [null, 5000] },
  ...{
    bins: ['tray-1'],
    dpis: ['600x600'],
    medias: ['labels'],
    extent: [
      [500, 500],
      [3000, null],
    ],
  },
  printrate: { rate: 20, unit: 'ppm' },
  ...{ duplex: true, color: true, collate: true, copies: 99, nup: [1, 2], supports_custom_paper_size: true },
}
const SIZES = 'capabilities.papers.no-height capabilities.papers.no-width'
test(`the capabilities of a printer [${ids('capabilities', CAPABILITIES)} ${SIZES}]`, () => {
  const { papers: _, supports_custom_paper_size: supportsCustomPaperSize, ...capabilities } = CAPABILITIES
  const papers = [
    { name: 'A4', size: { width: 2100, height: 2970 } },
    { name: 'Roll', size: { width: 800 } },
    { name: 'Banner', size: { height: 5000 } },
  ]
  const extent = { min: { width: 500, height: 500 }, max: { width: 3000 } }
  const reported = { ...capabilities, papers, extent, supportsCustomPaperSize }
  expect(printerToJson(fromJson(PrinterSchema, { capabilities: reported as JsonObject }))).toMatchObject({
    capabilities: CAPABILITIES,
  })
})

test('a print job [options.shown print-job.no-content]', () => {
  const job = {
    ...{ id: 'j', printerId: 'p', computerId: 'c', title: 'Invoice', contentType: 'pdf_uri', source: 'api', qty: 2 },
    ...{ options: { color: null, copies: 2 }, expiresAt: AT, fileSha256: 'f', mode: 'live', state: 'done' },
    ...{ stateMessage: 'Printed', stateReasons: ['option-ignored'], createdAt: AT },
    ...{ sentAt: AT, receivedAt: AT, printingAt: AT, finishedAt: AT },
  }
  const shown = (facts: object) => printJobToJson(fromJson(JobSchema, { ...job, expireAfterSeconds: 60, ...facts }))
  expect(shown({ fileSizeBytes: '7' })).toEqual({ ...job, expireAfter: 60, fileSize: 7 })
  const absent = {
    stateMessage: null,
    fileSha256: null,
    sentAt: null,
    receivedAt: null,
    printingAt: null,
    finishedAt: null,
  }
  expect(shown(absent)).toEqual({ ...job, ...absent, expireAfter: 60, fileSize: null })
})

const ENDPOINT = {
  ...{ id: 'w', url: 'https://hooks.example.com/', events: ['printjob.done'], description: 'Shop', enabled: false },
  ...{ disabledReason: 'user', failingSince: AT, mode: 'test', createdAt: AT },
}
test(`a webhook endpoint [${ids('webhook', ENDPOINT)}]`, () => {
  expectShown(EndpointSchema, webhookEndpointToJson, ENDPOINT)
  const absent = { description: null, disabledReason: null, failingSince: null }
  expectShown(EndpointSchema, webhookEndpointToJson, { ...ENDPOINT, ...absent, enabled: true })
})

const DELIVERY = {
  ...{ id: 'd', webhookId: 'w', eventId: 'e', eventType: 'printjob.done', status: 'failed', attempts: 8 },
  ...{ nextAttemptAt: AT, lastStatusCode: 503, lastError: 'status', createdAt: AT, deliveredAt: AT },
}
const ATTEMPT = {
  ...{ number: 2, trigger: 'replay', at: AT, durationMs: 12, statusCode: 503, errorClass: 'status', response: 'busy' },
}
test(`a delivery with its payload and attempt log [${ids('delivery', { ...DELIVERY, payload: 0, attemptLog: 0 })} ${ids('attempt', ATTEMPT)}]`, () => {
  const shownOf = ({ webhookId, ...delivery }: typeof DELIVERY, attempt: object, payload?: string) =>
    webhookDeliveryDetailToJson(
      fromJson(GetDeliveryResponseSchema, {
        delivery: { ...delivery, endpointId: webhookId },
        attempts: [attempt as JsonObject],
        ...(payload && { payload }),
      }) as Parameters<typeof webhookDeliveryDetailToJson>[0],
    )
  const shown = { ...DELIVERY, payload: { id: 'e' }, attemptLog: [ATTEMPT] }
  expect(shownOf(DELIVERY, ATTEMPT, '{"id":"e"}')).toEqual(shown)
  const none = { nextAttemptAt: null, lastStatusCode: null, lastError: null, deliveredAt: null }
  const noAnswer = { ...ATTEMPT, statusCode: null, errorClass: null, response: null }
  expect(shownOf({ ...DELIVERY, ...none } as never, noAnswer)).toEqual({
    ...DELIVERY,
    ...none,
    payload: null,
    attemptLog: [noAnswer],
  })
})
