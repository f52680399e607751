/**
 * The table of repetitions, which all pages, programs and libraries follow. The cases of `conformance` prove it for
 * each library.
 */
import { readFileSync } from 'node:fs'
import { ERROR_CODES } from '@platen/gateway/openapi/errors.ts'
import { OVERVIEW } from '@platen/gateway/openapi/overview.ts'
import { getStatus } from '@platen/runtime/errors.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../typescript/src/errors.ts'
import { isTransient } from '../../typescript/src/retry.ts'

const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
const ROWS = [...page.matchAll(/^\| `(\dxx|\d{3})` \| (?:`(\w+)`|[^|]*) \| (yes|no) \|/gm)].map(
  ([, status, code, repeat]) => ({
    pattern: new RegExp(`^${status?.replaceAll('x', '\\d')}$`),
    status,
    code,
    isRepeated: repeat === 'yes',
  }),
)

/** Another status, of the last row, is not repeated. */
const findRow = (status: number, code: string) =>
  ROWS.find((row) => row.pattern.test(String(status)) && (row.code ?? code) === code)

test('the library repeats the codes that the table of repetitions says, and no other', () => {
  proves('errors.repeat')
  expect(ROWS.map(({ status, code }) => [status, code].filter(Boolean).join(' '))).toEqual([
    '2xx',
    '408',
    '409 idempotency_in_progress',
    '429',
    '5xx',
  ])
  for (const code of ERROR_CODES) {
    const status = getStatus(code)
    const none = {
      ...{ requestId: undefined, upgradeUrl: undefined, param: undefined, docUrl: undefined },
      retryAfterSeconds: undefined,
    }
    const error = new ApiError({ message: 'Failed.', status, code, ...none })
    expect(isTransient(error), code).toBe(findRow(status, code)?.isRepeated ?? false)
  }
})

test('the OpenAPI document and the guide name each status of the table', () => {
  const guide = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  for (const text of [OVERVIEW, guide]) {
    const [, named = ''] = /^(?:Send|Repeat) a request (?:again )?after no answer, ([^.;]*)/m.exec(text) ?? []
    expect([...named.matchAll(/`([^`]+)`/g)].map(([, one]) => one)).toEqual(
      expect.arrayContaining(['408', '409 idempotency_in_progress', '429', '5xx']),
    )
  }
})
