/** The devices service's settings: names first, meaning second. */
import { budgetSetting } from '@platen/runtime/budget.ts'
import { listenAddress, port, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { secret } from '@platen/runtime/keyring.ts'
import { CONNECTIONS_ENVIRONMENT } from '@platen/runtime/limit-connections.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { TLS_ENVIRONMENT, toTlsFiles } from '@platen/runtime/tls.ts'
import { z } from 'zod'

const ENVIRONMENT = z.object({
  PLATEN_RPC_LISTEN: listenAddress,
  PLATEN_RPC_CALLERS: rpcCallers,
  PLATEN_RPC_KEY: secret,
  ...databaseVariables('devices'),
  ...NATS_VARIABLES,
  PLATEN_ACCOUNTS_URL: z.url(),
  PLATEN_JOBS_URL: z.url(),
  PLATEN_FILE_STORE_URL: z.url(),
  PLATEN_HOST: z.string().default('::'),
  PLATEN_AGENT_PORT: port.default(8090),
  PLATEN_AGENT_PLAIN_LISTEN: listenAddress.optional(),
  ...TLS_ENVIRONMENT,
  ...CONNECTIONS_ENVIRONMENT,
  PLATEN_HEARTBEAT_SECONDS: seconds(20),
  PLATEN_STREAM_MAX_SECONDS: seconds(30 * 60).refine((max) => max <= 24 * 60 * 60, 'must be 86400 or less'),
  PLATEN_OFFLINE_GRACE_SECONDS: seconds(30),
  PLATEN_AGENT_LOST_SECONDS: seconds(24 * 60 * 60),
  PLATEN_AGENT_CREDENTIAL_SECONDS: seconds(30 * 24 * 60 * 60),
  PLATEN_PRINTER_STATE_SECONDS: seconds(10),
  PLATEN_AGENT_PACKAGES_DIR: z.string().optional(),
  PLATEN_COMPUTERS_PER_ORGANIZATION: budgetSetting('computers'),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS },
    rpcKey: env.PLATEN_RPC_KEY,
    database: databaseSettings(env),
    nats: natsSettings(env),
    accountsUrl: env.PLATEN_ACCOUNTS_URL,
    jobsUrl: env.PLATEN_JOBS_URL,
    fileStoreUrl: env.PLATEN_FILE_STORE_URL,
    agents: {
      listen: { host: env.PLATEN_HOST, port: env.PLATEN_AGENT_PORT },
      /** Undefined: plain HTTP/2. */
      tls: toTlsFiles(env),
      /** Without TLS, for agents in the same trusted network: the test computers. */
      plainListen: env.PLATEN_AGENT_PLAIN_LISTEN,
      connectionsPerAddress: env.PLATEN_CONNECTIONS_PER_ADDRESS,
      trustedProxies: env.PLATEN_TRUSTED_PROXIES,
    },
    /** The interval of agent and service, each way. */
    heartbeatSeconds: env.PLATEN_HEARTBEAT_SECONDS,
    /** Age of a stream, after which its agent is asked to reconnect. */
    streamMaxMs: env.PLATEN_STREAM_MAX_SECONDS * 1000,
    offlineGraceMs: env.PLATEN_OFFLINE_GRACE_SECONDS * 1000,
    agentLostMs: env.PLATEN_AGENT_LOST_SECONDS * 1000,
    /** Age of the credential of an agent, after which it gets a new one. */
    credentialMs: env.PLATEN_AGENT_CREDENTIAL_SECONDS * 1000,
    printerStateMs: env.PLATEN_PRINTER_STATE_SECONDS * 1000,
    /** Undefined: no version of the agent is offered. */
    agentPackagesDirectory: env.PLATEN_AGENT_PACKAGES_DIR,
    computersMax: env.PLATEN_COMPUTERS_PER_ORGANIZATION,
  }
}

export type Config = ReturnType<typeof readConfig>
