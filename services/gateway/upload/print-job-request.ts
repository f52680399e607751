/** The fields of `POST /v1/printjobs`. Reference: docs/reference/print-jobs.md#creation. */
import type { JsonObject } from '@bufbuild/protobuf'
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { integer } from '../request/integer.ts'
import { invalidRequest } from '../request/invalid-request.ts'
import { AUTHENTICATION } from './authentication.ts'

const CONTENT_TYPES = ['pdf_base64', 'raw_base64', 'pdf_uri', 'raw_uri'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]
export type UriContentType = Extract<ContentType, `${string}_uri`>
const CONTENT_TYPE_RULE = 'must be `pdf_base64`, `raw_base64`, `pdf_uri` or `raw_uri`'
const CONTENT_RULE = 'must be base64 text or a URL'
const UUID = z.guid('must be a UUID').toLowerCase()

/** That of a reprint is not known before jobs has looked at its original. */
export const isRaw = (document: PrintJobRequest['document']): boolean =>
  'contentType' in document && document.contentType.startsWith('raw_')
export const isUri = (contentType: ContentType): contentType is UriContentType => contentType.endsWith('_uri')

export const PRINT_JOB_FIELDS = z.strictObject(
  {
    printerId: UUID,
    title: shortText(255),
    contentType: z.enum(CONTENT_TYPES, CONTENT_TYPE_RULE).optional(),
    /** Here it is only a stand-in: see `content-scanner.ts`. */
    content: z.string(CONTENT_RULE).min(1, 'must not be empty').optional(),
    reprintOf: UUID.optional(),
    authentication: AUTHENTICATION.optional(),
    source: shortText(255).default('api'),
    qty: integer(1, 100).default(1),
    expireAfter: integer(60, 604_800).default(86_400),
    options: PRINT_OPTIONS.default({}),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
)

type Fields = z.infer<typeof PRINT_JOB_FIELDS>

/** The same as JSON Schema, which knows nothing of refinements. */
const anyOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) })
const FORMS = [
  { required: ['contentType', 'content'], not: anyOf('reprintOf') },
  { required: ['reprintOf'], not: anyOf('contentType', 'content', 'authentication') },
]

/** Either content or an earlier job, and credentials only for what is fetched. */
export const PRINT_JOB = PRINT_JOB_FIELDS.superRefine((fields, context) => {
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
  const { contentType, content, reprintOf, authentication } = fields
  if (reprintOf !== undefined && (contentType !== undefined || content !== undefined))
    refuse('must not stand beside `contentType` and `content`', 'reprintOf')
  else if (reprintOf === undefined && contentType === undefined && content === undefined)
    refuse('Send either `contentType` and `content`, or `reprintOf`')
  else if (reprintOf === undefined && contentType === undefined) refuse(CONTENT_TYPE_RULE, 'contentType')
  else if (reprintOf === undefined && content === undefined) refuse(CONTENT_RULE, 'content')
  if (authentication && !(contentType && isUri(contentType)))
    refuse('is for `pdf_uri` and `raw_uri` alone', 'authentication')
}).meta({ oneOf: FORMS })

export type Authentication = z.infer<typeof AUTHENTICATION>

export type PrintJobRequest = Omit<Fields, 'contentType' | 'content' | 'reprintOf' | 'authentication' | 'options'> & {
  options: JsonObject
  document: { contentType: ContentType; authentication: Authentication | undefined } | { reprintOf: string }
}

/**
 * @param fields of the body, parsed, with a stand-in for the document.
 * @throws ApiError `invalid_request` that names the fields and their rules.
 */
export function parsePrintJob(fields: unknown): PrintJobRequest {
  const parsed = PRINT_JOB.safeParse(fields)
  if (!parsed.success) throw invalidRequest(parsed.error)
  const { contentType, content: _, reprintOf, authentication, options, ...rest } = parsed.data
  const document = reprintOf === undefined ? { contentType: contentType as ContentType, authentication } : { reprintOf }
  return { ...rest, options: options as JsonObject, document }
}
