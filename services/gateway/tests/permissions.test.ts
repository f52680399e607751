import { createApi } from '@platen/test/harness/api.ts'
import { expect, test } from 'vitest'
import type { Gateway } from '../gateway.ts'
import { type Operation, operationsOf } from '../operations.ts'
import { expectError } from './expect-error.ts'
import { permissionFor, requestTo } from './permissions.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { PRINTER_ID } from './start-test-services.ts'

const SCOPE_SETS = [
  [],
  ['read'],
  ['print'],
  ['admin'],
  ['read', 'print'],
  ['read', 'admin'],
  ['print', 'admin'],
  ['read', 'print', 'admin'],
]

const all = operationsOf({} as Gateway)
const operations = all
  .filter((operation) => !permissionFor(operation).credential)
  .map((operation) => {
    const scope = permissionFor(operation).scope
    return [
      scope === null ? `${operation.operationId} needs a key` : `${operation.operationId} needs ${scope}`,
      operation,
    ]
  }) as [string, Operation][]

test.each(operations)('%s, in either mode, and `admin` satisfies it', async (_, operation) => {
  const { services, baseUrl, api } = await startTestGateway()
  const { scope } = permissionFor(operation)
  const { method, path, init } = requestTo(operation, PRINTER_ID)
  for (const mode of ['test', 'live'] as const)
    for (const scopes of SCOPE_SETS) {
      const answer = await createApi(baseUrl, services.makeKey(mode, scopes)).request(method, path, init)
      const mayPass = scope === null || scopes.includes(scope) || scopes.includes('admin')
      if (!mayPass) expectError(answer, 403, 'insufficient_scope', new RegExp(`\`${scope}\``))
      else expect(['unauthorized', 'insufficient_scope'], `${mode} ${scopes}`).not.toContain(answer.body?.error?.code)
    }
  const headers = { ...('headers' in init ? init.headers : {}), authorization: '' }
  expectError(await api.request(method, path, { ...init, headers }), 401, 'unauthorized')
})

test('everything under `/v1/webhooks` needs `admin`, reading too', () => {
  const webhooks = all.filter(({ path }) => path.startsWith('/v1/webhooks'))
  expect(webhooks.length).toBeGreaterThan(0)
  for (const operation of webhooks) expect(permissionFor(operation).scope, operation.operationId).toBe('admin')
})

test('what takes another credential than a key is decided on, too', () => {
  for (const operation of all) expect(operation.credential).toBe(permissionFor(operation).credential)
})

test('an operation that nobody has decided on is named', () => {
  const operation: Operation = { operationId: 'eatPaper', method: 'post', path: '/v1/paper', scope: null, steps: [] }
  expect(() => permissionFor(operation)).toThrow(/^The operation eatPaper \(post \/v1\/paper\) has no row in /)
})
