import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError, type ConnectRouter, createClient } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createBalancedTransport } from '../../rpc/balanced-transport.ts'

interface Replica {
  calls: number
  /** The code of every response. */
  failsWith?: Code
  port: number
  stop(): void
}

/** A replica on its own address. All have the same port, like the pods of a headless service. */
async function startReplica(address: string, port = 0): Promise<Replica> {
  const sessions = new Set<{ destroy(): void }>()
  const count = () => {
    replica.calls++
    if (replica.failsWith) throw new ConnectError('the test', replica.failsWith)
  }
  const routes = (router: ConnectRouter) =>
    router
      .service(Health, {
        check() {
          count()
          return { status: HealthCheckResponse_ServingStatus.SERVING }
        },
      })
      .service(AccountsService, {
        createApiKey() {
          count()
          return {}
        },
      })
  const server = createServer(connectNodeAdapter({ routes }))
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const replica: Replica = {
    calls: 0,
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close()
      for (const session of sessions) session.destroy()
    },
  }
  onTestFinished(() => replica.stop())
  return replica
}

/** `check` may be repeated, `createApiKey` may not. A replica that is avoided stays so until the end of the test. */
function connect({ port }: Replica, addresses: string[]) {
  const { transport, close } = createBalancedTransport({
    baseUrl: `http://jobs-headless:${port}`,
    defaultTimeoutMs: 20_000,
    resolve: async () => addresses,
    now: () => 0,
  })
  onTestFinished(close)
  return { ...createClient(Health, transport), createApiKey: createClient(AccountsService, transport).createApiKey }
}

/** Two replicas; the first answers every call with `code`. */
async function startPair(code?: Code) {
  const first = await startReplica('127.0.0.1')
  const second = await startReplica('127.0.0.2', first.port)
  first.failsWith = code
  return { first, second, client: connect(first, ['127.0.0.1', '127.0.0.2']) }
}

test('calls are distributed evenly over all addresses of a name', async () => {
  const { first, second, client } = await startPair()
  for (let n = 0; n < 40; n++) await client.check({})
  expect([first.calls, second.calls]).toEqual([20, 20])
})

test('a replica that is gone costs no call; without any replica a call fails at once', async () => {
  const { first, second, client } = await startPair()
  await client.check({})
  await client.check({})
  first.stop()
  for (let n = 0; n < 20; n++) await client.check({})
  expect(second.calls).toBeGreaterThanOrEqual(20)
  second.stop()
  await expect(client.check({})).rejects.toThrow(/unavailable/)
})

test('an unavailable replica costs no call that may be repeated, and is avoided', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  for (let n = 0; n < 20; n++) await client.check({})
  expect([first.calls, second.calls]).toEqual([1, 20])
})

test('a call that may not be repeated fails once; the next ones go to another replica', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  await expect(client.createApiKey({})).rejects.toMatchObject({ code: Code.Unavailable })
  for (let n = 0; n < 10; n++) await client.createApiKey({})
  expect([first.calls, second.calls]).toEqual([1, 10])
})

test.each([Code.Internal, Code.NotFound])('a failure of the call itself (code %i) is not repeated', async (code) => {
  const { first, second, client } = await startPair(code)
  await expect(client.check({})).rejects.toMatchObject({ code })
  await client.check({})
  await expect(client.check({})).rejects.toMatchObject({ code })
  expect([first.calls, second.calls]).toEqual([2, 1])
})

test('if all replicas are unavailable, each is called once', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  second.failsWith = Code.Unavailable
  await expect(client.check({})).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: 'the test' })
  expect([first.calls, second.calls]).toEqual([1, 1])
  first.calls = 0
  await expect(connect(first, ['127.0.0.1']).check({})).rejects.toMatchObject({ code: Code.Unavailable })
  expect(first.calls).toBe(1)
})
