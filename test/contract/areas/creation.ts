import { type Entry, entries } from '../entry.ts'
import {
  ACCEPTED,
  agents,
  badInput,
  byUrl,
  creation,
  DAILY_CAP,
  dispatch,
  documents,
  fetches,
  judges,
  lists,
  refused,
  refusedByGateway,
  request,
  tenancy,
  wholeFetch,
  wholeJob,
  withoutUpload,
} from '../named-tests.ts'

const DEFAULTS = request('what may be left out has its default')
const RAW = [
  wholeJob('raw data for Test Receipt 80mm is printed'),
  wholeJob('raw data for Test Label 4x6 is printed'),
] as const
const KEPT_AND_DELETED = ['file', 'nats', 's3'].map((kind) =>
  documents(
    `in a store of the kind ${kind} > a document is kept 7 days from the creation of its job, and deleted then`,
  ),
) as [string, ...string[]]
const malformed = (what: string) => request(`a wrong form is refused by name > ${what}`)
const accepted = (what: string) => request(`limits > ${what}`)

export const CREATION: Entry[] = [
  ...entries('specification: Print jobs', [
    ['endpoint.POST /v1/printjobs', 'A creation answers 201 with the job in `queued`.', ACCEPTED],
    ['create.printerId', '`printerId` names the printer of the job.', ACCEPTED],
    ['create.printerId.missing', 'A missing `printerId` is a 400.', refused('printerId is missing')],
    ['create.printerId.unknown', 'A printer that does not exist is a 404.', refused('the printer does not exist')],
    [
      'create.printerId.other-organization',
      'A printer of another organization is a 404.',
      tenancy('a job for a printer of another organization is a 404'),
      refusedByGateway('the printer is of another organization'),
    ],
    [
      'create.printerId.removed',
      'A printer that was removed is a 404.',
      agents('a printer that is missing from a report is gone, and back with its id when it is reported again'),
      refusedByGateway('the printer does not exist'),
    ],
    [
      'create.printer-disabled',
      'A disabled printer is 422 `printer_disabled`.',
      refusedByGateway('the printer is disabled'),
    ],
    ['create.title', '`title` is the title of the job.', ACCEPTED],
    ['create.title.missing', 'A missing `title` is a 400.', malformed('title: undefined')],
    ['create.title.0', 'An empty `title` is a 400.', refused('the title is empty')],
    [
      'create.title.1',
      'A `title` of 1 character is accepted.',
      badInput('a title of 1 characters is accepted, counted in code points'),
    ],
    [
      'create.title.255',
      'A `title` of 255 characters is accepted.',
      badInput('a title of 255 characters is accepted, counted in code points'),
    ],
    ['create.title.256', 'A `title` of 256 characters is a 400.', refused('the title has 256 characters')],
    ['create.title.type', 'A `title` that is no string is a 400.', refused('the title is a number')],
    ['create.contentType', '`contentType` says what the content is.', ACCEPTED],
    [
      'create.contentType.missing',
      'A missing `contentType` without `reprintOf` is a 400.',
      malformed('contentType: undefined'),
    ],
    ['create.contentType.unknown', 'Any other `contentType` is a 400.', refused('contentType is unknown')],
    [
      'create.content',
      '`content` is the document.',
      ACCEPTED,
      creation('a job is accepted with the full job object in queued, and its document lies in the store'),
    ],
    ['create.content.missing', 'A missing `content` without `reprintOf` is a 400.', refused('content is missing')],
    ['create.content.type', 'A `content` that is no string is a 400.', refused('content is a number')],
    [
      'create.source',
      '`source` names the calling system.',
      lists('jobs > are listed with all their fields, newest first, in pages of 25 by default'),
    ],
    ['create.source.default', '`source` is `api` by default.', ACCEPTED],
    ['create.qty', '`qty` is how often the job is printed.', ACCEPTED],
    ['create.qty.default', '`qty` is 1 by default.', DEFAULTS],
    ['create.qty.0', '`qty` 0 is a 400.', refused('qty is 0')],
    ['create.qty.1', '`qty` 1 is accepted.', accepted('qty may be 1')],
    ['create.qty.100', '`qty` 100 is accepted.', accepted('qty may be 100')],
    ['create.qty.101', '`qty` 101 is a 400.', refused('qty is 101')],
    ['create.qty.type', 'A `qty` that is no integer is a 400.', refused('qty is a text'), refused('qty is a fraction')],
    [
      'create.expireAfter',
      '`expireAfter` is the time in seconds in which the job must be received.',
      accepted('expireAfter may be 60'),
      dispatch('a job that is not received in time expires, by the second, from queued and from sent'),
    ],
    ['create.expireAfter.default', '`expireAfter` is 86400 by default.', ACCEPTED],
    ['create.expireAfter.59', '`expireAfter` 59 is a 400.', refused('expireAfter is 59')],
    ['create.expireAfter.60', '`expireAfter` 60 is accepted.', accepted('expireAfter may be 60')],
    ['create.expireAfter.604800', '`expireAfter` 604800 is accepted.', accepted('expireAfter may be 604800')],
    ['create.expireAfter.604801', '`expireAfter` 604801 is a 400.', refused('expireAfter is 604801')],
    ['create.options', '`options` are the print options.', ACCEPTED],
    ['create.options.type', '`options` that are no object are a 400.', malformed('options: []')],
    [
      'create.authentication',
      '`authentication` protects the URL of the content.',
      byUrl('a job of pdf_uri is accepted without a document, and nothing is stored'),
      fetches('the credentials are sent as HTTP Basic, in UTF-8'),
    ],
    [
      'create.authentication.type',
      'A `type` other than `BasicAuth` is a 400.',
      byUrl('authentication is invalid_request when > its type is another'),
    ],
    [
      'create.authentication.user',
      'Missing `credentials.user` is a 400.',
      byUrl('authentication is invalid_request when > credentials.user is missing'),
    ],
    [
      'create.authentication.pass',
      'Missing `credentials.pass` is a 400.',
      byUrl('authentication is invalid_request when > credentials.pass is missing'),
    ],
    [
      'create.reprintOf',
      '`reprintOf` names the job whose stored file is copied.',
      withoutUpload('a reprint > has the stored document and the content type of its original'),
    ],
    [
      'create.reprintOf.both',
      '`reprintOf` together with content is a 400.',
      byUrl('a reprint names its original and nothing else'),
    ],
    [
      'create.reprintOf.neither',
      'Neither content nor `reprintOf` is a 400.',
      byUrl('a reprint names its original and nothing else'),
    ],
    [
      'create.reprintOf.unknown',
      'A `reprintOf` that does not exist is a 404.',
      withoutUpload('a reprint > of a job of another organization or mode, or of none, is a 404'),
    ],
    [
      'content.pdf_base64',
      'A PDF as base64 is printed.',
      wholeJob('a PDF for the virtual laser printer > may have exactly 25 MB'),
    ],
    ['content.raw_base64', 'Raw data as base64 are printed.', ...RAW],
    [
      'content.pdf_uri',
      'A PDF from a URL is printed.',
      withoutUpload('a document at a URL is fetched right after the creation, and shown with its size and digest'),
      agents('a job of pdf_uri is pushed once its document is fetched, and downloaded as any other'),
    ],
    [
      'content.raw_uri',
      'Raw data from a URL are printed.',
      agents('a job of raw_uri is pushed once its document is fetched, and downloaded as any other'),
    ],
    [
      'content.marker',
      'A `pdf_base64` that does not begin with `%PDF-` is 422 `invalid_content`.',
      refused('the document is no PDF'),
      refusedByGateway('the document is shorter than the marker'),
    ],
    ['content.raw.no-marker', 'Raw data need no marker.', creation('raw data is whatever it is')],
    [
      'content.pdf_base64.25MB',
      'A PDF of 26,214,400 bytes is accepted.',
      wholeJob('a PDF for the virtual laser printer > may have exactly 25 MB'),
    ],
    [
      'content.pdf_base64.25MB+1',
      'A PDF of 26,214,401 bytes is 413 `content_too_large`.',
      refused('the document has 25 MB + 1 byte'),
    ],
    [
      'content.raw_base64.25MB',
      'Raw data of 26,214,400 bytes are accepted.',
      creation('size > 25 MB of raw_base64 are accepted'),
    ],
    [
      'content.raw_base64.25MB+1',
      'Raw data of 26,214,401 bytes are 413 `content_too_large`.',
      creation('size > 25 MB + 1 byte of raw_base64 are a 413, and nothing is stored'),
    ],
    ['content.raw.options', 'Raw jobs ignore options.', judges('raw jobs ignore options, without a warning')],
    [
      'reprint',
      'A reprint prints the stored file of the earlier job.',
      wholeFetch('a reprint is printed from the stored document of its original'),
    ],
    [
      'reprint.7-days',
      'A job of just under 7 days can be reprinted.',
      withoutUpload('a reprint > can be made for 7 days, and is file_expired from then on'),
    ],
    [
      'reprint.expired',
      'After 7 days a reprint is 410 `file_expired`.',
      withoutUpload('a reprint > can be made for 7 days, and is file_expired from then on'),
    ],
    [
      'create.mode-mismatch',
      "A printer of the organization's other mode is 422 `mode_mismatch`.",
      refused("the printer is of the organization's other mode"),
    ],
    ['create.daily-cap', 'Past the daily cap a test job is 429 `test_mode_daily_cap`.', DAILY_CAP],
  ]),
  ...entries('decisions: Conventions everywhere', [
    ['create.source.0', 'An empty `source` is a 400.', request('limits > source must not be ')],
    ['create.source.1', 'A `source` of 1 character is accepted.', accepted('source may be a')],
    ['create.source.255', 'A `source` of 255 characters is accepted.', accepted(`source may be ${'a'.repeat(255)}`)],
    ['create.source.256', 'A `source` of 256 characters is a 400.', accepted(`source must not be ${'a'.repeat(256)}`)],
  ]),
  ...entries('decisions: Jobs', [
    [
      'content.base64.alphabet',
      'A character that is not of standard base64 is 422 `invalid_content`.',
      refused('the base64 has a character that is none'),
    ],
    [
      'content.base64.white-space',
      'White space in base64 is 422 `invalid_content`.',
      refused('the base64 has a line break'),
    ],
    ['content.base64.url-safe', 'URL-safe base64 is 422 `invalid_content`.', refused('the base64 is URL-safe base64')],
    [
      'content.base64.padding',
      'Base64 that is cut off is 422 `invalid_content`.',
      refused('the base64 is cut off'),
      refusedByGateway('content is cut off'),
    ],
    [
      'create.printer-offline',
      'A job for a printer that is offline is accepted and waits.',
      creation('a job for a printer that is offline is accepted'),
    ],
    [
      'create.printer-unknown',
      'A job for a printer whose computer is offline is accepted and waits.',
      creation('a job for a printer that is unknown is accepted'),
      agents('a job that waits for its computer goes out at the hello'),
    ],
    [
      'reprint.no-file',
      'A reprint of a job whose fetch failed is 410 `file_expired`.',
      fetches('a reprint > of a job whose fetch failed is file_expired'),
    ],
    [
      'reprint.own-copy',
      "A reprint's own file is kept 7 days from the reprint.",
      documents('in a store of the kind file > a reprint lives as long as it may by itself, and its document with it'),
    ],
    ['file.kept', 'The stored file is kept 7 days from the creation of the job.', ...KEPT_AND_DELETED],
    ['file.deleted', 'Then the stored file is deleted.', ...KEPT_AND_DELETED],
  ]),
]
