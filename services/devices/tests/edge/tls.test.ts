/** The agents' port with a certificate. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { credentials } from '@grpc/grpc-js'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { freePorts } from '@platen/test/harness/free-port.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { connectTls, createTlsProcess, HOST } from '@platen/test/harness/tls-process.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { serveAgents } from '../../agents/server.ts'
import { connectTestAgent } from '../test-agent.ts'

test('agents connect by TLS only, except at the plain address, and a stream outlives the replacement of the certificate', async () => {
  proves('agent.tls')
  const world = await getWorld()
  const { service, tls, replace } = await createTlsProcess()
  const serialNumber = await replace()
  const { own, plain } = await freePorts(['own', 'plain'])
  const toAddress = (port: number) => ({ host: HOST, port })
  const limits = { connectionsPerAddress: 10, trustedProxies: [] }
  const listeners = { listen: toAddress(own), tls, plainListen: toAddress(plain), ...limits }
  await serveAgents(service, world.contexts.devices, listeners)
  expect(await connectTls(own)).toEqual({ serialNumber, alpn: 'h2' })

  const organization = await newOrganization(world)
  const enrolled = async () => (await organization.enroll('live')).credential
  const channel = credentials.createSsl(readFileSync(getTestAuthority().caFile))
  const agent = connectTestAgent(`${HOST}:${own}`, await enrolled(), channel)
  agent.hello()
  await agent.waitForMessages('welcome')
  const inside = connectTestAgent(`${HOST}:${plain}`, await enrolled())
  inside.hello()
  await inside.waitForMessages('welcome')
  const refused = connectHttp2(`http://${HOST}:${own}`).on('error', () => undefined)
  refused.on('remoteSettings', () => expect.unreachable())
  await once(refused, 'close')

  const next = await replace()
  expect(await connectTls(own)).toEqual({ serialNumber: next, alpn: 'h2' })
  agent.report(randomUUID(), ReportedState.DONE, randomUUID())
  await agent.waitForMessages('reportConfirmed')
})
