/** Runs one command of `npm run admin` on a running installation. Called by `main.ts`. */
import { ConnectError } from '@connectrpc/connect'
import { ApiError } from '@platen/runtime/errors.ts'
import { connectServices } from '../connect-services.ts'
import { findRunningInstallation, type RunningInstallation } from '../running-installation.ts'
import { StartupError } from '../startup-error.ts'
import { parseCommand } from './arguments.ts'

/**
 * @returns the JSON value that the command prints.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const run = parseCommand(args)
  const installation = await findRunningInstallation(env)
  const services = connectServices(installation.secrets.rpcSecret, installation.ports.rpc)
  try {
    return await run(services.client)
  } catch (error) {
    throw toOperatorError(error, installation)
  } finally {
    services.close()
  }
}

function toOperatorError(error: unknown, { dataDirectory }: RunningInstallation): unknown {
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable'
  if (isUnavailable || error instanceof ConnectError)
    return new StartupError(`Platen in ${dataDirectory} does not respond. See ${dataDirectory}/logs.`)
  return error
}
