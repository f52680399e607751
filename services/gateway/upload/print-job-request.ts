/** The fields of `POST /v1/printjobs`. Source: specification, "Print jobs". */
import type { JsonObject } from '@bufbuild/protobuf'
import { z } from 'zod'
import { integer } from '../request/integer.ts'
import { invalidRequest } from '../request/invalid-request.ts'
import { PRINT_OPTIONS } from './print-options.ts'
import { shortText } from './text.ts'

const CONTENT_TYPES = ['pdf_base64', 'raw_base64'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

export const PRINT_JOB = z.strictObject(
  {
    printerId: z.guid('must be a UUID').toLowerCase(),
    title: shortText(255),
    contentType: z.enum(CONTENT_TYPES, 'must be `pdf_base64` or `raw_base64`'),
    /** Here it is only a stand-in: see `content-scanner.ts`. */
    content: z.string('must be base64 text').min(1, 'must not be empty'),
    source: shortText(255).default('api'),
    qty: integer(1, 100).default(1),
    expireAfter: integer(60, 604_800).default(86_400),
    options: PRINT_OPTIONS.default({}),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
)

export type PrintJobRequest = Omit<z.infer<typeof PRINT_JOB>, 'content' | 'options'> & { options: JsonObject }

/**
 * @param fields of the body, parsed, with a stand-in for the document.
 * @throws ApiError `invalid_request` that names the fields and their rules.
 */
export function parsePrintJob(fields: unknown): PrintJobRequest {
  const parsed = PRINT_JOB.safeParse(fields)
  if (!parsed.success) throw invalidRequest(parsed.error)
  return { ...parsed.data, options: parsed.data.options as JsonObject }
}
