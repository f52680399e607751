/**
 * `npm run -s admin -- <command>`: manages organizations, keys, plans and users of a running installation. Prints one line of JSON on
 * stdout. After an error, prints a message on stderr and exits with 1. `-s` suppresses the output of npm.
 */
import { ConfigError } from '@platen/runtime/config.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { StartupError } from '../startup-error.ts'
import { administer } from './administer.ts'

try {
  console.log(JSON.stringify(await administer(process.argv.slice(2), process.env)))
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ConfigError || error instanceof ApiError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
