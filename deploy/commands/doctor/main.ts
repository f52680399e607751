/**
 * `platen-server doctor`: asks all replicas what they see, and prints a line for each finding. With `--public` it also checks the public addresses.
 * Exits with 1 if something is wrong.
 */

import { StartupError } from '../../launcher/startup-error.ts'
import { runCommand } from '../run-command.ts'
import { examine } from './examine.ts'
import { summarize } from './summarize.ts'

await runCommand(async (args) => {
  if (args.some((arg) => arg !== '--public')) throw new StartupError('Usage: platen-server doctor [--public]')
  return summarize(await examine(process.env, { isPublic: args.length > 0 }))
})
