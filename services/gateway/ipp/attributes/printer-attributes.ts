/** The attributes of printers, one row each. Reference: docs/reference/ipp.md#printer-attributes. */
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { IppTyped } from '@platen/ipp/attributes.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import {
  boolean,
  dateTime,
  enumeration,
  integer,
  keyword,
  mimeType,
  name,
  range,
  resolution,
  text,
  uri,
} from '@platen/ipp/typed.ts'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { required } from '../../required.ts'
import { ICON, type Uris } from '../addresses.ts'
import { COMPRESSIONS } from '../documents/formats.ts'
import type { FoundPrinter } from '../find-printer.ts'
import { WHICH_JOBS } from '../job-states.ts'
import type { Offer } from '../offer.ts'
import { JOB_TEMPLATE, toMediaCol, toMediaSizes } from './job-template.ts'
import type { AttributeRow } from './select.ts'

export interface PrinterFacts extends FoundPrinter {
  offer: Offer
  uris: Uris
  now: Date
  /** Unfinished jobs of the print access. */
  queuedJobs: number
  /** Empty without a print access. */
  organization: string
  operations: readonly (keyof typeof OPERATIONS)[]
}

const IDLE = 3
const STOPPED = 5

/** The limit of texts and names that clients show (RFC 8011, section 5.4). */
const TEXT_MAX = 127

const cut = (value: string) =>
  value
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, TEXT_MAX)
    .toWellFormed()

/** Media of usual offices: up to A4 and Legal, since agents do not report what is loaded. */
const READY = { width: 2160, height: 3560 }

const toReady = ({ papers }: Offer) => {
  const ready = papers.filter(({ width, height }) => width <= READY.width && height <= READY.height)
  return ready.length > 0 ? ready : papers.slice(0, 1)
}

const UNKNOWN: IppTyped = { syntax: 'unknown', value: null }

const LANGUAGE: IppTyped = { syntax: 'naturalLanguage', value: 'en' }
const CHARSET: IppTyped = { syntax: 'charset', value: 'utf-8' }

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

const hasRaster = ({ offer }: PrinterFacts) => offer.formats.includes('image/pwg-raster')

/** An offline printer is idle, because its jobs wait, and computers refuse to print on a stopped one. */
function toReasons({ reasons, closed }: PrinterFacts): string[] {
  const all = [...(closed === undefined ? [] : ['paused']), ...reasons]
  return all.length > 0 ? [...new Set(all)] : ['none']
}

type Row = AttributeRow<PrinterFacts>

const inGroup = (group: string, rows: Record<string, Row['get']>): Row[] =>
  Object.entries(rows).map(([name, get]) => ({ name, group, get }))

const template: Row[] = JOB_TEMPLATE.flatMap((row) => [
  // A page range has no default, and no attribute for it (RFC 8011, section 5.2.7).
  ...(row.name === 'page-ranges'
    ? []
    : [{ name: `${row.name}-default`, group: 'job-template', get: ({ offer }: PrinterFacts) => row.default(offer) }]),
  { name: `${row.name}-supported`, group: 'job-template', get: ({ offer }: PrinterFacts) => row.supported(offer) },
])

const mediaColDatabase: Row = {
  name: 'media-col-database',
  group: 'media-col-database',
  get: ({ offer }) => offer.papers.map((paper) => toMediaCol(offer, paper)),
}

const margins: Row[] = ['bottom', 'left', 'right', 'top'].map((side) => ({
  name: `media-${side}-margin-supported`,
  group: 'job-template',
  get: ({ offer }) => integer(offer.margin),
}))

const DOCUMENT_MAX_KB = DOCUMENT_MAX_BYTES / 1024

const COPIES = 'CP'

/** The capabilities in the form of AirPrint, beside `urf-supported` of raster. */
const toUrf = ({ offer }: PrinterFacts) =>
  ['V1.4', `${COPIES}${Math.min(offer.copiesMax, 255)}`, 'W8', ...(offer.color ? ['SRGB24'] : []), 'RS300'].concat(
    offer.duplex ? ['DM1'] : [],
  )

const toTime = (time: Timestamp) => integer(seconds(timestampDate(time)))
const toDate = (time: Timestamp) => dateTime(timestampDate(time))

