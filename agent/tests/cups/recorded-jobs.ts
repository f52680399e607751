/** Jobs recorded from CUPS 2.4.2, with other ids and the changes of a test. */
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { JOB_STATES } from '@platen/ipp/enums.ts'
import { type CupsJob, readJob } from '../../spoolers/cups/job-state.ts'

const UUID = '7a9c8ffe-3fd0-3f6a-4b5f-340ae7a9051b'

export function job(state: CupsJob['state'], changes: Partial<CupsJob> = {}): CupsJob {
  const value = Number(Object.entries(JOB_STATES).find(([, keyword]) => keyword === state)?.[0])
  return { ...readJob(attributes({ 'job-state': [value] })), ...changes }
}

export const attributes = (changes: IppAttributes): IppAttributes => ({
  'number-of-documents': [0],
  'job-k-octets': [1],
  'job-name': ['Invoice [019a0000-0000-7000-8000-000000000001]'],
  'job-uuid': [`urn:uuid:${UUID}`],
  'job-id': [1],
  'job-state': [9],
  'job-state-reasons': ['processing-to-stop-point'],
  'job-printer-state-message': [''],
  'job-printer-state-reasons': ['none'],
  ...changes,
})
