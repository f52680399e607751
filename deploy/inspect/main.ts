/** `platen inspect job <id>`: shows one job in all services. Changes nothing. */
import { join } from 'node:path'
import { z } from 'zod'
import { connectServices } from '../connect-services.ts'
import { findServices } from '../find-services.ts'
import { runCommand } from '../run-command.ts'
import { StartupError } from '../startup-error.ts'
import { readAgentJournal } from './agent-journal.ts'
import { readJob } from './job.ts'
import { render } from './render.ts'

await runCommand(async ([what, id]) => {
  if (what !== 'job' || !id || !z.guid().safeParse(id).success)
    throw new StartupError('Usage: npm run inspect job <id>')
  const services = await findServices(process.env)
  const connections = connectServices(services)
  try {
    const found = await readJob(connections.client, id)
    // Only the virtual computers of an installation on this machine have their journals here.
    const { dataDirectory } = services
    const journal = dataDirectory && (await readAgentJournal(toJournal(dataDirectory, found.job?.computerId), id))
    return render(found, journal || undefined)
  } finally {
    connections.close()
  }
})

function toJournal(dataDirectory: string, computerId = ''): string {
  return join(dataDirectory, 'test-computers', computerId)
}
