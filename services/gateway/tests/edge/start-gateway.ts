/** Gateways with running timers that use the services of the world of this worker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock } from '@platen/runtime/clock.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess, type TestProcessOptions } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld, SIGNING_KEY } from '@platen/test/harness/world.ts'
import { expect, onTestFinished } from 'vitest'
import type { Config } from '../../config.ts'
import { type GatewayOptions, startGateway } from '../../service.ts'

const MAIN = new URL('../../../main.ts', import.meta.url).pathname

interface Settings extends Partial<Config>, GatewayOptions, Pick<TestProcessOptions, 'drainMs'> {
  natsUrl?: string
}

/** In the process of the test. Only its rate limit uses the clock of the world. */
export async function startRunningGateway({
  natsUrl,
  httpLimits,
  optionalTimeoutMs = 5_000,
  drainMs,
  ...config
}: Settings = {}) {
  const world = await getWorld()
  const service = createTestProcess('gateway', { rpc: world.processes.gateway.rpc, drainMs })
  onTestFinished(() => service.stop())
  const nats = natsUrl === undefined ? undefined : parseNatsUrl(natsUrl)
  const clock = { ...systemClock, monotonicMs: world.clock.monotonicMs }
  const publicNetwork = createPublicNetwork({ allowed: [], resolve: async () => ['93.184.216.34'] })
  const options = { publicNetwork, httpLimits, optionalTimeoutMs }
  const { port } = await startGateway(service, { ...world.gatewayConfig, nats, ...config }, clock, options)
  return { service, port, url: `http://127.0.0.1:${port}` }
}

/** Accepts connections and never answers, so that a gateway can be killed during a call. */
export async function startSilentServer() {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}`, connected: once(server, 'connection') }
}

/** The gateway as a separate process. @param env settings that extend and replace those of the world. */
export async function startGatewayProcess(env: NodeJS.ProcessEnv = {}) {
  const world = await getWorld()
  const port = await freePort()
  const { url, key } = world.rpc
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'gateway'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_RPC_KEY: key,
      PLATEN_SIGNING_KEY: SIGNING_KEY,
      ...Object.fromEntries(
        ['ACCOUNTS', 'JOBS', 'DEVICES', 'USAGE', 'WEBHOOKS'].map((name) => [`PLATEN_${name}_URL`, url]),
      ),
      PLATEN_FILE_STORE_URL: world.fileStoreUrl,
      PLATEN_UPGRADE_URL: 'https://print.example/billing',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  // All that it wrote is here by then.
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const baseUrl = `http://127.0.0.1:${port}`
  const isUp = () => waitFor(async () => expect((await fetch(`${baseUrl}/healthz`)).status, output).toBe(200), 60_000)
  return { child, exited, kill, port, url: baseUrl, isUp, output: () => output }
}
