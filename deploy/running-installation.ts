/** Finds the installation that runs on `PLATEN_DATA_DIR`, for the tools of its operator. */
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from './private-file.ts'
import { isAlive, RUN_RECORD } from './run-record.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { readSettings } from './settings.ts'
import { StartupError } from './startup-error.ts'

const PORTS = z.object({ postgres: z.number(), rpc: z.number() })

export interface RunningInstallation {
  dataDirectory: string
  ports: z.infer<typeof PORTS>
  secrets: Secrets
}

/** @throws StartupError when nothing runs there, or its files are not for this user; ConfigError. */
export async function findRunningInstallation(env: NodeJS.ProcessEnv): Promise<RunningInstallation> {
  const { dataDirectory } = readSettings(env)
  try {
    const run = await readJson(join(dataDirectory, 'run.json'))
    const record = run === undefined ? undefined : RUN_RECORD.parse(run)
    // Without its launcher its ports may be another program's by now, which must not be sent the secrets.
    if (!record || !isAlive(record, record.pid))
      throw new StartupError(`Platen is not running on ${dataDirectory}: start it, or set PLATEN_DATA_DIR.`)
    return {
      dataDirectory,
      ports: PORTS.parse(record.ports),
      secrets: await openSecrets(join(dataDirectory, 'secrets.json')),
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `The files of the installation in ${dataDirectory} cannot be read: run this as the user who started Platen.`,
    )
  }
}
