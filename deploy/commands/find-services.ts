/**
 * Finds the services for the commands of operators: by `PLATEN_OPS_URL` and `PLATEN_OPERATOR_SECRET` if they are set,
 * otherwise in the installation that runs in `PLATEN_DATA_DIR`.
 */
import { readEnvironment } from '@platen/runtime/config.ts'
import { secret } from '@platen/runtime/keyring.ts'
import { z } from 'zod'
import type { ServiceAddresses } from '../launcher/connect-services.ts'
import { StartupError } from '../launcher/startup-error.ts'
import { findRunningInstallation } from './running-installation.ts'

export interface FoundServices extends ServiceAddresses {
  /** The directory of an installation on this machine. */
  dataDirectory?: string
  /** For a message: how to find out why they do not respond. */
  logs: string
}

const ENVIRONMENT = z.object({
  PLATEN_OPS_URL: z.url({ protocol: /^http$/, error: 'must be an http URL' }).optional(),
  PLATEN_OPERATOR_SECRET: secret.optional(),
})

/** @throws StartupError, ConfigError. */
export async function findServices(env: NodeJS.ProcessEnv): Promise<FoundServices> {
  const { PLATEN_OPS_URL: url, PLATEN_OPERATOR_SECRET: operatorSecret } = readEnvironment(ENVIRONMENT, env)
  if (url === undefined) {
    const { dataDirectory, opsUrl, secrets } = await findRunningInstallation(env)
    return { secret: secrets.operatorSecret, getUrl: () => opsUrl, dataDirectory, logs: `${dataDirectory}/logs` }
  }
  if (operatorSecret === undefined) throw new StartupError('Set PLATEN_OPERATOR_SECRET to the secret of the operator.')
  return { secret: operatorSecret, getUrl: (service) => url.replaceAll('*', service), logs: 'the logs of the services' }
}
