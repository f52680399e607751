/** The documentation of every error code. Reference: docs/reference/errors.md#codes. */
import { DOCUMENT_MAX_BYTES, REQUESTS_PER_SECOND, TEST_JOBS_PER_DAY } from '@platen/resources/limits.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { HEADERS } from './headers.ts'

interface Explanation {
  /** When it is answered. */
  meaning: string
  /** The message of the example. */
  example: string
}

/** Each code that the services can answer has to be here, or this does not compile. */
const ERRORS = {
  invalid_request: {
    meaning:
      'The request cannot be understood: bad JSON, a missing or unknown field or parameter, a value out of range.',
    example: '`qty`: must be an integer from 1 to 100.',
  },
  unauthorized: {
    meaning: 'There is no valid API key in the request.',
    example: 'Send a valid API key: `Authorization: Bearer <API_KEY>`, or HTTP Basic with the key as the user name.',
  },
  quota_exceeded: {
    meaning: 'The plan has no more prints, or computers, in this period. `upgrade_url` leads to a larger one.',
    example: 'All prints of this period are used.',
  },
  insufficient_scope: {
    meaning: 'The key lacks the scope that the operation needs.',
    example: 'This needs an API key with the scope `print`.',
  },
  forbidden: {
    meaning: 'It is not allowed to this user, or to anybody.',
    example: 'The virtual test computer cannot be deleted.',
  },
  not_found: {
    meaning: 'Nothing has this id, or it is of another organization or mode.',
    example: 'There is no printer with this id.',
  },
  method_not_allowed: {
    meaning: 'The path does not take this method. `Allow` names those that it takes.',
    example: 'This path takes only HEAD, GET.',
  },
  request_timeout: {
    meaning: 'The request takes too long to arrive.',
    example: 'The body took too long to arrive. Send it faster, or in one go.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` is still being served. Try again in a moment.',
    example: 'A request with this `Idempotency-Key` is still being served.',
  },
  not_cancellable: {
    meaning: 'The agent has received the job already, or the job is over.',
    example: 'The agent has received this job already; it cannot be cancelled.',
  },
  endpoint_disabled: {
    meaning: 'The webhook endpoint is disabled.',
    example: 'This endpoint is disabled. Enable it first.',
  },
  limit_reached: {
    meaning: 'There are as many of these as there may be.',
    example: 'There are 20 endpoints already. Delete one first.',
  },
  file_expired: {
    meaning: 'The stored document of the earlier job is gone: it is kept for 7 days.',
    example: 'The document of this job is no longer stored. Send it again.',
  },
  content_too_large: {
    meaning: `The document is larger than 25 MB (${DOCUMENT_MAX_BYTES.toLocaleString('en')} bytes), or the body is larger than the operation takes.`,
    example: `The document is larger than ${DOCUMENT_MAX_BYTES} bytes.`,
  },
  unsupported_media_type: {
    meaning: 'The body is not sent as `application/json` in UTF-8, or it is compressed.',
    example: 'Send the body as `Content-Type: application/json`, in UTF-8.',
  },
  invalid_content: {
    meaning: 'The document is not what `contentType` says: no strict base64, or no PDF.',
    example: 'The document does not begin with `%PDF-`.',
  },
  invalid_content_url: {
    meaning:
      'The document may not be fetched from this URL: another scheme or port, too long, a private address, an unknown host.',
    example: 'The host of this URL has no public address.',
  },
  printer_disabled: {
    meaning: 'The printer is disabled.',
    example: 'This printer is disabled. Enable it, or choose another one.',
  },
  mode_mismatch: {
    meaning: 'A test key cannot do this in live mode, nor a live key in test mode.',
    example: 'This printer takes jobs from live keys only; this is a test key.',
  },
  idempotency_key_reused: {
    meaning: 'This `Idempotency-Key` was sent before with another body.',
    example: 'This `Idempotency-Key` was sent before with another body.',
  },
  invalid_url: {
    meaning: 'Webhooks may not be delivered to this URL.',
    example: 'The host of this URL has no public address.',
  },
  rate_limited: {
    meaning: `More than ${REQUESTS_PER_SECOND} requests in a second with one key. Wait for \`Retry-After\`.`,
    example: `More than ${REQUESTS_PER_SECOND} requests in a second. Try again in 1 s.`,
  },
  test_mode_daily_cap: {
    meaning: `All test jobs of this UTC day, ${TEST_JOBS_PER_DAY}, are used. \`Retry-After\` reaches to the next one.`,
    example: `All ${TEST_JOBS_PER_DAY} test jobs of today are used.`,
  },
  internal_error: {
    meaning: 'A defect on our side. Try again with backoff.',
    example: 'Something went wrong on our side. Try again in a moment.',
  },
  service_unavailable: {
    meaning: 'A part of the service does not answer. Try again with backoff.',
    example: 'A part of the service is not answering. Try again in a moment.',
  },
  storage_unavailable: {
    meaning: 'Documents cannot be stored now. Try again with backoff.',
    example: 'Documents cannot be stored at the moment. Try again.',
  },
} satisfies Record<ErrorCode, Explanation>

/** Every code. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

export const explanation = (code: ErrorCode): string => ERRORS[code].meaning
export const statusOf = (code: ErrorCode): number => new ApiError(code, '').status

const requestId = HEADERS['X-Request-Id'].example
const UPGRADE_URL = 'https://platen.example/billing'

/** Reference: docs/reference/errors.md#envelope. */
export const ERROR = z
  .object({
    error: z
      .object({
        code: z.string().meta({
          description: 'What went wrong, for programs. A code never changes its meaning.',
          example: 'not_found',
        }),
        message: z.string().meta({
          description: 'What went wrong and what to do, for people. The wording may change.',
          example: ERRORS.not_found.example,
        }),
        request_id: z.string().meta({
          description: 'Equals the header `X-Request-Id`. Name it when you ask for help.',
          example: requestId,
        }),
        upgrade_url: z.url().optional().meta({
          description: 'Where to get a larger plan. Only with `quota_exceeded`.',
        }),
      })
      .meta({ description: 'The failure.' }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not a success.' })

/** The body of an answer with one of these codes. */
export function errorContent(codes: readonly ErrorCode[]) {
  // Else validators take the fields that are not named here for unknown ones.
  const open = { additionalProperties: true }
  const upgrade = { required: ['upgrade_url'], properties: { upgrade_url: { type: 'string', format: 'uri' } } }
  const { properties, ...required } = codes.includes('quota_exceeded') ? upgrade : { properties: {} }
  const error = { ...open, ...required, properties: { code: { enum: codes }, ...properties } }
  const schema = { $ref: '#/components/schemas/Error', ...open, properties: { error } }
  return { schema, examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])) }
}

function errorExample(code: ErrorCode) {
  const error = { code, message: ERRORS[code].example, request_id: requestId }
  return { error: code === 'quota_exceeded' ? { ...error, upgrade_url: UPGRADE_URL } : error }
}
