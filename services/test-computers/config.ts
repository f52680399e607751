/** The settings of the process that runs the test computers: names first, meaning second. */
import { readEnvironment } from '@platen/runtime/config.ts'
import { secret } from '@platen/runtime/keyring.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { z } from 'zod'

const ENVIRONMENT = z.object({
  PLATEN_RPC_KEY: secret,
  PLATEN_DEVICES_URL: z.url(),
  ...NATS_VARIABLES,
  PLATEN_AGENT_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  PLATEN_TEST_COMPUTERS_DIR: z.string(),
  PLATEN_VIRTUAL_PRINT_MS: z.coerce.number().int().min(1).optional(),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpcKey: env.PLATEN_RPC_KEY,
    devicesUrl: env.PLATEN_DEVICES_URL,
    nats: natsSettings(env),
    /** Address for the streams of the agents. */
    agentUrl: env.PLATEN_AGENT_URL,
    /** Contains a directory for each computer with its journal and printed documents. */
    directory: env.PLATEN_TEST_COMPUTERS_DIR,
    /** From release to completion. Undefined for the default of the virtual spooler. */
    printMs: env.PLATEN_VIRTUAL_PRINT_MS,
  }
}

export type Config = ReturnType<typeof readConfig>
