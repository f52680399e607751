import type { IncomingMessage } from 'node:http'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'

/** What every client and proxy sends unchanged; other bytes of a header have no one meaning. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/**
 * The header `Idempotency-Key`. Reference: docs/reference/idempotency.md#keys.
 *
 * @returns undefined without the header.
 * @throws ApiError `invalid_request` when it is empty, too long, given twice or not printable ASCII. The key itself is not repeated: it
 *   may tell something about the caller's customer.
 */
export function idempotencyKey({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['idempotency-key'] ?? []
  if (values.length > 1) throw refuse('was sent more than once')
  const [key] = values
  if (key === undefined) return undefined
  if (key === '') throw refuse('is empty')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) throw refuse(`is longer than ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  if (!PRINTABLE_ASCII.test(key)) throw refuse('has characters that are not printable ASCII')
  return key
}

function refuse(fault: string): ApiError {
  return new ApiError(
    'invalid_request',
    `The header \`Idempotency-Key\` ${fault}. Send it once, with 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
  )
}
