#!/usr/bin/env node
/** The program `platen`: the command line of integrators. Reference: docs/platen.md */
import { ApiError, PlatenError } from '@platen/sdk'
import { Command, CommanderError } from 'commander'
import { addAccount } from './commands/account.ts'
import { addApi } from './commands/api.ts'
import { addComputers } from './commands/computers.ts'
import { addEvents } from './commands/events.ts'
import { addJobs } from './commands/jobs.ts'
import { addPreview } from './commands/preview.ts'
import { addPrint } from './commands/print.ts'
import { addPrinters } from './commands/printers.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { addCompletion } from './completion.ts'
import { EXIT, Failure } from './exit-codes.ts'
import { inform } from './output.ts'
import manifest from './package.json' with { type: 'json' }

const program = new Command('platen')
  .description('Prints on the printers of Platen, a cloud printing service that you run yourself.')
  .version(manifest.version)
  .option('--json', 'print one JSON object per line')
  .option('--utc', 'show times in UTC')
  .option('--profile <name>', 'use this profile of `platen login`; default: PLATEN_PROFILE, or the last login')
  .showSuggestionAfterError()
  .exitOverride()

for (const add of [
  addAccount,
  addPrint,
  addPreview,
  addJobs,
  addPrinters,
  addComputers,
  addEvents,
  addWebhooks,
  addApi,
])
  add(program)
await addCompletion(program)

// A reader that has enough, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.error))
process.once('SIGINT', () => process.exit(EXIT.interrupted))

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** @returns the exit code. */
function report(error: unknown): number {
  // Its message is on stderr already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof Failure) {
    inform(error.message)
    return error.exitCode
  }
  if (!(error instanceof PlatenError)) throw error
  const request = error instanceof ApiError && error.requestId ? ` (${error.code}, request ${error.requestId})` : ''
  inform(`${error.message}${request}`)
  if (error instanceof ApiError && error.upgradeUrl) inform(error.upgradeUrl)
  return EXIT.error
}
