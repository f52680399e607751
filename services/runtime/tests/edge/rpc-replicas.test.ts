/**
 * Calls to a service with several replicas: one port on several addresses of one name, like the pods of a headless
 * service.
 */

import promises from 'node:dns/promises'
import { createServer } from 'node:http2'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { REPLICA_ADDRESSES, REPLICA_HOST } from '@platen/test/harness/replica-addresses.ts'
import { RPC_CALLERS, RPC_KEY } from '@platen/test/harness/rpc-key.ts'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGrpcTransport } from '../../rpc/grpc-transport.ts'
import { RESOLVE_EVERY_MS } from '../../rpc/replica-resolver.ts'
import { DEADLINE_MS } from '../../rpc/rpc.ts'
import { serveRpc } from '../../rpc/server.ts'

interface Replica {
  calls: number
  /** The code of every response. */
  failsWith?: Code | undefined
  /** Before the response. */
  onCall?: () => void
  process: TestProcess
}

async function startReplica(host: string, port: number): Promise<Replica> {
  const process = createTestProcess('accounts')
  onTestFinished(() => process.stop())
  const replica: Replica = { calls: 0, process }
  const count = () => {
    replica.calls++
    replica.onCall?.()
    if (replica.failsWith) throw new ConnectError('the test', replica.failsWith)
  }
  await serveRpc(process, {
    listen: { host, port },
    callers: RPC_CALLERS,
    routes: (router) =>
      router.service(AccountsService, {
        getApiKey() {
          count()
          return {}
        },
        createApiKey() {
          count()
          return {}
        },
      }),
  })
  return replica
}

/** `getApiKey` is idempotent, `createApiKey` is not. */
function connect(port: number, addresses: string[]) {
  const lookup = promises.lookup
  vi.spyOn(promises, 'lookup').mockImplementation(((host: string, options: object) => {
    if (host !== REPLICA_HOST) return lookup(host, options)
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  }) as typeof lookup)
  onTestFinished(() => void vi.restoreAllMocks())
  const { transport, close } = createGrpcTransport(AccountsService, {
    url: `http://${REPLICA_HOST}:${port}`,
    key: RPC_KEY,
  })
  onTestFinished(close)
  return createClient(AccountsService, transport)
}

/** Two replicas, to both of which the client is connected. */
async function startPair() {
  const port = await freePort()
  const [first, second] = (await Promise.all(REPLICA_ADDRESSES.map((host) => startReplica(host, port)))) as [
    Replica,
    Replica,
  ]
  const client = connect(port, REPLICA_ADDRESSES)
  await reach(client, first, second)
  return { first, second, client, port }
}

/** Calls until each of the replicas has been called, then counts from zero. */
async function reach(client: ReturnType<typeof connect>, ...replicas: Replica[]): Promise<void> {
  await waitFor(async () => {
    await client.getApiKey({})
    for (const { calls } of replicas) expect(calls).toBeGreaterThan(0)
  })
  for (const replica of replicas) replica.calls = 0
}

async function times<T>(count: number, call: () => Promise<T>): Promise<void> {
  for (let n = 0; n < count; n++) await call()
}

test('calls are distributed evenly over all addresses of a name', async () => {
  const { first, second, client } = await startPair()
  await times(40, () => client.getApiKey({}))
  expect([first.calls, second.calls]).toEqual([20, 20])
})

test('a stopped replica fails no call; without any replica calls fail at once; a restarted replica is called again', async () => {
  const { first, second, client, port } = await startPair()
  await first.process.stop()
  await times(20, () => client.createApiKey({}))
  expect(second.calls).toBe(20)
  await second.process.stop()
  await waitFor(() => expect(client.createApiKey({})).rejects.toMatchObject({ code: Code.Unavailable }))
  const again = await startReplica(REPLICA_ADDRESSES[0] ?? '', port)
  await waitFor(() => client.createApiKey({}))
  expect(again.calls).toBe(1)
})

