/** The settings of the usage service. */
import { listenAddress, readEnvironment } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { secret } from '@platen/runtime/keyring.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { z } from 'zod'

const ENVIRONMENT = z.object({
  PLATEN_RPC_LISTEN: listenAddress,
  PLATEN_RPC_CALLERS: rpcCallers,
  PLATEN_RPC_KEY: secret,
  ...databaseVariables('usage'),
  PLATEN_JOBS_URL: z.url(),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS },
    rpcKey: env.PLATEN_RPC_KEY,
    database: databaseSettings(env),
    jobsUrl: env.PLATEN_JOBS_URL,
  }
}

export type Config = ReturnType<typeof readConfig>
