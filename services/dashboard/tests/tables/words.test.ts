import { toWords } from '@platen/resources/reason-words.ts'
import { findTestSize } from '@platen/resources/test-documents/find-test-size.ts'
import { detectDocument, TEST_DOCUMENTS, toTestSubject } from '@platen/resources/test-documents/test-documents.ts'
import { expect, test } from 'vitest'
import type { WebhookEndpoint } from '../../src/api/gen/schema.ts'
import type { Job, Printer } from '../../src/api/resources.ts'
import { ACTION_NAMES, describeAction } from '../../src/features/audit/actions.ts'
import { describeOption, describeValue } from '../../src/features/devices/print-options.ts'
import { describeJobReason } from '../../src/features/devices/reasons.ts'
import { describeCause, toHealth, toSentHeaders } from '../../src/features/webhooks/words.ts'
import { describeContentType } from '../../src/ui/words.ts'

test.each([
  ['media-empty', 'out of paper'],
  ['media-empty-error', 'out of paper'],
  ['document-format-not-supported', 'format not supported by the printer'],
  ['of-a-later-version', 'of a later version'],
])('the state reason %s is "%s"', (keyword, words) => expect(toWords(keyword)).toBe(words))

test.each([
  ['pdf_base64', 'PDF'],
  ['image_uri', 'Image from a URL'],
  ['raw_uri', 'Raw data from a URL'],
])('the content type %s is "%s"', (contentType, words) => expect(describeContentType(contentType)).toBe(words))

test('an option has the same words on every page', () => {
  expect(`${describeOption('duplex')}: ${describeValue('duplex', 'long-edge')}`).toBe('Sides: both, long edge')
  expect(describeValue('paper', { name: 'Delivery note', width: 2100, height: 1485 })).toBe('Delivery note')
  expect(describeValue('color', null)).toBe('as the printer is set')
})

test.each([
  ['createApiKey', 'ok', 'created the key'],
  ['createApiKey', null, 'created the key'],
  ['createApiKey', 'forbidden', 'has not created the key'],
  ['withdrawInvitation', 'not_found', 'has not withdrawn the invitation of'],
  ['renameOfALaterVersion', 'ok', 'rename of a later version'],
])('the action %s with the outcome %s is "%s"', (action, outcome, words) =>
  expect(describeAction({ action, outcome })).toBe(words),
)

test.each([
  ['createApiKey', 'Created the key …'],
  ['acceptInvitation', 'Accepted the invitation …'],
  ['updateAgent', 'Started the update of the agent of the computer …'],
  ['updateMember', 'Changed the role of …'],
  ['setPlan', 'Set the plan'],
])('the action %s is chosen as "%s"', (action, name) => expect(ACTION_NAMES).toContainEqual({ action, name }))

const printer = { enabled: true, state: 'online', stateReasons: [], stateDetail: '' } as unknown as Printer
const newJob = (changes: object) =>
  ({ state: 'queued', stateReasons: [], stateMessage: null, ...changes }) as unknown as Job

test.each<[reason: string, job: object, printer: object]>([
  ['Tray 1 is empty.', { stateMessage: 'Tray 1 is empty.', stateReasons: ['media-empty'] }, {}],
  ['out of paper', { stateReasons: ['media-empty'] }, { state: 'unknown' }],
  ['computer offline', {}, { state: 'unknown' }],
  ['printer disabled', {}, { enabled: false }],
  ['printer offline', {}, { state: 'offline' }],
  ['paper jam', {}, { stateReasons: ['media-jam'] }],
  ['', {}, {}],
  ['', { state: 'done' }, { state: 'unknown' }],
])('the reason of a job is "%s" for the job %j and the printer %j', (reason, job, changes) => {
  expect(describeJobReason(newJob(job), { ...printer, ...changes })).toBe(reason)
})

