/**
 * `npm run inspect job <id>`: all that a running installation knows of one job, across its services, on one screen. Finds the
 * installation by `PLATEN_DATA_DIR` and changes nothing in it.
 */
import { join } from 'node:path'
import { readJson } from '../private-file.ts'
import { RUN_RECORD } from '../run-record.ts'
import { openSecrets } from '../secrets.ts'
import { readSettings } from '../settings.ts'
import { StartupError } from '../startup-error.ts'
import { readAgentJournal } from './agent-journal.ts'
import { readJob } from './job.ts'
import { render } from './render.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const USAGE = 'Usage: npm run inspect job <id>'

async function inspect([what, id]: string[]): Promise<void> {
  if (what !== 'job' || !id || !UUID.test(id)) throw new StartupError(USAGE)
  const { dataDirectory } = readSettings(process.env)
  const run = await readJson(join(dataDirectory, 'run.json'))
  if (run === undefined)
    throw new StartupError(`Platen is not running on ${dataDirectory}: start it, or set PLATEN_DATA_DIR.`)
  const { postgres: port } = RUN_RECORD.parse(run).ports
  const { postgresPassword } = await openSecrets(join(dataDirectory, 'secrets.json'))
  const found = await readJob(`postgres://platen:${postgresPassword}@127.0.0.1:${port}/platen`, id)
  if (!found) throw new StartupError(`There is no job ${id}.`)
  console.log(render(found, await readAgentJournal(join(dataDirectory, 'agents/test'), id)))
}

try {
  await inspect(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
