/** Calls between services behave equally over the network and within one process. */
import { type Client, Code, type ServiceImpl } from '@connectrpc/connect'
import { toRpcCallers } from '@platen/deploy/launcher/services.ts'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { AccountsService, type CreateApiKeyRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { RPC_CALLERS, RPC_KEY } from '@platen/test/harness/rpc-key.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { rpcCallers } from '../../rpc/callers.ts'
import { connectRpc } from '../../rpc/client.ts'
import { createLocalRpc } from '../../rpc/local.ts'
import { networkRpc } from '../../rpc/network.ts'
import { ANSWER_LIMIT_BYTES, REQUEST_LIMIT_BYTES } from '../../rpc/rpc.ts'
import { serveRpc } from '../../rpc/server.ts'

type CreateApiKey = ServiceImpl<typeof AccountsService>['createApiKey']

async function start(
  kind: 'network' | 'local',
  createApiKey: CreateApiKey = () => ({}),
  ready = () => Promise.resolve(),
  callers = RPC_CALLERS,
) {
  const service = createTestProcess('accounts', { rpc: kind === 'network' ? networkRpc : createLocalRpc() })
  const caller = createTestProcess('gateway', { rpc: service.rpc })
  onTestFinished(() => caller.stop())
  onTestFinished(() => service.stop())
  const port = await freePort()
  const listen = { host: '127.0.0.1', port }
  const routes: Parameters<typeof serveRpc>[1]['routes'] = (router) => router.service(AccountsService, { createApiKey })
  await serveRpc(service, { listen, callers, routes })
  service.readiness.require(ready)
  const url = `http://127.0.0.1:${port}`
  const accounts: Client<typeof AccountsService> = connectRpc(caller, AccountsService, { url, key: RPC_KEY })
  return { service, caller, url, accounts }
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
    // Large messages take longer than the deadline of a call on a machine with other work.
    const options = { timeoutMs: 60_000 }
    expect((await accounts.createApiKey({ name: LONGEST_REQUEST }, options)).key).toHaveLength(key.length)
    const tooLarge = { code: Code.ResourceExhausted }
    await expect(accounts.createApiKey({ name: `${LONGEST_REQUEST}x` }, options)).rejects.toMatchObject(tooLarge)
    key += 'x'
    await expect(accounts.createApiKey({}, options)).rejects.toMatchObject(tooLarge)
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

  test('health is that of the dependencies of a service, and needs no key', async () => {
    let isReady = true
    const { caller, url } = await start(kind, undefined, async () => {
      if (!isReady) throw new Error('no database')
    })
    const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus
    const health = connectRpc(caller, Health, { url, key: 'of another installation' })
    expect((await health.check({})).status).toBe(SERVING)
    isReady = false
    expect((await health.check({})).status).toBe(NOT_SERVING)
  })
})

test('a process that stops is not healthy', async () => {
  const { service, caller, url } = await start('local')
  void service.stop()
  const { status } = await connectRpc(caller, Health, { url, key: RPC_KEY }).check({})
  expect(status).toBe(HealthCheckResponse_ServingStatus.NOT_SERVING)
})

const toCallers = (keys: Record<string, string>) => rpcCallers.parse(toRpcCallers(keys))
const call = (caller: TestProcess, url: string, key: string) =>
  connectRpc(caller, AccountsService, { url, key }).createApiKey({})

test('a service is called with the key of a caller that its contract names, and by no other one', async () => {
  const { caller, url } = await start(
    'network',
    undefined,
    undefined,
    toCallers({ gateway: 'of gateway', usage: 'of usage' }),
  )
  await expect(call(caller, url, 'of gateway')).resolves.toBeDefined()
  const method = 'platen.accounts.v1.AccountsService/CreateApiKey'
  await expect(call(caller, url, 'of usage')).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: `usage cannot call ${method}, which is for gateway, operator. Check PLATEN_RPC_KEY of the caller and PLATEN_RPC_CALLERS of the called service.`,
  })
  for (const key of ['of gateway.', 'short', ''])
    await expect(call(caller, url, key)).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining(`The key of the call to ${method} is missing or unknown.`),
    })
})

test('in one process, each part calls only the methods for it', async () => {
  const { service, accounts } = await start('local')
  await expect(accounts.createApiKey({})).resolves.toBeDefined()
  const usage = createTestProcess('usage', { rpc: service.rpc })
  onTestFinished(() => usage.stop())
  await expect(call(usage, '', '')).rejects.toMatchObject({ code: Code.PermissionDenied })
})

test('while a caller is listed with two keys, each of them is accepted, and one key can belong to several callers', async () => {
  const callers = rpcCallers.parse(
    `${toRpcCallers({ gateway: 'old' })},${toRpcCallers({ gateway: 'new', usage: 'new' })}`,
  )
  const { caller, url } = await start('network', undefined, undefined, callers)
  for (const key of ['old', 'new']) await expect(call(caller, url, key)).resolves.toBeDefined()
})

test('without a listener a call fails at once', async () => {
  const caller = createTestProcess('gateway')
  onTestFinished(() => caller.stop())
  const accounts = connectRpc(caller, AccountsService, { url: `http://127.0.0.1:${await freePort()}`, key: RPC_KEY })
  await expect(accounts.createApiKey({})).rejects.toMatchObject({ code: 'service_unavailable' })
})
