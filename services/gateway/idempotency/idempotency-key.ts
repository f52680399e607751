import type { IncomingMessage } from 'node:http'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'

/** Every client and proxy sends these characters unchanged. The meaning of other bytes in a header varies. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/**
 * The header `Idempotency-Key`. Reference: docs/reference/idempotency.md#keys.
 *
 * @returns undefined without the header.
 * @throws ApiError `invalid_request` if it is empty, too long, repeated or not printable ASCII. The message does not
 *   contain the key, which can be personal data.
 */
export function idempotencyKey({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['idempotency-key'] ?? []
  if (values.length > 1) throw refusal('was sent more than once')
  const [key] = values
  if (key === undefined) return undefined
  if (key === '') throw refusal('is empty')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) throw refusal(`is longer than ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  if (!PRINTABLE_ASCII.test(key)) throw refusal('has characters that are not printable ASCII')
  return key
}

function refusal(fault: string): ApiError {
  return new ApiError(
    'invalid_request',
    `The header \`Idempotency-Key\` ${fault}. Send it once, with 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
    { param: 'Idempotency-Key' },
  )
}