test('a replica that DNS names is called and one that it no longer names is not, while all connections are well', async () => {
  const port = await freePort()
  const [one = '', other = ''] = REPLICA_ADDRESSES
  const addresses = [one]
  const [first, second] = [await startReplica(one, port), await startReplica(other, port)]
  const client = connect(port, addresses)
  await reach(client, first)
  addresses.splice(0, 1, other)
  await waitFor(async () => {
    await client.getApiKey({})
    expect(second.calls).toBeGreaterThan(0)
  }, RESOLVE_EVERY_MS + 5_000)
  first.calls = 0
  second.calls = 0
  await times(10, () => client.getApiKey({}))
  expect([first.calls, second.calls]).toEqual([0, 10])
})

test('an unavailable replica fails no idempotent call; another call is tried once', async () => {
  const { first, second, client } = await startPair()
  first.failsWith = Code.Unavailable
  // Too few to eject the replica.
  await times(4, () => client.getApiKey({}))
  expect(second.calls).toBe(4)
  expect(first.calls).toBeGreaterThan(0)
  first.calls = 0
  second.calls = 0
  const results = await Promise.allSettled([client.createApiKey({}), client.createApiKey({})])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([first.calls, second.calls]).toEqual([1, 1])
})

test('an idempotent call that fails after the default deadline is not repeated, because it needs its time again', async () => {
  const { first, second, client } = await startPair()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const replica of [first, second]) {
    replica.failsWith = Code.Unavailable
    replica.onCall = () => vi.setSystemTime(Date.now() + DEADLINE_MS)
  }
  await expect(client.getApiKey({}, { timeoutMs: 10 * DEADLINE_MS })).rejects.toMatchObject({ code: Code.Unavailable })
  expect(first.calls + second.calls).toBe(1)
})

test('a replica that ends within its response fails no idempotent call', async () => {
  const port = await freePort()
  const [one = '', other = ''] = REPLICA_ADDRESSES
  await startReplica(one, port)
  let cut = 0
  const ending = createServer().on('stream', (stream) => {
    cut++
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    stream.write('x', () => stream.session?.destroy())
  })
  await new Promise<void>((resolve) => ending.listen(port, other, resolve))
  onTestFinished(() => void ending.close())
  const client = connect(port, REPLICA_ADDRESSES)
  while (cut === 0) await client.getApiKey({})
})

test('a replica that fails all calls is ejected while another one serves them', async () => {
  const { first, client } = await startPair()
  first.failsWith = Code.Unavailable
  await waitFor(async () => {
    first.calls = 0
    await Promise.allSettled(Array.from({ length: 20 }, () => client.createApiKey({})))
    expect(first.calls).toBe(0)
  })
})

test.each([Code.Internal, Code.NotFound])('a failure of the call itself (code %i) is not repeated', async (code) => {
  const { first, second, client } = await startPair()
  first.failsWith = code
  const results = await Promise.allSettled([client.getApiKey({}), client.getApiKey({})])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([first.calls, second.calls]).toEqual([1, 1])
})

test('if all replicas are unavailable, an idempotent call is tried twice', async () => {
  const { first, second, client } = await startPair()
  first.failsWith = Code.Unavailable
  second.failsWith = Code.Unavailable
  const failure = { code: Code.Unavailable, rawMessage: 'the test' }
  await expect(client.getApiKey({})).rejects.toMatchObject(failure)
  expect(first.calls + second.calls).toBe(2)
})

test('a replica that no longer answers is skipped after a deadline', async () => {
  const [port, behind] = [await freePort(), await freePort()]
  const [one = '', other = ''] = REPLICA_ADDRESSES
  const serving = await startReplica(one, port)
  const stuck = await startReplica(one, behind)
  const proxy = await startTcpProxy({ host: other, port }, { host: one, port: behind })
  onTestFinished(() => proxy.close())
  const client = connect(port, REPLICA_ADDRESSES)
  await reach(client, serving, stuck)
  proxy.halfOpen()
  await waitFor(() => times(20, () => client.createApiKey({}, { timeoutMs: 1_000 })), DEADLINE_MS + 1_000)
  expect(stuck.calls).toBe(0)
})
