/** The JSON of resources: every field, and null for an absent value. Print jobs are tested in `test/api`. */

import { type DescMessage, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { ComputerSchema, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { GetDeliveryResponseSchema } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointSchema } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { computerToJson } from '@platen/resources/computer-schema.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { webhookDeliveryDetailToJson } from '@platen/resources/webhook-delivery-schema.ts'
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'

const AT = '2026-01-02T03:04:05.678Z'
const ids = (resource: string, json: object) => Object.keys(json).map((field) => `${resource}.${field}`)

/** A test for each message of a contract and its JSON. Fields have equal names, except `renamed`. */
function shows(
  title: string,
  ids: string[],
  desc: DescMessage,
  toJson: (message: never) => object,
  cases: [json: object, facts?: object][],
) {
  test(title, () => {
    proves(...ids)
    for (const [json, facts] of cases)
      expect(
        toJson(fromJson(desc, { ...json, ...facts } as JsonObject, { ignoreUnknownFields: true }) as never),
      ).toEqual(json)
  })
}

const COMPUTER = {
  ...{
    id: 'c',
    number: 7,
    name: 'Till',
    hostname: 'till-1',
    os: 'linux',
    osVersion: '12',
    arch: 'x64',
    agentVersion: '1.0.0',
    agentUpdate: { automatic: true, failedVersion: '1.1.0', failure: 'It did not connect.' },
    spoolerProblem: { code: 'not-running', message: 'CUPS does not run.' },
  },
  ...{ state: 'online', mode: 'test', pausedAt: AT, unauthorizedAt: AT, lastSeenAt: AT, createdAt: AT },
}
const COMPUTER_IDS = [...ids('computer', COMPUTER), 'convention.camel-case', 'convention.absent-is-null']
shows('a computer', COMPUTER_IDS, ComputerSchema, computerToJson, [
  [COMPUTER],
  [{ ...COMPUTER, pausedAt: null, unauthorizedAt: null, lastSeenAt: null, agentUpdate: null, spoolerProblem: null }],
])

const CAPABILITIES = {
  papers: { A4: [2100, 2970], Roll: [800, null], Banner: [null, 5000] },
  extent: [
    [500, 500],
    [3000, null],
  ],
  ...{ bins: ['tray-1'], dpis: ['600x600'], medias: ['labels'], printrate: { rate: 20, unit: 'ppm' } },
  ...{ duplex: true, color: true, collate: true, copies: 99, nup: [1, 2], supports_custom_paper_size: true },
  rasterizes: true,
  formats: ['pdf', 'raw'],
  raster: { rawLanguage: 'zpl', dpi: 203, width: 812 },
  language: 'zpl',
}
const REPORTED = {
  ...CAPABILITIES,
  formats: { names: ['pdf', 'raw'] },
  papers: [
    { name: 'A4', size: { width: 2100, height: 2970 } },
    { name: 'Roll', size: { width: 800 } },
    { name: 'Banner', size: { height: 5000 } },
  ],
  extent: { min: { width: 500, height: 500 }, max: { width: 3000 } },
}
const NO_CAPABILITIES = {
  ...{ papers: {}, bins: [], dpis: [], medias: [], extent: null, printrate: null },
  ...{ duplex: false, color: false, collate: false, copies: 0, nup: [], supports_custom_paper_size: false },
  rasterizes: false,
  formats: null,
  raster: null,
  language: null,
}
const PRINTER = {
  ...{
    id: 'p',
    number: 12,
    computerId: 'c',
    name: 'Laser',
    osName: 'laser',
    description: 'A4 laser',
    displayName: 'Front desk',
  },
  ...{
    remarks: 'Till 2',
    defaultExpireAfter: 3600,
    enabled: true,
    shared: true,
    isDefault: true,
    state: 'online',
    stateDetail: 'idle',
    stateReasons: ['paused'],
  },
  ...{ capabilities: CAPABILITIES, defaultOptions: { copies: 2 } },
  ...{ customPapers: [{ name: 'Ticket', width: 800, height: 1200 }], createdAt: AT, updatedAt: AT },
}
const UNREPORTED = [
  'extent.null',
  'printrate.null',
  'papers.no-height',
  'papers.no-width',
  'formats.null',
  'raster.null',
  'language.null',
].map((id) => `capabilities.${id}`)
const PRINTER_IDS = [...ids('printer', PRINTER), ...ids('capabilities', CAPABILITIES), ...UNREPORTED]
shows('a printer', PRINTER_IDS, PrinterSchema, printerToJson, [
  [PRINTER, { capabilities: REPORTED }],
  [{ ...PRINTER, remarks: null, defaultExpireAfter: null, capabilities: NO_CAPABILITIES }, { capabilities: {} }],
])

const ENDPOINT = {
  ...{ id: 'w', url: 'https://hooks.example.com/', events: ['printjob.done'], description: 'Shop', enabled: false },
  ...{ disabledReason: 'user', failingSince: AT, lastStatusCode: 503, lastError: 'status', nextAttemptAt: AT },
  ...{ mode: 'test', createdAt: AT },
}
const NO_FAILURE = { failingSince: null, lastStatusCode: null, lastError: null, nextAttemptAt: null }
shows('a webhook endpoint', ids('webhook', ENDPOINT), EndpointSchema, webhookEndpointToJson, [
  [ENDPOINT],
  [{ ...ENDPOINT, ...NO_FAILURE, description: null, disabledReason: null, enabled: true }],
])

const ATTEMPT = {
  number: 2,
  trigger: 'replay',
  at: AT,
  durationMs: 12,
  statusCode: 503,
  errorClass: 'status',
  response: '',
}
const DELIVERY = {
  ...{ id: 'd', webhookId: 'w', eventId: 'e', eventType: 'printjob.done', status: 'failed', attempts: 8 },
  ...{ nextAttemptAt: AT, lastStatusCode: 503, lastError: 'status', createdAt: AT, deliveredAt: AT },
  job: { id: 'j', title: 'Invoice 9', printerId: 'p' },
}
const NONE = { nextAttemptAt: null, lastStatusCode: null, lastError: null, deliveredAt: null, job: null }
const NO_ANSWER = { ...ATTEMPT, statusCode: null, errorClass: null, response: null }
const DETAIL = { ...DELIVERY, payload: { id: 'e' }, attemptLog: [ATTEMPT] }
const DELIVERY_IDS = [...ids('delivery', DETAIL), ...ids('attempt', ATTEMPT)]
const delivery = { ...DELIVERY, endpointId: 'w' }
shows('a delivery', DELIVERY_IDS, GetDeliveryResponseSchema, webhookDeliveryDetailToJson, [
  [DETAIL, { delivery, attempts: [ATTEMPT], payload: '{"id":"e"}' }],
  [
    { ...DETAIL, ...NONE, payload: null, attemptLog: [NO_ANSWER] },
    { delivery: { ...delivery, ...NONE }, attempts: [NO_ANSWER], payload: null },
  ],
])
