/** The attributes of jobs, one row each. Reference: docs/reference/ipp.md#job-states. */

import type { JsonObject } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { IppTyped } from '@platen/ipp/attributes.ts'
import { dateTime, enumeration, integer, keyword, NO_VALUE, name, text, uri } from '@platen/ipp/typed.ts'
import type { Uris } from '../addresses.ts'
import type { ShownState } from '../job-states.ts'
import type { Offer } from '../offer.ts'
import { JOB_TEMPLATE, toValue } from './job-template.ts'
import type { AttributeRow } from './select.ts'

/** A job, or a submission whose document is awaited or has not arrived. */
export interface JobFacts {
  id: string
  number: number
  title: string
  reportedUser: string
  shown: ShownState
  /** For people. */
  message: string
  /** Undefined without a document. */
  sizeBytes: number | undefined
  hasDocument: boolean
  copies: number
  options: JsonObject
  offer: Offer
  createdAt: Timestamp | undefined
  startedAt: Timestamp | undefined
  endedAt: Timestamp | undefined
  uris: Uris
  now: Date
}

const TEXT_MAX = 255

const cut = (value: string) =>
  value
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, TEXT_MAX)
    .toWellFormed()

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

const atTime = (time: Timestamp | undefined): IppTyped => (time ? integer(seconds(timestampDate(time))) : NO_VALUE)
const atDate = (time: Timestamp | undefined): IppTyped => (time ? dateTime(timestampDate(time)) : NO_VALUE)

type Row = AttributeRow<JobFacts>

const rows = (group: string, all: Record<string, Row['get']>): Row[] =>
  Object.entries(all).map(([name, get]) => ({ name, group, get }))

/** The values that no list of supported ones has. */
const OWN_FORM = new Set(['copies', 'media-col', 'page-ranges'])

export const JOB_ATTRIBUTES: readonly Row[] = [
  ...rows('job-description', {
    'job-id': ({ number }) => integer(number),
    'job-uri': ({ uris, number }) => uri(uris.job(number)),
    'job-uuid': ({ id }) => uri(`urn:uuid:${id}`),
    'job-printer-uri': ({ uris }) => uri(uris.printer),
    'job-name': ({ title }) => name(cut(title)),
    'job-originating-user-name': ({ reportedUser }) => name(cut(reportedUser) || 'anonymous'),
    'job-state': ({ shown }) => enumeration(shown.state),
    'job-state-reasons': ({ shown }) => shown.reasons.map(keyword),
    'job-state-message': ({ message }) => text(message.slice(0, 1023)),
    // Agents do not report how many.
    'job-impressions-completed': () => integer(0),
    'job-impressions': () => NO_VALUE,
    'job-k-octets': ({ sizeBytes }) => integer(Math.ceil((sizeBytes ?? 0) / 1024)),
    'number-of-documents': ({ hasDocument }) => integer(hasDocument ? 1 : 0),
    'time-at-creation': ({ createdAt }) => atTime(createdAt),
    'time-at-processing': ({ startedAt }) => atTime(startedAt),
    'time-at-completed': ({ endedAt }) => atTime(endedAt),
    'date-time-at-creation': ({ createdAt }) => atDate(createdAt),
    'date-time-at-processing': ({ startedAt }) => atDate(startedAt),
    'date-time-at-completed': ({ endedAt }) => atDate(endedAt),
    'job-printer-up-time': ({ now }) => integer(seconds(now)),
    'attributes-charset': () => ({ syntax: 'charset', value: 'utf-8' }),
    'attributes-natural-language': () => ({ syntax: 'naturalLanguage', value: 'en' }),
  }),
  ...rows('job-template', {
    copies: ({ copies }) => integer(copies),
  }),
  ...JOB_TEMPLATE.filter(({ name }) => !OWN_FORM.has(name)).map(
    (row): Row => ({
      name: row.name,
      group: 'job-template',
      get({ options, offer }) {
        const value = toValue(row, options, offer)
        return value.syntax === 'noValue' ? undefined : value
      },
    }),
  ),
]

/** What an operation answers about the job that it creates. */
export const CREATED = ['job-id', 'job-uri', 'job-uuid', 'job-state', 'job-state-reasons', 'job-state-message']
