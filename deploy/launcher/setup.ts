/** The steps of a start that need packages. A child process of the launcher: see `start-setup.ts`. */
import { inspect } from 'node:util'
import { ConfigError } from '@platen/runtime/config.ts'
import { openDataDirectory } from './data-directory.ts'
import { checkPorts, chooseFreePorts } from './ports.ts'
import { endPreviousRun } from './previous-run.ts'
import { openSecrets } from './secrets.ts'
import { type Installation, LOOPBACK_PORTS } from './services.ts'
import { readSettings } from './settings.ts'
import { StartupError } from './startup-error.ts'

const STEPS = {
  /** Checks the environment before any server is started. */
  async prepare(): Promise<Installation> {
    const settings = readSettings(process.env)
    const data = await openDataDirectory(settings.dataDirectory)
    await endPreviousRun(data.runFile)
    await checkPorts(settings)
    const ports = await chooseFreePorts(LOOPBACK_PORTS)
    return { settings, data, secrets: await openSecrets(data.secretsFile), ports }
  },

  /** @returns the URL of the database for the services. */
  async createServiceRoles(databaseUrl: string, password: string): Promise<string> {
    const [{ createServiceRoles, toServiceUrl }, { parseDatabaseUrl }] = await loadLaterSteps()
    await createServiceRoles(parseDatabaseUrl(databaseUrl), () => password)
    return toServiceUrl(databaseUrl, password)
  },

  async printReady(installation: Installation, hasDashboard: boolean): Promise<void> {
    const [, , { printReady }] = await loadLaterSteps()
    await printReady(installation, hasDashboard)
  },
}

export type Steps = typeof STEPS

export interface Request {
  step: keyof Steps
  input: unknown[]
}

export interface Answer {
  result?: unknown
  /** For the terminal. */
  error?: string
}

const loadLaterSteps = () =>
  Promise.all([
    import('./service-roles.ts'),
    import('@platen/runtime/database/settings.ts'),
    import('./print-ready.ts'),
  ])

// Modules that are being loaded would keep the process alive.
process.once('disconnect', () => process.exit())

process.on('message', async ({ step, input }: Request) => {
  const run = STEPS[step] as (...input: unknown[]) => Promise<unknown>
  const answer: Answer = await run(...input).then(
    (result) => ({ result }),
    (error: unknown) => ({
      error: error instanceof StartupError || error instanceof ConfigError ? error.message : inspect(error),
    }),
  )
  process.send?.(answer)
  // While the servers start. A refused start has no later steps.
  if (answer.error === undefined) void loadLaterSteps()
})
