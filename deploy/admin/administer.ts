/** Runs one command of `npm run admin` on a running installation. Called by `main.ts`. */
import { ConnectError } from '@connectrpc/connect'
import { ApiError } from '@platen/runtime/errors.ts'
import { connectServices } from '../connect-services.ts'
import { findServices } from '../find-services.ts'
import { StartupError } from '../startup-error.ts'
import { parseCommand } from './arguments.ts'

/**
 * @returns the JSON value that the command prints.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const run = parseCommand(args)
  const found = await findServices(env)
  const services = connectServices(found)
  try {
    return await run(services.client)
  } catch (error) {
    throw toOperatorError(error, found.logs)
  } finally {
    services.close()
  }
}

function toOperatorError(error: unknown, logs: string): unknown {
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable'
  if (isUnavailable || error instanceof ConnectError) return new StartupError(`Platen does not respond. See ${logs}.`)
  return error
}
