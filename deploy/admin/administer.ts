/** Runs one command of `npm run admin` on a running installation. Called by `main.ts`. */
import { ConnectError } from '@connectrpc/connect'
import { ApiError } from '@platen/runtime/errors.ts'
import { connectServices } from '../connect-services.ts'
import { findRunningInstallation, type RunningInstallation } from '../running-installation.ts'
import { StartupError } from '../startup-error.ts'
import { parseCommand } from './arguments.ts'

/**
 * @returns what the command prints as JSON.
 * @throws StartupError, ConfigError, ApiError whose message is for the operator.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const run = parseCommand(args)
  const installation = await findRunningInstallation(env)
  const services = connectServices(installation.secrets.rpcSecret, installation.ports.rpc)
  try {
    return await run(services.client)
  } catch (error) {
    throw inTheOperatorsTerms(error, installation)
  } finally {
    services.close()
  }
}

function inTheOperatorsTerms(error: unknown, { dataDirectory }: RunningInstallation): unknown {
  const unanswered = error instanceof ApiError && error.code === 'service_unavailable'
  if (unanswered || error instanceof ConnectError)
    return new StartupError(`Platen does not answer on ${dataDirectory}: start it, or see ${dataDirectory}/logs.`)
  return error
}
