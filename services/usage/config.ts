/** The settings of the usage service. */
import { databaseUrl, listenAddress, readEnvironment } from '@platen/runtime/config.ts'
import { z } from 'zod'

const ENVIRONMENT = z.object({
  PLATEN_RPC_LISTEN: listenAddress,
  PLATEN_RPC_SECRET: z.string().min(16),
  PLATEN_DATABASE_URL: databaseUrl('usage'),
  PLATEN_JOBS_URL: z.url(),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, secret: env.PLATEN_RPC_SECRET },
    databaseUrl: env.PLATEN_DATABASE_URL,
    jobsUrl: env.PLATEN_JOBS_URL,
  }
}

export type Config = ReturnType<typeof readConfig>
