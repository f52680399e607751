/**
 * Tools of operators: `npm run admin` (in this process except for one test), `inspect`, `doctor` and `selftest`;
 * permissions of keys.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administer } from '@platen/deploy/commands/admin/administer.ts'
import { rotateWebhookKey } from '@platen/deploy/commands/rotate/webhook-key.ts'
import { withServices } from '@platen/deploy/commands/with-services.ts'
import manifest from '@platen/deploy/package.json' with { type: 'json' }
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createApi, readError } from '../harness/api.ts'
import { freePort } from '../harness/free-port.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { admin, ISO_TIME, installation, newJob, newOrganization, UUID_V7 } from './installation.ts'

const ROOT = join(import.meta.dirname, '../..')

const readJson = async (name: string) => JSON.parse(await readFile(join(installation.dataDir, name), 'utf8'))

/** A command of the repository, for the shared installation. */
const run = (command: string, ...args: string[]) => runWith({ PLATEN_DATA_DIR: installation.dataDir }, command, ...args)

function runWith(
  settings: Record<string, string>,
  command: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const options = { cwd: ROOT, env: { ...process.env, ...settings }, shell: process.platform === 'win32' }
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

describe.concurrent('admin', () => {
  test('makes an organization and keys that work at once, until one is revoked', async () => {
    const organization = await admin('orgs', 'create', 'Corner shop')
    expect(organization).toEqual({ id: UUID_V7, name: 'Corner shop' })
    expect((await admin('orgs', 'list')).data).toContainEqual({
      ...organization,
      createdAt: ISO_TIME,
      isSuspended: false,
      deletedAt: null,
    })
    const org = ['--org', organization.id]
    const made = await admin('keys', 'create', ...org, '--mode', 'live', '--scopes', 'print,read')
    const { id, key } = made
    expect(made).toEqual({
      id: UUID_V7,
      key: expect.stringMatching(/^platen_live_[0-9A-Za-z]{49}$/),
      prefix: key.slice(0, 16),
      mode: 'live',
      scopes: ['read', 'print'],
      expiresAt: null,
    })
    const expiresAt = '2099-01-31T00:00:00.000Z'
    const till = await admin(
      ...['keys', 'create', ...org, '--mode=test', '--scopes=admin', '--name', 'Till 7', '--expires', expiresAt],
    )
    const api = createApi(installation.credentials.baseUrl, key)
    const apiKey = { id, prefix: made.prefix, scopes: made.scopes }
    expect((await api.get('/v1/whoami')).body).toMatchObject({ organization, mode: 'live', apiKey })

    expect(await admin('keys', 'revoke', id)).toEqual({ id, organizationId: organization.id, revokedAt: ISO_TIME })
    await waitFor(async () => expect((await api.get('/v1/whoami')).status).toBe(401))
    const { data } = await admin('keys', 'list', ...org)
    const shown = { prefix: made.prefix, lastFour: key.slice(-4), name: 'npm run admin', mode: 'live' }
    const used = {
      createdAt: ISO_TIME,
      lastUsedAt: expect.toBeOneOf([null, ISO_TIME]),
      expiresAt: null,
      revokedAt: ISO_TIME,
    }
    expect(data).toEqual([expect.anything(), { id, ...shown, scopes: made.scopes, ...used }])
    expect(data[0]).toMatchObject({
      id: till.id,
      name: 'Till 7',
      mode: 'test',
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
    })
  })

  test('sets a plan; `unlimited` is no limit, and 0 is one', async () => {
    const { id, api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const set = (prints: string, computers: string) =>
      admin('plans', 'set', '--org', id, '--prints', prints, '--computers', computers)
    const plan = { organizationId: id, plan: 'custom' }
    expect(await set('0', 'unlimited')).toEqual({ ...plan, prints: 0, computers: null })
    expect(readError(await api.post('/v1/printjobs', newJob(printerId)))).toEqual([402, 'quota_exceeded'])
    expect(await set('unlimited', '4294967295')).toEqual({ ...plan, prints: null, computers: 4294967295 })
    await waitFor(() => api.createJob(newJob(printerId)))
  })

  test('gives a person a role in an organization, and another one when the person is added again', async () => {
    const { id } = await newOrganization()
    const add = (role: string) => admin('users', 'add', '--org', id, '--email', 'Ann@Example.com', '--role', role)
    const member = { id: UUID_V7, email: 'ann@example.com', role: 'member', createdAt: ISO_TIME }
    const added = await add('member')
    expect(added).toEqual({ organizationId: id, ...member })
    await add('owner')
    expect(await admin('users', 'list', '--org', id)).toEqual({ data: [{ ...member, id: added.id, role: 'owner' }] })
    expect(await admin('users', 'sign-in-code', 'Ann@Example.com')).toEqual({
      code: expect.stringMatching(/^[0-9A-Z]{12}$/),
      expiresAt: ISO_TIME,
    })
    expect(await admin('users', 'remove', 'ann@example.com')).toEqual({ id: added.id })
    expect(await admin('users', 'list', '--org', id)).toEqual({ data: [] })
  })

  const NO_ORGANIZATION = 'There is no organization with this id.'
  const NO_KEY = 'There is no API key with this id.'
  const NOBODY = uuidv7()
  test.each<[string, string]>([
    [`keys revoke ${NOBODY}`, NO_KEY],
    ['keys revoke till', NO_KEY],
    [`keys list --org ${NOBODY}`, NO_ORGANIZATION],
    [`keys create --org ${NOBODY} --mode test --scopes read`, NO_ORGANIZATION],
    [`plans set --org ${NOBODY} --prints 1 --computers 1`, NO_ORGANIZATION],
    ['keys create --org OWN --mode prod --scopes read', '`mode`'],
    ['keys create --org OWN --mode test --scopes read,write', '`scopes'],
    ['users add --org OWN --email ann --role owner', '`email`'],
    ['users sign-in-code nobody@example.com', 'This address belongs to no member'],
    ['users remove nobody@example.com', 'There is no user with this address.'],
  ])('refuses `%s` in one sentence', async (command, sentence) => {
    const { id } = await newOrganization()
    await expect(admin(...command.replace('OWN', id).split(' '))).rejects.toThrow(sentence)
  })
})

test('`npm run rotate -- webhook-key` reports that no secret needs an earlier key', async () => {
  const rotated = await withServices({ PLATEN_DATA_DIR: installation.dataDir }, rotateWebhookKey)
  expect(rotated).toEqual({ encrypted: 0, remaining: 0 })
})

test('`npm run admin` prints one line of JSON, and a refusal on stderr alone', async () => {
  // Without `-s` npm prints the command first; the answer is the last line.
  const { stdout } = await run('npm', 'run', 'admin', '--', 'orgs', 'list')
  const { data } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(data).toContainEqual(expect.objectContaining({ id: installation.credentials.organizationId }))
  const refused = await run('npm', 'run', '-s', 'admin', '--', 'keys', 'revoke', 'till')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr.trimEnd().split('\n').at(-1)).toBe('There is no API key with this id.')
})

test('inspect shows a job across all services on one screen, and a missing one in one sentence', async () => {
  const { testApi } = await newOrganization()
  const { id } = await testApi.createJob(newJob((await testApi.printer('Test A4 Laser')).id))
  const job = await testApi.waitUntilFinal(id)
  const inspect = (...args: string[]) => run(process.execPath, 'deploy/commands/platen-server.ts', 'inspect', ...args)
  // The webhooks service and the agent's journal follow the end of the job.
  const stdout = await waitFor(async () => {
    const shown = await inspect('job', id)
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/done +agent +in the feed\n/) })
    expect(shown.stdout).toMatch(/agent journal\n {2}done since .*, settled /)
    return shown.stdout
  })
  // The conclusion is first.
  expect(stdout).toMatch(/^Printed\nThe virtual printer .* printed the job\. Test mode uses no paper\.\n/)
  for (const fact of [
    id,
    job.title,
    job.fileSha256,
    'Test A4 Laser',
    'enabled, online',
    'sent          1 times',
    'document      in the database',
  ])
    expect(stdout).toContain(fact)
  const states = stdout.match(/\b(queued|sent|received|printing|done) {2,}(api|system|agent)/g)
  expect(states?.map((match) => match.split(/ +/).join(' '))).toEqual([
    'queued api',
    'sent system',
    'received agent',
    'printing agent',
    'done agent',
  ])
  const missing = { code: 1, stdout: '', stderr: expect.stringMatching(/^There is no job .*\.\n$/) }
  expect(await inspect('job', uuidv7())).toMatchObject(missing)
  expect(await inspect('job', '31')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('is not the id of a job'),
  })
})

