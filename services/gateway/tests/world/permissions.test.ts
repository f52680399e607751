import { createApi } from '@platen/test/harness/api.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { expect, test } from 'vitest'
import type { Gateway } from '../../gateway.ts'
import { operationsOf } from '../../operations.ts'
import { expectError, UNKNOWN_ID } from '../client.ts'
import { permissionFor, requestTo } from '../permissions.ts'

const SCOPE_SETS = [
  ...[['read'], ['print'], ['admin'], ['read', 'print'], ['read', 'admin'], ['print', 'admin']],
  ['read', 'print', 'admin'],
]

const operations = operationsOf({} as Gateway)

async function newKeys() {
  const { addKey, world } = await newOrganization()
  return await Promise.all(
    (['live', 'test'] as const).flatMap((mode) =>
      SCOPE_SETS.map(async (scopes) => ({ scopes, api: createApi(world.gatewayUrl, await addKey(mode, scopes)) })),
    ),
  )
}
let keys: ReturnType<typeof newKeys> | undefined

for (const operation of operations.filter((one) => !permissionFor(one).credential)) {
  const { scope, rules } = permissionFor(operation)
  const title = `${operation.operationId} needs ${scope ?? 'a key'}, in either mode, and \`admin\` satisfies it`
  test(rules ? `${title} [${rules}]` : title, async () => {
    keys ??= newKeys()
    const { method, path, init } = requestTo(operation, UNKNOWN_ID)
    for (const { scopes, api } of await keys) {
      const answer = await api.request(method, path, init)
      const mayPass = scope === null || scopes.includes(scope) || scopes.includes('admin')
      if (!mayPass) expectError(answer, 403, 'insufficient_scope', new RegExp(`\`${scope}\``))
      else expect(['unauthorized', 'insufficient_scope'], `${scopes}`).not.toContain(answer.body?.error?.code)
    }
    const [first] = await keys
    const headers = { ...('headers' in init ? init.headers : {}), authorization: '' }
    expectError((await first?.api.request(method, path, { ...init, headers })) as never, 401, 'unauthorized')
  })
}

test('everything under `/v1/webhooks` needs `admin`, reading too [scope.admin.read-webhooks scope.admin.write-webhooks]', () => {
  const webhooks = operations.filter(({ path }) => path.startsWith('/v1/webhooks'))
  expect(webhooks.length).toBeGreaterThan(10)
  for (const operation of webhooks) expect(permissionFor(operation).scope, operation.operationId).toBe('admin')
})

test('what takes another credential than a key is decided on, too', () => {
  for (const operation of operations) expect(operation.credential).toBe(permissionFor(operation).credential)
})
