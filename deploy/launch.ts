/**
 * Runs a whole installation on one machine, from the first check to the last process's end. Called by `main.ts`.
 *
 * Whatever happens in between, it leaves no process behind; if the launcher itself is killed, its processes end by themselves.
 */
import { join } from 'node:path'
import { bootstrap, type Credentials } from './bootstrap.ts'
import { type Crew, createCrew } from './crew.ts'
import { openDataDirectory } from './data-directory.ts'
import { firstPrint } from './first-print.ts'
import { startNats } from './nats.ts'
import { checkPorts, chooseFreePorts } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { endPreviousRun } from './previous-run.ts'
import { openRunRecord } from './run-record.ts'
import { openSecrets } from './secrets.ts'
import { allServices, type Installation, LOOPBACK_PORTS, type Stores } from './services.ts'
import { readSettings, type Settings } from './settings.ts'
import { startProcess } from './start-process.ts'

/**
 * Comes back when `stopping` is aborted and everything has ended.
 *
 * @throws StartupError, ConfigError what a person must do before the next try.
 */
export async function launch(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  const settings = readSettings(env)
  const installation = await prepare(settings, stopping)
  stopping.throwIfAborted()
  const { data, ports } = installation
  const record = openRunRecord(data.runFile, { gateway: settings.port, agents: settings.agentPort, ...ports })
  const crew = createCrew(record, say)
  const stopped = untilAborted(stopping)
  try {
    await Promise.race([startAll(installation, crew, stopping), crew.failed, stopped])
    await Promise.race([crew.failed, stopped])
  } finally {
    await crew.stop()
    record.close()
  }
}

/** Everything that can fail for a reason outside is checked before anything is started. */
async function prepare(settings: Settings, stopping: AbortSignal): Promise<Installation> {
  const data = await openDataDirectory(settings.dataDirectory)
  await endPreviousRun(data.runFile, say, stopping)
  await checkPorts(settings)
  const ports = await chooseFreePorts(LOOPBACK_PORTS)
  return { settings, data, secrets: await openSecrets(data.secretsFile), ports }
}

async function startAll(installation: Installation, crew: Crew, stopping: AbortSignal): Promise<void> {
  say('Starting PostgreSQL and nats-server …')
  const stores = await startStores(installation, crew)

  say('Starting the services …')
  const platen = allServices(installation, stores)
  await crew.add({ name: platen.name, start: (options) => startProcess(platen, options) })
  const credentials = await bootstrap(installation)
  sayReady(credentials, await firstPrint(credentials, stopping))
}

async function startStores({ data, secrets, ports }: Installation, crew: Crew): Promise<Stores> {
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
    crew.add({ name: 'postgres', start: (options) => startPostgres({ ...postgres, ...options }) }),
    crew.add({ name: 'nats-server', start: (options) => startNats({ ...nats, ...options }) }),
  ])
  return { databaseUrl: database.url, natsUrl: messages.url }
}

function sayReady({ baseUrl, testKey, liveKey }: Credentials, command: string): void {
  // In one go: who reads the first line has the others too.
  say(
    [
      `Platen is ready: ${baseUrl}`,
      `Test key: ${testKey}`,
      `Live key: ${liveKey}`,
      `Print a page:\n\n${command}\n`,
    ].join('\n'),
  )
}

function say(line: string): void {
  console.log(line)
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
