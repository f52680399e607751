#!/usr/bin/env node
/** The program `platen`: the command line of integrators. Reference: docs/platen.md */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { ApiError, PlatenError } from '@platen/sdk'
import { CommanderError } from 'commander'
import { EXIT, Failure } from './exit-codes.ts'
import { inform } from './output.ts'
import { createProgram } from './program.ts'

// An address has this time before the next one of a host is tried. The default of 250 ms is shorter than a round trip
// by satellite.
setDefaultAutoSelectFamilyAttemptTimeout(2_000)

const program = await createProgram()

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
