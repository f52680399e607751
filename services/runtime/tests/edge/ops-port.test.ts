/** The operations port: probes and the calls of operators. */
import { createHash } from 'node:crypto'
import { Code } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { RPC_CALLERS, RPC_KEY } from '@platen/test/harness/rpc-key.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { sha256Keyring } from '../../keyring.ts'
import { serveOperations } from '../../ops-port.ts'
import { connectRpc, createRpcClient } from '../../rpc/client.ts'
import { createOperatorCalls } from '../../rpc/operator-calls.ts'
import { createOperatorTransport } from '../../rpc/operator-transport.ts'
import { REQUEST_LIMIT_BYTES } from '../../rpc/rpc.ts'
import { serveRpc } from '../../rpc/server.ts'

async function start(metrics?: { read(): Promise<string> }) {
  const service = createTestProcess('jobs')
  onTestFinished(() => service.stop())
  const { port } = await serveOperations(
    service,
    { host: '127.0.0.1', port: 0 },
    { metrics, operatorDigests: undefined },
  )
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return [response.status, await response.json()]
  }
  return { service, get }
}

test('a process without a dependency is not ready but alive, and gives no reason to callers', async () => {
  const { service, get } = await start()
  expect(await get('/readyz')).toEqual([200, { status: 'ok' }])
  service.readiness.require(() => Promise.reject(new Error('no route to db.internal')))
  expect(await get('/readyz')).toEqual([503, { status: 'not ready' }])
  expect(await get('/livez?verbose')).toEqual([200, { status: 'ok' }])
})

test('the port names the release and its pages', async () => {
  const { get } = await start()
  const release = expect.stringMatching(/^\d+\.\d+\.\d+(-dev)?$/)
  expect(await get('/version')).toEqual([200, { version: release, node: process.version }])
  expect(await get('/')).toEqual([404, { paths: ['/livez', '/readyz', '/version'] }])
})

test('metrics that cannot be read are a 503, and the process continues', async () => {
  const { get } = await start({ read: () => Promise.reject(new Error('a gauge failed')) })
  expect(await get('/metrics')).toEqual([503, { status: 'no metrics' }])
  expect(await get('/livez')).toEqual([200, { status: 'ok' }])
})

const SECRET = 'the-present-secret-of-an-operator'
const OLD_SECRET = 'the-former-secret-of-an-operator'
const toDigest = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** A service with methods for services, for operators and for both, on its two ports. */
async function startService({ digests = [SECRET, OLD_SECRET].map(toDigest).join(), isStarted = true } = {}) {
  const service = createTestProcess('accounts', { operatorCalls: createOperatorCalls(() => isStarted) })
  onTestFinished(() => service.stop())
  const listen = { host: '127.0.0.1', port: await freePort() }
  await serveRpc(service, {
    listen,
    callers: RPC_CALLERS,
    routes: (router) =>
      router.service(AccountsService, {
        verifyApiKeys: () => ({}),
        createApiKey: ({ name }) => ({ key: `${name.length} characters` }),
        createOrganization({ name }) {
          if (name === '') throw new ApiError('invalid_request', 'A name needs a character, “A” for example.')
          return { organization: { name } }
        },
      }),
  })
  const operatorDigests = digests === '' ? undefined : sha256Keyring.parse(digests)
  const { port } = await serveOperations(service, { ...listen, port: 0 }, { metrics: undefined, operatorDigests })
  const url = `http://127.0.0.1:${port}`
  return {
    /** The request is that of `curl`. */
    async post(method: string, body: object, authorization?: string) {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const response = await fetch(`${url}/platen.accounts.v1.AccountsService/${method}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return [response.status, await response.json()]
    },
    asOperator: createRpcClient(AccountsService, createOperatorTransport({ url, secret: SECRET })),
    asService: connectRpc(service, AccountsService, { url: `http://127.0.0.1:${listen.port}`, key: RPC_KEY }),
  }
}

test('each secret of an operator permits calls in JSON, no other one does', async () => {
  const { post } = await startService()
  for (const secret of [SECRET, OLD_SECRET])
    expect(await post('CreateOrganization', { name: 'Shop' }, `Bearer ${secret}`)).toEqual([
      200,
      { organization: { name: 'Shop' } },
    ])
  const refused = [401, { code: 'unauthenticated', message: expect.stringContaining('PLATEN_OPERATOR_SECRET') }]
  for (const header of [undefined, 'Bearer ', `Bearer ${RPC_KEY}`, `Bearer ${toDigest(SECRET)}`, `Basic ${SECRET}`])
    expect(await post('CreateOrganization', { name: 'Shop' }, header)).toEqual(refused)
})

test('without the digest of a secret, calls of operators are refused with the variable that permits them', async () => {
  const { post } = await startService({ digests: '' })
  const message = expect.stringContaining('PLATEN_OPERATOR_SECRET_SHA256')
  expect(await post('CreateOrganization', { name: 'Shop' })).toEqual([501, { code: 'unimplemented', message }])
})

test('a process that is starting accepts no call of an operator', async () => {
  const { asOperator } = await startService({ isStarted: false })
  await expect(asOperator.createOrganization({ name: 'Shop' })).rejects.toMatchObject({ code: 'service_unavailable' })
})

test('each port serves only the methods for its callers', async () => {
  const { asOperator, asService } = await startService()
  const unimplemented = { code: Code.Unimplemented }
  expect(await asOperator.createOrganization({ name: 'Shop' })).toMatchObject({ organization: { name: 'Shop' } })
  await expect(asService.createOrganization({ name: 'Shop' })).rejects.toMatchObject({ code: Code.PermissionDenied })
  for (const accounts of [asOperator, asService])
    expect((await accounts.createApiKey({ name: 'Till' })).key).toBe('4 characters')
  expect(await asService.verifyApiKeys({})).toBeDefined()
  await expect(asOperator.verifyApiKeys({})).rejects.toMatchObject(unimplemented)
})

test('an operator gets the refusals of a service, and may send 1 MiB', async () => {
  const { asOperator } = await startService()
  const message = 'A name needs a character, “A” for example.'
  await expect(asOperator.createOrganization({})).rejects.toMatchObject({ code: 'invalid_request', message })
  // Tag and length take 4 bytes.
  const name = 'x'.repeat(REQUEST_LIMIT_BYTES - 4)
  expect((await asOperator.createApiKey({ name })).key).toBe(`${name.length} characters`)
  const tooLarge = { code: Code.ResourceExhausted }
  await expect(asOperator.createApiKey({ name: `${name}x` })).rejects.toMatchObject(tooLarge)
})