test('whoami names the organization, the mode and the key, which may be sent by Bearer or Basic', async () => {
  proves(
    'endpoint.GET.whoami',
    'whoami.organization.id',
    'whoami.mode',
    'auth.key.mode',
    'whoami.apiKey.id',
    'whoami.apiKey.prefix',
    'whoami.apiKey.scopes',
    'auth.key.scopes',
    'whoami.apiKey.createdAt',
    'whoami.key-only',
    'auth.bearer',
    'auth.basic',
  )
  const { id, testApi } = await newOrganization()
  const { body } = await testApi.get('/v1/whoami')
  const scopes = ['read', 'print', 'admin']
  const apiKey = { id: UUID_V7, name: 'npm run admin', prefix: testApi.key.slice(0, 16), scopes, createdAt: ISO_TIME }
  const switchedOn = { printNode: true, documentPreview: true }
  expect(body).toEqual({
    organization: { id, name: 'Corner shop' },
    mode: 'test',
    apiKey,
    user: null,
    installation: switchedOn,
  })
  const basic = { authorization: `Basic ${btoa(`${testApi.key}:`)}` }
  expect((await testApi.get('/v1/whoami', basic)).body).toEqual(body)
})

test.each([
  ['/healthz', 'application/json; charset=utf-8'],
  ['/readyz', 'application/json; charset=utf-8'],
  ['/docs/openapi/', 'text/html; charset=utf-8'],
  ['/v1/openapi.json', 'application/json; charset=utf-8'],
])('%s is served without a key', async (path, type) => {
  const { status, headers } = await fetch(installation.credentials.baseUrl + path)
  expect([status, headers.get('content-type')]).toEqual([200, type])
})

