/** The fields of `POST /v1/printjobs`. Reference: docs/reference/print-jobs.md#creation. */
import type { JsonObject } from '@bufbuild/protobuf'
import { integer } from '@platen/resources/fields.ts'
import { DESTINATION_LIMITS, METADATA, PRINT_JOB_LIMITS, PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { METADATA_PAIRS } from '@platen/resources/metadata.ts'
import { CONTENT_TYPES } from '@platen/resources/print-job-schema.ts'
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { idOrNumber } from '../../request/id-or-number.ts'
import { parseRequest } from '../../request/invalid-request.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { time } from '../../request/time.ts'
import { AUTHENTICATION } from './authentication.ts'

export type ContentType = (typeof CONTENT_TYPES)[number]
export type UriContentType = Extract<ContentType, `${string}_uri`>
const CONTENT_TYPE_RULE = 'must be `pdf_base64`, `image_base64`, `raw_base64`, `pdf_uri`, `image_uri` or `raw_uri`'
const CONTENT_RULE = 'must be base64 text or a URL'
const UUID = z.guid('must be a UUID').toLowerCase()

/** False for a reprint, whose content type only jobs can determine, by its original. */
export const isRaw = (document: PrintJobRequest['document']): boolean =>
  'contentType' in document && document.contentType.startsWith('raw_')
export const isUri = (contentType: unknown): contentType is UriContentType =>
  CONTENT_TYPES.some((one) => one === contentType && one.endsWith('_uri'))

const { titleLengthMax, sourceLengthMax, qty, expireAfterSeconds } = PRINT_JOB_LIMITS

const numberToText = (value: unknown) => (typeof value === 'number' ? String(value) : value)

export const PRINT_JOB_FIELDS = jsonBody({
  printerId: UUID.optional().meta({
    description:
      'The id of the printer, which must be enabled and have the mode of the key. Send it, `printer` or `destination`.',
  }),
  printer: z.preprocess(numberToText, shortText(PRINTER_LIMITS.displayNameLengthMax)).optional().meta({
    description:
      'The name or the `number` of the printer, in place of `printerId`. A name that several printers have is refused.',
  }),
  destination: z.preprocess(numberToText, shortText(DESTINATION_LIMITS.nameLengthMax)).optional().meta({
    description:
      'The id, the name or the `number` of a destination, one of whose printers takes the job, in place of `printerId`.',
  }),
  title: shortText(titleLengthMax).meta({
    description:
      'The name of the job. In test mode `[fail]`, `[not-printed]`, `[out-of-paper]`, `[offline]`, `[slow]` or `[expire]` in it chooses the outcome.',
  }),
  contentType: z.enum(CONTENT_TYPES, CONTENT_TYPE_RULE).optional().meta({
    description:
      'The form of `content`: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP) or raw data for the printer, at a URL or as base64.',
  }),
  /** The scanned body only has a stand-in: see `request/content-scanner.ts`. */
  content: z.string(CONTENT_RULE).min(1, 'must not be empty').optional().meta({
    description:
      'The document: standard base64 of at most 25 MB decoded, or an `http` or `https` URL of at most 2048 characters that leads to a public address, at port 80 or 443, without redirects. It is fetched once, within 30 seconds.',
  }),
  reprintOf: z
    .preprocess(
      numberToText,
      idOrNumber('The earlier job whose stored document is printed again. Documents are stored for 7 days.'),
    )
    .optional(),
  authentication: AUTHENTICATION.optional().meta({
    description:
      'The credentials for a URL that requires a password. They are stored until the document is fetched, for an hour at most, and are never part of the job.',
  }),
  source: shortText(sourceLengthMax)
    .default('api')
    .meta({ description: 'The system that creates the job, for your own reports.' }),
  qty: integer(qty).default(qty.default).meta({
    description:
      'The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.',
  }),
  expireAfter: integer(expireAfterSeconds)
    .optional()
    .meta({
      description: `The number of seconds that the job can wait for its agent before it becomes \`expired\`. The default is that of the destination, or \`defaultExpireAfter\` of the printer, or ${expireAfterSeconds.default}.`,
    }),
  hold: z.boolean('must be a boolean').default(false).meta({
    description: 'True holds the job until `POST /v1/printjobs/{id}/release`. It expires as others do.',
  }),
  notBefore: time()
    .optional()
    .meta({
      description: `The time before which the job is not printed, at most ${PRINT_JOB_LIMITS.notBeforeDays} days ahead. \`expireAfter\` counts from it.`,
    }),
  retain: z.boolean('must be a boolean').optional().meta({
    description:
      'False deletes the document as soon as the job has ended, so that the job cannot be reprinted. The default is true, unless the organization has changed it.',
  }),
  options: PRINT_OPTIONS.optional().meta({ description: 'The print options.' }),
  metadata: METADATA_PAIRS.default({}).meta({
    description: `Up to ${METADATA.pairsMax} pairs of a name (letters, digits, \`_\`, \`.\` and \`-\`) and a text, for example the number of an order. Lists and searches find jobs by them. They cannot be changed. Do not store secrets in them.`,
  }),
})

/** The parts of a form: see `read-form.ts`, which gives them the form of the fields above. */
export const PRINT_JOB_FORM = z
  .strictObject({
    ...PRINT_JOB_FIELDS.shape,
    title: PRINT_JOB_FIELDS.shape.title.optional().meta({
      description: 'As in a JSON body. The default is the name of `file`.',
    }),
    file: z.string().optional().meta({
      description: 'The document, at most 25 MB.',
      format: 'binary',
    }),
    contentType: z.enum(['pdf', 'image', 'raw', 'pdf_uri', 'image_uri', 'raw_uri']).optional().meta({
      description:
        'Format of `file`, or of the document at the URL in `content`. Without it the first bytes of `file` decide: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP), or raw data in a language of printers that is recognized. Any other file is refused; `raw` sends it to the printer unchanged.',
    }),
    content: z.string().optional().meta({ description: 'URL of the document, as in a JSON body.' }),
  })
  .meta({
    id: 'PrintJobForm',
    description: 'A print job as a form. Send one of `file`, `content` with `contentType`, and `reprintOf`.',
  })

type Fields = z.infer<typeof PRINT_JOB_FIELDS>

/**
 * Requires either content or an earlier job, and permits credentials only for a fetch. The OpenAPI document has these
 * rules as text, because generators of clients lose the fields of a schema with alternatives.
 */
const checkForm = (requiresContent: boolean) => (fields: Fields, context: z.RefinementCtx) => {
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
  const { printerId, printer, destination, contentType, content, reprintOf, authentication } = fields
  const [target, other] = Object.entries({ printerId, printer, destination })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (target === undefined) refuse('Missing: `printerId`, `printer` or `destination`')
  else if (other !== undefined) refuse(`cannot be combined with \`${target}\``, other)
  if (reprintOf !== undefined && (contentType !== undefined || content !== undefined))
    refuse('cannot be combined with `contentType` or `content`', 'reprintOf')
  else if (reprintOf === undefined && contentType === undefined && content === undefined)
    refuse('Missing: the document. Send either `contentType` with `content`, a form with `file`, or `reprintOf`')
  else if (reprintOf === undefined && contentType === undefined) refuse(CONTENT_TYPE_RULE, 'contentType')
  else if (requiresContent && reprintOf === undefined && content === undefined)
    refuse(`${CONTENT_RULE}, or the document must be the part \`file\` of a form`, 'content')
  if (authentication && !isUri(contentType))
    refuse('is only for a `contentType` that ends with `_uri`', 'authentication')
}

// The rules apply if fields are missing or have another type, too, so that one response names all errors.
const WHEN_OBJECT = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

export const PRINT_JOB = PRINT_JOB_FIELDS.superRefine(checkForm(true), WHEN_OBJECT).meta({
  id: 'PrintJobRequest',
  description:
    'A document for one printer. Send one of `printerId`, `printer` and `destination`, and either `contentType` and `content`, or `reprintOf`.',
})

/** A print job without its document. */
export const PRINT_JOB_CHECK = PRINT_JOB_FIELDS.superRefine(checkForm(false), WHEN_OBJECT).meta({
  id: 'PrintJobValidationRequest',
  description: 'A print job whose `content` can be left out. Send either `contentType` or `reprintOf`.',
})

export type Authentication = z.infer<typeof AUTHENTICATION>

export type PrintJobRequest = Omit<Fields, 'contentType' | 'content' | 'reprintOf' | 'authentication' | 'options'> & {
  options: JsonObject
  document: { contentType: ContentType; authentication: Authentication | undefined } | { reprintOf: string }
}

/**
 * @param fields of the body, parsed, with a stand-in for the document.
 * @throws ApiError `invalid_request` that names the fields and their rules.
 */
export const parsePrintJob = (fields: unknown): PrintJobRequest =>
  toPrintJobRequest(parseRequest(PRINT_JOB, fields, 'field'))

export function toPrintJobRequest(fields: Fields): PrintJobRequest {
  const { contentType, content: _, reprintOf, authentication, options, ...rest } = fields
  const document = reprintOf === undefined ? { contentType: contentType as ContentType, authentication } : { reprintOf }
  return { ...rest, options: (options ?? {}) as JsonObject, document }
}
