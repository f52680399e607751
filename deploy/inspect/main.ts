/**
 * `npm run inspect job <id>`: all that a running installation knows of one job, across its services, on one screen. Finds the
 * installation by `PLATEN_DATA_DIR` and changes nothing in it.
 */
import { join } from 'node:path'
import { findRunningInstallation } from '../running-installation.ts'
import { StartupError } from '../startup-error.ts'
import { readAgentJournal } from './agent-journal.ts'
import { readJob } from './job.ts'
import { render } from './render.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const USAGE = 'Usage: npm run inspect job <id>'

async function inspect([what, id]: string[]): Promise<void> {
  if (what !== 'job' || !id || !UUID.test(id)) throw new StartupError(USAGE)
  const { dataDirectory, ports, secrets } = await findRunningInstallation(process.env)
  const found = await readJob(`postgres://platen:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/platen`, id)
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
