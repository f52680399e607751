/** Runs one command of `platen-server admin` on a running installation, for programs. */
import { withServices } from '../with-services.ts'
import { parseCommand } from './add-admin.ts'

/**
 * @returns the JSON value that the command prints.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const run = parseCommand(args)
  return await withServices(env, run)
}
