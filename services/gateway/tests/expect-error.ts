import type { Answer } from '@platen/test/harness/api.ts'
import { expect } from 'vitest'

/** An answer with the error envelope and nothing else. */
export function expectError({ status, headers, body }: Answer, expectedStatus: number, code: string, message = /\w/) {
  expect({ status, body }).toEqual({
    status: expectedStatus,
    body: { error: { code, message: expect.stringMatching(message), request_id: headers.get('x-request-id') } },
  })
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}
