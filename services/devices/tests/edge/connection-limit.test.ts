/** Connections of one address to the agents' port. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { freePort } from '@platen/test/harness/free-port.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { serveAgents } from '../../agents/server.ts'
import { connectTestAgent } from '../test-agent.ts'

const HOST = '127.0.0.1'

async function start() {
  const world = await getWorld()
  const service = createTestProcess('devices')
  onTestFinished(() => service.stop())
  const listen = { host: HOST, port: await freePort() }
  const limits = { connectionsPerAddress: 2, trustedProxies: [] }
  await serveAgents(service, world.contexts.devices, { listen, tls: undefined, ...limits })
  const organization = await newOrganization(world)
  async function connectAgent() {
    const agent = connectTestAgent(`${HOST}:${listen.port}`, (await organization.enroll('live')).credential)
    agent.hello()
    await agent.waitForMessages('welcome')
    return agent
  }
  const open = (localAddress: string) => {
    const socket = connect({ ...listen, localAddress })
    socket.on('error', () => socket.destroy())
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { connectAgent, open }
}

/** @returns whether the server begins HTTP/2 with its settings. */
async function isServed(socket: Socket): Promise<boolean> {
  return await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

test('a connection of an address above its limit is closed, other addresses are served, and a connection does not count between hello and end of its stream', async () => {
  proves('connections.address.agents')
  const { connectAgent, open } = await start()
  const [agent, ...others] = [await connectAgent(), await connectAgent(), await connectAgent()]
  const expectNext = async (served: boolean) => {
    const socket = open(HOST)
    expect(await isServed(socket)).toBe(served)
    socket.destroy()
  }
  const [, second] = [open(HOST), open(HOST)].map((socket) => socket.resume())
  await waitFor(() => expectNext(false))
  expect(await isServed(open('127.0.0.2'))).toBe(true)
  second?.destroy()
  await waitFor(() => expectNext(true))
  await waitFor(() => expectNext(true))
  agent?.shutDown()
  await waitFor(() => expectNext(false))
  for (const other of others) expect(other.isOver()).toBe(false)
})
