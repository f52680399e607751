/**
 * An installation without services: its own directory and ports, PostgreSQL and nats-server with the shipped durability
 * settings. Callers start services on it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataDirectory } from '@platen/deploy/launcher/data-directory.ts'
import { type NatsUrls, startNats, startNatsWith } from '@platen/deploy/launcher/nats.ts'
import { startPostgres } from '@platen/deploy/launcher/postgres.ts'
import type { RunningProcess, StartOptions } from '@platen/deploy/launcher/running-process.ts'
import { openSecrets } from '@platen/deploy/launcher/secrets.ts'
import { createServiceRoles, toServiceUrl } from '@platen/deploy/launcher/service-roles.ts'
import { type Installation, LOOPBACK_PORTS } from '@platen/deploy/launcher/services.ts'
import { readSettings } from '@platen/deploy/launcher/settings.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { freePorts } from './free-port.ts'
import { startRestartable } from './restartable.ts'
import { OPS_PORTS, RPC_SERVICES } from './separate-services.ts'

/**
 * @param name suffix of the directory after `platen-`.
 * @param options.hasNatsToken NATS has a token instead of users.
 */
export async function beginInstallation(name: string, { hasNatsToken = false } = {}) {
  const root = await mkdtemp(join(tmpdir(), `platen-${name}-`))
  const ports = await freePorts([
    ...LOOPBACK_PORTS,
    ...RPC_SERVICES,
    ...OPS_PORTS,
    'gateway',
    'agents',
    'secondGateway',
    'secondAgents',
  ])
  const settings = readSettings({
    PLATEN_DATA_DIR: root,
    PLATEN_PORT: String(ports.gateway),
    PLATEN_AGENT_PORT: String(ports.agents),
    PLATEN_HOST: '127.0.0.1',
  })
  const data = await openDataDirectory(root)
  const secrets = await openSecrets(data.secretsFile)
  const installation = { settings, data, secrets, ports } satisfies Installation
  const processes: Promise<{ stop(): Promise<void> }>[] = []
  /** Stopped with the installation. */
  const started = <P extends { stop(): Promise<void> }>(process: Promise<P>): Promise<P> => {
    processes.push(process)
    return process
  }
  /** Unexpected exits, for example "jobs-0: exit code 1". Such processes were restarted. */
  const unexpectedEnds: string[] = []
  const restartable = <P extends RunningProcess>(name: string, start: (options: StartOptions) => Promise<P>) =>
    started(startRestartable(name, start, (how) => unexpectedEnds.push(`${name}: ${how}`)))
  const postgres = await restartable('postgres', (options) =>
    startPostgres({
      ...options,
      directory: data.postgres,
      port: ports.postgres,
      password: secrets.postgresPassword,
      logFile: join(data.logs, 'postgres.log'),
    }),
  )
  await createServiceRoles(parseDatabaseUrl(postgres.first.url), () => secrets.servicesPassword)
  const { natsToken: token, natsOperatorPassword: operatorPassword } = secrets
  const nats = await restartable('nats-server', async (start): Promise<RunningProcess & NatsUrls> => {
    const options = { ...start, directory: data.nats, port: ports.nats, logFile: join(data.logs, 'nats.log') }
    if (!hasNatsToken) return await startNats({ ...options, password: token, operatorPassword })
    const url = `nats://${token}@127.0.0.1:${ports.nats}`
    return { ...(await startNatsWith({ token }, options)), url, operatorUrl: url }
  })
  return {
    installation,
    /** With the URL of the owner of the cluster. */
    postgres: Object.assign(postgres, { url: postgres.first.url }),
    nats,
    stores: {
      databaseUrl: toServiceUrl(postgres.first.url, secrets.servicesPassword),
      natsUrl: nats.first.url,
    },
    natsOperatorUrl: nats.first.operatorUrl,
    started,
    restartable,
    unexpectedEnds,
    /** The latest first. */
    async stop(): Promise<void> {
      for (const process of processes.toReversed()) await (await process).stop()
      await rm(root, { recursive: true })
    },
  }
}
