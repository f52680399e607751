/**
 * `npm run inspect job <id>`: shows one job in all services of a running installation. Finds the installation by `PLATEN_DATA_DIR` and
 * changes nothing.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { databaseUrl } from '../postgres.ts'
import { findRunningInstallation } from '../running-installation.ts'
import { StartupError } from '../startup-error.ts'
import { readAgentJournal } from './agent-journal.ts'
import { readJob } from './job.ts'
import { render } from './render.ts'

const USAGE = 'Usage: npm run inspect job <id>'

async function inspect([what, id]: string[]): Promise<void> {
  if (what !== 'job' || !id || !z.guid().safeParse(id).success) throw new StartupError(USAGE)
  const { dataDirectory, ports, secrets } = await findRunningInstallation(process.env)
  const found = await readJob(databaseUrl(ports.postgres, secrets.postgresPassword), id)
  if (!found) throw new StartupError(`There is no job ${id}.`)
  const agentDirectory = join(dataDirectory, 'test-computers', String(found.job.computer_id))
  console.log(render(found, await readAgentJournal(agentDirectory, id)))
}

try {
  await inspect(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
