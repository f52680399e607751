/**
 * `platen-server <role>`: runs one service, or with `all` every service in this process. Reads its settings from the
 * environment (docs/settings.md). Stops on SIGTERM and SIGINT.
 */
import { ConfigError, listenAddress, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { sha256Keyring } from '@platen/runtime/keyring.ts'
import { serveOperations } from '@platen/runtime/ops-port.ts'
import { createPart, DRAIN_MS, runProcess, type ServiceProcess } from '@platen/runtime/process.ts'
import { returnMemory } from '@platen/runtime/return-memory.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { createLocalRpc } from '@platen/runtime/rpc/local.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'
import { runAsService } from '@platen/runtime/telemetry/trace-context.ts'
import { z } from 'zod'
import { ROLES, SERVICES } from './roles.ts'

/** The settings of every role. */
const PROCESS_ENVIRONMENT = z.object({
  PLATEN_OPS_LISTEN: listenAddress.optional(),
  PLATEN_OPERATOR_SECRET_SHA256: sha256Keyring.optional(),
  PLATEN_METRICS: z.enum(['on', 'off']).default('on'),
  PLATEN_DRAIN_SECONDS: seconds(DRAIN_MS / 1000).refine((drain) => drain <= 3600, 'must be 3600 or less'),
})
const RPC_ENVIRONMENT = z.object({ PLATEN_RPC_LISTEN: listenAddress, PLATEN_RPC_CALLERS: rpcCallers })

const role = process.argv[2] ?? ''

const telemetry = await startTelemetry({
  serviceName: role === 'all' ? 'platen' : `platen-${role}`,
  hasParts: role === 'all',
  showsMetrics: Boolean(process.env.PLATEN_OPS_LISTEN) && process.env.PLATEN_METRICS !== 'off',
})
await runProcess(role === 'all' ? 'platen' : role, async (service) => {
  service.onStop('telemetry', telemetry.stop)
  if (!ROLES.includes(role)) throw new ConfigError(`Unknown role "${role}". Use one of: ${ROLES.join(', ')}.`)
  const env = readEnvironment(PROCESS_ENVIRONMENT)
  service.drainMs = env.PLATEN_DRAIN_SECONDS * 1000
  const { metrics } = telemetry
  const operatorDigests = env.PLATEN_OPERATOR_SECRET_SHA256
  if (env.PLATEN_OPS_LISTEN) await serveOperations(service, env.PLATEN_OPS_LISTEN, { metrics, operatorDigests })
  await (SERVICES[role] ?? startAll)(service)
  returnMemory(service)
})

/** Calls between the services stay in this process. Services in processes of their own can use `PLATEN_RPC_LISTEN`. */
async function startAll(service: ServiceProcess): Promise<void> {
  const env = readEnvironment(RPC_ENVIRONMENT)
  const rpc = createLocalRpc()
  const started = Object.entries(SERVICES).map(([name, start]) =>
    runAsService(name, () => start(createPart(service, name, rpc))),
  )
  await Promise.all(started)
  await rpc.listen(service, { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS })
}
