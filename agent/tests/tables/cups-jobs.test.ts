/** Jobs and devices of CUPS with recorded or scripted responses. */

import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { expect, test, vi } from 'vitest'
import type { IppClient } from '../../ipp/client.ts'
import { createCupsJobs } from '../../spoolers/cups/cups-jobs.ts'
import { createDevices } from '../../spoolers/cups/devices.ts'
import { hasNamePrefix, toJobName, toNameSuffix, toPrefixedName } from '../../spoolers/cups/job-name.ts'
import { type CupsJob, combineStates, readJob, toDamaged, toHeldAgain, toState } from '../../spoolers/cups/job-state.ts'
import { createReachability } from '../../spoolers/cups/reachability.ts'
import { hidePaths } from '../../spoolers/hide-paths.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { attributes, job } from '../cups/recorded-jobs.ts'

const TOKEN = '019a0000-0000-7000-8000-000000000001'

const TITLE_MAX_BYTES = 255 - ` [${TOKEN}]`.length

test.each([
  ['is the title', 'Invoice 7', 'Invoice 7'],
  ['has 255 octets', 'x'.repeat(TITLE_MAX_BYTES), 'x'.repeat(TITLE_MAX_BYTES)],
  ['has not more than 255 octets', 'x'.repeat(TITLE_MAX_BYTES + 1), 'x'.repeat(TITLE_MAX_BYTES)],
  ['is truncated between characters', '🖨'.repeat(255), '🖨'.repeat(Math.floor(TITLE_MAX_BYTES / 4))],
  ['has no control characters', 'a\r\nb\u0000c\u0085d', 'a b c d'],
  ['has no unpaired surrogates', 'a\ud800b', 'a\ufffdb'],
  ['has no space around it', '\t Invoice 7\n', 'Invoice 7'],
])('a job name ends with the complete token and %s', (_, title, start) => {
  expect(toJobName(title, TOKEN)).toBe(`${start} [${TOKEN}]`)
  expect(toJobName(title, TOKEN).endsWith(toNameSuffix(TOKEN))).toBe(true)
})

test('the name at a device begins with the token, and has at most 255 octets', () => {
  expect(toPrefixedName(' Invoice 7\n', TOKEN)).toBe(`[${TOKEN}] Invoice 7`)
  expect(toPrefixedName('x'.repeat(255), TOKEN)).toBe(`[${TOKEN}] ${'x'.repeat(TITLE_MAX_BYTES)}`)
})

test.each([
  ['has the token at the beginning', toPrefixedName('Invoice', TOKEN)],
  ['has the token at the end', toJobName('Invoice', TOKEN)],
  ['is cut after 24 characters of the token', `[${TOKEN}`.slice(0, 24)],
])('a name at a device that %s is that of the job', (_, name) => {
  expect(hasNamePrefix(name, TOKEN)).toBe(true)
})

test.each([
  ['is cut after 23 characters of the token', `[${TOKEN}`.slice(0, 23)],
  ['is the end of the token', `${TOKEN}]`.slice(-24)],
  ['has another token', toPrefixedName('Invoice', TOKEN.replace(/1$/, '2'))],
  ['is long and has no token', 'x'.repeat(24)],
])('a name at a device that %s is that of another job', (_, name) => {
  expect(hasNamePrefix(name, TOKEN)).toBe(false)
})

const UNAVAILABLE = 'The printer may not exist or is unavailable at this time.'
const LOST_TRAILER = 'unable to find trailer dictionary while recovering damaged file'

/** The number of the state, the reasons of the job, the message and the reasons of the printer. */
type JobAttributes = [state: number, reasons?: string, message?: string, printerReasons?: string[]]
const aborted = (reasons: string[], message?: string) =>
  ({ is: 'aborted', reasons, ...(message && { message }) }) as const
const WAITING = ['cups-waiting-for-job-completed', 'media-empty-warning']
const PRINTING = ['job-printing']
const FAILED = 'Print job canceled at printer.'
const REFUSED = 'Printer cannot print with supplied options.'
const ABORTED_MESSAGE = 'Waiting for printer to finish.'

