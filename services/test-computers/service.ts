/**
 * Runs the virtual test computers of all organizations. Composes the process; `services/main.ts` runs it. Only the
 * process with the lease runs them, and others stand by. The credentials and epochs of the computers fence a process
 * that has lost the lease, as for any agent.
 */
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { TEST_COMPUTER_SUBJECT } from '@platen/proto/subjects.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { release } from '@platen/runtime/release.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { buildInfo } from '@platen/runtime/telemetry/metrics.ts'
import { startTimer, withTimeout } from '@platen/runtime/timers.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from './config.ts'
import { getPrintedMaxBytes, limitPrintedDocuments } from './limit-printed-documents.ts'
import { createVirtualAgents, type VirtualAgents } from './virtual-agents.ts'

const RENEW_EVERY_MS = 2_000

/** Until then each computer can have added 32 MiB. */
const LIMIT_DOCUMENTS_EVERY_MS = 60_000

/** The start waits for the agents, so that test mode works immediately. With many organizations, some connect later. */
const READY_TIMEOUT_MS = 5_000

/** Exists while this process has the lease. */
interface Active {
  agents: VirtualAgents
  requests: { unsubscribe(): void }
}

/** Returns after the first request for the lease, and after the connection of the agents if it was granted. */
export async function startTestComputers(service: ServiceProcess, config: Config): Promise<void> {
  const { log } = service
  const { connection } = await connectNats(service, config.nats)
  const devices = connectRpc(service, DevicesService, { url: config.devicesUrl, key: config.rpcKey })
  const holderId = uuidv7()
  let active: Active | undefined

  function activate(): Active {
    log.info('running the test computers')
    const agents = createVirtualAgents({ ...config, holderId, devices, log })
    const requests = connection.subscribe(TEST_COMPUTER_SUBJECT, {
      callback: (_error, message) =>
        void agents.start(message.string()).then(() => void (connection.isClosed() || message.respond())),
    })
    return { agents, requests }
  }

  async function deactivate(): Promise<void> {
    active?.requests.unsubscribe()
    await active?.agents.stop()
    active = undefined
  }

  async function renew(): Promise<Promise<void>[]> {
    const { held, organizationIds } = await devices.leaseTestComputers({ holderId, all: active === undefined })
    if (!held) {
      if (active) log.warn('lost the lease of the test computers to another process')
      await deactivate()
      return []
    }
    active ??= activate()
    const { agents } = active
    return organizationIds.map((organizationId) => agents.start(organizationId))
  }

  buildInfo.set(1, { service: 'test-computers', version: release, schema: 'none' })
  service.onStop('test computers', async () => {
    const wasActive = active !== undefined
    await deactivate()
    if (wasActive) await devices.releaseTestComputers({ holderId })
  })
  startTimer(service, 'printed documents', LIMIT_DOCUMENTS_EVERY_MS, async () => {
    if (active) await limitPrintedDocuments(config.directory, await getPrintedMaxBytes(config.directory))
  })
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  startTimer(service, 'lease', RENEW_EVERY_MS, async () => {
    const starting = await renew()
    void withTimeout(READY_TIMEOUT_MS, Promise.all(starting)).then(() => setReady())
  })
  await ready
}
