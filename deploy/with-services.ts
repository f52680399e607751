/** Calls the services for a command of operators. */
import { ConnectError } from '@connectrpc/connect'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Connect, connectServices } from './connect-services.ts'
import { type FoundServices, findServices } from './find-services.ts'
import { StartupError } from './startup-error.ts'

/**
 * @returns what `run` returns.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function withServices<T>(
  env: NodeJS.ProcessEnv,
  run: (connect: Connect, found: FoundServices) => Promise<T>,
): Promise<T> {
  const found = await findServices(env)
  const services = connectServices(found)
  try {
    return await run(services.client, found)
  } catch (error) {
    throw toOperatorError(error, found)
  } finally {
    services.close()
  }
}

function toOperatorError(error: unknown, { logs }: FoundServices): unknown {
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable'
  if (!isUnavailable && !(error instanceof ConnectError)) return error
  return new StartupError(`Platen does not respond. See ${logs}.`)
}
