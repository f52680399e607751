/** Runs a command of operators. */
import { ConfigError } from '@platen/runtime/config.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { StartupError } from '../launcher/startup-error.ts'

/**
 * Prints the return value of `run` on stdout. After an error for the operator, prints its message on stderr and exits
 * with 1. Ends the process.
 */
export async function runCommand(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run())
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof ConfigError || error instanceof ApiError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
  // A library can keep a connection to a server that does not respond, which would keep the process.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  process.exit()
}
