/** `platen-agent run`: the agent itself. Logs go to standard output, and the newest of them into the data directory. */
import { mkdirSync } from 'node:fs'
import { type Logger, multistream, pino } from 'pino'
import { type AgentConfig, configPathIn, isReadableByOthers, readConfig } from '../config.ts'
import { JournalInUse, JournalTooNew } from '../journal/open-database.ts'
import { openLogFile } from '../log-file.ts'
import { proxyFor } from '../network/proxy.ts'
import { trustOf } from '../network/trust.ts'
import { runAgent } from '../run.ts'
import { openSpooler } from '../spoolers/open-spooler.ts'
import { statusAddressOf } from '../status/ask-status.ts'
import { EXIT } from './exit-codes.ts'
import type { Options } from './options.ts'

const EXIT_CODES = {
  stopped: EXIT.ok,
  superseded: EXIT.unwanted,
  deleted: EXIT.unwanted,
  unauthenticated: EXIT.unwanted,
}

/** However stuck something is; service managers kill a little later. */
const STOP_WITHIN_MS = 4_800

export async function run({ dataDir }: Options): Promise<number> {
  const configPath = configPathIn(dataDir)
  const config = await readConfig(configPath)
  checkRoute(config)
  const log = openLog(dataDir)
  if (await isReadableByOthers(configPath))
    log.warn(`${configPath} holds the credential and can be read by others: chmod 600 it.`)
  const stop = stopWhenTold(log)
  try {
    const end = await runAgent({
      dataDir,
      config,
      spooler: openSpooler(config, dataDir, log),
      log,
      signal: stop,
      statusAddress: statusAddressOf(dataDir),
      onWelcome: tellParentOnce(),
    })
    return EXIT_CODES[end]
  } catch (error) {
    if (error instanceof JournalInUse || error instanceof JournalTooNew) log.fatal(error.message)
    else log.fatal({ err: error }, 'the agent failed')
    return EXIT.failed
  }
}

/** What can be known to be wrong now must not fail again and again later. */
function checkRoute({ agentUrl, caFile, proxy }: AgentConfig): void {
  const url = new URL(agentUrl)
  if (url.protocol === 'https:') trustOf(caFile)
  proxyFor(url, proxy)
}

function openLog(dataDir: string): Logger {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const level = process.env.PLATEN_LOG_LEVEL || 'info'
  const streams = multistream([
    { level: 'trace', stream: pino.destination({ fd: 1, sync: true }) },
    { level: 'trace', stream: openLogFile(dataDir) },
  ])
  return pino({ name: 'agent', level }, streams)
}

function stopWhenTold(log: Logger): AbortSignal {
  const stop = new AbortController()
  function stopFor(reason: string): void {
    if (stop.signal.aborted) return
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(EXIT.failed), STOP_WITHIN_MS).unref()
    stop.abort()
  }
  process.once('SIGTERM', () => stopFor('SIGTERM'))
  process.once('SIGINT', () => stopFor('SIGINT'))
  process.once('disconnect', () => stopFor('the parent process is gone'))
  return stop.signal
}

function tellParentOnce(): () => void {
  let told = false
  return () => {
    if (!told) process.send?.({ ready: true })
    told = true
  }
}
