/**
 * Finds the services for the commands of operators: by `PLATEN_*_URL` and `PLATEN_RPC_SECRET` on a cluster, otherwise in the installation
 * that runs in `PLATEN_DATA_DIR`.
 */
import { readEnvironment } from '@platen/runtime/config.ts'
import { secretKeyring } from '@platen/runtime/keyring.ts'
import { z } from 'zod'
import type { ServiceAddresses } from './connect-services.ts'
import { findRunningInstallation } from './running-installation.ts'
import { rpcUrl } from './services.ts'
import { StartupError } from './startup-error.ts'

export interface FoundServices extends ServiceAddresses {
  /** Of an installation on this machine. */
  dataDirectory?: string
  /** For a message: how to find out why they do not respond. */
  logs: string
}

const ENVIRONMENT = z.object({ PLATEN_RPC_SECRET: secretKeyring.optional() })

/** @throws StartupError, ConfigError. `getUrl` throws StartupError if its variable is missing. */
export async function findServices(env: NodeJS.ProcessEnv): Promise<FoundServices> {
  const { PLATEN_RPC_SECRET: secret } = readEnvironment(ENVIRONMENT, env)
  if (secret) return { secret, getUrl: (service) => readUrl(env, service), logs: 'the logs of the services' }
  const { dataDirectory, ports, secrets } = await findRunningInstallation(env)
  return {
    secret: secretKeyring.parse(secrets.rpcSecret),
    getUrl: () => rpcUrl(ports.rpc),
    dataDirectory,
    logs: `${dataDirectory}/logs`,
  }
}

function readUrl(env: NodeJS.ProcessEnv, service: string): string {
  const name = `PLATEN_${service.toUpperCase()}_URL`
  const url = env[name]
  if (!url) throw new StartupError(`Set ${name} to the URL of the service ${service}.`)
  return url
}
