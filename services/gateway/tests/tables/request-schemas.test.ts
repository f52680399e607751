/** The values of bodies and queries, every limit at n and n + 1. Print jobs are in `print-job-request.test.ts`. */
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { ENROLLMENT_LIMITS, PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DASHBOARD_OPERATIONS } from '../../dashboard-operations.ts'
import { createEnrollment } from '../../operations/enrollments/create-enrollment.ts'
import { enrollAgent } from '../../operations/enrollments/enroll-agent.ts'
import { listEvents } from '../../operations/events/list-events.ts'
import { listPrintJobs } from '../../operations/print-jobs/list-print-jobs.ts'
import { listPrinters } from '../../operations/printers/list-printers.ts'
import { updatePrinter } from '../../operations/printers/update-printer.ts'
import { listWebhookDeliveries } from '../../operations/webhook-deliveries/list-webhook-deliveries.ts'
import { replayWebhookDeliveries } from '../../operations/webhook-deliveries/replay-webhook-deliveries.ts'
import { createWebhook } from '../../operations/webhooks/create-webhook.ts'
import { rotateWebhookSecret } from '../../operations/webhooks/rotate-webhook-secret.ts'
import { testWebhook } from '../../operations/webhooks/test-webhook.ts'
import { updateWebhook } from '../../operations/webhooks/update-webhook.ts'
import { OPERATIONS } from '../../operations.ts'
import { PAGE_QUERY } from '../../request/page.ts'
import { emoji, reader, schemaCases } from './schema-cases.ts'

const { uses, expiresInSeconds } = ENROLLMENT_LIMITS

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const SINCE = '2026-01-02T03:04:05.678Z'

