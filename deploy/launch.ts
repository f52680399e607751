/**
 * Runs an installation on one machine. Called by `main.ts`.
 *
 * After any failure, no process remains. If the launcher is killed, its processes end by themselves.
 */
import { join } from 'node:path'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { type Bootstrapped, bootstrap } from './bootstrap.ts'
import { buildDashboard } from './build-dashboard.ts'
import { isDiskFull, openDataDirectory } from './data-directory.ts'
import { endAfterFullDisk } from './end-after-full-disk.ts'
import { firstPrint } from './first-print.ts'
import { startNats } from './nats.ts'
import { checkPorts, chooseFreePorts } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { endPreviousRun } from './previous-run.ts'
import { printCodes } from './print-codes.ts'
import { createProcessGroup, type ProcessGroup } from './process-group.ts'
import { openRunRecord } from './run-record.ts'
import { openSecrets } from './secrets.ts'
import { createServiceRoles, toServiceUrl } from './service-roles.ts'
import { allServices, type Installation, LOOPBACK_PORTS, type Stores, toOpsUrl } from './services.ts'
import { readSettings, type Settings } from './settings.ts'
import { startProcess } from './start-process.ts'

const print = (line: string) => console.log(line)

const ONLY_LOCAL =
  'Only this computer can reach Platen. For agents on other computers set PLATEN_TLS_CERT_FILE and PLATEN_TLS_KEY_FILE, or PLATEN_HOST=0.0.0.0 in a network that you trust.'

/**
 * Returns when `stopping` is aborted and all processes have ended.
 *
 * @throws StartupError, ConfigError if the user must correct something.
 */
export async function launch(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  const settings = readSettings(env)
  const installation = await prepare(settings, stopping)
  stopping.throwIfAborted()
  const { data, ports } = installation
  const record = openRunRecord(data.runFile, {
    ports: { gateway: settings.port, agents: settings.agentPort, ...ports },
    opsUrl: toOpsUrl(installation),
  })
  const group = createProcessGroup(record, { report: print, isDiskFull: () => isDiskFull(data) })
  const stopped = untilAborted(stopping)
  try {
    await Promise.race([startAll(installation, group, stopping), group.failed, stopped])
    await Promise.race([group.failed, stopped])
  } finally {
    await group.stop()
    record.close()
  }
}

/** Checks the environment before any process is started. */
async function prepare(settings: Settings, stopping: AbortSignal): Promise<Installation> {
  const data = await openDataDirectory(settings.dataDirectory)
  await endPreviousRun(data.runFile, print, stopping)
  await checkPorts(settings)
  const ports = await chooseFreePorts(LOOPBACK_PORTS)
  return { settings, data, secrets: await openSecrets(data.secretsFile), ports }
}

async function startAll(installation: Installation, group: ProcessGroup, stopping: AbortSignal): Promise<void> {
  print('Starting PostgreSQL and nats-server …')
  const [stores, dashboard] = await Promise.all([startStores(installation, group), buildDashboard(print)])

  print('Starting the services …')
  const platen = allServices(installation, stores, dashboard)
  await group.add({ name: platen.name, start: (options) => startProcess(platen, options) })
  await printReady(installation, await bootstrap(installation), dashboard !== undefined)
  if (!installation.settings.hasMailServer) await printCodes(installation.data.mailbox, print, stopping)
}

async function startStores({ data, secrets, ports }: Installation, group: ProcessGroup): Promise<Stores> {
  const postgres = {
    directory: data.postgres,
    port: ports.postgres,
    password: secrets.postgresPassword,
    logFile: join(data.logs, 'postgres.log'),
  }
  const nats = {
    directory: data.nats,
    port: ports.nats,
    token: secrets.natsToken,
    logFile: join(data.logs, 'nats-server.log'),
  }
  const [database, messages] = await Promise.all([
    group.add({ name: 'postgres', start: (options) => startPostgres({ ...postgres, ...options }) }),
    group.add({
      name: 'nats-server',
      start: async (options) => endAfterFullDisk(await startNats({ ...nats, ...options }), () => isDiskFull(data)),
    }),
  ])
  await createServiceRoles(parseDatabaseUrl(database.url), secrets.servicesPassword)
  return { databaseUrl: toServiceUrl(database.url, secrets.servicesPassword), natsUrl: messages.url }
}

/** Later starts show keys only on a terminal, because other output is usually stored in a journal. */
async function printReady(
  installation: Installation,
  { credentials, owners, isFirst }: Bootstrapped,
  hasDashboard: boolean,
): Promise<void> {
  const { settings, data } = installation
  const lines = [`Platen is ready: ${credentials.baseUrl}`]
  if (settings.isOnlyLocal) lines.push(ONLY_LOCAL)
  const code = settings.hasMailServer ? 'The code is sent by e-mail.' : 'The code appears here.'
  if (hasDashboard) lines.push(`Dashboard: ${credentials.baseUrl}/app`, `Sign in as ${owners.join(' or ')}. ${code}`)
  if (isFirst || process.stdout.isTTY) {
    lines.push(
      `Test key: ${credentials.testKey}`,
      `Live key: ${credentials.liveKey}`,
      `Admin key: in ${data.credentialsFile}`,
    )
    lines.push(`Print a page:\n\n${await firstPrint(installation, credentials)}\n`)
  } else lines.push(`Keys: ${data.credentialsFile}`)
  // One write, so that readers of the output get all lines at once.
  print(lines.join('\n'))
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
