/** The gateway as a process: its start, its settings and its end. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startGatewayProcess, startRunningGateway } from './start-gateway.ts'

test('it starts without the other services, and SIGTERM ends it cleanly', async () => {
  const { child, exited, isUp } = await startGatewayProcess({ PLATEN_RPC_KEY: 'a-key-that-no-service-knows-in-a-test' })
  await isUp()
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('a port in use and bad settings are one clear sentence and the exit code for settings', async () => {
  const first = await startGatewayProcess()
  await first.isUp()
  const badSettings = { PLATEN_JOBS_URL: 'nowhere', PLATEN_RPC_KEY: 'short', PLATEN_KEY_PREFIX_ALIASES: 'older,' }
  const [second, third] = await Promise.all([
    startGatewayProcess({ PLATEN_PORT: String(first.port) }),
    startGatewayProcess(badSettings),
  ])
  expect([await second.exited, await third.exited]).toEqual([78, 78])
  expect(second.output()).toContain(`Port ${first.port} is in use.`)
  for (const name of Object.keys(badSettings)) expect(third.output()).toContain(name)
})

test('a gateway that stops answers a request on an idle connection, and then closes the connection', async () => {
  const { service, url } = await startRunningGateway({ drainMs: 8_000 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const request = async () => {
    const [response] = (await once(get(`${url}/healthz`, { agent }), 'response')) as [IncomingMessage]
    const { localPort } = response.socket
    await once(response.resume(), 'end')
    return { status: response.statusCode, connection: response.headers.connection, localPort }
  }
  const { localPort } = await request()
  const stopped = service.stop()
  expect(await request()).toEqual({ status: 200, connection: 'close', localPort })
  await stopped
})
