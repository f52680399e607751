/**
 * `platen-agent update`: installs the version of the agent that the service offers, and waits until it is connected.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getConfigPath, readConfig } from '../config.ts'
import manifest from '../package.json' with { type: 'json' }
import { askStatus } from '../status/ask-status.ts'
import { installUpdate } from '../update/install-update.ts'
import { readFailure } from '../update/programs.ts'
import { toUpdate } from '../update/updates.ts'
import { EXIT } from './exit-codes.ts'
import { type Io, UPDATED } from './io.ts'
import type { Options } from './options.ts'
import { print } from './output.ts'

/**
 * The new version has 2 minutes to connect. Before it the agent ends its calls of the spooler, and afterwards the
 * former one starts.
 */
const RESTART_TIMEOUT_MS = 5 * 60_000
const POLL_MS = 500

/** @throws Error with a message for the user. */
export async function update({ dataDir, allowDowngrade }: Options, { stdout, stderr }: Io): Promise<number> {
  const config = await readConfig(getConfigPath(dataDir))
  const source = toUpdate(dataDir, config)
  let version: string | undefined
  try {
    version = await installUpdate({ ...source, allowDowngrade })
  } catch (error) {
    await notifyAgent(dataDir)
    throw error
  }
  if (version === undefined)
    return await print(`The agent has version ${manifest.version}, which the service offers.`, stdout)
  if (!(await notifyAgent(dataDir)))
    return await print(`Version ${version} is installed. The next start of the agent runs it.`, stdout)
  await print(`Version ${version} is installed. The agent restarts …`, stdout)
  const failure = await waitForOutcome(dataDir, version)
  if (failure === undefined) return await print(`The agent is connected with version ${version}.`, stdout)
  await print(failure, stderr)
  return EXIT.failed
}

/** @returns whether an agent runs. */
async function notifyAgent(dataDir: string): Promise<boolean> {
  const running = await askStatus(dataDir)
  if (running) process.kill(running.pid, UPDATED)
  return running !== undefined
}

/** @returns undefined when the new version is connected; otherwise what happened. */
async function waitForOutcome(dataDir: string, version: string): Promise<string | undefined> {
  for (const endAt = Date.now() + RESTART_TIMEOUT_MS; Date.now() < endAt; await sleep(POLL_MS)) {
    const running = await askStatus(dataDir).catch(() => undefined)
    const failure = readFailure(dataDir)
    if (running?.agentVersion === version && running.connection.state === 'connected') return undefined
    if (running && running.agentVersion !== version && failure?.version === version)
      return `${failure.reason} The agent runs version ${running.agentVersion} again.`
  }
  return 'The agent did not start again within 5 minutes. Without a service manager start it with: platen-agent run'
}
