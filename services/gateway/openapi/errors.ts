/** The documentation of every error code. Reference: docs/reference/errors.md#codes. */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { DOCUMENT_MAX_BYTES, REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'
import type { ErrorCode } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { errorEnvelope } from '../error-envelope.ts'
import { HEADERS } from './headers.ts'

/**
 * The causes of a code that has several, each with the rule of `docs/` whose test provokes it. `test/tools/rules.ts`
 * requires these tests.
 */
export const CAUSES = {
  invalid_request: {
    'malformed JSON': 'error.400.bad-json',
    'a missing field': 'create.title.missing',
    'an unknown field': 'convention.unknown-field',
    'an unknown parameter': 'convention.unknown-parameter',
    'a value out of range': 'create.qty.101',
  },
  unauthorized: {
    'the credentials are missing': 'auth.missing',
    'the credentials are invalid': 'auth.invalid',
    'the API key has expired': 'auth.key.expires',
    'the session has ended': 'session.end',
  },
  quota_exceeded: {
    'no more prints in this period': 'usage.prints.limit',
    'no more computers': 'enrollment.computers.limit',
    [`no more stored documents (by default ${BUDGETS.storedBytes.max / 1024 ** 3} GiB)`]: 'stored.n-plus-1',
  },
  forbidden: { 'on this resource': 'computer.delete.virtual', 'to the role of the user': 'roles.cancel' },
  not_found: {
    'the path does not exist': 'convention.unknown-path',
    'the resource does not exist': 'print-job.get.404',
    'it belongs to another organization': 'tenant.other-organization.print-job',
    'it belongs to another mode': 'tenant.other-mode.print-job',
  },
  not_cancellable: {
    'the agent has received the job': 'no-edge.received.cancel',
    'the job has ended': 'print-job.cancel.done',
  },
  command_failed: {
    'the computer is offline': 'command.offline',
    'its agent is too old': 'command.unknown',
    'the agent could not execute the command': 'command.refused',
  },
  file_expired: {
    'documents are stored for 7 days': 'reprint.expired',
    'only until their job has ended if its `retain` is false': 'retain.reprint',
  },
  content_too_large: {
    [`the document is larger than 25 MB (${DOCUMENT_MAX_BYTES.toLocaleString('en')} bytes)`]:
      'content.pdf_base64.25MB-plus-1',
    'the body exceeds the limit of the operation': 'convention.body-limit',
  },
  invalid_content: {
    'it is not standard base64 (line breaks are permitted)': 'content.base64.cause',
    'it is not a PDF': 'content.marker',
    'it is not an image': 'content.image_base64',
  },
  invalid_content_url: {
    'its scheme': 'url.scheme',
    'its port': 'url.port.other',
    'its length': 'url.2049',
    'its user or password, which belong in `authentication`': 'url.user-info',
    'its address, which is not public': 'url.private',
    'its host, which does not resolve': 'url.unresolvable',
  },
  rate_limited: {
    [`more than ${REQUESTS_PER_SECOND} requests of the key in a second`]: 'rate-limit.21',
    [`more than ${BUDGETS.keyRequests.max} of all keys of the organization`]: 'rate-limit.organization.201',
    'too many uploads at once': 'uploads.11',
    'too many waiting requests at once': 'polls.11',
    'too much other work at once': 'work.41',
    [`as many unfinished jobs as the organization can have (by default ${BUDGETS.unfinishedJobs.max.toLocaleString('en')})`]:
      'unfinished.n-plus-1',
    [`as many live jobs within 24 hours as it can create (by default ${BUDGETS.jobsPerDay.max.toLocaleString('en')})`]:
      'live-jobs.n-plus-1',
  },
} satisfies Partial<Record<ErrorCode, Record<string, string>>>

/** `a, b, or c` */
function listCauses(code: keyof typeof CAUSES): string {
  const causes = Object.keys(CAUSES[code])
  return [...causes.slice(0, -1), `or ${causes.at(-1)}`].join(causes.length > 2 ? ', ' : ' ')
}

/** When a response has this code. Also the message of its example. */
export const MEANINGS: Record<ErrorCode, string> = {
  invalid_request: `The request is invalid: ${listCauses('invalid_request')}.`,
  unauthorized: `No valid credential: ${listCauses('unauthorized')}.`,
  sign_in_failed: 'The sign-in code is wrong or has expired. Dashboard sign-in only.',
  quota_exceeded: `The plan permits ${listCauses('quota_exceeded')}. \`upgrade_url\` offers a larger plan.`,
  insufficient_scope: 'The key lacks the scope that the operation requires.',
  forbidden: `The operation is not permitted ${listCauses('forbidden')}.`,
  recent_sign_in_required: 'The operation needs a sign-in within the last hour. Dashboard sessions only.',
  organization_suspended: 'The organization is suspended. Ask the operator of the service.',
  not_found: `Not found: ${listCauses('not_found')}.`,
  method_not_allowed: 'The path does not support the method. `Allow` lists the supported methods.',
  request_timeout: 'The request arrives too slowly. Send it again.',
  idempotency_in_progress:
    'The first request with this `Idempotency-Key` is still being processed. Send the same request again after `Retry-After`.',
  not_cancellable: `The job cannot be cancelled: ${listCauses('not_cancellable')}.`,
  destination_in_use: 'Jobs wait for the destination. `waitingJobs=end` ends them.',
  endpoint_disabled: 'The webhook endpoint is disabled.',
  limit_reached: 'The organization has the largest permitted number of these resources.',
  command_failed: `The command failed: ${listCauses('command_failed')}. Dashboard sessions only.`,
  last_owner: 'The organization would have no owner. Dashboard sessions only.',
  cursor_expired:
    'Events after the cursor are no longer stored. Get a new cursor with `after=now`, then read the present state of the resources, and follow from the cursor.',
  file_expired: `The document is no longer stored: ${listCauses('file_expired')}.`,
  content_too_large: `Too large: ${listCauses('content_too_large')}.`,
  unsupported_media_type:
    'The body is not uncompressed `application/json` in UTF-8, nor `multipart/form-data` where the operation accepts it.',
  invalid_content: `The document does not match \`contentType\`: ${listCauses('invalid_content')}.`,
  invalid_content_url: `The URL of the document is not permitted because of ${listCauses('invalid_content_url')}.`,
  printer_disabled: 'The printer is disabled.',
  destination_disabled: 'The destination is disabled.',
  mode_mismatch: 'The key has the wrong mode.',
  idempotency_key_reused: 'This `Idempotency-Key` was used with another body.',
  invalid_url: 'The URL of the webhook endpoint is not permitted.',
  rate_limited: `Too much at once: ${listCauses('rate_limited')}. Wait for \`Retry-After\`.`,
  test_mode_daily_cap: `The organization has used all test jobs of this UTC day: \`testJobsToday.limit\` of \`GET /v1/usage\`. \`Retry-After\` is the time until the next day.`,
  internal_error: 'The service has a defect. Try again with backoff.',
  service_unavailable: 'A part of the service does not answer. Try again with backoff.',
  storage_unavailable: 'The document store cannot be used. Try again with backoff.',
}

export const ERROR_CODES = Object.keys(MEANINGS) as ErrorCode[]

const requestId = HEADERS['X-Request-Id'].example
const EXAMPLE_ADDRESS = 'https://print.example.com'
const UPGRADE_URL = 'https://platen.example/billing'

const toExample = (code: ErrorCode) =>
  errorEnvelope(
    { code, message: MEANINGS[code], param: undefined },
    { requestId, publicUrl: EXAMPLE_ADDRESS, upgradeUrl: UPGRADE_URL },
  )

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
        param: z.string().optional().meta({
          description:
            'The field (`customPapers[0].name`), query parameter or header that is the cause. Missing if there is not exactly one; of several wrong ones it is the first.',
        }),
        doc_url: z.string().meta({
          description:
            'The address of the code in the documentation of this installation. Without `PLATEN_PUBLIC_URL` it is relative to the address of the request.',
          example: toExample('not_found').error.doc_url,
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
  const examples = Object.fromEntries(codes.map((code) => [code, { value: toExample(code) }]))
  return { schema: { $ref: '#/components/schemas/Error' }, examples }
}
