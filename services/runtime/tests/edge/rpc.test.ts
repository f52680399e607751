/** Calls between services behave equally over the network and within one process. */
import { type Client, Code, ConnectError, createClient, type ServiceImpl } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { AccountsService, type CreateApiKeyRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { type Keyring, secretKeyring } from '../../keyring.ts'
import { connectRpc } from '../../rpc/client.ts'
import { createLocalRpc } from '../../rpc/local.ts'
import { networkRpc } from '../../rpc/network.ts'
import { ANSWER_LIMIT_BYTES, REQUEST_LIMIT_BYTES } from '../../rpc/rpc.ts'
import { serveRpc } from '../../rpc/server.ts'

const SECRET = secretKeyring.parse('a secret of the test installation')

type CreateApiKey = ServiceImpl<typeof AccountsService>['createApiKey']

async function start(
  kind: 'network' | 'local',
  createApiKey: CreateApiKey = () => ({}),
  ready = () => Promise.resolve(),
  secret: Keyring = SECRET,
) {
  const service = createTestProcess('accounts', { rpc: kind === 'network' ? networkRpc : createLocalRpc() })
  const caller = createTestProcess('caller', { rpc: service.rpc })
  onTestFinished(() => caller.stop())
  onTestFinished(() => service.stop())
  const port = await freePort()
  const listen = { host: '127.0.0.1', port }
  const routes: Parameters<typeof serveRpc>[1]['routes'] = (router) => router.service(AccountsService, { createApiKey })
  await serveRpc(service, { listen, secret, routes })
  service.readiness.require(ready)
  const url = `http://127.0.0.1:${port}`
  const accounts: Client<typeof AccountsService> = connectRpc(caller, AccountsService, { url, secret })
  return { service, caller, url, secret, accounts }
}

/** The longest text in a message of `bytes` bytes, after its tag and length. */
const LONGEST_REQUEST = 'x'.repeat(REQUEST_LIMIT_BYTES - 4)
const LONGEST_ANSWER = 'x'.repeat(ANSWER_LIMIT_BYTES - 5)

describe.each(['network', 'local'] as const)('over %s', (kind) => {
  test('a refusal arrives with its code, message and time of retry', async () => {
    const error = new ApiError('quota_exceeded', 'Over 100 % of „Größe“\n\ud800', { retryAfterSeconds: 7 })
    const { accounts } = await start(kind, () => {
      throw error
    })
    const message = kind === 'network' ? error.message.toWellFormed() : error.message
    const expected = { code: 'quota_exceeded', message, retryAfterSeconds: 7 }
    await expect(accounts.createApiKey({})).rejects.toMatchObject(expected)
  })

  test('an internal error is not described to the caller; a method without an implementation is UNIMPLEMENTED', async () => {
    const { accounts } = await start(kind, () => {
      throw new TypeError('secret detail')
    })
    const internal = { code: Code.Internal, rawMessage: 'internal error' }
    await expect(accounts.createApiKey({})).rejects.toMatchObject(internal)
    await expect(accounts.getApiKey({})).rejects.toMatchObject({ code: Code.Unimplemented })
  })

  test('a request may have 1 MiB, a response 16 MiB', async () => {
    let key = LONGEST_ANSWER
    const { accounts } = await start(kind, () => ({ key }))
    expect((await accounts.createApiKey({ name: LONGEST_REQUEST })).key).toHaveLength(key.length)
    const tooLarge = { code: Code.ResourceExhausted }
    await expect(accounts.createApiKey({ name: `${LONGEST_REQUEST}x` })).rejects.toMatchObject(tooLarge)
    key += 'x'
    await expect(accounts.createApiKey({})).rejects.toMatchObject(tooLarge)
  })

  test('neither side sees later changes of a message by the other one', async () => {
    const scopes = ['read']
    let received: CreateApiKeyRequest | undefined
    const { accounts } = await start(kind, (request) => {
      received = request
      request.scopes.push('print')
      return { key: 'k' }
    })
    await accounts.createApiKey({ scopes })
    expect([scopes, received?.scopes]).toEqual([['read'], ['read', 'print']])
  })

  test('a call fails at its deadline, and a cancelled call aborts the work', async () => {
    const signals: AbortSignal[] = []
    const { accounts } = await start(kind, async (_request, { signal }) => {
      signals.push(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return {}
    })
    const unavailable = { code: 'service_unavailable' }
    await expect(accounts.createApiKey({}, { timeoutMs: 200 })).rejects.toMatchObject({
      ...unavailable,
      cause: { code: Code.DeadlineExceeded },
    })
    const leaving = new AbortController()
    const call = accounts.createApiKey({}, { signal: leaving.signal })
    await expect.poll(() => signals.length).toBe(2)
    leaving.abort()
    await expect(call).rejects.toMatchObject({ ...unavailable, cause: { code: Code.Canceled } })
    await expect.poll(() => signals[1]?.aborted).toBe(true)
    const never = accounts.createApiKey({}, { signal: leaving.signal })
    await expect(never).rejects.toMatchObject({ ...unavailable, cause: { code: Code.Canceled } })
  })

  test('a process that stops aborts the signal of its methods, and finishes current calls', async () => {
    const called = Promise.withResolvers<AbortSignal>()
    const answer = Promise.withResolvers<{ key: string }>()
    const { accounts, service } = await start(kind, (_request, { signal }) => {
      called.resolve(signal)
      return answer.promise
    })
    const call = accounts.createApiKey({})
    const signal = await called.promise
    expect(signal.aborted).toBe(false)
    const stopped = service.stop()
    expect(signal.aborted).toBe(true)
    answer.resolve({ key: 'the last one' })
    expect((await call).key).toBe('the last one')
    await stopped
  })

  test('health is that of the dependencies of a service, and needs no secret', async () => {
    let isReady = true
    const { caller, url } = await start(kind, undefined, async () => {
      if (!isReady) throw new Error('no database')
    })
    const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus
    const health = connectRpc(caller, Health, { url, secret: secretKeyring.parse('of another installation') })
    expect((await health.check({})).status).toBe(SERVING)
    isReady = false
    expect((await health.check({})).status).toBe(NOT_SERVING)
  })
})

test('a process that stops is not healthy', async () => {
  const { service, caller, url } = await start('local')
  void service.stop()
  const { status } = await connectRpc(caller, Health, { url, secret: SECRET }).check({})
  expect(status).toBe(HealthCheckResponse_ServingStatus.NOT_SERVING)
})

test('a call with another secret is refused', async () => {
  const { caller, url } = await start('network')
  for (const text of ['a secret of another installation.', 'short']) {
    const secret: Keyring = [Buffer.from(text)]
    const transport = networkRpc.connect(caller, AccountsService, { url, secret })
    const accounts = createClient(AccountsService, transport)
    await expect(accounts.createApiKey({})).rejects.toThrow(ConnectError)
    await expect(accounts.createApiKey({})).rejects.toMatchObject({ code: Code.PermissionDenied })
  }
})

test('the secret is replaced in three rollouts, in each of which old and new replicas call each other', async () => {
  const texts = ['the old secret of a test', 'the new secret of a test']
  const [old, newer] = [secretKeyring.parse(texts[0]), secretKeyring.parse(texts[1])]
  const rollouts = [old, secretKeyring.parse(texts.join()), secretKeyring.parse(texts.toReversed().join()), newer]
  const replicas = await Promise.all(rollouts.map((secret) => start('network', undefined, undefined, secret)))
  const call = (caller: (typeof replicas)[number], callee: (typeof replicas)[number], secret: Keyring) =>
    connectRpc(caller.caller, AccountsService, { url: callee.url, secret }).createApiKey({})
  for (const [n, replica] of replicas.entries())
    for (const other of replicas.slice(Math.max(n - 1, 0), n + 2))
      await expect(call(replica, other, replica.secret)).resolves.toBeDefined()
  const [first, , , last] = replicas
  if (first && last) await expect(call(first, last, old)).rejects.toMatchObject({ code: Code.PermissionDenied })
})

test('without a listener a call fails at once', async () => {
  const caller = createTestProcess('caller')
  onTestFinished(() => caller.stop())
  const accounts = connectRpc(caller, AccountsService, { url: `http://127.0.0.1:${await freePort()}`, secret: SECRET })
  await expect(accounts.createApiKey({})).rejects.toMatchObject({ code: 'service_unavailable' })
})
