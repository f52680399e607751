/** Runs one command of `npm run admin` on a running installation. Called by `main.ts`. */
import { withServices } from '../with-services.ts'
import { parseCommand } from './arguments.ts'

/**
 * @returns the JSON value that the command prints.
 * @throws StartupError, ConfigError or ApiError with a message for the operator.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const run = parseCommand(args)
  return await withServices(env, run)
}
