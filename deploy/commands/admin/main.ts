/**
 * `npm run -s admin -- <command>`: manages organizations, keys, plans and users of a running installation. Prints one line of JSON. `-s`
 * suppresses the output of npm.
 */
import { runCommand } from '../run-command.ts'
import { administer } from './administer.ts'

await runCommand(async (args) => JSON.stringify(await administer(args, process.env)))
