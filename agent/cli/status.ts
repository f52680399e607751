/** `platen-agent status`: exit code 0 if the agent is running and connected, otherwise 1. */
import { getConfigPath, readConfig } from '../config.ts'
import { DISK_FULL, getFreeBytes } from '../disk.ts'
import { askStatus } from '../status/ask-status.ts'
import type { Status } from '../status/status.ts'
import { readFailure, type UpdateFailure } from '../update/programs.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { formatTable, print } from './output.ts'

export async function status({ dataDir, json }: Options, { stdout }: Io): Promise<number> {
  const { agentUrl, serverUrl } = await readConfig(getConfigPath(dataDir))
  const running = await askStatus(dataDir)
  const stateReasons = (await getFreeBytes(dataDir)) < 0 ? [DISK_FULL] : []
  const isConnected = running?.connection.state === 'connected'
  const known = { serverUrl, agentUrl, stateReasons, updateFailure: readFailure(dataDir) }
  if (json) await print(JSON.stringify({ running: running !== undefined, ...known, ...running }, null, 2), stdout)
  else await print(describe(known, running), stdout)
  return isConnected ? EXIT.ok : EXIT.failed
}

interface Known {
  agentUrl: string
  serverUrl?: string
  stateReasons: string[]
  updateFailure?: UpdateFailure
}

function describe({ agentUrl, serverUrl, stateReasons, updateFailure }: Known, running: Status | undefined): string {
  const lines = [
    ['server', serverUrl ?? 'unknown'],
    ['agents', agentUrl],
    ...(stateReasons.includes(DISK_FULL) ? [['disk', `full (${DISK_FULL}): jobs wait until it has space`]] : []),
    ...(updateFailure ? [['update', updateFailure.reason]] : []),
  ]
  if (!running) return formatTable([['agent', 'not running: start it with `platen-agent run`'], ...lines])
  const { connection, journal, pid, agentVersion, startedAt, spoolerProblem } = running
  const jobs = journal.unsettled.map(({ id, phase, printer }) => ['', `${id}  ${phase}  ${printer}`])
  return formatTable([
    ['agent', `${agentVersion}, process ${pid}, running since ${startedAt}`],
    ['connection', `${connection.state} since ${connection.since}${connection.reason ? `: ${connection.reason}` : ''}`],
    ...(connection.computerId ? [['computer', connection.computerId]] : []),
    ...lines,
    ...(spoolerProblem ? [['printers', spoolerProblem.message]] : []),
    ['jobs', `${jobs.length} active`],
    ...jobs,
  ])
}
