import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterEach, expect, test } from 'vitest'
import { createBalancedTransport } from '../rpc/balanced-transport.ts'

interface Replica {
  calls: number
  /** What it answers every call with. */
  failsWith?: Code
  port: number
  stop(): void
}

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A replica on an address of its own; all have the same port, as the pods of a headless service do. */
async function startReplica(address: string, port = 0): Promise<Replica> {
  const sessions = new Set<{ destroy(): void }>()
  const replica: Replica = { calls: 0, port: 0, stop: () => undefined }
  const server: Http2Server = createServer(
    connectNodeAdapter({
      routes(router) {
        const count = () => {
          replica.calls++
          if (replica.failsWith) throw new ConnectError('as the test wants it', replica.failsWith)
        }
        router.service(Health, {
          check() {
            count()
            return { status: HealthCheckResponse_ServingStatus.SERVING }
          },
        })
        router.service(AccountsService, {
          createApiKey() {
            count()
            return {}
          },
        })
      },
    }),
  )
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  replica.port = (server.address() as AddressInfo).port
  replica.stop = () => {
    server.close()
    for (const session of sessions) session.destroy()
  }
  stops.push(replica.stop)
  return replica
}

/** `check` may be repeated, `createApiKey` may not. A replica that rests does so to the end of the test. */
function connect(port: number, addresses: string[]) {
  const baseUrl = `http://jobs-headless:${port}`
  const { transport, close } = createBalancedTransport({
    baseUrl,
    defaultTimeoutMs: 20_000,
    resolve: async () => addresses,
    now: () => 0,
  })
  stops.push(close)
  return { ...createClient(Health, transport), createApiKey: createClient(AccountsService, transport).createApiKey }
}

test('calls are spread evenly over all addresses of a name', async () => {
  const first = await startReplica('127.0.0.1')
  const second = await startReplica('127.0.0.2', first.port)
  const client = connect(first.port, ['127.0.0.1', '127.0.0.2'])
  for (let n = 0; n < 40; n++) await client.check({})
  expect([first.calls, second.calls]).toEqual([20, 20])
})

test('a replica that is gone costs no call', async () => {
  const first = await startReplica('127.0.0.1')
  const second = await startReplica('127.0.0.2', first.port)
  const client = connect(first.port, ['127.0.0.1', '127.0.0.2'])
  await client.check({})
  await client.check({})
  first.stop()
  for (let n = 0; n < 20; n++) await client.check({})
  expect(second.calls).toBeGreaterThanOrEqual(20)
})

test('with no replica left the call fails at once and says so', async () => {
  const only = await startReplica('127.0.0.1')
  const client = connect(only.port, ['127.0.0.1'])
  only.stop()
  await expect(client.check({})).rejects.toThrow(/unavailable/)
})

/** Two replicas, the first of which answers every call with `code`. */
async function startPair(code: Code) {
  const first = await startReplica('127.0.0.1')
  const second = await startReplica('127.0.0.2', first.port)
  first.failsWith = code
  return { first, second, client: connect(first.port, ['127.0.0.1', '127.0.0.2']) }
}

test('a replica that says it is unavailable costs no call that may be repeated, and rests', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  for (let n = 0; n < 20; n++) await client.check({})
  expect(second.calls).toBe(20)
  expect(first.calls).toBe(1)
})

test('a call that may not be repeated is not, but the next ones go elsewhere', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  await expect(client.createApiKey({})).rejects.toMatchObject({ code: Code.Unavailable })
  for (let n = 0; n < 10; n++) await client.createApiKey({})
  expect([first.calls, second.calls]).toEqual([1, 10])
})

test.each([Code.Internal, Code.NotFound])(
  'what a replica says of the call itself is its answer (code %i)',
  async (code) => {
    const { first, second, client } = await startPair(code)
    await expect(client.check({})).rejects.toMatchObject({ code })
    await client.check({})
    await expect(client.check({})).rejects.toMatchObject({ code })
    expect([first.calls, second.calls]).toEqual([2, 1])
  },
)

test('when all replicas are unavailable each is asked once', async () => {
  const { first, second, client } = await startPair(Code.Unavailable)
  second.failsWith = Code.Unavailable
  await expect(client.check({})).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: 'as the test wants it' })
  expect([first.calls, second.calls]).toEqual([1, 1])
})

test('an only replica that is unavailable is not asked twice', async () => {
  const only = await startReplica('127.0.0.1')
  only.failsWith = Code.Unavailable
  await expect(connect(only.port, ['127.0.0.1']).check({})).rejects.toMatchObject({ code: Code.Unavailable })
  expect(only.calls).toBe(1)
})
