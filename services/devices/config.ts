/** The devices service's settings: names first, meaning second. */
import { listenAddress, port, readEnvironment } from '@platen/runtime/config.ts'
import { z } from 'zod'

const ENVIRONMENT = z.object({
  PLATEN_RPC_LISTEN: listenAddress,
  PLATEN_RPC_SECRET: z.string().min(16),
  PLATEN_DATABASE_URL: z.url(),
  PLATEN_NATS_URL: z.url(),
  PLATEN_JOBS_URL: z.url(),
  PLATEN_FILE_STORE_URL: z.url(),
  PLATEN_HOST: z.string().default('::'),
  PLATEN_AGENT_PORT: port,
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  const host = env.PLATEN_HOST.includes(':') ? `[${env.PLATEN_HOST}]` : env.PLATEN_HOST
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, secret: env.PLATEN_RPC_SECRET },
    databaseUrl: env.PLATEN_DATABASE_URL,
    natsUrl: env.PLATEN_NATS_URL,
    jobsUrl: env.PLATEN_JOBS_URL,
    fileStoreUrl: env.PLATEN_FILE_STORE_URL,
    agentAddress: `${host}:${env.PLATEN_AGENT_PORT}`,
  }
}

export type Config = ReturnType<typeof readConfig>