test('doctor finds no problem in a running installation and at its public addresses', async () => {
  const shown = await run(process.execPath, 'deploy/commands/platen-server.ts', 'doctor', '--public')
  expect(shown).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\nNo problem was found\.\n$/) })
  const lines = shown.stdout.trimEnd().split('\n').slice(0, -1)
  expect(lines.filter((line) => !line.startsWith('ok  ') || line.includes('one credential'))).toEqual([])
  for (const fact of [
    /^ok {2}replicas that responded: (\S+ 1, ){6}\S+ 1$/,
    /^ok {2}equal secrets on all replicas: .*PLATEN_RPC_CALLERS/,
    /^ok {2}PostgreSQL \d+\.\d+ without TLS$/,
    /^ok {2}max_connections of PostgreSQL is 200, needed are 66$/,
    /^ok {2}NATS \d+\.\d+\.\d+, servers: 1$/,
    /^ok {2}stream PLATEN_EVENTS: copies 1$/,
    /^ok {2}stream PLATEN_WEBHOOK_ATTEMPTS: copies 1$/,
    /^ok {2}document store \(file\): write, read and delete, 3 times$/,
    /^ok {2}agents' host at .*: UNAUTHENTICATED over HTTP\/2$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(fact))
})

test('doctor reports what does not respond, with a remedy, and exits with 1', async () => {
  const missing = `http://127.0.0.1:${await freePort()}`
  const shown = await runWith(
    {
      PLATEN_OPS_URL: missing,
      PLATEN_OPERATOR_SECRET: 'the-secret-of-another-installation',
      PLATEN_API_URL: missing,
      PLATEN_AGENT_PUBLIC_URL: missing,
    },
    process.execPath,
    ...['deploy/commands/platen-server.ts', 'doctor', '--public'],
  )
  expect(shown).toMatchObject({ code: 1, stderr: '3 problems were found.\n' })
  expect(shown.stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^!! {2}accounts, (\S+, ){5}test-computers at \S+ does not respond: See its log\. /),
    expect.stringMatching(/^!! {2}REST API at \S+: .*ECONNREFUSED.*: Check DNS, certificate and route/),
    expect.stringMatching(/^!! {2}agents' host at \S+: .*ECONNREFUSED.*: Check DNS, certificate and route/),
  ])
})