export const PRINTER_ATTRIBUTES: readonly Row[] = [
  ...inGroup('printer-description', {
    'charset-configured': () => CHARSET,
    'charset-supported': () => CHARSET,
    'color-supported': ({ offer }) => boolean(offer.color),
    'compression-supported': () => COMPRESSIONS.map(keyword),
    'document-format-default': () => mimeType('application/octet-stream'),
    'document-format-preferred': ({ offer }) => mimeType(required(offer.formats[0])),
    'document-format-supported': ({ offer }) => offer.formats.map(mimeType),
    'document-password-supported': () => integer(0),
    'generated-natural-language-supported': () => LANGUAGE,
    'identify-actions-default': () => keyword('display'),
    'identify-actions-supported': () => keyword('display'),
    // The printer is a server, which no person can stand before.
    'ipp-features-supported': () => ['ipp-everywhere', 'ipp-everywhere-server'].map(keyword),
    'ipp-versions-supported': () => ['1.1', '2.0'].map(keyword),
    'job-creation-attributes-supported': () => [
      ...['ipp-attribute-fidelity', 'job-name', 'document-name', 'document-format', 'compression'].map(keyword),
      ...JOB_TEMPLATE.map((row) => keyword(row.name)),
    ],
    'job-ids-supported': () => boolean(true),
    'mopria-certified': ({ offer }) => (offer.formats.includes('application/pdf') ? text('1.3') : undefined),
    'multiple-document-jobs-supported': () => boolean(false),
    'multiple-operation-time-out': () => integer(60),
    'multiple-operation-time-out-action': () => keyword('abort-job'),
    'natural-language-configured': () => LANGUAGE,
    'operations-supported': ({ operations }) => operations.map((operation) => enumeration(OPERATIONS[operation])),
    'pages-per-minute': ({ offer }) => integer(offer.ppm),
    'pages-per-minute-color': ({ offer }) => (offer.color ? integer(offer.ppm) : undefined),
    'pdl-override-supported': () => keyword('attempted'),
    'preferred-attributes-supported': () => boolean(false),
    'printer-config-change-date-time': ({ changedAt }) => toDate(changedAt),
    'printer-config-change-time': ({ changedAt }) => toTime(changedAt),
    'printer-current-time': ({ now }) => dateTime(now),
    'printer-device-id': ({ model, offer }) =>
      text(
        `MFG:Platen;MDL:${cut(model).replaceAll(/[:;]/g, ' ')};CMD:${offer.formats.length > 1 ? 'PDF,JPEG,PNG' : 'RAW'};`,
      ),
    'printer-dns-sd-name': (facts) => name(cut(facts.name).slice(0, 63)),
    'printer-geo-location': () => UNKNOWN,
    'printer-get-attributes-supported': () => keyword('document-format'),
    'printer-icons': ({ uris }) => uri(`${uris.origin}${ICON}`),
    'printer-info': (facts) => text(cut(facts.name)),
    'printer-is-accepting-jobs': ({ closed }) => boolean(closed === undefined),
    'printer-location': ({ location }) => text(cut(location)),
    'printer-make-and-model': ({ model }) => text(cut(model)),
    'printer-more-info': ({ uris }) => uri(`${uris.origin}/app`),
    'printer-name': (facts) => name(cut(facts.name)),
    'printer-organization': ({ organization }) => text(cut(organization)),
    'printer-organizational-unit': () => text(''),
    'printer-state': ({ closed }) => enumeration(closed === undefined ? IDLE : STOPPED),
    'printer-state-change-date-time': ({ changedAt }) => toDate(changedAt),
    'printer-state-change-time': ({ changedAt }) => toTime(changedAt),
    'printer-state-message': ({ closed, waits, detail }) => text(cut(closed ?? waits ?? detail)),
    'printer-state-reasons': (facts) => toReasons(facts).map(keyword),
    'printer-supply': () => ({
      syntax: 'octetString',
      value: 'index=1;class=supplyThatIsConsumed;type=other;unit=percent;maxcapacity=-2;level=-2;colorantname=unknown;',
    }),
    'printer-supply-description': () => text('Supplies'),
    'printer-supply-info-uri': ({ uris }) => uri(`${uris.origin}/app`),
    // Every replica of the gateway has the same time.
    'printer-up-time': ({ now }) => integer(seconds(now)),
    'printer-uri-supported': ({ uris }) => uri(uris.printer),
    'printer-uuid': ({ id }) => uri(`urn:uuid:${id}`),
    'pwg-raster-document-resolution-supported': (facts) =>
      hasRaster(facts) ? resolution({ x: 300, y: 300, unit: 'dpi' }) : undefined,
    'pwg-raster-document-sheet-back': (facts) => (hasRaster(facts) ? keyword('normal') : undefined),
    'pwg-raster-document-type-supported': (facts) =>
      hasRaster(facts) ? ['sgray_8', ...(facts.offer.color ? ['srgb_8'] : [])].map(keyword) : undefined,
    'queued-job-count': ({ queuedJobs }) => integer(queuedJobs),
    'uri-authentication-supported': ({ uris }) => keyword(uris.hasSecret ? 'none' : 'basic'),
    'uri-security-supported': ({ uris }) => keyword(uris.isSecure ? 'tls' : 'none'),
    'urf-supported': (facts) => (facts.offer.formats.includes('image/urf') ? toUrf(facts).map(keyword) : undefined),
    'which-jobs-supported': () => Object.keys(WHICH_JOBS).map(keyword),
    'job-k-octets-supported': () => range({ lower: 0, upper: DOCUMENT_MAX_KB }),
  }),
  ...template,
  // PWG 5100.14 has them in this group, too.
  ...inGroup('job-template', {
    'media-ready': ({ offer }) => toReady(offer).map((paper) => keyword(paper.keyword)),
    'media-col-ready': ({ offer }) => toReady(offer).map((paper) => toMediaCol(offer, paper)),
    'media-size-supported': ({ offer }) => toMediaSizes(offer),
    'media-source-supported': ({ offer }) => ['auto', ...offer.sources.map((one) => one.keyword)].map(keyword),
    'media-type-supported': ({ offer }) => ['auto', ...offer.types.map((one) => one.keyword)].map(keyword),
    'overrides-supported': () => ['document-number', 'pages'].map(keyword),
  }),
  ...margins,
  mediaColDatabase,
]
