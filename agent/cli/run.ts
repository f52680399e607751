/**
 * `platen-agent run`: runs the agent. Logs go to standard output; the newest lines are also kept in the data directory.
 */
import { mkdirSync } from 'node:fs'
import { type Logger, multistream, pino } from 'pino'
import { type AgentConfig, getConfigPath, isReadableByOthers, readConfig } from '../config.ts'
import { JournalInUse, JournalTooNew } from '../journal/open-database.ts'
import { openLogFile } from '../log-file.ts'
import { runAgent } from '../run.ts'
import { openSpooler } from '../spoolers/open-spooler.ts'
import { getStatusAddress } from '../status/ask-status.ts'
import { selectProxy } from '../transport/proxy.ts'
import { getTrustContext } from '../transport/trust.ts'
import { openUpdates } from '../update/updates.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'

const EXIT_CODES = {
  stopped: EXIT.ok,
  superseded: EXIT.rejected,
  deleted: EXIT.rejected,
}

export async function run({ dataDir }: Options, io: Io): Promise<number> {
  const configPath = getConfigPath(dataDir)
  const config = await readConfig(configPath)
  checkRoute(config)
  const log = openLog(dataDir, io)
  if (await isReadableByOthers(configPath))
    log.warn(`${configPath} contains the credential and can be read by other users. Run chmod 600 on it.`)
  const stop = createStopSignal(log, io)
  const updates = await openUpdates({ dataDir, config, log })
  io.onUpdate(() => updates?.check())
  try {
    const end = await runAgent({
      dataDir,
      config,
      ...openSpooler(config, dataDir, log),
      log,
      signal: stop,
      statusAddress: getStatusAddress(dataDir),
      onWelcome: notifyParentOnce(io),
      updates,
    })
    return updates?.isRestarting() ? EXIT.restart : EXIT_CODES[end]
  } catch (error) {
    if (error instanceof JournalInUse || error instanceof JournalTooNew) log.fatal(error.message)
    else log.fatal({ err: error }, 'the agent failed')
    return EXIT.failed
  }
}

/** Fails now for an invalid CA file or proxy, instead of at every connection. */
function checkRoute({ agentUrl, caFile, proxy }: AgentConfig): void {
  const url = new URL(agentUrl)
  if (url.protocol === 'https:') getTrustContext(caFile)
  selectProxy(url, proxy)
}

function openLog(dataDir: string, io: Io): Logger {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const level = process.env.PLATEN_LOG_LEVEL || 'info'
  const streams = multistream([
    { level: 'trace', stream: io.openLog() },
    { level: 'trace', stream: openLogFile(dataDir) },
  ])
  return pino({ name: 'agent', level, formatters: { level: (label) => ({ level: label }) } }, streams)
}

function createStopSignal(log: Logger, io: Io): AbortSignal {
  const stop = new AbortController()
  io.onStop((reason) => {
    if (stop.signal.aborted) return
    log.info({ reason }, 'stopping')
    stop.abort()
  })
  return stop.signal
}

function notifyParentOnce(io: Io): () => void {
  let isNotified = false
  return () => {
    if (!isNotified) io.ready()
    isNotified = true
  }
}