test.each([
  [{}, 'Set PLATEN_OPERATOR_SECRET to the secret of the operator.'],
  [{ PLATEN_OPERATOR_SECRET: 'x'.repeat(31) }, 'PLATEN_OPERATOR_SECRET: must be at least 32 characters'],
  [{ PLATEN_OPERATOR_SECRET: 'x'.repeat(32) }, 'The secret of the operator is missing or wrong.'],
])('a command with the settings %j is refused in one sentence', async (settings, sentence) => {
  const refused = administer(['orgs', 'list'], { PLATEN_OPS_URL: installation.operationsUrl, ...settings })
  await expect(refused).rejects.toThrow(sentence)
})

test('a process with the digest of the secret, which it cannot know, answers in JSON as `curl` asks', async () => {
  const { operatorSecret, rpcKeys } = await readJson('secrets.json')
  const diagnose = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const url = `${installation.operationsUrl}/platen.diagnostics.v1.DiagnosticsService/Diagnose`
    const response = await fetch(url, { method: 'POST', headers, body: '{}' })
    return [response.status, await response.json()]
  }
  const accounts = expect.objectContaining({ service: 'accounts' })
  const answer = { release: expect.any(String), reports: expect.arrayContaining([accounts]) }
  expect(await diagnose(operatorSecret)).toEqual([200, expect.objectContaining(answer)])
  expect(await diagnose(rpcKeys.gateway)).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })])
  if (process.platform !== 'linux') return
  const { processes } = await readJson('run.json')
  const environment = await readFile(`/proc/${processes.platen}/environ`, 'utf8')
  expect(environment).toContain(`PLATEN_OPERATOR_SECRET_SHA256=`)
  expect(environment).not.toContain(operatorSecret)
})

const platenServer = (...args: string[]) => run(process.execPath, 'deploy/commands/platen-server.ts', ...args)

test('platen-server without arguments shows its roles and commands', async () => {
  const { code, stdout, stderr } = await platenServer()
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toMatch(/^Usage: platen-server <role>/)
  for (const name of ['all', 'test-computers', 'doctor', 'selftest'])
    expect(stderr).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test.each([
  [['prints'], "unknown command 'prints'"],
  [['constructor'], "unknown command 'constructor'"],
  [['jobs', 'list'], "too many arguments for 'jobs'"],
  [['selftest', 'now'], "too many arguments for 'selftest'"],
  [['migrate', '--dry-run'], "unknown option '--dry-run'"],
  [['create-secrets', '--database', 'postgresql://platen:secret@db/platen'], 'without a password'],
])('platen-server %j is refused with a sentence and without a stack trace', async (args, sentence) => {
  const { code, stdout, stderr } = await platenServer(...args)
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr).not.toMatch(/^ +at /m)
})

test('--help of each role and command describes it and does nothing, --version is that of the release', async () => {
  for (const args of [['selftest'], ['migrate'], ['admin', 'keys', 'create'], ['rotate', 'webhook-key'], ['jobs']])
    expect(await platenServer(...args, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^Usage: platen-server ${args.join(' ')}`)),
      stderr: '',
    })
  expect((await platenServer('--version')).stdout).toBe(`${manifest.version}\n`)
})

test('selftest examines the installation, prints a page and leaves no key', async () => {
  const shown = await run(process.execPath, 'deploy/commands/platen-server.ts', 'selftest')
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^ok {2}replicas that responded: [\s\S]*\nok {2}its event is in the feed\nPlaten prints\.\n$/,
    ),
  })
  const { data } = await admin('orgs', 'list')
  const own = data.find(({ name }: { name: string }) => name === 'selftest')
  const keys = (await admin('keys', 'list', '--org', own.id)).data
  expect(keys).toMatchObject([{ revokedAt: ISO_TIME }])
})
