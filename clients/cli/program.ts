/** The commands of `platen`. */
import { Command } from 'commander'
import { addAccount } from './commands/account.ts'
import { addApi } from './commands/api.ts'
import { addComputers } from './commands/computers.ts'
import { addDestinations } from './commands/destinations.ts'
import { addEvents } from './commands/events.ts'
import { addJobs } from './commands/jobs.ts'
import { addPreview } from './commands/preview.ts'
import { addPrint } from './commands/print.ts'
import { addPrinters } from './commands/printers.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { addCompletion } from './completion.ts'
import manifest from './package.json' with { type: 'json' }

/** `test/tools/cli-help.ts` also uses it, which writes the help of each command into the documentation. */
export async function createProgram(): Promise<Command> {
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
    addDestinations,
    addComputers,
    addEvents,
    addWebhooks,
    addApi,
  ])
    add(program)
  await addCompletion(program)
  return program
}
