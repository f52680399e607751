import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createClient } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { afterEach, expect, test } from 'vitest'
import { createBalancedTransport } from '../rpc/balanced-transport.ts'

interface Replica {
  calls: number
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
      routes: (router) =>
        router.service(Health, {
          check() {
            replica.calls++
            return { status: HealthCheckResponse_ServingStatus.SERVING }
          },
        }),
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

function connect(port: number, addresses: string[]) {
  const baseUrl = `http://jobs-headless:${port}`
  const { transport, close } = createBalancedTransport({
    baseUrl,
    defaultTimeoutMs: 2000,
    resolve: async () => addresses,
  })
  stops.push(close)
  return createClient(Health, transport)
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