test.each<[string, JobAttributes, Partial<SpoolerState>]>([
  ['that is held', [4, 'job-hold-until-specified'], { is: 'held', reasons: ['job-hold-until-specified'] }],
  ['of a stopped printer', [3, 'none'], { is: 'pending', reasons: [] }],
  ['that is printing', [5, 'job-printing'], { is: 'processing', reasons: PRINTING }],
  [
    'that its printer keeps until a user enters a PIN',
    [5, 'job-password-wait'],
    { is: 'processing', reasons: [...PRINTING, 'job-password-wait'] },
  ],
  [
    'without paper',
    [5, 'job-printing', 'Printing.', WAITING],
    { message: 'Printing.', reasons: [...PRINTING, 'media-empty'] },
  ],
  ['of an unreachable printer', [5, 'job-printing', UNAVAILABLE], { is: 'processing', message: UNAVAILABLE }],
  ['of a printer that was stopped during the print', [6, 'printer-stopped'], { is: 'processing' }],
  ['that is completed', [9], { is: 'completed' }],
  [
    'shown as canceled after a failure of the device',
    [7, undefined, FAILED],
    aborted(['job-canceled-at-device'], `The printer aborted the job: ${FAILED}`),
  ],
  [
    'shown as canceled after the device refused its options',
    [7, undefined, REFUSED],
    aborted(['job-canceled-at-device']),
  ],
  ['canceled by a user', [7], aborted(['job-canceled-by-user'])],
  [
    'shown as completed after the device refused the document',
    [9, undefined, 'Unable to add document to print job.'],
    aborted(['document-format-not-supported']),
  ],
  [
    'stopped after a failed filter, without paths in its message',
    [6, 'job-completed-with-errors', `loadFilename failed: /var/spool/cups/d00052-001: ${LOST_TRAILER}`],
    aborted(
      ['document-format-error'],
      `CUPS could not process the document: loadFilename failed: the document: ${LOST_TRAILER}.`,
    ),
  ],
  [
    'stopped after a failed filter whose text CUPS lost',
    [6, 'job-completed-with-errors', 'Filter failed'],
    aborted(['document-format-error'], 'CUPS could not process the document: one of its filters failed.'),
  ],
  [
    'aborted by CUPS, for example after a crash',
    [8, undefined, ABORTED_MESSAGE],
    aborted(
      ['job-aborted-by-system', 'unconfirmed'],
      `CUPS aborted the job: ${ABORTED_MESSAGE} It may have been printed.`,
    ),
  ],
])('the state is correct for a job %s', (_, [state, reasons, message, printerReasons], expected) => {
  const changes: IppAttributes = {
    'job-state': [state],
    ...(reasons && { 'job-state-reasons': [reasons] }),
    ...(message && { 'job-printer-state-message': [message] }),
    ...(printerReasons && { 'job-printer-state-reasons': printerReasons }),
  }
  expect(toState(readJob(attributes(changes)))).toMatchObject(expected)
})

test('the text of a failed filter is taken from the queue, where it stays', () => {
  const stopped = job('processing-stopped', { printerMessage: 'Filter failed', queueMessage: 'Exception: no /Root' })
  expect(toDamaged(stopped)).toMatchObject({ message: 'CUPS could not process the document: no /Root.' })
})

const UNKNOWN = ['unconfirmed']
test.each([
  ['cups-held-for-authentication', ['printer-requires-authentication']],
  ['job-held-for-authentication', ['printer-requires-authentication']],
  ['job-hold-until-specified', UNKNOWN],
  ['resources-are-not-ready', UNKNOWN],
  ['account-limit-reached', UNKNOWN],
])('a released job that is held with %s ends with %s', (reason, reasons) => {
  expect(toHeldAgain(job('pending-held', { reasons: [reason] }))).toMatchObject({ is: 'aborted', reasons })
})

test.each([
  ['/var/spool/cups/d00052-001: damaged', 'the document: damaged'],
  ["cannot open '/private/var/spool/cups/tmp/a'", "cannot open 'a file of the computer'"],
  ["open 'C:\\Program Files\\Platen\\a.js'", "open 'a file of the computer'"],
  ['the value of /Count is not /Type/Pages', 'the value of /Count is not /Type/Pages'],
  ['file:///tmp/x', 'a file of the computer'],
  ['at run (file:///work/a.js:1:2)', 'at run (a file of the computer:1:2)'],
  ['ipp://printer/tmp/x and 1/2', 'ipp://printer/tmp/x and 1/2'],
])('a text contains no path of the computer, and other words stay: %s', (text, shown) => {
  expect(hidePaths(text)).toBe(shown)
})

const other = { printerUri: 'ipp://localhost/printers/Other' }
const unavailable = { printerMessage: UNAVAILABLE }
const filtered = { printerMessage: 'Processing page 1...' }
const connected = { printerMessage: 'Connected to printer.' }
const waitingForEnd = { printerReasons: ['cups-waiting-for-job-completed'] }
const failed = { printerMessage: 'Filter failed' }
const toSteps = (...steps: [changes: Partial<CupsJob>, is: SpoolerState['is'] | 'begun'][]) => steps

