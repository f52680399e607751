import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { hashApiKey } from '@platen/accounts/api-key.ts'
import { SECRET, startTestAccounts } from '@platen/accounts/tests/start-test-accounts.ts'
import { type SetPlanRequest, UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writePrivateJson } from '../private-file.ts'
import { identify } from '../process-identity.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const SCRIPT = join(import.meta.dirname, '../admin/main.ts')

/** For those that run many commands, each a process. */
const LIMIT_MS = 180_000

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function admin(dataDirectory: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, PLATEN_DATA_DIR: dataDirectory }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

const FAILURE = { code: 1, stdout: '' }

/** A data directory as a running installation has it, with the real accounts service behind it. */
async function startInstallation({ withUsage = true } = {}) {
  const world = await startTestAccounts()
  const dataDirectory = await temporaryDirectory()
  const ports: Record<string, number> = { accounts: world.port }
  const plans: SetPlanRequest[] = []
  if (withUsage) ports.usage = await startUsage(plans)
  const record = { pid: process.pid, processes: {}, ports, identities: { [process.pid]: identify(process.pid) } }
  writePrivateJson(join(dataDirectory, 'run.json'), record)
  const secrets = { postgresPassword: 'a', natsToken: 'b', rpcSecret: SECRET }
  writePrivateJson(join(dataDirectory, 'secrets.json'), secrets)
  async function run(...args: string[]) {
    const outcome = await admin(dataDirectory, ...args)
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.stdout).toMatch(/^[^\n]+\n$/)
    return JSON.parse(outcome.stdout)
  }
  return { ...world, dataDirectory, record, plans, run, fail: (...args: string[]) => admin(dataDirectory, ...args) }
}

/** Keeps what it is asked for, and answers it. */
async function startUsage(plans: SetPlanRequest[]): Promise<number> {
  const service = createTestProcess('usage')
  onTestFinished(() => service.stop())
  const port = await freePort()
  const usage: Partial<ServiceImpl<typeof UsageService>> = {
    setPlan(request) {
      plans.push(request)
      const { printsLimit, computersLimit } = request
      return { plan: { name: 'custom', printsLimit, computersLimit } }
    },
  }
  await serveRpc(service, {
    listen: { host: '127.0.0.1', port },
    secret: SECRET,
    ready: () => Promise.resolve(),
    routes: (router) => router.service(UsageService, usage),
  })
  return port
}

test('organizations and keys are made, listed and revoked, each by one line of JSON', {
  timeout: LIMIT_MS,
}, async () => {
  const { run, accounts, clock } = await startInstallation()
  const at = clock.now().toISOString()
  const organization = await run('orgs', 'create', 'Corner shop')
  expect(organization).toEqual({ id: expect.any(String), name: 'Corner shop' })
  expect(await run('orgs', 'list')).toEqual({ data: [{ ...organization, createdAt: at }] })

  const org = organization.id
  const made = await run('keys', 'create', '--org', org, '--mode', 'live', '--scopes', 'print,read')
  const { key } = made
  expect(made).toEqual({
    id: expect.any(String),
    key: expect.stringMatching(/^platen_live_[0-9A-Za-z]{49}$/),
    prefix: key.slice(0, 16),
    mode: 'live',
    scopes: ['read', 'print'],
  })
  const named = await run('keys', 'create', '--org', org, '--mode=test', '--scopes=admin', '--name', 'Till 7')
  const listed = await run('keys', 'list', '--org', org)
  const facts = { createdAt: at, lastUsedAt: null, revokedAt: null }
  const shown = (id: string, secret: string) => ({ id, prefix: secret.slice(0, 16), lastFour: secret.slice(-4) })
  const till = { ...shown(named.id, named.key), name: 'Till 7', mode: 'test', scopes: ['admin'], ...facts }
  const first = { ...shown(made.id, key), name: 'npm run admin', mode: 'live', scopes: ['read', 'print'], ...facts }
  expect(listed).toEqual({ data: [till, first] })

  const find = async () => (await accounts.verifyApiKeys({ keySha256: [hashApiKey(key)] })).verified[0]
  expect(await find()).toMatchObject({ apiKey: { id: made.id, name: 'npm run admin' }, organization: { id: org } })
  expect(await run('keys', 'revoke', made.id)).toEqual({ id: made.id, organizationId: org, revokedAt: at })
  expect(await find()).toBeUndefined()
  // Its use is written down by a timer, which may have come or not.
  const revoked = { ...first, lastUsedAt: expect.toBeOneOf([null, at]), revokedAt: at }
  expect(await run('keys', 'list', '--org', org)).toEqual({ data: [till, revoked] })
})

test('a plan is set in the usage service; `unlimited` is no limit, and 0 is one', async () => {
  const { run, plans, createOrganization } = await startInstallation()
  const org = await createOrganization()
  expect(await run('plans', 'set', '--org', org, '--prints', '0', '--computers', 'unlimited')).toEqual({
    organizationId: org,
    plan: 'custom',
    prints: 0,
    computers: null,
  })
  expect(await run('plans', 'set', '--org', org, '--prints', 'unlimited', '--computers', '4294967295')).toEqual({
    organizationId: org,
    plan: 'custom',
    prints: null,
    computers: 4294967295,
  })
  expect(
    plans.map(({ organizationId, printsLimit, computersLimit }) => [organizationId, printsLimit, computersLimit]),
  ).toEqual([
    [org, 0, undefined],
    [org, undefined, 4294967295],
  ])
})

