/**
 * `npm run -s admin -- <command>`: what the operator of a running installation decides about organizations, keys and plans. Prints
 * one line of JSON and nothing else on stdout; when it cannot, one sentence on stderr, and it exits with 1. (`-s`, since npm would
 * print a line of its own before it.)
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