const papers = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Paper ${n}`, width: 1, height: 1 }))
const paper = (changes: object) => ({ customPapers: [{ name: 'Ticket', width: 800, height: 1200, ...changes }] })

schemaCases('a change of a printer', reader(updatePrinter.body), {
  limits: {
    'printer.displayName': [(length) => ({ displayName: emoji(length) }), 1, PRINTER_LIMITS.displayNameLengthMax],
    'printer.remarks': [(length) => ({ remarks: emoji(length) }), 0, PRINTER_LIMITS.remarksLengthMax],
    'printer.customPapers': [(count) => ({ customPapers: papers(count) }), 0, PRINTER_LIMITS.customPapersMax, [50, 51]],
    'printer.defaultExpireAfter': [(seconds) => ({ defaultExpireAfter: seconds }), 60, 604_800],
    'custom-paper.name': [(length) => paper({ name: emoji(length) }), 1, PRINTER_LIMITS.customPaperNameLengthMax],
    'custom-paper.width': [(width) => paper({ width }), 1, 2 ** 31 - 1],
    'custom-paper.height': [(height) => paper({ height }), 1, 2 ** 31 - 1],
  },
  takes: { nothing: {}, defaultOptions: { defaultOptions: { duplex: 'long-edge', copies: 2, color: null } } },
  wrong: {
    displayName: ['a\0'],
    enabled: ['true'],
    defaultOptions: [[]],
    customPapers: [{}],
    defaultExpireAfter: ['60'],
  },
  refuses: {
    'a field that cannot be edited [printer.patch.read-only]': [{ name: 'x' }, /Unknown field `name`/],
    'two unknown fields by their names': [
      { state: 'online', id: ID },
      /Unknown fields `state`, `id` \(allowed: `displayName`, .*`defaultExpireAfter`\)/,
    ],
    'an unknown option [printer.defaultOptions.unknown]': [{ defaultOptions: { stapled: 1 } }, /`defaultOptions.stapl/],
    'a malformed option [printer.defaultOptions.malformed]': [{ defaultOptions: { rotate: 45 } }, /`defaultOptions.r/],
    'two papers of one name [custom-paper.name.unique]': [{ customPapers: [...papers(1), ...papers(1)] }, /same name/],
    'a paper without a name [custom-paper.name]': [paper({ name: undefined }), /Missing: `customPapers\[0\].name`/],
    'a width that is no integer [custom-paper.width]': [paper({ width: 1.5 }), /`customPapers\[0\].width`/],
    'a paper without a height [custom-paper.height]': [paper({ height: undefined }), /`customPapers\[0\].height`/],
    'an unknown field of a paper': [paper({ unit: 'mm' }), /`customPapers\[0\].unit`/],
    'an array': [[], /must be a JSON object/],
  },
})

schemaCases('an enrolment token', reader(createEnrollment.body), {
  limits: {
    'enrollment.maxUses': [(maxUses) => ({ maxUses }), uses.min, uses.max],
    'enrollment.expiresInSeconds': [
      (expiresInSeconds) => ({ expiresInSeconds }),
      expiresInSeconds.min,
      expiresInSeconds.max,
    ],
  },
  reads: {
    'one use by default [enrollment.default.uses]': [{}, { maxUses: 1 }],
    '15 minutes by default [enrollment.default.expiry]': [{}, { expiresInSeconds: 900 }],
  },
  wrong: { maxUses: ['1', 1.5] },
  refuses: {
    'an unknown field': [{ uses: 1 }, /Unknown field `uses`/],
  },
})

schemaCases('an enrolment of an agent', reader(enrollAgent.body), {
  base: { hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' },
  takes: {
    'texts of 255 characters': { name: emoji(255), hostname: emoji(255), osVersion: emoji(255) },
    'unknown versions': { osVersion: '', arch: '' },
  },
  wrong: {
    hostname: ['', emoji(256)],
    name: [emoji(256)],
    osVersion: [emoji(256), '\ud800'],
    os: ['a\0b', 'a\ud800'],
    previousCredential: ['platen_agent_x'],
  },
  refuses: {
    'an unknown field': [{ token: 'x' }, /Unknown field `token`/],
  },
})

const WEBHOOK = { url: 'https://hooks.example.com/in', events: ['printjob.done'] }

/** A change and a creation have the same rules for each field. */
for (const [name, schema, base] of [
  ['a new webhook', createWebhook.body, WEBHOOK],
  ['a change of a webhook', updateWebhook.body, {}],
] as const)
  schemaCases(name, reader(schema), {
    base,
    limits: {
      'webhook.url': [(length) => ({ url: 'x'.repeat(length) }), 1, 2048, [2048, 2049]],
      'webhook.description': [(length) => ({ description: emoji(length) }), 0, 256, [256, 257]],
    },
    takes: {
      'one type [webhook.events.1]': { events: ['printer.added'] },
      'all 15 types [webhook.events.15]': { events: EVENT_TYPES },
      'no description [webhook.description]': { description: null },
    },
    wrong: { url: [1], events: ['printjob.done', ['printjob.*']], description: ['\0'] },
    refuses: {
      'no events [webhook.events.0]': [{ events: [] }, /`events`: must have at least 1 entry/],
      'an unknown type [webhook.events.unknown]': [
        { events: ['printjob.eaten'] },
        /`events\[0\]`: unknown event type `printjob.eaten`\. See/,
      ],
      'a type twice': [{ events: [...WEBHOOK.events, ...WEBHOOK.events] }, /`events`: must not contain a type twice/],
      'an unknown field': [{ secret: 'x' }, /Unknown field `secret`/],
    },
  })

schemaCases('what a new webhook needs', reader(createWebhook.body), {
  base: WEBHOOK,
  refuses: {
    'a missing url [webhook.url.missing]': [{ url: undefined }, /Missing: `url`/],
    'missing events [webhook.events.missing]': [{ events: undefined }, /Missing: `events`/],
  },
})

schemaCases('what a change of a webhook has alone', reader(updateWebhook.body), {
  takes: {
    enabled: { enabled: false },
    'new events [webhook.patch.events]': { events: ['printer.added'] },
    'a new description [webhook.patch.description]': { description: 'Shop' },
  },
  wrong: { enabled: ['true'] },
})

schemaCases('a rotation of a secret', reader(rotateWebhookSecret.body), {
  limits: { 'webhook.rotate': [(graceSeconds) => ({ graceSeconds }), 0, 604_800, [604_800, 604_801]] },
  reads: { 'a time of grace of a day by default [webhook.rotate.default]': [{}, { graceSeconds: 86_400 }] },
  wrong: { graceSeconds: [-1, 1.5, '60'] },
})

schemaCases('a test of a webhook', reader(testWebhook.body), {
  takes: { 'no type': {}, 'a type': { type: 'printer.added' } },
  wrong: { type: ['printjob.eaten', 'printjob.*', ''] },
})

schemaCases('a replay of a range', reader(replayWebhookDeliveries.body), {
  base: { since: SINCE },
  reads: {
    'what failed or was missed by default': [{}, { since: new Date(SINCE), status: ['failed', 'missed'] }],
    'an end at its beginning': [{ until: SINCE }, { until: new Date(SINCE) }],
    'an end in another zone': [{ until: '2026-01-02T04:04:05.679+01:00' }, { until: new Date(Date.parse(SINCE) + 1) }],
  },
  takes: { 'one status': { status: 'succeeded' }, 'several statuses': { status: ['missed', 'pending'] } },
  wrong: { since: ['2026-01-02T00:00:00', 1], until: [1], status: ['done', []] },
  refuses: {
    'no `since` [replay.range.since]': [{ since: undefined }, /Missing: `since`/],
    '`until` before `since` [replay.range.backwards]': [{ until: '2026-01-02T03:04:05.677Z' }, /must not be before/],
    'an unknown field': [{ type: 'printjob.done' }, /Unknown field `type`/],
  },
})

schemaCases('a page', reader(PAGE_QUERY, 'parameter'), {
  limits: { 'page.limit': [(limit) => ({ limit: `${limit}` }), 1, 100] },
  reads: { 'the newest 25 by default': [{}, { limit: 25, dir: 'desc' }] },
  takes: { 'dir asc': { dir: 'asc' }, 'a cursor': { after: 'x' } },
  wrong: { limit: ['', ['1', '2']], after: [['a', 'b']] },
  refuses: {
    'limit 1.5 [page.limit.type]': [{ limit: '1.5' }, /`limit`/],
    'a parameter that was sent twice': [{ dir: ['asc', 'asc'] }, /^`dir` was sent more than once\.$/],
    'another dir [page.dir.unknown]': [{ dir: 'up' }, /`dir`: must be `asc` or `desc`/],
    'an unknown parameter [convention.unknown-parameter.named]': [
      { colour: 'red' },
      /Unknown parameter `colour` \(allowed: `limit`, `after`, `dir`\)/,
    ],
  },
})

schemaCases('the query of a list of numbered resources', reader(listPrinters.query, 'parameter'), {
  limits: { 'list.number': [(number) => ({ number: `${number}` }), 1, 2_147_483_647] },
})

const JOB_TYPES = EVENT_TYPES.filter((type) => type.startsWith('printjob.')).toSorted()

schemaCases('the query of events', reader(listEvents.query, 'parameter'), {
  limits: { 'feed.wait': [(wait) => ({ wait: `${wait}` }), 1, 30] },
  reads: {
    'the newest first by default': [{}, { dir: 'desc', fromNow: false }],
    'a type [feed.type]': [{ type: 'printer.added' }, { type: ['printer.added'] }],
    'all types of jobs [feed.type.pattern]': [{ type: 'printjob.*' }, { type: JOB_TYPES }],
    'several types, each once and in one order [feed.type.repeated]': [
      { type: ['printjob.done', 'computer.*', 'printjob.done'] },
      { type: ['computer.offline', 'computer.online', 'printjob.done'] },
    ],
    'a wait from the oldest [feed.wait.asc]': [{ wait: '1' }, { wait: 1, dir: 'asc' }],
    'the end of the feed': [{ after: 'now' }, { fromNow: true, dir: 'asc' }],
  },
  wrong: { type: ['', 'print*', ['printjob.done', 'Printjob.*']], wait: ['1.5', '', ['1', '2']] },
  refuses: {
    'an unknown type [feed.type.unknown]': [{ type: 'printjob.gone' }, /`type`: must be one of `printjob.queued`, /],
    'wait from the newest [feed.wait.desc]': [{ wait: '1', dir: 'desc' }, /`dir`: must be `asc` with `wait`/],
  },
})

const from = (time: string) => ({ createdAfter: new Date(time) })
const NO_TIMES = [
  ...['yesterday', '2026-01-02', '2026-01-02T03:04:05', '2026-01-02T03:04Z', '2026-02-30T03:04:05Z'],
  ...['2026-01-02T03:04:05.6789Z', '2026-01-02T03:04:05 02:00', '1767322800'],
]

schemaCases('the query of print jobs', reader(listPrintJobs.query, 'parameter'), {
  reads: {
    'several states, each once and in one order': [{ state: ['sent', 'done', 'sent'] }, { state: ['done', 'sent'] }],
    'ids in upper case': [
      { printerId: ID.toUpperCase(), computerId: ID },
      { printerId: ID, computerId: ID },
    ],
    'a time with milliseconds': [{ createdAfter: SINCE }, from(SINCE)],
    'a time in another zone': [{ createdAfter: '2026-01-02T03:04:05+02:00' }, from('2026-01-02T01:04:05Z')],
    'a time with tenths': [{ createdAfter: '2026-01-02T03:04:05.6Z' }, from('2026-01-02T03:04:05.600Z')],
  },
  takes: { 'a source of 255 characters': { source: emoji(255) } },
  wrong: {
    printerId: ['laser', [ID, ID]],
    computerId: ['desk', '0'],
    source: ['', emoji(256)],
    createdBefore: NO_TIMES,
  },
  refuses: {
    'an unknown state [print-jobs.filter.state.unknown]': [{ state: 'finished' }, /`state`: must be one of `queued`, /],
    'a time with a space for its +': [
      { createdAfter: '2026-01-02T03:04:05 02:00' },
      /`createdAfter`: .* ISO 8601 .*%2B/,
    ],
  },
})

schemaCases('the query of deliveries', reader(listWebhookDeliveries.query, 'parameter'), {
  reads: {
    'one status and type': [
      { status: 'failed', type: 'printer.added' },
      { status: ['failed'], type: ['printer.added'] },
    ],
    'several statuses, each once': [{ status: ['missed', 'failed', 'missed'] }, { status: ['failed', 'missed'] }],
  },
  wrong: { status: ['done'], type: ['printjob.started', 'printjob.*'] },
})

const CLEARED_BY_NULL = [
  ...['updatePrinter.remarks', 'updatePrinter.defaultExpireAfter'],
  ...['updateDestination.expireAfter', 'updateWebhook.description'],
]

/** Each field of the body of each `PATCH`. */
const CHANGED = [...OPERATIONS, ...DASHBOARD_OPERATIONS].flatMap(({ operationId, method, body }) =>
  method === 'patch' && body instanceof z.ZodObject
    ? Object.keys(body.shape).map((field) => ({ operationId, field, body }))
    : [],
)
const isCleared = ({ operationId, field }: { operationId: string; field: string }) =>
  CLEARED_BY_NULL.includes(`${operationId}.${field}`)

test.each(CHANGED.filter(isCleared))('null clears `$field` by $operationId', ({ field, body }) => {
  proves('convention.patch.null-clears')
  expect(reader(body)({ [field]: null })).toEqual({ [field]: null })
})

test.each(CHANGED.filter((one) => !isCleared(one)))(
  'null for `$field` by $operationId is refused, because it cannot be cleared',
  ({ field, body }) => {
    proves('convention.patch.null')
    const message = expect.stringContaining(`\`${field}\`: `)
    expect(() => reader(body)({ [field]: null })).toThrow(expect.objectContaining({ code: 'invalid_request', message }))
  },
)

test('a refusal names 5 problems at most, and no name of more than 64 characters', () => {
  const fields = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}`.repeat(100), 1]))
  expect(() => reader(updatePrinter.body)(fields)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^Unknown fields (`(\d)\2{63}…`(, )?){5} \(allowed: /) }),
  )
})