test('a person gets a role in an organization, and another one when added again', async () => {
  const { run, clock, createOrganization } = await startInstallation()
  const org = await createOrganization()
  const add = (role: string) => run('users', 'add', '--org', org, '--email', 'Ann@Example.com', '--role', role)
  const member = {
    id: expect.any(String),
    email: 'ann@example.com',
    role: 'member',
    createdAt: clock.now().toISOString(),
  }
  const added = await add('member')
  expect(added).toEqual({ organizationId: org, ...member })
  await add('owner')
  expect(await run('users', 'list', '--org', org)).toEqual({ data: [{ ...member, id: added.id, role: 'owner' }] })
})

describe('is refused in one sentence, with nothing on stdout:', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Say one of: orgs create, .*users list\.$/],
    ['a command that is none', ['keys', 'rotate'], /^Say one of: /],
    ['a name that is missing', ['orgs', 'create'], /^Usage: npm run -s admin -- orgs create NAME$/],
    ['a name without quotes', ['orgs', 'create', 'Corner', 'shop'], /^Usage: .* orgs create NAME$/],
    ['an option that is missing', ['keys', 'create', '--org', 'a', '--mode', 'test'], /^Usage: .* --scopes /],
    ['an option without a value', ['keys', 'list', '--org'], /^Usage: .* keys list --org ID$/],
    ['an empty option', ['keys', 'list', '--org='], /^Usage: .* keys list --org ID$/],
    ['an option that is none', ['keys', 'list', '--org', 'a', '--all'], /^Usage: .* keys list --org ID$/],
    ['an empty name', ['orgs', 'create', ''], /`name`/],
    ['a key that does not exist', ['keys', 'revoke', uuidv7()], /^There is no API key with this id\.$/],
    [
      'an organization that does not exist',
      ['keys', 'list', '--org', uuidv7()],
      /^There is no organization with this id\.$/,
    ],
    ['an address that is none', ['users', 'add', '--org', uuidv7(), '--email', 'ann', '--role', 'owner'], /`email`/],
    ['what is no id', ['keys', 'revoke', 'till'], /^There is no API key with this id\.$/],
  ])('%s', async (_, args, sentence) => {
    const { fail } = await startInstallation()
    const { stderr, ...outcome } = await fail(...args)
    expect(outcome).toEqual(FAILURE)
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr.trimEnd()).toMatch(sentence)
  })

  test('a mode or a scope that is none, and an organization that does not exist', async () => {
    const { fail, createOrganization } = await startInstallation()
    const org = await createOrganization()
    const create = (id: string, mode: string, scopes: string) =>
      fail('keys', 'create', '--org', id, '--mode', mode, '--scopes', scopes)
    expect(await create(org, 'prod', 'read')).toMatchObject({ ...FAILURE, stderr: expect.stringContaining('`mode`') })
    expect(await create(org, 'test', 'read,write')).toMatchObject({
      ...FAILURE,
      stderr: expect.stringContaining('`scopes'),
    })
    const nobody = { ...FAILURE, stderr: 'There is no organization with this id.\n' }
    expect(await create(uuidv7(), 'test', 'read')).toEqual(nobody)
    const plan = ['plans', 'set', '--prints', '1', '--computers', '1', '--org']
    expect(await fail(...plan, uuidv7())).toEqual(nobody)
  })

  test.each(['-1', '1.5', '4294967296', 'none', '1e3'])('a limit of %s', async (limit) => {
    const { fail, plans, createOrganization } = await startInstallation()
    const org = await createOrganization()
    for (const limits of [
      [`--prints=${limit}`, '--computers=1'],
      ['--prints=1', `--computers=${limit}`],
    ])
      expect(await fail('plans', 'set', '--org', org, ...limits)).toMatchObject({
        ...FAILURE,
        stderr: expect.stringMatching(/^--(prints|computers) must be a whole number .*\.\n$/),
      })
    expect(plans).toEqual([])
  })

  test('an installation that does not run, never ran, cannot be read or has another version', {
    timeout: LIMIT_MS,
  }, async () => {
    const { fail, stop, dataDirectory, record, createOrganization } = await startInstallation({ withUsage: false })
    const org = await createOrganization()
    expect(await fail('plans', 'set', '--org', org, '--prints', '1', '--computers', '1')).toEqual({
      ...FAILURE,
      stderr: `What runs on ${dataDirectory} is an older version of Platen: start it again.\n`,
    })
    await stop()
    expect(await fail('orgs', 'list')).toEqual({
      ...FAILURE,
      stderr: `Platen does not answer on ${dataDirectory}: start it, or see ${dataDirectory}/logs.\n`,
    })
    const notRunning = (directory: string) => ({
      ...FAILURE,
      stderr: `Platen is not running on ${directory}: start it, or set PLATEN_DATA_DIR.\n`,
    })
    const identities = { [process.pid]: 'a launcher that was killed' }
    writePrivateJson(join(dataDirectory, 'run.json'), { ...record, identities })
    expect(await fail('orgs', 'list')).toEqual(notRunning(dataDirectory))
    await writeFile(join(dataDirectory, 'run.json'), '{')
    expect(await fail('orgs', 'list')).toMatchObject({
      ...FAILURE,
      stderr: expect.stringMatching(/^The files .* cannot be read/),
    })
    const empty = await temporaryDirectory()
    expect(await admin(empty, 'orgs', 'list')).toEqual(notRunning(empty))
  })
})
