/**
 * Updates of the running agent: keeps a new program once it is connected, installs offered versions if the owner
 * permits it, and restarts.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ConnectRequestSchema, type UpdateStateSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Logger } from 'pino'
import gt from 'semver/functions/gt.js'
import valid from 'semver/functions/valid.js'
import type { AgentConfig } from '../config.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Uplink } from '../uplink/uplink.ts'
import { installUpdate, type Update } from './install-update.ts'
import { hasNext, isTrying, keepTried, readFailure, recordFailure, tidyPrograms } from './programs.ts'

export type Updates = ReturnType<typeof createUpdates>

interface UpdatesOptions {
  dataDir: string
  config: AgentConfig
  log: Logger
}

interface RunningAgent {
  uplink: Pick<Uplink, 'notify'>
  timings: { updateSpreadMs: number }
}

/** What `installUpdate` needs. @throws Error with the reason if this program cannot update itself. */
export function toUpdate(dataDir: string, { serverUrl, caFile, proxy }: AgentConfig): Update {
  const base = process.env.PLATEN_AGENT_BASE
  if (!base) throw new Error(WITHOUT_LAUNCHER[process.platform === 'win32' ? 'windows' : 'other'])
  const { releaseKey } = manifest
  if (!releaseKey)
    throw new Error(
      'The package of this agent was built without a release key, so an update could not be verified. Install the newer package, for example by install.sh.',
    )
  if (serverUrl === undefined)
    throw new Error('agent.json has no "serverUrl", from which updates are downloaded. Enrol this computer again.')
  return { dataDir, base, serverUrl, releaseKey, caFile, proxy }
}

const WITHOUT_LAUNCHER = {
  windows:
    'On Windows the agent does not update itself. Run the command for Windows of the page "Add a computer" again.',
  other:
    'Only an installed package updates itself. In a container start the newer image, in a clone of Platen pull the newer commit.',
}

/**
 * Called once when the agent starts.
 *
 * @returns undefined if the launcher of a package did not start this program.
 */
export async function openUpdates(options: UpdatesOptions): Promise<Updates | undefined> {
  const base = process.env.PLATEN_AGENT_BASE
  if (!base) return undefined
  await tidyPrograms(options.dataDir, base)
  return createUpdates(options, await isTrying(options.dataDir))
}

function createUpdates({ dataDir, config, log }: UpdatesOptions, wasTrying: boolean) {
  let isTried = !wasTrying
  let isRestarting = false
  let agent: RunningAgent | undefined
  let restart: () => void = () => undefined
  let scheduled: NodeJS.Timeout | undefined
  let isInstalling = false
  const isAutomatic = config.update === 'automatic'

  function canUpdate(): boolean {
    try {
      return toUpdate(dataDir, config) !== undefined
    } catch {
      return false
    }
  }

  /** For the service. */
  function describe(): MessageInitShape<typeof UpdateStateSchema> | undefined {
    if (!canUpdate()) return undefined
    const failure = readFailure(dataDir)
    return { isAutomatic, failedVersion: failure?.version, failure: failure?.reason }
  }

  async function keep(): Promise<void> {
    isTried = true
    await keepTried(dataDir)
    log.info({ version: manifest.version }, 'the update is connected and stays')
  }

  async function install(update: Update): Promise<void> {
    if (isInstalling) return
    isInstalling = true
    try {
      await installUpdate(update)
    } catch (error) {
      log.warn({ err: error }, 'the update was not installed')
    } finally {
      isInstalling = false
    }
    await check()
  }

  /** Restarts if a program waits for it. Otherwise the service gets the outcome of the newest attempt. */
  async function check(): Promise<void> {
    if (await hasNext(dataDir)) {
      log.info('the agent restarts to run an update')
      isRestarting = true
      restart()
    } else
      agent?.uplink.notify(create(ConnectRequestSchema, { message: { case: 'updateState', value: describe() ?? {} } }))
  }

  function isWanted(version: string): boolean {
    if (!isAutomatic || !canUpdate() || !valid(version) || !gt(version, manifest.version)) return false
    const failure = readFailure(dataDir)
    return !(failure?.isFinal && failure.version === version)
  }

  const report = (work: Promise<void>) =>
    void work.catch((error: unknown) => log.warn({ err: error }, 'the programs of updates cannot be changed'))

  return {
    describe,
    check: () => report(check()),
    /** Whether the service manager must start the agent again. */
    isRestarting: () => isRestarting,

    /** @param onRestart called when the agent must end. @returns a function that stops updates. */
    start(running: RunningAgent, onRestart: () => void): () => void {
      agent = running
      restart = onRestart
      return () => clearTimeout(scheduled)
    },

    /** Installs the offered version now. @throws Error with the reason if this program cannot update itself. */
    begin(): void {
      const update = toUpdate(dataDir, config)
      clearTimeout(scheduled)
      report(install(update))
    },

    /** @param offeredVersion empty: none. */
    welcomed(offeredVersion: string): void {
      if (!isTried) report(keep())
      clearTimeout(scheduled)
      if (isRestarting || !agent || !isWanted(offeredVersion)) return
      const update = toUpdate(dataDir, config)
      scheduled = setTimeout(() => report(install(update)), Math.random() * agent.timings.updateSpreadMs)
      scheduled.unref()
    },

    /** The launcher ends a program that is not connected in time, and the former one reports the reason. */
    notConnected(reason: string): void {
      if (isTried) return
      const sentence = `Version ${manifest.version} did not connect within 2 minutes: ${reason}`
      recordFailure(dataDir, { version: manifest.version, reason: sentence, isFinal: true })
    },
  }
}
