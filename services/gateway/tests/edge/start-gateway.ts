/** Gateways with running timers that use the services of the world of this worker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock } from '@platen/runtime/clock.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { Keyring } from '@platen/runtime/keyring.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import type { TlsFiles } from '@platen/runtime/tls.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { expect, onTestFinished } from 'vitest'
import { type GatewayOptions, startGateway } from '../../service.ts'
import { INLINE_BYTES } from '../client.ts'

const SIGNING_KEY = 'the signing key of the test installation'

const MAIN = new URL('../../../main.ts', import.meta.url).pathname

interface Settings extends GatewayOptions {
  fileStoreUrl?: string
  inlineDocumentBytes?: number
  natsUrl?: string
  rateLimitPerSecond?: number
  organizationRateLimitPerSecond?: number
  tls?: TlsFiles
  dashboardDirectory?: string
  docsDirectory?: string
  agentPackagesDirectory?: string
  connectionsPerAddress?: number
}

/** In the process of the test. Only its rate limit uses the clock of the world. */
export async function startRunningGateway({
  fileStoreUrl,
  inlineDocumentBytes = INLINE_BYTES,
  natsUrl,
  rateLimitPerSecond = 10_000,
  organizationRateLimitPerSecond = 10_000,
  tls,
  dashboardDirectory,
  docsDirectory,
  agentPackagesDirectory,
  connectionsPerAddress = 10_000,
  ...options
}: Settings = {}) {
  const world = await getWorld()
  const service = createTestProcess('gateway', { rpc: world.processes.gateway.rpc })
  onTestFinished(() => service.stop())
  const { url, key } = world.rpc
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    tls,
    ...{
      rpcKey: key,
      signingKeys: [Buffer.from(SIGNING_KEY)] satisfies Keyring,
      accountsUrl: url,
      jobsUrl: url,
      devicesUrl: url,
      usageUrl: url,
      webhooksUrl: url,
    },
    ...{ fileStoreUrl: fileStoreUrl ?? world.fileStoreUrl, inlineDocumentBytes, documentPreview: true },
    ...{
      nats: natsUrl === undefined ? undefined : parseNatsUrl(natsUrl),
      rateLimitPerSecond,
      organizationRateLimitPerSecond,
    },
    ...{ allowedNetworks: [], upgradeUrl: 'https://print.example/billing', agentPublicUrl: undefined, agentPort: 8090 },
    ...{
      olderKeyPrefixes: [],
      hsts: undefined,
      publicUrl: undefined,
      isEncrypted: tls !== undefined,
      trustedProxies: [],
      connectionsPerAddress,
      printNode: undefined,
      dashboardDirectory,
      docsDirectory,
      agentPackagesDirectory,
      installation: undefined,
    },
  }
  const clock = { ...systemClock, monotonicMs: world.clock.monotonicMs }
  const publicNetwork = createPublicNetwork({ allowed: [], resolve: async () => ['93.184.216.34'] })
  const { port } = await startGateway(service, config, clock, { publicNetwork, optionalTimeoutMs: 5_000, ...options })
  return { service, port, url: `http${tls ? 's' : ''}://127.0.0.1:${port}` }
}

/** Accepts connections and never answers, so that a gateway can be killed during a call. */
export async function startSilentServer() {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}`, connected: once(server, 'connection') }
}

/** As a separate process. @param env settings that extend and replace those of the world. */
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
  // By then all that it wrote is here.
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
