/** Finds the installation that runs in `PLATEN_DATA_DIR`, for the commands of its operator. */
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive, readRunRecord } from '../launcher/read-run-record.ts'
import { openSecrets, type Secrets } from '../launcher/secrets.ts'
import { readSettings } from '../launcher/settings.ts'
import { StartupError } from '../launcher/startup-error.ts'

const PORTS = z.object({ postgres: z.number() })

export interface RunningInstallation {
  dataDirectory: string
  ports: z.infer<typeof PORTS>
  /** The URL of the operations port. */
  opsUrl: string
  /** Pids by name. */
  processes: Record<string, number>
  secrets: Secrets
}

/** @throws StartupError if no installation runs there or its files are not readable; ConfigError. */
export async function findRunningInstallation(env: NodeJS.ProcessEnv): Promise<RunningInstallation> {
  const { dataDirectory } = readSettings(env)
  try {
    const record = await readRunRecord(join(dataDirectory, 'run.json'))
    // After the end of the launcher, other programs may use its ports. They must not receive the secrets.
    if (!record || !isAlive(record, record.pid))
      throw new StartupError(`Platen is not running in ${dataDirectory}. Start it or set PLATEN_DATA_DIR.`)
    if (!record.opsUrl)
      throw new StartupError('An earlier release of Platen is running. Restart it to use this command.')
    return {
      dataDirectory,
      ports: PORTS.parse(record.ports),
      opsUrl: record.opsUrl,
      processes: record.processes,
      secrets: await openSecrets(join(dataDirectory, 'secrets.json')),
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `The files of the installation in ${dataDirectory} cannot be read. Run this command as the user that started Platen.`,
    )
  }
}
