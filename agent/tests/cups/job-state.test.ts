import { describe, expect, test } from 'vitest'
import type { IppAttributes } from '../../ipp/attributes.ts'
import { readJob, stateOf } from '../../spoolers/cups/job-state.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { attributes } from './recorded-jobs.ts'

const RECORDED: { title: string; shown: IppAttributes; means: Partial<SpoolerState> }[] = [
  {
    title: 'held',
    shown: { 'job-state': [4], 'job-state-reasons': ['job-hold-until-specified'], 'number-of-documents': [1] },
    means: { is: 'held', reasons: ['job-hold-until-specified'] },
  },
  {
    title: 'its printer is stopped: it waits',
    shown: { 'job-state': [3], 'job-state-reasons': ['none'] },
    means: { is: 'pending', reasons: [] },
  },
  {
    title: 'printing',
    shown: { 'job-state': [5], 'job-state-reasons': ['job-printing'] },
    means: { is: 'processing', reasons: ['job-printing'] },
  },
  {
    title: 'out of paper: it goes on, and says why it takes long',
    shown: {
      'job-state': [5],
      'job-state-reasons': ['job-printing'],
      'job-printer-state-message': ['Printing.'],
      'job-printer-state-reasons': ['cups-waiting-for-job-completed', 'media-empty-warning'],
    },
    means: { is: 'processing', message: 'Printing.', reasons: ['job-printing', 'media-empty'] },
  },
  {
    title: 'the printer at its socket is away: it goes on, and says why',
    shown: {
      'job-state': [5],
      'job-state-reasons': ['job-printing'],
      'job-printer-state-message': ['The printer may not exist or is unavailable at this time.'],
    },
    means: { is: 'processing', message: 'The printer may not exist or is unavailable at this time.' },
  },
  {
    title: 'the printer was stopped in the middle: it goes on when that is over',
    shown: { 'job-state': [6], 'job-state-reasons': ['printer-stopped'] },
    means: { is: 'processing' },
  },
  { title: 'completed', shown: {}, means: { is: 'completed' } },
  {
    title: 'the device failed, shown as canceled: an error',
    shown: { 'job-state': [7], 'job-printer-state-message': ['Print job canceled at printer.'] },
    means: {
      is: 'aborted',
      message: 'The printer broke the job off: Print job canceled at printer.',
      reasons: ['job-canceled-at-device'],
    },
  },
  {
    title: 'the device does not do what it was asked for, shown as canceled: an error',
    shown: { 'job-state': [7], 'job-printer-state-message': ['Printer cannot print with supplied options.'] },
    means: { is: 'aborted', reasons: ['job-canceled-at-device'] },
  },
  {
    title: 'somebody canceled it on the computer: an error',
    shown: { 'job-state': [7] },
    means: { is: 'aborted', reasons: ['job-canceled-by-user'] },
  },
  {
    title: 'the device refused the document, shown as completed: an error',
    shown: { 'job-printer-state-message': ['Unable to add document to print job.'] },
    means: { is: 'aborted', reasons: ['document-format-not-supported'] },
  },
  {
    title: 'a filter failed and the job would stand there for ever: an error, without a path of the computer',
    shown: {
      'job-state': [6],
      'job-state-reasons': ['job-completed-with-errors'],
      'job-printer-state-message': [
        'loadFilename failed: /var/spool/cups/d00052-001: unable to find trailer dictionary while recovering damaged file',
      ],
    },
    means: {
      is: 'aborted',
      message:
        'CUPS could not process the document: loadFilename failed: the document: unable to find trailer dictionary while recovering damaged file.',
      reasons: ['document-format-error'],
    },
  },
  {
    title:
      'CUPS gave it up, as it does when it finds after a crash that its document is gone: it may have been printed',
    shown: { 'job-state': [8], 'job-printer-state-message': ['Waiting for printer to finish.'] },
    means: {
      is: 'aborted',
      message: 'CUPS gave the job up: Waiting for printer to finish. It may have been printed.',
      reasons: ['job-aborted-by-system', 'unconfirmed'],
    },
  },
]

describe('of a job of CUPS is said', () => {
  test.each(RECORDED)('$title', ({ shown, means }) => {
    expect(stateOf(readJob(attributes(shown)))).toMatchObject(means)
  })
})

test('a job is known by its id and its uuid, and by what it says of its document', () => {
  expect(readJob(attributes({}))).toMatchObject({
    id: 1,
    uuid: '7a9c8ffe-3fd0-3f6a-4b5f-340ae7a9051b',
    hasDocument: true,
  })
  const held = { 'job-state': [4], 'number-of-documents': [1], 'job-k-octets': [0] }
  expect(readJob(attributes(held)).hasDocument).toBe(true)
  expect(readJob(attributes({ ...held, 'number-of-documents': [0] })).hasDocument).toBe(false)
})
