/** The documentation of every error code. Reference: docs/reference/errors.md#codes. */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { DOCUMENT_MAX_BYTES, REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { HEADERS } from './headers.ts'

/** When a response has this code. Also the message of its example. */
export const MEANINGS: Record<ErrorCode, string> = {
  invalid_request:
    'The request is invalid: malformed JSON, a missing or unknown field or parameter, or a value out of range.',
  unauthorized: 'The credentials are missing or invalid, the API key has expired, or the session has ended.',
  sign_in_failed: 'The sign-in code is wrong or has expired. Dashboard sign-in only.',
  quota_exceeded: `The plan permits no more prints or computers in this period, or the organization has as many bytes of stored documents as it can (by default ${BUDGETS.storedBytes.max / 1024 ** 3} GiB). \`upgrade_url\` offers a larger plan.`,
  insufficient_scope: 'The key lacks the scope that the operation requires.',
  forbidden: 'The operation is not permitted on this resource, or not to the role of the user.',
  recent_sign_in_required: 'The operation needs a sign-in within the last hour. Dashboard sessions only.',
  organization_suspended: 'The organization is suspended. Ask the operator of the service.',
  not_found: 'The path or the resource does not exist, or belongs to another organization or mode.',
  method_not_allowed: 'The path does not support the method. `Allow` lists the supported methods.',
  request_timeout: 'The request arrives too slowly. Send it again.',
  idempotency_in_progress:
    'The first request with this `Idempotency-Key` is still being processed. Send the same request again after `Retry-After`.',
  not_cancellable: 'The agent has received the job, or the job has ended.',
  endpoint_disabled: 'The webhook endpoint is disabled.',
  limit_reached: 'The organization has the largest permitted number of these resources.',
  command_failed:
    'The computer is offline, its agent is too old, or the agent could not execute the command. Dashboard sessions only.',
  last_owner: 'The organization would have no owner. Dashboard sessions only.',
  cursor_expired:
    'Events after the cursor are no longer stored. Get a new cursor with `after=now`, then read the present state of the resources, and follow from the cursor.',
  file_expired:
    'The document is no longer stored. Documents are stored for 7 days, or until their job has ended if its `retain` is false.',
  content_too_large: `The document is larger than 25 MB (${DOCUMENT_MAX_BYTES.toLocaleString('en')} bytes), or the body exceeds the limit of the operation.`,
  unsupported_media_type:
    'The body is not uncompressed `application/json` in UTF-8, nor `multipart/form-data` where the operation accepts it.',
  invalid_content:
    'The document does not match `contentType`: it is not standard base64 (line breaks are permitted), not a PDF, or not an image.',
  invalid_content_url:
    'The URL of the document is not permitted: its scheme, port, length or address, or the host does not resolve.',
  printer_disabled: 'The printer is disabled.',
  mode_mismatch: 'The key has the wrong mode.',
  idempotency_key_reused: 'This `Idempotency-Key` was used with another body.',
  invalid_url: 'The URL of the webhook endpoint is not permitted.',
  rate_limited: `The key made more than ${REQUESTS_PER_SECOND} requests in a second, or all keys of the organization more than ${BUDGETS.keyRequests.max}, or too many uploads, waiting requests or other work run at once, or the organization has as many unfinished jobs as it can (by default ${BUDGETS.unfinishedJobs.max.toLocaleString('en')}) or created as many live jobs within 24 hours (by default ${BUDGETS.jobsPerDay.max.toLocaleString('en')}). Wait for \`Retry-After\`.`,
  test_mode_daily_cap: `The organization has used all test jobs of this UTC day: \`testJobsToday.limit\` of \`GET /v1/usage\`. \`Retry-After\` is the time until the next day.`,
  internal_error: 'The service has a defect. Try again with backoff.',
  service_unavailable: 'A part of the service does not answer. Try again with backoff.',
  storage_unavailable: 'The document store cannot be used. Try again with backoff.',
}

export const ERROR_CODES = Object.keys(MEANINGS) as ErrorCode[]

export const getStatus = (code: ErrorCode): number => new ApiError(code, '').status

const requestId = HEADERS['X-Request-Id'].example
const UPGRADE_URL = 'https://platen.example/billing'

/** Reference: docs/reference/errors.md#envelope. */
export const ERROR = z
  .object({
    error: z
      .object({
        code: z.string().meta({
          description: 'The error code, for programs. A code never changes its meaning.',
          example: 'not_found',
        }),
        message: z.string().meta({
          description: 'The cause and what to do, for people. The wording can change.',
          example: MEANINGS.not_found,
        }),
        request_id: z.string().meta({
          description: 'The id of the request, as in the header `X-Request-Id`. Include it in a request for support.',
          example: requestId,
        }),
        upgrade_url: z.url().optional().meta({
          description: 'The address of a billing page. Only with `quota_exceeded`.',
        }),
      })
      .meta({ id: 'ErrorDetail', description: 'The failure.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' })

/** The body of a response with one of these codes. */
export function errorContent(codes: readonly ErrorCode[]) {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }]))
  return { schema: { $ref: '#/components/schemas/Error' }, examples }
}

function errorExample(code: ErrorCode) {
  const error = { code, message: MEANINGS[code], request_id: requestId }
  return { error: code === 'quota_exceeded' ? { ...error, upgrade_url: UPGRADE_URL } : error }
}
