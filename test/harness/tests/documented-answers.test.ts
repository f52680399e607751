import { createExample } from '@platen/resources/example-of.ts'
import { PRINTER } from '@platen/resources/printer-schema.ts'
import { expect, test } from 'vitest'
import { type CheckedAnswer, checkDocumented } from '../documented-answers.ts'

const printer = createExample(PRINTER)
const REQUEST_ID: Record<string, string> = { 'x-request-id': 'a' }

function check(changes: Partial<Omit<CheckedAnswer, 'header'>> & { headers?: Record<string, string> }) {
  const { headers = REQUEST_ID, ...rest } = changes
  const right = { method: 'GET', target: '/v1/printers/1', status: 200, body: printer }
  checkDocumented({ ...right, ...rest, header: (name) => headers[name.toLowerCase()] })
}

const error = (code: string, more = {}) => ({
  error: { code, message: 'No.', doc_url: '/docs', request_id: 'a', ...more },
})

test('a documented response passes', () => {
  check({})
  check({ target: 'http://platen.test/v1/printers/1?x' })
  check({ method: 'HEAD', body: null })
  check({ status: 404, body: error('not_found') })
  check({ target: '/v1/nowhere', status: 404, body: error('not_found') })
  check({ method: 'PUT', status: 405, body: error('method_not_allowed'), headers: { ...REQUEST_ID, allow: 'GET' } })
  check({ target: '/healthz', body: { status: 'ok' } })
})

test.each<[string, Parameters<typeof check>[0], RegExp]>([
  ['a field more', { body: { ...printer, colour: 'red' } }, /must NOT have additional properties/],
  ['a field less', { body: { ...printer, remarks: undefined } }, /required property 'remarks'/],
  ['a field deep inside that is wrong', { body: { ...printer, customPapers: [{}] } }, /customPapers\/0/],
  ['a value that is not listed', { body: { ...printer, state: 'asleep' } }, /state/],
  ['no body', { body: null }, /must be object/],
  ['a status that is not documented', { status: 202 }, /not documented/],
  ['a 405 of a method that there is', { status: 405, body: error('method_not_allowed') }, /not documented/],
  ['a code that the operation does not have', { status: 404, body: error('file_expired') }, /code/],
  ['an error with a field more', { status: 404, body: error('not_found', { hint: 'x' }) }, /additional properties/],
  ['a header that is missing', { headers: {} }, /no X-Request-Id/],
  ['a header that is wrong', { headers: { ...REQUEST_ID, 'ratelimit-remaining': '-1' } }, /RateLimit-Remaining/],
  ['a 405 without Allow', { method: 'PUT', status: 405, body: error('method_not_allowed') }, /no Allow/],
  ['an unknown path that succeeds', { target: '/v1/nowhere' }, /the path is not documented/],
  [
    'an unknown path without the envelope',
    { target: '/v1/nowhere', status: 400, body: {} },
    /required property 'error'/,
  ],
])('%s is a failure of the test', (_, answer, problem) => {
  expect(() => check(answer)).toThrow(problem)
})
