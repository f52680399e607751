/**
 * The scope and the roles of each operation are equal in `docs/reference/authentication.md`, the table of operations
 * and the behaviour.
 */
import { readFileSync } from 'node:fs'
import { createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { getRoles } from '../../authentication/require-permission.ts'
import { ROLES } from '../../caller.ts'
import { leaveOrganization } from '../../dashboard-operations/leave-organization.ts'
import { DASHBOARD_OPERATIONS } from '../../dashboard-operations.ts'
import type { Operation } from '../../operation/operation.ts'
import { getPrintJobDocument } from '../../operations/print-jobs/get-print-job-document.ts'
import { OPERATIONS } from '../../operations.ts'
import { expectError } from '../client.ts'
import { requestTo } from '../request-to.ts'

const SCOPE_SETS = [
  ...[['read'], ['print'], ['admin'], ['read', 'print'], ['read', 'admin'], ['print', 'admin']],
  ['read', 'print', 'admin'],
]

/** Rules of all operations, with one that proves them. */
const RULES: Record<string, string[]> = {
  listPrinters: ['scope.print-cannot-read', 'scope.admin-satisfies-all', 'error.403.insufficient_scope'],
  createPrintJob: ['scope.read-cannot-print'],
}

/** Rules of roles, with the operation that proves them. */
const ROLE_RULES: Record<string, string> = {
  cancelPrintJob: 'roles.cancel',
  getPrintJobDocument: 'roles.document',
}

const PAGE = readFileSync(new URL('../../../../docs/reference/authentication.md', import.meta.url), 'utf8')
const SESSIONS_PAGE = readFileSync(new URL('../../../../docs/reference/sessions.md', import.meta.url), 'utf8')
const ROW =
  /^\| (?:every (?<every>.*) below )?`(?:(?<method>[A-Z]+) )?(?<path>\/v1\S*)`[^|]*\| (?<scope>none|`\w+`)(?<rest>[^|]*)\| (?<roles>[a-z, ]+)(?<more>.*)$/gm
const ROWS = [...PAGE.matchAll(ROW)].map(({ groups = {} }) => ({
  /** `GET`, or any other method: of all operations whose path begins so. */
  every: groups.every,
  method: groups.method,
  path: groups.path ?? '',
  scope: groups.scope === 'none' ? null : groups.scope?.replaceAll('`', ''),
  /** The roles of sessions. */
  roles: groups.roles?.trim() === 'all' ? [...ROLES] : (groups.roles?.trim().split(', ').toReversed() ?? []),
  rules: [...`${groups.rest} ${groups.more}`.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
}))

/** The rows of the page that are about an operation. */
function buildRows(operation: Operation) {
  const method = operation.method.toUpperCase()
  return ROWS.filter(({ every, path, ...row }) =>
    every === undefined
      ? row.method === method && path === operation.path
      : operation.path.startsWith(path) && (every === '`GET`') === (method === 'GET'),
  )
}

async function newKeys() {
  const { addKey, world } = await newOrganization()
  return await Promise.all(
    (['live', 'test'] as const).flatMap((mode) =>
      SCOPE_SETS.map(async (scopes) => ({ scopes, api: createApi(world.gatewayUrl, await addKey(mode, scopes)) })),
    ),
  )
}
let keys: ReturnType<typeof newKeys> | undefined

async function newBrowsers() {
  const organization = await newOrganization()
  return await Promise.all(
    ROLES.map(async (role) => {
      const browser = await signInAs(organization, role)
      const [{ forbiddenOperations }] = (await browser.get('/account/session')).body.organizations
      return { role, browser, forbiddenOperations }
    }),
  )
}
let browsers: ReturnType<typeof newBrowsers> | undefined

for (const operation of OPERATIONS.filter(({ credential }) => !credential)) {
  const { operationId, scope } = operation
  const rows = buildRows(operation)
  const rules = [...rows.flatMap((row) => row.rules), ...(RULES[operationId] ?? [])]
  test(`${operationId} needs ${scope ?? 'a key'}, in either mode, and \`admin\` satisfies it`, async () => {
    proves(...rules)
    expect(rows.length, 'add a row to docs/reference/authentication.md').toBeGreaterThan(0)
    for (const row of rows) expect(row.scope).toBe(scope)
    keys ??= newKeys()
    const { method, path, init } = requestTo(operation)
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

  const permitted = getRoles(operation, 'live')
  test(`${operationId} is permitted to ${permitted.join(', ')}, in live mode`, async () => {
    proves(ROLE_RULES[operationId] ?? 'roles.default')
    for (const row of rows) expect(row.roles, 'docs/reference/authentication.md').toEqual(permitted)
    await tryRoles(operation, 'live')
  })
}

test('the document of a job is permitted to all roles in test mode', async () => {
  proves('roles.document')
  expect(getRoles(getPrintJobDocument, 'test')).toEqual(ROLES)
  await tryRoles(getPrintJobDocument, 'test')
})

for (const operation of DASHBOARD_OPERATIONS.filter(({ tenant }) => tenant)) {
  const { operationId, method, path } = operation
  const permitted = getRoles(operation, 'live')
  test(`${operationId} is permitted to ${permitted.join(', ')}`, async () => {
    proves('account.roles')
    const row = SESSIONS_PAGE.split('\n').find((line) => line.startsWith(`| \`${method.toUpperCase()} ${path}\` |`))
    const roles = permitted.length === ROLES.length ? 'all' : permitted.toReversed().join(', ')
    expect(row, 'docs/reference/sessions.md').toMatch(new RegExp(`\\| ${roles} \\|$`))
    await tryRoles(operation, 'live')
  })
}

/** Each role in its own browser. */
async function tryRoles(operation: Operation, mode: 'live' | 'test') {
  browsers ??= newBrowsers()
  const { method, path, init } = requestTo(operation)
  for (const { role, browser, forbiddenOperations } of await browsers) {
    const answer = await browser.request(method, path, { ...init, headers: { 'platen-mode': mode } })
    const isForbidden = !getRoles(operation, mode).includes(role)
    expect(forbiddenOperations[mode].includes(operation.operationId), 'the session').toBe(isForbidden)
    if (isForbidden) expectError(answer, 403, 'forbidden', /^Only owners/)
    else expect(['unauthorized', 'forbidden'], role).not.toContain(answer.body?.error?.code)
  }
  if (operation === leaveOrganization) browsers = undefined
}
