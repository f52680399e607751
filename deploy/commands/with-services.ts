/** Calls the services for a command of operators. */
import { Code, ConnectError } from '@connectrpc/connect'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Connect, connectServices } from '../launcher/connect-services.ts'
import { StartupError } from '../launcher/startup-error.ts'
import { type FoundServices, findServices } from './find-services.ts'

/**
 * @returns what `run` returns.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function withServices<T>(
  env: NodeJS.ProcessEnv,
  run: (connect: Connect, found: FoundServices) => Promise<T>,
): Promise<T> {
  const found = await findServices(env)
  try {
    return await run(connectServices(found), found)
  } catch (error) {
    throw toOperatorError(error, found)
  }
}

function toOperatorError(error: unknown, { logs }: FoundServices): unknown {
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable'
  if (!isUnavailable && !(error instanceof ConnectError)) return error
  if (error instanceof ConnectError && error.code === Code.Unauthenticated) return new StartupError(error.rawMessage)
  if (error instanceof ConnectError && error.code === Code.Unimplemented)
    return new StartupError(
      'A service does not accept the calls of operators. Set its PLATEN_OPERATOR_SECRET_SHA256, and upgrade it if its release is older than this command.',
    )
  return new StartupError(`Platen does not respond. See ${logs}.`)
}
