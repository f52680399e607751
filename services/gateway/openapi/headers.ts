/** Headers of responses. */
import { REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'
import type { ZodOpenApiHeaderObject } from 'zod-openapi'

const integer = (minimum: number) => ({ type: 'integer' as const, minimum })

export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of this request: your own `X-Request-Id` if it consists of at most 128 letters, digits, `.`, `_` and `-`.',
    required: true,
    schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '0d9d4f6c-6d0f-4b9e-8f3e-0a4a1d1c7d54',
  },
  'RateLimit-Limit': {
    description: 'The number of requests that the key can make in a second.',
    schema: integer(1),
    example: REQUESTS_PER_SECOND,
  },
  'RateLimit-Remaining': {
    description: 'The requests of the key that are still accepted in the current second.',
    schema: integer(0),
    example: REQUESTS_PER_SECOND - 1,
  },
  'RateLimit-Reset': {
    description: 'The number of seconds until another request is permitted: 0 or 1.',
    schema: { ...integer(0), maximum: 1 },
    example: 1,
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the request is repeated.',
    required: true,
    schema: integer(0),
    example: 1,
  },
  'Idempotent-Replayed': {
    description: '`true` if an earlier request with the same `Idempotency-Key` created the job.',
    schema: { type: 'string' as const, const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The authentication schemes.',
    required: true,
    schema: { type: 'string' as const },
    example: 'Bearer, Basic realm="Platen"',
  },
} satisfies Record<string, ZodOpenApiHeaderObject>

export type HeaderName = keyof typeof HEADERS

const ALWAYS: HeaderName[] = ['X-Request-Id']
/** On every response to a request with a valid key. */
const RATE_LIMIT: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const OF_STATUS: Record<number, HeaderName[]> = {
  401: [...ALWAYS, 'WWW-Authenticate'],
  408: ALWAYS,
  429: [...ALWAYS, ...RATE_LIMIT, 'Retry-After'],
  431: ALWAYS,
  503: [...ALWAYS, ...RATE_LIMIT, 'Retry-After'],
}

/** References to the headers of a response. */
export function describeHeaders(status: number, ...more: HeaderName[]): Record<string, { $ref: string }> {
  const names = [...(OF_STATUS[status] ?? [...ALWAYS, ...RATE_LIMIT]), ...more]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