test('a test page has the size of a paper of the printer', () => {
  const papers = { A6: [1050, 1480] }
  const label = { capabilities: { papers }, customPapers: [], defaultOptions: { paper: 'A6' } } as unknown as Printer
  const size = findTestSize(label)
  const subject = toTestSubject({ ...label, id: '1', number: 7, displayName: 'Till' }, 'https://print.example.com')
  expect(TEST_DOCUMENTS.pdf.make(subject, size)).toContain('/MediaBox [0 0 297.64 419.53]')
  const withPapers = (papers: object) =>
    findTestSize({ ...label, defaultOptions: {}, capabilities: { papers } } as unknown as Printer)
  expect(withPapers(papers)).toEqual(size)
  expect(withPapers({ ...papers, A4: [2100, 2970] }).height).toBeCloseTo(842, 0)
  expect(withPapers({ roll: [800, null] })).toEqual({ width: 595, height: 842 })
})

test.each([
  [{ formats: ['pdf', 'raw'], papers: {} }, 'pdf'],
  [{ formats: ['raw'], papers: { '4x6': [1016, 1524] } }, 'zpl'],
  [{ formats: ['raw'], papers: { '4in Roll': [1016, null] } }, 'zpl'],
  [{ formats: ['raw'], papers: { 'Roll 80mm': [800, null] } }, 'escpos'],
  [{ formats: ['raw'], papers: {} }, 'zpl'],
  [{ formats: null, papers: { A4: [2100, 2970] } }, 'pdf'],
  [{ formats: null, papers: {} }, 'zpl'],
  [{ formats: null, papers: {}, rasterizes: true }, 'pdf'],
])('the test document for a printer with %j is %s', (capabilities, document) => {
  expect(detectDocument({ capabilities } as unknown as Printer)).toBe(document)
})

const ATTEMPT = {
  ...{ number: 1, trigger: 'scheduled' as const, at: '2026-03-02T09:30:07.921Z', durationMs: 2 },
  ...{ statusCode: 503, errorClass: 'status' as const, response: null },
}

test.each([
  [1, 'scheduled' as const, 'first attempt'],
  [2, 'scheduled' as const, 'retry'],
  [1, 'test' as const, 'test'],
  [2, 'test' as const, 'retry'],
  [3, 'replay' as const, 'replay'],
])('attempt %d by %s is a "%s"', (number, trigger, words) => expect(describeCause({ number, trigger })).toBe(words))

test('the headers of an attempt are shown as they were signed, and only if its receiver has answered', () => {
  const eventId = '019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07'
  expect(toSentHeaders({ eventId }, ATTEMPT)).toBe(`webhook-id: ${eventId}\nwebhook-timestamp: 1772443807`)
  expect(toSentHeaders({ eventId }, { ...ATTEMPT, statusCode: null })).toBe('')
})

const ENDPOINT = {
  ...{ enabled: true, disabledReason: null, failingSince: null },
  ...{ lastStatusCode: null, lastError: null, nextAttemptAt: null },
} as WebhookEndpoint
const FAILING = { failingSince: '2026-03-02T03:22:00.000Z', nextAttemptAt: '2026-03-02T03:28:00.000Z' }
const DISABLED = { enabled: false, disabledReason: 'failures' as const, failingSince: FAILING.failingSince }

test.each<[Partial<WebhookEndpoint>, string]>([
  [{}, 'delivering'],
  [{ enabled: false, disabledReason: 'user' }, 'disabled'],
  [
    { ...FAILING, lastStatusCode: 500, lastError: 'status' },
    'failing since 03:22: your server answers 500; next attempt 03:28',
  ],
  [{ ...FAILING, lastError: 'dns' }, 'failing since 03:22: the host name was not found; next attempt 03:28'],
  [{ ...FAILING, nextAttemptAt: '2026-03-02T03:25:00.000Z' }, 'failing since 03:22; next attempt now'],
  [
    { ...FAILING, nextAttemptAt: null, lastStatusCode: 410, lastError: 'status' },
    'failing since 03:22: your server answers 410',
  ],
  [{ ...DISABLED, lastError: 'timeout' }, 'disabled after 5 days of failures, since 03:22: no answer in time'],
])('the health of %j is "%s"', (facts, words) => {
  const now = Date.parse('2026-03-02T03:25:00.000Z')
  expect(toHealth({ ...ENDPOINT, ...facts }, now, (time) => time.slice(11, 16)).text).toBe(words)
})
