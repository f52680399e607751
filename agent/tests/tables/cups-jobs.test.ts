/** Jobs and devices of CUPS, with recorded or scripted answers. */
import { expect, test, vi } from 'vitest'
import type { IppAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { createCupsJobs } from '../../spoolers/cups/cups-jobs.ts'
import { createDevices } from '../../spoolers/cups/devices.ts'
import { jobName, nameEnding } from '../../spoolers/cups/job-name.ts'
import { readJob, toState } from '../../spoolers/cups/job-state.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { attributes } from '../cups/recorded-jobs.ts'

const TOKEN = '019a0000-0000-7000-8000-000000000001'

const ROOM = 255 - ` [${TOKEN}]`.length

test.each([
  ['is the title', 'Invoice 7', 'Invoice 7'],
  ['has 255 octets', 'x'.repeat(ROOM), 'x'.repeat(ROOM)],
  ['has not more than 255 octets', 'x'.repeat(ROOM + 1), 'x'.repeat(ROOM)],
  ['is cut at a whole character', '🖨'.repeat(255), '🖨'.repeat(Math.floor(ROOM / 4))],
  ['has no control characters', 'a\r\nb\u0000c\u0085d', 'a b c d'],
  ['has no unpaired surrogates', 'a\ud800b', 'a\ufffdb'],
])('a job name ends with the token, which is never cut, and %s', (_, title, start) => {
  expect(jobName(title, TOKEN)).toBe(`${start} [${TOKEN}]`)
  expect(jobName(title, TOKEN).endsWith(nameEnding(TOKEN))).toBe(true)
})

const UNAVAILABLE = 'The printer may not exist or is unavailable at this time.'
const LOST_TRAILER = 'unable to find trailer dictionary while recovering damaged file'

/** CUPS' number of the state, the job's reasons, the printer's message and reasons. */
type Shown = [state: number, reasons?: string, message?: string, printerReasons?: string[]]
const aborted = (reasons: string[], message?: string) =>
  ({ is: 'aborted', reasons, ...(message && { message }) }) as const
const WAITS = ['cups-waiting-for-job-completed', 'media-empty-warning']
const PRINTS = ['job-printing']
const FAILED = 'Print job canceled at printer.'
const REFUSED = 'Printer cannot print with supplied options.'
const GIVEN_UP = 'Waiting for printer to finish.'

test.each<[string, Shown, Partial<SpoolerState>]>([
  ['on hold', [4, 'job-hold-until-specified'], { is: 'held', reasons: ['job-hold-until-specified'] }],
  ['at a stopped printer', [3, 'none'], { is: 'pending', reasons: [] }],
  ['printing', [5, 'job-printing'], { is: 'processing', reasons: PRINTS }],
  [
    'out of paper',
    [5, 'job-printing', 'Printing.', WAITS],
    { message: 'Printing.', reasons: [...PRINTS, 'media-empty'] },
  ],
  ['at a socket without a printer', [5, 'job-printing', UNAVAILABLE], { is: 'processing', message: UNAVAILABLE }],
  ['at a printer that was stopped while it printed', [6, 'printer-stopped'], { is: 'processing' }],
  ['completed', [9], { is: 'completed' }],
  [
    'shown as canceled, as after a failure of the device',
    [7, undefined, FAILED],
    aborted(['job-canceled-at-device'], `The printer broke the job off: ${FAILED}`),
  ],
  ['shown as canceled, after refused options', [7, undefined, REFUSED], aborted(['job-canceled-at-device'])],
  ['canceled on the computer', [7], aborted(['job-canceled-by-user'])],
  [
    'shown as completed, but refused by the device',
    [9, undefined, 'Unable to add document to print job.'],
    aborted(['document-format-not-supported']),
  ],
  [
    'stopped after a failed filter, which names no path of the computer',
    [6, 'job-completed-with-errors', `loadFilename failed: /var/spool/cups/d00052-001: ${LOST_TRAILER}`],
    aborted(
      ['document-format-error'],
      `CUPS could not process the document: loadFilename failed: the document: ${LOST_TRAILER}.`,
    ),
  ],
  [
    'given up by CUPS, as when its document is gone after a crash',
    [8, undefined, GIVEN_UP],
    aborted(['job-aborted-by-system', 'unconfirmed'], `CUPS gave the job up: ${GIVEN_UP} It may have been printed.`),
  ],
])('the state of a job %s', (_, [state, reasons, message, printerReasons], expected) => {
  const shown: IppAttributes = {
    'job-state': [state],
    ...(reasons && { 'job-state-reasons': [reasons] }),
    ...(message && { 'job-printer-state-message': [message] }),
    ...(printerReasons && { 'job-printer-state-reasons': printerReasons }),
  }
  expect(toState(readJob(attributes(shown)))).toMatchObject(expected)
})

test('a job has an id, a uuid, and a document or none', () => {
  const uuid = '7a9c8ffe-3fd0-3f6a-4b5f-340ae7a9051b'
  expect(readJob(attributes({}))).toMatchObject({ id: 1, uuid, hasDocument: true })
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
  for (const n of [0, 200, 519]) expect(await jobs.named(nameEnding(String(n)))).toMatchObject([{ id: n + 1 }])
  expect([...(await jobs.poll([1, 250, 520, 600])).keys()]).toEqual(expect.arrayContaining([1, 250, 520]))
})

test('a slow device delays the first list at most, and its answer is in a later one', async () => {
  const answer = Promise.withResolvers<IppAttributes>()
  const ask = vi.fn(() => answer.promise)
  const devices = createDevices(ask, () => 0)
  const first = devices.attributes('ipp://slow/')
  answer.resolve({ 'pages-per-minute': [7] })
  await first
  expect(await devices.attributes('ipp://slow/')).toEqual({ 'pages-per-minute': [7] })
  expect(ask).toHaveBeenCalledOnce()
})
