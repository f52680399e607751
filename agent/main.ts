/**
 * The program on people's computers: `node agent/main.ts run --data-dir DIR`.
 *
 * Exits with 0 when it was told to stop, 1 when it failed, 2 when the command line or the configuration is wrong, and 3 when the
 * service does not want it any more, so that coming back is of no use.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { isReadableByOthers, readConfig } from './config.ts'
import { JournalInUse } from './journal/open-database.ts'
import { runAgent } from './run.ts'
import { createVirtualSpooler } from './spoolers/virtual/virtual-spooler.ts'

const EXIT_CODES = { stopped: 0, superseded: 3, deleted: 3, unauthenticated: 3 }
const EXIT_FAILED = 1
const EXIT_USAGE = 2

/** However stuck something is; service managers kill a little later. */
const STOP_WITHIN_MS = 4_800

const dataDir = readCommandLine(process.argv.slice(2))
const configPath = join(dataDir, 'agent.json')
const config = await readConfig(configPath).catch(misused)
const printMs = readPrintMs(process.env.PLATEN_VIRTUAL_PRINT_MS)
const log = pino({ name: 'agent', level: process.env.PLATEN_LOG_LEVEL || 'info' })
if (await isReadableByOthers(configPath))
  log.warn(`${configPath} holds the credential and can be read by others: chmod 600 it.`)

const stop = new AbortController()
process.once('SIGTERM', () => stopFor('SIGTERM'))
process.once('SIGINT', () => stopFor('SIGINT'))
process.once('disconnect', () => stopFor('the parent process is gone'))

let isReady = false
const end = await runAgent({
  dataDir,
  config,
  spooler: createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs }),
  log,
  signal: stop.signal,
  onWelcome() {
    if (!isReady) process.send?.({ ready: true })
    isReady = true
  },
}).catch((error: unknown) => {
  if (error instanceof JournalInUse) log.fatal(error.message)
  else log.fatal({ err: error }, 'the agent failed')
  process.exit(EXIT_FAILED)
})
process.exit(EXIT_CODES[end])

function stopFor(reason: string): void {
  if (stop.signal.aborted) return
  log.info({ reason }, 'stopping')
  setTimeout(() => process.exit(EXIT_FAILED), STOP_WITHIN_MS).unref()
  stop.abort()
}

function readCommandLine(args: string[]): string {
  try {
    const options = { 'data-dir': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.join(' ') === 'run' && values['data-dir']) return values['data-dir']
  } catch (error) {
    return misused(error)
  }
  return misused(new Error('Usage: node agent/main.ts run --data-dir DIR'))
}

/** @param text how long a virtual print takes, for tests. */
function readPrintMs(text: string | undefined): number | undefined {
  if (!text) return undefined
  return /^\d+$/.test(text) ? Number(text) : misused(new Error('PLATEN_VIRTUAL_PRINT_MS must be milliseconds.'))
}

/** One sentence for the person who started the agent. */
function misused(error: unknown): never {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(EXIT_USAGE)
}