test.each([
  ['before CUPS connects to its device', toSteps([{ printerMessage: 'Connecting to printer.' }, 'pending'])],
  ['whose device is not found', toSteps([{ printerReasons: ['connecting-to-device'] }, 'pending'])],
  [
    'whose USB printer is switched off',
    toSteps([{ printerMessage: 'Waiting for printer to become available.' }, 'pending']),
  ],
  ['of another queue', toSteps([unavailable, 'pending'], [other, 'processing'])],
  [
    'that CUPS began less than 3 s ago, without a text of its backend',
    toSteps(
      [{ processingSeconds: 0 }, 'begun'],
      [{ processingSeconds: 3 }, 'begun'],
      [{ processingSeconds: 4 }, 'processing'],
    ),
  ],
  [
    'that CUPS began less than a second ago, also if it is connected',
    toSteps([{ ...connected, processingSeconds: 1 }, 'begun'], [{ ...connected, processingSeconds: 2 }, 'processing']),
  ],
  [
    'whose filter fails within a second, also while CUPS is connected',
    toSteps(
      [{ ...failed, processingSeconds: 1 }, 'begun'],
      [{ ...failed, ...waitingForEnd, processingSeconds: 9 }, 'begun'],
      [{ ...connected, processingSeconds: 2 }, 'processing'],
      [{ ...failed, processingSeconds: 5 }, 'processing'],
    ),
  ],
  [
    'that runs filters after the device was unreachable, until CUPS is connected',
    toSteps([unavailable, 'pending'], [filtered, 'begun'], [connected, 'processing'], [filtered, 'processing']),
  ],
  [
    'that keeps its first warning after CUPS is connected',
    toSteps([unavailable, 'pending'], [{ ...unavailable, queueMessage: 'Connected to printer.' }, 'processing']),
  ],
  [
    'after the device was unreachable, while CUPS waits for its end',
    toSteps([unavailable, 'pending'], [waitingForEnd, 'processing']),
  ],
  [
    'after another job of the queue was completed',
    toSteps([unavailable, 'pending'], [{ state: 'completed' }, 'completed'], [filtered, 'processing']),
  ],
])('a job is pending until its device is reached, and then may have begun: a job %s', (_, steps) => {
  const resolve = createReachability()
  const states = steps.map(([changes]) => resolve(job('processing', changes)))
  expect(states.map(({ is, hasBegun }) => (hasBegun ? 'begun' : is))).toEqual(steps.map(([, is]) => is))
})

test('a pending job that CUPS has processed before may have begun', () => {
  expect(toState(job('pending'))).toEqual({ is: 'pending', reasons: [] })
  expect(toState(job('pending', { processingSeconds: 60 }))).toEqual({ is: 'pending', reasons: [], hasBegun: true })
})

test('a job of which one part is completed is not pending', () => {
  const pending: SpoolerState = { is: 'pending', reasons: [] }
  expect(combineStates([{ is: 'completed', reasons: [] }, pending])).toMatchObject({ is: 'processing' })
  expect(combineStates([pending, pending])).toEqual(pending)
})

test('a job is read with its id, its UUID, its time and whether it has a document', () => {
  const uuid = '7a9c8ffe-3fd0-3f6a-4b5f-340ae7a9051b'
  expect(readJob(attributes({}))).toMatchObject({ id: 1, uuid, hasDocument: true })
  expect(readJob(attributes({ 'job-printer-up-time': [70], 'time-at-processing': [60] })).processingSeconds).toBe(10)
  const held = { 'job-state': [4], 'number-of-documents': [1], 'job-k-octets': [0] }
  expect(readJob(attributes(held)).hasDocument).toBe(true)
  expect(readJob(attributes({ ...held, 'number-of-documents': [0] })).hasDocument).toBe(false)
})

test('a job is found among more jobs than CUPS returns at once', async () => {
  const all = Array.from({ length: 520 }, (_, n) => attributes({ 'job-id': [n + 1], 'job-name': [`Job [${n}]`] }))
  const request = async ({ attributes: given = {} }: Parameters<IppClient['request']>[0]) => {
    const { 'first-job-id': first, limit } = given as Record<string, { value: number }>
    const from = (first?.value ?? 1) - 1
    return { jobs: all.slice(from, from + (limit?.value ?? 0)) }
  }
  const jobs = createCupsJobs({ request } as unknown as IppClient)
  for (const n of [0, 200, 519])
    expect(await jobs.findByNameSuffix(toNameSuffix(String(n)))).toMatchObject([{ id: n + 1 }])
  expect([...(await jobs.poll([1, 250, 520, 600])).keys()]).toEqual(expect.arrayContaining([1, 250, 520]))
})

test('a slow device delays only the first list, and its answer is in a later list', async () => {
  const answer = Promise.withResolvers<IppAttributes>()
  const query = vi.fn(() => answer.promise)
  const devices = createDevices(query, () => 0)
  const first = devices.attributes('ipp://slow/')
  answer.resolve({ 'pages-per-minute': [7] })
  await first
  expect(await devices.attributes('ipp://slow/')).toEqual({ 'pages-per-minute': [7] })
  expect(query).toHaveBeenCalledOnce()
})
