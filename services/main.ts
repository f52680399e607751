/**
 * `platen <role>`: runs one service, or with `all` every service in this process. Reads its settings from the environment
 * (docs/settings.md). Stops on SIGTERM and SIGINT.
 */
import { listenAddress, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { secretKeyring } from '@platen/runtime/keyring.ts'
import { serveOperations } from '@platen/runtime/operations.ts'
import { createPart, DRAIN_MS, runProcess, type ServiceProcess } from '@platen/runtime/process.ts'
import { createLocalRpc } from '@platen/runtime/rpc/local.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'
import { z } from 'zod'

/**
 * Services are imported at their start, so that the telemetry starts first and a process loads only its own service. With `all`, services
 * stop in reverse order, so that a caller stops before the services that it calls.
 */
const SERVICES: Record<string, (service: ServiceProcess) => Promise<unknown>> = {
  async accounts(service) {
    const { startAccounts } = await import('@platen/accounts/service.ts')
    return await startAccounts(service, (await import('@platen/accounts/config.ts')).readConfig())
  },
  async webhooks(service) {
    const { startWebhooks } = await import('@platen/webhooks/service.ts')
    return await startWebhooks(service, (await import('@platen/webhooks/config.ts')).readConfig())
  },
  async usage(service) {
    const { startUsage } = await import('@platen/usage/service.ts')
    return await startUsage(service, (await import('@platen/usage/config.ts')).readConfig())
  },
  async jobs(service) {
    const { startJobs } = await import('@platen/jobs/service.ts')
    return await startJobs(service, (await import('@platen/jobs/config.ts')).readConfig())
  },
  async devices(service) {
    const { startDevices } = await import('@platen/devices/service.ts')
    return await startDevices(service, (await import('@platen/devices/config.ts')).readConfig())
  },
  async gateway(service) {
    const { startGateway } = await import('@platen/gateway/service.ts')
    return await startGateway(service, (await import('@platen/gateway/config.ts')).readConfig())
  },
  async 'test-computers'(service) {
    const { startTestComputers } = await import('@platen/test-computers/service.ts')
    return await startTestComputers(service, (await import('@platen/test-computers/config.ts')).readConfig())
  },
}

/** Of every role. */
const PROCESS_ENVIRONMENT = z.object({
  PLATEN_OPS_LISTEN: listenAddress.optional(),
  PLATEN_DRAIN_SECONDS: seconds(DRAIN_MS / 1000).refine((drain) => drain <= 3600, 'must be 3600 or less'),
})
const RPC_ENVIRONMENT = z.object({ PLATEN_RPC_LISTEN: listenAddress, PLATEN_RPC_SECRET: secretKeyring })

const role = process.argv[2] ?? ''
const start = SERVICES[role]
if (role !== 'all' && !start) {
  console.error(`Usage: platen <role>, where <role> is ${[...Object.keys(SERVICES), 'all'].join(', ')}.`)
  process.exit(64)
}

const telemetry = await startTelemetry({
  serviceName: role === 'all' ? 'platen' : `platen-${role}`,
  showsMetrics: Boolean(process.env.PLATEN_OPS_LISTEN),
})
await runProcess(role === 'all' ? 'platen' : role, async (service) => {
  service.onStop('telemetry', telemetry.stop)
  const { PLATEN_OPS_LISTEN: listen, PLATEN_DRAIN_SECONDS: drain } = readEnvironment(PROCESS_ENVIRONMENT)
  service.drainMs = drain * 1000
  if (listen) await serveOperations(service, listen, telemetry.metrics)
  await (start ?? startAll)(service)
})

/** Calls between the services stay in this process. Only operators' tools use `PLATEN_RPC_LISTEN`. */
async function startAll(service: ServiceProcess): Promise<void> {
  const env = readEnvironment(RPC_ENVIRONMENT)
  const rpc = createLocalRpc()
  const started = Object.entries(SERVICES).map(([name, start]) => start(createPart(service, name, rpc)))
  await Promise.all(started)
  await rpc.listen(service, { listen: env.PLATEN_RPC_LISTEN, secret: env.PLATEN_RPC_SECRET })
}
