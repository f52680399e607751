/**
 * Runs an installation on one machine. Called by `main.mjs`. Imports only Node and files that import only Node: see
 * `start-setup.ts`.
 *
 * After any failure, no process remains. If the launcher is killed, its processes end by themselves.
 */
import { join } from 'node:path'
import { buildAgentPackages } from './build-agent-packages.ts'
import { buildWeb, getBuildDirectory } from './build-web.ts'
import { isDiskFull } from './data-directory.ts'
import { endAfterFullDisk } from './end-after-full-disk.ts'
import { startNats } from './nats.ts'
import { startPostgres } from './postgres.ts'
import { printCodes } from './print-codes.ts'
import { createProcessGroup, type ProcessGroup } from './process-group.ts'
import { openRunRecord } from './run-record.ts'
import { allServices, type Installation, type Stores, toOpsUrl } from './services.ts'
import { startProcess } from './start-process.ts'
import { type Setup, startSetup } from './start-setup.ts'

const print = (line: string) => console.log(line)

/**
 * Returns when `stopping` is aborted and all processes have ended.
 *
 * @throws StartupError if the user must correct something.
 */
export async function launch(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  const setup = startSetup(env, stopping)
  try {
    const installation = await setup.run('prepare')
    stopping.throwIfAborted()
    await runInstallation(installation, setup, stopping)
  } finally {
    setup.end()
  }
}

async function runInstallation(installation: Installation, setup: Setup, stopping: AbortSignal): Promise<void> {
  const { settings, data, ports } = installation
  const record = openRunRecord(data.runFile, {
    ports: { gateway: settings.port, agents: settings.agentPort, ...ports },
    opsUrl: toOpsUrl(installation),
  })
  const group = createProcessGroup(record, { report: print, isDiskFull: () => isDiskFull(data) })
  const stopped = untilAborted(stopping)
  try {
    await Promise.race([startAll(installation, setup, group, stopping), group.failed, stopped])
    await Promise.race([group.failed, stopped])
  } finally {
    await group.stop()
    record.close()
  }
}

async function startAll(
  installation: Installation,
  setup: Setup,
  group: ProcessGroup,
  stopping: AbortSignal,
): Promise<void> {
  print('Starting PostgreSQL and nats-server …')
  const [stores, dashboard] = await Promise.all([
    startStores(installation, setup, group),
    buildWeb('dashboard', print, { onBegin: () => print('Building the dashboard …') }),
  ])

  print('Starting the services …')
  const platen = allServices(installation, stores, {
    dashboard,
    docs: getBuildDirectory('docs'),
    clients: getBuildDirectory('clients'),
  })
  await group.add({ name: platen.name, start: (options) => startProcess(platen, options) })
  await setup.run('printReady', installation, dashboard !== undefined)
  setup.end()
  await Promise.all([
    buildTheRest(installation, stopping),
    installation.settings.hasMailServer || printCodes(installation.data.mailbox, print, stopping),
  ])
}

/** The builds print nothing, because the last lines of a start are the key and the first command. */
async function buildTheRest({ settings }: Installation, stopping: AbortSignal): Promise<void> {
  await buildWeb('clients', print, { stopping })
  await buildWeb('docs', print, { stopping })
  if (settings.isReachable && !process.env.PLATEN_AGENT_PACKAGES_DIR) await buildAgentPackages(print, stopping)
}

async function startStores({ data, secrets, ports }: Installation, setup: Setup, group: ProcessGroup): Promise<Stores> {
  const postgres = {
    directory: data.postgres,
    port: ports.postgres,
    password: secrets.postgresPassword,
    logFile: join(data.logs, 'postgres.log'),
  }
  const nats = {
    directory: data.nats,
    port: ports.nats,
    password: secrets.natsToken,
    operatorPassword: secrets.natsOperatorPassword,
    logFile: join(data.logs, 'nats-server.log'),
  }
  const [database, messages] = await Promise.all([
    group.add({ name: 'postgres', start: (options) => startPostgres({ ...postgres, ...options }) }),
    group.add({
      name: 'nats-server',
      start: async (options) => endAfterFullDisk(await startNats({ ...nats, ...options }), () => isDiskFull(data)),
    }),
  ])
  const databaseUrl = await setup.run('createServiceRoles', database.url, secrets.servicesPassword)
  return { databaseUrl, natsUrl: messages.url }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
